/** The ledger page by page, as somebody looks through it while others write. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Decision from "../src/Decision.ts"
import type * as DecisionPage from "../src/DecisionPage.ts"
import * as Decisions from "../src/Decisions.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { book } from "./support/books.ts"
import { databases, inBoth } from "./support/databases.ts"
import { auditor, clerk, decide, link, testOn, why } from "./support/decisions.ts"
import { cases } from "./support/Seeded.ts"

const page = (asked?: DecisionPage.Asked) => Decisions.Decisions.use(({ page }) => page(asked))

const numbers = (asked?: DecisionPage.Asked) =>
  Effect.map(page(asked), ({ decisions }) => decisions.map(({ body }) => body.number))

const note = (words: string, id = "t1"): Decision.Act => ({ kind: "note", entries: [{ side: "transfer", id }], words })

const exclude = (id: string): Decision.Act => ({ kind: "exclude", side: "transfer", id, ...why })

/** Reads every page, and does something between them. */
const pages = Effect.fnUntraced(function*(
  asked: DecisionPage.Asked,
  between: Effect.Effect<unknown, unknown, Decisions.Decisions> = Effect.void
) {
  const found: Array<Decision.Decision> = []
  for (let before = asked.before;;) {
    const { decisions, next } = yield* page({ ...asked, ...(before === undefined ? {} : { before }) })
    found.push(...decisions)
    if (next === undefined) return found
    yield* between
    before = next
  }
})

describe.each(databases)("the ledger by pages, on $name", (kind) => {
  const test = testOn(kind)

  it.live("tells the last decision first, how many there are, and the end of the ledger; executions have no place on it", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(yield* page(), { decisions: [], count: 0, head: { number: 0, id: "0".repeat(64) } })
      yield* decide([note("first"), note("second")])
      yield* book()
      yield* decide([note("third")])
      const decisions = yield* Decisions.Decisions
      const all = yield* decisions.all
      const head = yield* decisions.head
      assert.strictEqual(head.number, 4)
      assert.deepStrictEqual(yield* page(), { decisions: all.toReversed(), count: 3, head })
      assert.deepStrictEqual(yield* page({ limit: 2 }), {
        decisions: all.slice(1).toReversed(),
        next: 2,
        count: 3,
        head
      })
      assert.deepStrictEqual(yield* numbers({ before: 2 }), [1])
      assert.deepStrictEqual(yield* numbers({ limit: 0 }), [4])
    })))

  it.live("finds decisions by person, kind, entry, standing and text", () =>
    test(Effect.gen(function*() {
      yield* decide([exclude("t1"), note("Ticket 4711", "t2")])
      yield* decide([yield* link("near", ["t2"])], { author: { by: " CLERK", identity: "claimed" } })
      yield* decide([{ kind: "revoke", decision: 1, words: "no" }], { author: auditor })
      yield* decide([{ kind: "setting", approvals: true, authors: "any", words: "two" }, exclude("t1")])
      assert.deepStrictEqual(yield* numbers({ by: "clerk" }), [6, 5, 3, 2, 1])
      assert.deepStrictEqual(yield* numbers({ by: "Auditor" }), [4])
      assert.deepStrictEqual(yield* numbers({ kinds: ["link", "note"] }), [3, 2])
      assert.deepStrictEqual(yield* numbers({ kinds: [] }), [])
      assert.deepStrictEqual(yield* numbers({ entry: { side: "transfer", id: "t1" } }), [6, 4, 1])
      assert.deepStrictEqual(yield* numbers({ entry: { side: "deposit", id: "t1" } }), [])
      assert.deepStrictEqual(yield* numbers({ standing: "proposed" }), [6])
      assert.deepStrictEqual(yield* numbers({ standing: "revoked" }), [1])
      assert.deepStrictEqual(yield* numbers({ standing: "holds" }), [5, 4, 3, 2])
      assert.deepStrictEqual(yield* numbers({ text: "ticket 47" }), [2])
      assert.deepStrictEqual(yield* numbers({ text: "T2", by: "clerk" }), [3, 2])
      assert.deepStrictEqual(yield* numbers({ text: "FEE" }), [6, 3, 1])
      assert.deepStrictEqual(yield* numbers({ text: "usdt", kinds: ["note"] }), [2])
    })))

  it.live("tells what is wrong with the ledger, of rows that come as of rows that were read before", () =>
    test(Effect.gen(function*() {
      const { sql } = yield* Database
      yield* decide([note("first"), note("second")])
      yield* page()
      yield* decide([note("third"), note("fourth")])
      yield* sql`UPDATE ledger SET body = REPLACE(body, 'third', 'other') WHERE number = 3`
      const faulty = yield* page()
      assert.deepStrictEqual(faulty.decisions.map(({ body }) => body.number), [2, 1])
      assert.deepStrictEqual([faulty.head.number, faulty.fault], [2, "row 3 of the ledger is not as it was written"])
      yield* sql`UPDATE ledger SET body = REPLACE(body, 'other', 'third') WHERE number = 3`
      assert.deepStrictEqual(yield* numbers(), [4, 3, 2, 1])
      yield* sql`UPDATE ledger SET body = REPLACE(body, 'fourth', 'nothing') WHERE number = 4`
      assert.deepStrictEqual(yield* numbers(), [3, 2, 1])
      const error = yield* Effect.flip(Decisions.Decisions.use(({ head }) => head))
      assert.include(error.message, "row 4 of the ledger is not as it was written")
      yield* sql`DELETE FROM ledger WHERE number > 2`
      assert.deepStrictEqual([(yield* page()).head.number, yield* numbers()], [2, [2, 1]])
    })))

  it.live("shows rows that it read before as it read them, and all of the ledger says that one was edited since", () =>
    test(Effect.gen(function*() {
      const { sql } = yield* Database
      yield* decide([note("first"), note("second"), note("third")])
      const before = yield* page()
      yield* sql`UPDATE ledger SET body = REPLACE(body, 'first', 'other') WHERE number = 1`
      assert.deepStrictEqual(yield* page(), before)
      assert.deepStrictEqual(yield* Decisions.Decisions.use(({ head }) => head), before.head)
      const error = yield* Effect.flip(Decisions.Decisions.use(({ all }) => all))
      assert.include(error.message, "row 1 of the ledger is not as it was written")
      assert.deepStrictEqual([(yield* page()).fault, yield* numbers()], [
        "row 1 of the ledger is not as it was written",
        []
      ])
    })))

  it.live("many who look while others decide see a ledger that hangs together", () =>
    test(Effect.gen(function*() {
      yield* decide([note("0")])
      const found = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 4 === 0
            ? Effect.as(decide([note(String(index))]), undefined)
            : Effect.andThen(index % 4 === 1 ? Decisions.Decisions.use(({ head }) => head) : Effect.void, page())),
        { concurrency: "unbounded" }
      )
      for (const one of found) {
        if (one === undefined) continue
        assert.isUndefined(one.fault)
        assert.deepStrictEqual(
          one.decisions.map(({ body }) => body.number),
          Array.from({ length: one.head.number }, (_, index) => one.head.number - index)
        )
      }
      assert.lengthOf((yield* page()).decisions, 6)
    })))
})

