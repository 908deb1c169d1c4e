/** An author who got no answer sends the same again, with the head of the ledger that was seen then. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import { known, outcomeOf, t1 } from "./support/accept.ts"
import { book } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, clerk, decide, link, refused, testOn, why } from "./support/decisions.ts"

const exclude = (id: string): Decision.Each => ({ kind: "exclude", side: "transfer", id, ...why })

const revoke = (decision: number): Decision.Each => ({ kind: "revoke", decision, words: "no" })

const setting = (approvals: boolean, authors: Decision.Settings["authors"] = "any"): Decision.Act => ({
  kind: "setting",
  approvals,
  authors,
  words: "so"
})

/** The number of each decision, and whether it is told that it was made already. */
const numbers = (made: ReadonlyArray<Decisions.Answer>): ReadonlyArray<string> =>
  made.map(({ body, madeAlready }) => `${body.number}${madeAlready === true ? " already" : ""}`)

const kinds = Effect.map(
  Decisions.Decisions.use(({ all }) => all),
  (all) => all.map(({ body }) => body.kind)
)

describe.each(databases)("what an author sends again, on $name,", (kind) => {
  const test = testOn(kind)

  it.live("is not written twice but answered as it stands, for every kind", () =>
    test(Effect.gen(function*() {
      yield* book()
      const { all, decideEach, head } = yield* Decisions.Decisions
      yield* decide([exclude("t1"), setting(true)])
      yield* decide([exclude("t2")], { author: auditor })
      const seen = yield* head
      const note: Decision.Each = { kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked" }
      const acts: ReadonlyArray<Decision.Each> = [
        note,
        revoke(1),
        { kind: "accept", outcome: yield* outcomeOf(t1), ...known },
        { kind: "approve", decision: seen.number, words: "yes" }
      ]
      const first = yield* decideEach(acts, { author: clerk, seen })
      const written = yield* all
      const again = yield* decideEach(acts, { author: clerk, seen })
      const already = (answer: Decisions.Answer): Decisions.Answer => ({ ...answer, madeAlready: true })
      assert.deepStrictEqual(again, { ...first, results: first.results.map((one) => Result.map(one, already)) })
      assert.deepStrictEqual(yield* all, written)
      assert.deepStrictEqual(numbers(yield* decide([note], { seen })), [`${seen.number + 1} already`])
      assert.deepStrictEqual(
        numbers(yield* Decisions.Decisions.use(({ attempt }) => attempt([note], { author: clerk, seen }))),
        [`${seen.number + 1} already`]
      )
      // Other words, another person and somebody who knows of it say something new.
      yield* decide([{ ...note, words: "asked again" }], { seen })
      yield* decide([note], { seen: yield* head, author: auditor })
      yield* decide([note], { seen: yield* head })
      yield* decide([note])
      assert.strictEqual((yield* all).length, written.length + 4)
    })))

  it.live("is another decision where it names an entry more that the archive does not keep, and is refused", () =>
    test(Effect.gen(function*() {
      const near = yield* link("near", ["t1"])
      const note: Decision.Act = { kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked" }
      yield* decide([near, note])
      assert.strictEqual(
        yield* refused([{ ...near, transfers: ["t1", "t9"] }], { seen: 0 }),
        "0 UnknownEntry: the archive keeps no transfer with the id t9"
      )
      assert.strictEqual(
        yield* refused([{ ...near, deposits: ["d9", ...near.deposits] }], { seen: 0 }),
        "0 UnknownEntry: the archive keeps no deposit with the id d9"
      )
      assert.strictEqual(
        yield* refused([near, { ...note, entries: [...note.entries, { side: "transfer", id: "t9" }] }], { seen: 0 }),
        "1 UnknownEntry: the archive keeps no transfer with the id t9"
      )
      assert.deepStrictEqual(yield* kinds, ["link", "note"])
    })))

  it.live("is refused where anybody took it back since, and can be decided anew by those who know of that", () =>
    test(Effect.gen(function*() {
      for (const [author, first] of [[clerk, 1], [auditor, 5]] as const) {
        const seen = first - 1
        assert.deepStrictEqual(numbers(yield* decide([exclude("t2")], { seen })), [String(first)])
        yield* decide([revoke(first)], { author })
        assert.strictEqual(
          yield* refused([exclude("t2")], { seen }),
          `0 Outdated: meanwhile decision ${first + 1} revokes decision ${first}; look at it, then decide again`
        )
        const anew = { seen: first + 1 }
        assert.deepStrictEqual(numbers(yield* decide([exclude("t2")], anew)), [String(first + 2)])
        assert.deepStrictEqual(numbers(yield* decide([exclude("t2")], anew)), [`${first + 2} already`])
        yield* decide([revoke(first + 2)])
      }
      assert.deepStrictEqual(yield* kinds, Array.from({ length: 4 }, () => ["exclude", "revoke"]).flat())
    })))

  it.live("is refused where it was proposed, and withdrawn since", () =>
    test(Effect.gen(function*() {
      yield* decide([setting(true)])
      yield* decide([exclude("t2")], { seen: 1 })
      yield* decide([revoke(2)])
      assert.include(
        yield* refused([exclude("t2")], { seen: 1 }),
        "0 Outdated: meanwhile decision 3 revokes decision 2"
      )
      assert.deepStrictEqual(numbers(yield* decide([exclude("t2")], { seen: 3 })), ["4"])
    })))

  it.live("is a setting that holds, whatever was only proposed since", () =>
    test(Effect.gen(function*() {
      const seen = { seen: 0 }
      yield* decide([setting(true)], seen)
      yield* decide([setting(false)], { author: auditor })
      assert.deepStrictEqual(numbers(yield* decide([setting(true)], seen)), ["1 already"])
      assert.deepStrictEqual(numbers(yield* decide([setting(false)], { ...seen, author: auditor })), ["2 already"])
      yield* decide([{ kind: "approve", decision: 2 }])
      assert.strictEqual(
        yield* refused([setting(true)], seen),
        "0 Outdated: meanwhile decision 3 sets otherwise how decisions are made; look at it, then decide again"
      )
      assert.deepStrictEqual(numbers(yield* decide([setting(false)], { ...seen, author: auditor })), ["2 already"])
      assert.deepStrictEqual(numbers(yield* decide([setting(true)], { seen: 3 })), ["4"])
      assert.include(
        yield* refused([setting(false)], { ...seen, author: auditor }),
        "meanwhile decision 4 sets otherwise"
      )
    })))
})
