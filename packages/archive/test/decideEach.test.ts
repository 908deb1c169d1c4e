/** Many decisions at once: each is made or refused as if it had come alone. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Decision from "../src/Decision.ts"
import type { DecisionError } from "../src/DecisionError.ts"
import * as Decisions from "../src/Decisions.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { known, outcomeOf, t1, tells } from "./support/accept.ts"
import { book } from "./support/books.ts"
import { databases, inBoth } from "./support/databases.ts"
import { auditor, clerk, DAY, decide, idOf, link, MINUTE, testOn, why } from "./support/decisions.ts"
import { NOW, transfer } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

const each = (acts: ReadonlyArray<Decision.Each>, options: Partial<Decisions.Options> = {}) =>
  Decisions.Decisions.use(({ decideEach }) => decideEach(acts, { author: clerk, ...options }))

type Results = Decisions.Decided["results"]

/** What became of each act: the number of its row, or why it was refused. */
const told = (results: Results): ReadonlyArray<string> =>
  results.map(Result.match({
    onSuccess: ({ body }) => String(body.number),
    onFailure: ({ index, reason }) => `${index} ${reason._tag}`
  }))

const exclude = (id: string): Decision.Each => ({ kind: "exclude", side: "transfer", id, ...why })

const revoke = (decision: number): Decision.Each => ({ kind: "revoke", decision, words: "no" })

const kindsIn = Effect.map(
  Decisions.Decisions.use(({ all }) => all),
  (all) => all.filter(Decision.holds).map(({ body }) => body.kind)
)

describe.each(databases)("many decisions at once, on $name", (kind) => {
  const test = testOn(kind)

  it.live("those that can be made are in the ledger, and each other one says why it is not", () =>
    test(Effect.gen(function*() {
      const { head, results } = yield* each([
        exclude("t1"),
        exclude("t9"),
        exclude("t1"),
        yield* link("near", ["t1"]),
        yield* link("near", ["t2"]),
        revoke(7)
      ])
      assert.deepStrictEqual(told(results), [
        "1",
        "1 UnknownEntry",
        "2 Contradicted",
        "3 Contradicted",
        "2",
        "5 NotRevocable"
      ])
      const decisions = yield* Decisions.Decisions
      assert.deepStrictEqual(yield* decisions.all, results.flatMap((one) => Result.isSuccess(one) ? [one.success] : []))
      assert.deepStrictEqual(yield* decisions.head, head)
      const nothing = yield* each([exclude("t9")])
      assert.deepStrictEqual(nothing.head, head)
    })))

  it.live("what somebody else decided meanwhile is refused item by item, and one's own decisions are no surprise", () =>
    test(Effect.gen(function*() {
      const { head } = yield* Decisions.Decisions
      const seen = yield* head
      const note = (id: string): Decision.Act => ({ kind: "note", entries: [{ side: "transfer", id }], words: "asked" })
      yield* decide([note("t1")], { author: auditor })
      yield* decide([note("t2")])
      const { results } = yield* each([exclude("t1"), exclude("t2")], { seen })
      assert.deepStrictEqual(told(results), ["0 Outdated", "3"])
      const other = yield* each([exclude("t1")], { seen, author: { by: "clerk", identity: "claimed" } })
      assert.deepStrictEqual(told(other.results), ["0 Outdated"])
      assert.deepStrictEqual(told((yield* each([exclude("t1")], { seen: yield* head })).results), ["4"])
    })))

  it.live("nothing is decided by somebody who saw a ledger that this one does not go through", () =>
    test(Effect.gen(function*() {
      yield* decide([exclude("t1")])
      const { head } = yield* Decisions.Decisions
      const { id, number } = yield* head
      const seen = [{ number, id: "f".repeat(64) }, { number: 0, id }, { number: 2, id }]
      for (const one of seen) {
        assert.deepStrictEqual(told((yield* each([exclude("t2"), revoke(1)], { seen: one })).results), [
          "0 OtherLedger",
          "1 OtherLedger"
        ])
      }
      const error = yield* Effect.flip(decide([exclude("t2")], { seen: { number, id: "f".repeat(64) } }))
      assert.include(error.message, "row 1 of the ledger is not the one that you saw")
      assert.deepStrictEqual(told((yield* each([exclude("t2")], { seen: { id, number } })).results), ["2"])
    })))

  it.live("each of many is taken back by itself", () =>
    test(Effect.gen(function*() {
      yield* each([exclude("t1"), exclude("t2"), yield* link("near", ["t3"])])
      yield* each([exclude("t1"), revoke(1)])
      assert.deepStrictEqual(yield* kindsIn, ["exclude", "revoke"])
      const { results } = yield* each([revoke(1), revoke(2), exclude("t1")])
      assert.deepStrictEqual(told(results), ["0 NotRevocable", "4", "5"])
    })))

  it.live("what is accepted is what its author saw: facts that the books told since are refused", () =>
    test(Effect.gen(function*() {
      const again = (amount: string, readAt: number) =>
        tells(transfer({ tranId: "t1", amount, timestamp: NOW + 10 * MINUTE }), readAt)
      yield* again("1.5", NOW + 6 * DAY + 1)
      yield* book()
      const { head } = yield* Decisions.Decisions
      const seen = yield* head
      const outcome = yield* outcomeOf(t1)
      yield* again("1.6", NOW + 6 * DAY + 2)
      yield* book()
      assert.strictEqual(yield* outcomeOf(t1), outcome)
      const acts: ReadonlyArray<Decision.Each> = [
        { kind: "accept", outcome, ...known },
        { kind: "accept", outcome: yield* outcomeOf({ side: "transfer", id: "t2" }), ...known }
      ]
      const { results } = yield* each(acts, { seen })
      assert.deepStrictEqual(told(results), ["0 NotAcceptable", "3"])
      const [refused] = results
      assert.include(
        refused !== undefined && Result.isFailure(refused) ? refused.failure.message : "",
        "; look at it again, then accept it"
      )
      assert.deepStrictEqual(told((yield* each(acts, { seen: yield* head })).results), ["4", "1 Contradicted"])
    })))

  it.live("a database that fails in between leaves none of them", () =>
    test(Effect.gen(function*() {
      const { sql } = yield* Database
      yield* sql`ALTER TABLE ledger ADD CONSTRAINT short CHECK (number < 2)`.pipe(
        Effect.catch(() =>
          sql`CREATE TRIGGER short BEFORE INSERT ON ledger WHEN NEW.number > 1 BEGIN SELECT RAISE(ABORT, 'full'); END`
        )
      )
      const error = yield* Effect.flip(each([exclude("t1"), exclude("t2")]))
      assert.strictEqual(error._tag, "ArchiveError")
      assert.strictEqual((yield* Decisions.Decisions.use(({ head }) => head)).number, 0)
    })))
})

