/** Any acts, in any order: the ledger stays a chain, and what holds of it can be followed. */
import { assert, describe, it } from "@effect/vitest"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

const numbers = [0, 1]
const deposits = numbers.map((index) => deposit({ txId: `d${index}`, insertTime: NOW + index }))
const transfers = numbers.map((index) => transfer({ tranId: `t${index}`, timestamp: NOW + 10 + index }))

const why = { reason: "other", words: "so" } as const

const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Some = Schema.Array(Index).check(Schema.isMinLength(1), Schema.isMaxLength(2))

/** Acts as somebody means them: deposits by their number, because their ids are hashes. */
const Meant = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("link"), deposits: Some, transfers: Some }),
  Schema.Struct({ kind: Schema.Literal("forbid"), deposit: Index, transfer: Index }),
  Schema.Struct({ kind: Schema.Literal("exclude"), side: Entry.Side, entry: Index }),
  Schema.Struct({
    kind: Schema.Literal("revoke"),
    decision: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 }))
  })
])

const act = (ids: ReadonlyArray<string>) => (meant: typeof Meant.Type): Decision.Act => {
  const idOf = (index: number): string => ids[index] ?? ""
  const nameOf = (index: number): string => `t${index}`
  const list = (name: (index: number) => string, [first = 0, ...others]: ReadonlyArray<number>) =>
    [name(first), ...others.map(name)] as const
  switch (meant.kind) {
    case "link":
      return { kind: "link", deposits: list(idOf, meant.deposits), transfers: list(nameOf, meant.transfers), ...why }
    case "forbid":
      return { kind: "forbid", deposit: idOf(meant.deposit), transfer: nameOf(meant.transfer), ...why }
    case "exclude":
      return {
        kind: "exclude",
        side: meant.side,
        id: meant.side === "deposit" ? idOf(meant.entry) : nameOf(meant.entry),
        ...why
      }
    default:
      return { kind: "revoke", decision: meant.decision, words: "no" }
  }
}

/** What holds, told by going through the ledger from its beginning. */
const holding = (all: ReadonlyArray<Decision.Decision>): ReadonlyArray<Decision.Ruling> => {
  const held = new Map<number, Decision.Ruling>()
  for (const { body } of all) {
    if (body.kind === "revoke") held.delete(body.decision)
    else if (Decision.isRuling(body)) held.set(body.number, body)
  }
  return Array.from(held.values())
}

describe("the ledger of decisions", () => {
  it.effect.prop(
    "stays a chain whatever is tried, a trial says what deciding says, and what holds is one policy that contradicts itself nowhere",
    [Schema.Array(Meant).check(Schema.isMinLength(1), Schema.isMaxLength(12))],
    ([wanted]) =>
      Effect.gen(function*() {
        const archive = yield* Archive.Archive
        yield* archive.deposits.savePage({ records: deposits, bad: [], readAt: NOW + 1000 })
        yield* archive.transfers.savePage({ records: transfers, bad: [], readAt: NOW + 1000 })
        const { all, attempt, decide, find, head } = yield* Decisions.Decisions
        const ids = (yield* Effect.forEach(deposits, ({ txId }) => find(txId))).flat().map(({ id }) => id)
        const author = { by: "clerk", identity: "token" } as const
        for (const one of wanted.map(act(ids))) {
          const before = yield* all
          const tried = yield* Effect.result(attempt([one], { author }))
          const decided = yield* Effect.result(decide([one], { author }))
          assert.deepStrictEqual(Result.isSuccess(decided), Result.isSuccess(tried))
          if (Result.isSuccess(decided)) assert.deepStrictEqual(decided, tried)
          else assert.deepStrictEqual(yield* all, before)
        }

        const decisions = yield* all
        assert.deepStrictEqual(decisions.map(({ body }) => body.number), decisions.map((_, index) => index + 1))
        const { fault, head: end } = yield* archive.ledger()
        assert.isUndefined(fault)
        assert.deepStrictEqual(end, yield* head)

        const held = holding(decisions)
        const { applied, faults, policy } = yield* archive.overlay(Policy.defaults, { from: NOW, to: NOW + 100 })
        assert.strictEqual(applied, held.length)
        assert.deepStrictEqual(faults, [])
        const { exclude, forbid, links } = policy
        assert.isTrue(Result.isSuccess(Policy.decode({ exclude, forbid, links })))
        const pairs = new Set(
          links.flatMap(({ deposits, transfers }) =>
            deposits.flatMap((left) => transfers.map((right) => `${left} ${right}`))
          )
        )
        for (const { deposit, transfer } of forbid) assert.isFalse(pairs.has(`${deposit} ${transfer}`))
      }).pipe(Effect.provide(Archive.Archive.layerMemory())),
    { arbitrary: { runs: Math.min(cases(50), 500) } }
  )
})
