/** The form of the cases that come from other matching engines. */
import * as Schema from "effect/Schema"
import type * as Entry from "../../src/Entry.ts"
import type * as Policy from "../../src/Policy.ts"
import type { Input } from "./Run.ts"

const Record = Schema.Struct({
  id: Schema.String,
  asset: Schema.String,
  amount: Schema.String,
  timeMs: Schema.Int,
  ref: Schema.optionalKey(Schema.String)
})

const Members = Schema.Struct({ deposits: Schema.Array(Schema.String), transfers: Schema.Array(Schema.String) })

const Answer = Schema.Struct({
  matched: Schema.optionalKey(Schema.Array(Members)),
  unmatchedDeposits: Schema.optionalKey(Schema.Array(Schema.String)),
  unmatchedTransfers: Schema.optionalKey(Schema.Array(Schema.String)),
  ambiguous: Schema.optionalKey(Schema.Array(Members))
})
export type Answer = typeof Answer.Type

export const Case = Schema.Struct({
  id: Schema.String,
  policy: Schema.String,
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
  }),
  expected: Schema.Struct({
    ...Answer.fields,
    alsoAcceptable: Schema.optionalKey(Schema.Array(Answer)),
    counts: Schema.optionalKey(
      Schema.Struct({ matched: Schema.Int, unmatchedDeposits: Schema.Int, unmatchedTransfers: Schema.Int })
    )
  })
})
export type Case = typeof Case.Type

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

const toPolicy = ({ config }: Case): Policy.Policy => ({
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

/** The case as input of the engine, with everything vouched for. */
export const toInput = (
  sample: Case
): Input & { readonly deposits: ReadonlyArray<Entry.Entry>; readonly transfers: ReadonlyArray<Entry.Entry> } => ({
  deposits: sample.deposits.map(entry("deposit")),
  transfers: sample.transfers.map(entry("transfer")),
  policy: toPolicy(sample)
})