const Asked = Schema.Struct({
  by: Schema.optionalKey(Schema.Literals(["clerk", "auditor"])),
  kinds: Schema.optionalKey(Schema.Array(Schema.Literals(["note", "exclude", "revoke"]))),
  text: Schema.optionalKey(Schema.Literals(["a", "b", "t1", "fee"])),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
})

const Written = Schema.Array(Schema.Struct({
  by: Schema.Literals(["clerk", "auditor"]),
  words: Schema.Literals(["a", "b", "ab"]),
  kind: Schema.Literals(["note", "exclude", "revoke"])
})).check(Schema.isMinLength(1), Schema.isMaxLength(12))

/** All that a person may look for in one of these. */
const words = (body: Decision.Body): string =>
  [
    body.by,
    body.words,
    ...("reason" in body ? [body.reason] : []),
    ...Decision.subjects(body).flatMap(({ asset, id }) => [asset, id])
  ].join(" ").toLowerCase()

describe.each(inBoth({ memory: cases(60), postgres: Math.floor(cases(200) / 100) }))(
  "the ledger by pages, on $kind.name",
  ({ count, kind }) => {
    it.live.prop(
      "all pages together are all that is asked for, each once, whatever is decided meanwhile",
      [Written, Asked],
      ([written, asked]) =>
        testOn(kind)(Effect.gen(function*() {
          const { all } = yield* Decisions.Decisions
          let revoked = 0
          for (const { by, kind, words } of written) {
            const act = kind === "note"
              ? note(words)
              : kind === "exclude"
              ? exclude("t1")
              : { kind, decision: ++revoked, words } satisfies Decision.Act
            yield* Effect.ignore(decide([act], { author: by === "clerk" ? clerk : auditor }))
          }
          const wanted = (yield* all).filter(({ body }) =>
            (asked.by === undefined || asked.by === body.by) &&
            (asked.kinds === undefined || asked.kinds.some((kind) => kind === body.kind)) &&
            (asked.text === undefined || words(body).includes(asked.text))
          )
          const { count: told } = yield* page(asked)
          const found = yield* pages(asked, decide([note("a b t1 fee")]))
          assert.strictEqual(told, wanted.length)
          assert.deepStrictEqual(found.map(({ id }) => id), wanted.map(({ id }) => id).toReversed())
        })),
      { arbitrary: { runs: count } }
    )
  }
)