const Number = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 }))
const Transfer = Schema.Literals(["t1", "t2", "t9"])
const Deposit = Schema.Literals(["near", "far", "other"])
const because = { reason: Schema.Literal("test"), words: Schema.Literal("so") }

/** What somebody wants to decide, with deposits by their transactions. */
const Wanted = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("link"), deposit: Deposit, transfer: Transfer, ...because }),
  Schema.Struct({ kind: Schema.Literal("forbid"), deposit: Deposit, transfer: Transfer, ...because }),
  Schema.Struct({ kind: Schema.Literal("exclude"), side: Schema.Literal("transfer"), id: Transfer, ...because }),
  Schema.Struct({ kind: Schema.Literals(["revoke", "approve"]), decision: Number, words: because.words })
])

const Round = Schema.Struct({
  author: Schema.Literals(["clerk", "auditor"]),
  lag: Schema.Literals([0, 1, 3]),
  wanted: Schema.Array(Wanted).check(Schema.isMinLength(1), Schema.isMaxLength(5))
})

const Rounds = Schema.Struct({
  approvals: Schema.Boolean,
  rounds: Schema.Array(Round).check(Schema.isMinLength(1), Schema.isMaxLength(4))
})

const actOf = Effect.fnUntraced(function*(wanted: typeof Wanted.Type) {
  if (wanted.kind === "link") {
    const { deposit, transfer, ...act } = wanted
    return { ...act, deposits: [yield* idOf(deposit)], transfers: [transfer] } satisfies Decision.Each
  }
  return wanted.kind === "forbid" ? { ...wanted, deposit: yield* idOf(wanted.deposit) } : wanted
})

/** Gives what became of every act of every round, and the ledger that is left. */
const played = Effect.fnUntraced(function*(
  { approvals, rounds }: typeof Rounds.Type,
  decideAll: (
    acts: ReadonlyArray<Decision.Each>,
    options: Decisions.Options
  ) => Effect.Effect<Results, unknown, Decisions.Decisions>
) {
  const { all, head } = yield* Decisions.Decisions
  yield* decide([{ kind: "setting", approvals, authors: "any", words: "so" }])
  const results: Array<ReadonlyArray<Decision.Decision | DecisionError["reason"]>> = []
  for (const { author, lag, wanted } of rounds) {
    const { number } = yield* head
    const options = { author: author === "clerk" ? clerk : auditor, seen: Math.max(0, number - lag) }
    const found = yield* decideAll(yield* Effect.forEach(wanted, actOf), options)
    results.push(found.map(Result.match({ onSuccess: (made) => made, onFailure: ({ reason }) => reason })))
  }
  return { results, all: yield* all }
})

describe.each(inBoth({ memory: cases(60), postgres: Math.floor(cases(200) / 100) }))(
  "many decisions at once, on $kind.name",
  ({ count, kind }) => {
    it.live.prop(
      "become the ledger that they become one by one, and are refused for the same reasons",
      [Rounds],
      ([rounds]) =>
        Effect.gen(function*() {
          const test = testOn(kind)
          const together = yield* test(
            played(rounds, (acts, options) => Effect.map(each(acts, options), ({ results }) => results))
          )
          const alone = yield* test(
            played(rounds, (acts, options) =>
              Effect.forEach(acts, (act) =>
                Decisions.Decisions.use(({ decide }) =>
                  decide([act], options)
                ).pipe(
                  Effect.map(([made]) => made ?? assert.fail()),
                  Effect.catchTag("ArchiveError", Effect.die),
                  Effect.result
                )))
          )
          assert.deepStrictEqual(together, alone)
        }),
      { arbitrary: { runs: count } }
    )
  }
)
