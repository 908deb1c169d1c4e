/** What the repository ships: the cases of other matching engines, each under every policy, and the movements of a bridge. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import * as Reading from "../books/Reading.ts"
import type * as Kind from "../Kind.ts"
import * as Subject from "../Subject.ts"

const bytes = (path: string): Buffer => readFileSync(new URL(`../../../${path}`, import.meta.url))

const Record = Schema.Struct({
  id: Schema.String,
  asset: Schema.String,
  amount: Schema.String,
  timeMs: Schema.Int,
  ref: Schema.optionalKey(Schema.String)
})

const Case = Schema.Struct({
  deposits: Schema.Array(Record),
  transfers: Schema.Array(Record),
  config: Schema.Struct({
    beforeMs: Schema.Int,
    afterMs: Schema.Int,
    tolerance: Schema.Struct({
      abs: Schema.String,
      rel: Schema.String,
      relBase: Schema.Literals(["deposit", "transfer", "max"]),
      inclusive: Schema.Boolean
    }),
    grouping: Schema.optionalKey(
      Schema.Struct({ manyToOne: Schema.Boolean, oneToMany: Schema.Boolean, maxSize: Schema.Int })
    ),
    refDecides: Schema.optionalKey(Schema.Boolean),
    assetAliases: Schema.optionalKey(Schema.Array(Schema.Array(Schema.String))),
    excluded: Schema.optionalKey(Schema.Array(Schema.String))
  })
})
type Case = typeof Case.Type

const cases = Schema.decodeSync(Schema.fromJsonString(Schema.Array(Case)))(
  bytes("packages/reconcile/test/fixtures/matching-sample.json").toString()
)

/** Some cases count time from their own beginning; nothing of an entry lies before 2010. */
const BEGINNING = 1_300_000_000_000

const entry = (side: Entry.Side) => ({ amount, asset, id, ref, timeMs }: typeof Record.Type): Entry.Entry => ({
  side,
  id,
  asset,
  amount,
  at: BEGINNING + timeMs,
  status: "settled",
  ...(ref === undefined ? {} : { reference: ref })
})

const policyOf = ({ config }: Case): Policy.Policy => ({
  window: { before: config.beforeMs, after: config.afterMs },
  tolerance: {
    absolute: config.tolerance.abs,
    relative: config.tolerance.rel,
    base: config.tolerance.relBase === "max" ? "larger" : config.tolerance.relBase,
    inclusive: config.tolerance.inclusive
  },
  ...(config.refDecides === true ? { reference: "require" } : {}),
  ...(config.assetAliases === undefined ? {} : { assets: { aliases: config.assetAliases } }),
  ...(config.excluded === undefined ? {} : { exclude: config.excluded.map((id) => ({ id })) }),
  grouping: config.grouping ?? { manyToOne: false, oneToMany: false }
})

/** The case's own policy, and those that the repository ships. */
const policies: ReadonlyArray<(one: Case) => unknown> = [
  policyOf,
  ...["exact", "network-fees", "own-ledger", "sweeps"].map((name) => {
    const written: unknown = JSON.parse(bytes(`policies/${name}.json`).toString())
    return () => written
  })
]

const everything = Reading.everything.map(({ operation, to }): Coverage.Coverage => ({
  operation,
  from: 0,
  to: to + BEGINNING,
  readAt: to + BEGINNING,
  state: "complete"
}))

const plain = { bad: [], coverage: everything, accounts: { list: [], complete: false } }

/** The case in the tens, the policy in the ones. */
export const samples: Kind.Kind = {
  name: "samples",
  seeds: cases.flatMap((_, index) => policies.map((_, policy) => 10 * (index + 1) + policy)),
  subject: Effect.fnUntraced(function*(seed) {
    const one = cases[Math.floor(seed / 10) - 1]
    const policy = policies[seed % 10]
    if (one === undefined || policy === undefined) return yield* Effect.die(`there is no sample ${seed}`)
    return yield* Subject.ofBook({
      ...plain,
      policy: yield* Effect.fromResult(Policy.decode(policy(one))),
      deposits: one.deposits.map(entry("deposit")),
      transfers: one.transfers.map(entry("transfer"))
    }, { stepwise: true })
  })
}

const Movement = Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  asset: Schema.String,
  amount: Schema.String,
  at: Schema.Int
}))

const movements = (side: Entry.Side): ReadonlyArray<Entry.Entry> =>
  gunzipSync(bytes(`bench/data/nomad/${side}s.ndjson.gz`)).toString().trim().split("\n").map((line) => {
    const { amount, asset, at, id } = Schema.decodeSync(Movement)(line)
    return { side, id, asset, amount, at, status: "settled" }
  })

/** Movements that this project did not make: the first so many deposits and transfers, or all of them. */
export const outside: Kind.Kind = {
  name: "outside",
  seeds: [1, 2],
  subject: Effect.fnUntraced(function*(seed) {
    const most = seed === 1 ? 2000 : Number.POSITIVE_INFINITY
    const policy: unknown = seed === 1 ? {} : JSON.parse(bytes("bench/data/nomad/policy.json").toString())
    return yield* Subject.ofBook({
      ...plain,
      policy: yield* Effect.fromResult(Policy.decode(policy)),
      deposits: movements("deposit").slice(0, most),
      transfers: movements("transfer").slice(0, most)
    }, { parts: 40 })
  })
}
