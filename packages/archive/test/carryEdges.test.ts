/** Changes whose consequences lie far from them, and time at the borders of what an execution judges. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Decisions from "../src/Decisions.ts"
import type * as OpenItems from "../src/OpenItems.ts"
import { accounts, at, author, read, type Told, waiting } from "./support/hours.ts"

const LAST = 20

const why = { reason: "other", words: "seen" } as const

/** Deposits and transfers look 5 hours far. */
const written = { window: { before: "2 hours", after: "2 hours" }, late: "3 hours" } as const

const all = (readAt = LAST * 24): readonly [number, number, number] => [-10 * 24, LAST * 24, readAt]

const book = Effect.fnUntraced(function*(
  from: number,
  to: number,
  more: Partial<Policy.Input> = {},
  how: Partial<ArchiveReconciliation.BookOptions> = {}
) {
  const policy = yield* Policy.make({ ...written, ...more })
  const range = { from: at(from), to: at(to) }
  return yield* ArchiveReconciliation.book({ range, accounts, policy }, { author, ...how })
})

/** Books these days, one by one, without looking back. */
const days = (first: number, last: number) =>
  Effect.forEach(
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
    (day) => book(24 * day, 24 * (day + 1), {}, { carry: false }),
    { discard: true }
  )

/** A day on which nothing ever happens. */
const quiet = (more: Partial<Policy.Input> = {}) => book(24 * (LAST - 1), 24 * LAST, more)

const idOf = (name: string) =>
  Decisions.Decisions.use(({ find }) => Effect.map(find(name), ([found]) => found?.id ?? "nothing"))

const decide = (act: Parameters<Decisions.Service["decide"]>[0][number]) =>
  Decisions.Decisions.use(({ decide }) => decide([act], { author }))

const test = (
  name: string,
  body: Effect.Effect<
    void,
    unknown,
    Archive.Archive | Books.Books | Decisions.Decisions | OpenItems.OpenItems | ArchiveRuns
  >
) =>
  it.effect(name, () =>
    Effect.gen(function*() {
      yield* body
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

type ArchiveRuns = Effect.Services<ReturnType<typeof book>>

describe("what is far from a change", () => {
  test(
    "a decision on a transfer reaches a deposit that settled near it, long after its own time, and the other way",
    Effect.gen(function*() {
      yield* read([-240, 99], [["d", 10, "7", 1]], [])
      yield* read([-240, 100, 100], [["d", 10, "7", 5]], [])
      yield* read([99, LAST * 24], [], [["t", 100.5, "7"]])
      yield* days(0, 5)
      assert.deepStrictEqual(yield* waiting, [])
      yield* decide({ kind: "exclude", side: "transfer", id: "t", ...why })
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, ["open missing-transfer d"])
      yield* decide({ kind: "revoke", decision: 7, words: "no" })
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, [])
      yield* decide({ kind: "exclude", side: "deposit", id: yield* idOf("d"), ...why })
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, ["open missing-deposit t"])
    })
  )

  test(
    "what a decision frees may be taken by an entry that is as far again",
    Effect.gen(function*() {
      yield* read(all(), [["d1", 20, "5"], ["d2", 25.4, "5"]], [["t1", 21.9, "5"], ["t9", 60, "4.9"]])
      yield* decide({ kind: "link", deposits: [yield* idOf("d1")], transfers: ["t9"], ...why })
      yield* days(0, 3)
      assert.deepStrictEqual(yield* waiting, [])
      yield* decide({ kind: "revoke", decision: 1, words: "no" })
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, ["open missing-deposit t9", "open missing-transfer d2"])
    })
  )

  test(
    "where one end of a link vanishes, the other is open again, however far it is",
    Effect.gen(function*() {
      yield* read(all(), [["d", 10, "5"]], [["t", 130, "4"]])
      yield* decide({ kind: "link", deposits: [yield* idOf("d")], transfers: ["t"], ...why })
      yield* days(0, 6)
      assert.deepStrictEqual(yield* waiting, [])
      yield* read(all(LAST * 24 + 1), [["d", 10, "5"]], [])
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, ["open missing-transfer d", "open vanished t"])
    })
  )

  test(
    "a line of the policy about single entries counts from the next execution on, and one that is taken out no more",
    Effect.gen(function*() {
      yield* read(all(), [["d", 10, "5"]], [["t", 130, "4"]])
      yield* days(0, 6)
      const links = [{ deposits: [yield* idOf("d")], transfers: ["t"], by: "clerk", reason: "seen" }] as const
      assert.lengthOf(yield* waiting, 2)
      yield* quiet({ links })
      assert.deepStrictEqual(yield* waiting, [])
      assert.isUndefined((yield* quiet({ links })).execution.body.carried)
      yield* quiet()
      assert.lengthOf(yield* waiting, 2)
    })
  )

  const chain = Array.from({ length: 70 }, (_, index) => index)
  const deposits = chain.map((index): Told => [`d${index}`, 1 + index * 1.2, "5"])
  const transfers = chain.map((index): Told => [`t${index}`, 1.6 + index * 1.2, "5"])

  test(
    "of a class that goes on for days the one missing transfer is told, and is healed when it comes",
    Effect.gen(function*() {
      yield* read(all(), deposits, transfers.slice(1))
      yield* days(0, 4)
      yield* quiet()
      const short = yield* waiting
      assert.lengthOf(short, 1)
      assert.include(short[0], "open class-short d")
      yield* read(all(LAST * 24 + 1), deposits, transfers)
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, [])
    })
  )

  test(
    "of a class that goes on for days and comes out even nothing waits",
    Effect.gen(function*() {
      yield* read(all(), deposits, transfers)
      yield* days(-1, 4)
      assert.deepStrictEqual(yield* waiting, [])
      yield* read(all(LAST * 24 + 1), [["more", -1, "5"], ...deposits], transfers)
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, ["open duplicate-suspect more"])
    })
  )
})

describe("the borders of what is judged again", () => {
  test(
    "a late pair over midnight is final where each day is judged by itself, and stays so",
    Effect.gen(function*() {
      const records = [["d", 71, "5"], ["other", 40, "3"]] as const
      yield* read(all(), records, [["t", 74.5, "5"]])
      yield* days(0, 5)
      assert.deepStrictEqual(yield* waiting, ["open missing-transfer other"])
      yield* decide({ kind: "exclude", side: "deposit", id: yield* idOf("other"), ...why })
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, [])
    })
  )

  test(
    "long time that is judged again week by week loses no pair over the borders of weeks",
    Effect.gen(function*() {
      yield* read(all(), [["d", 166, "5"]], [["t", 170, "5"]])
      yield* book(0, 13 * 24, {}, { carry: false })
      assert.deepStrictEqual(yield* waiting, [])
      yield* read(all(LAST * 24 + 1), [["d", 166, "5"], ["x", 167, "9"]], [["t", 170, "5"]])
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, ["open missing-transfer x"])
    })
  )

  test(
    "an execution that carries nothing leaves what changed before it due, also where it changes back",
    Effect.gen(function*() {
      const { withdrawAhead } = yield* Archive.Archive
      yield* read(all(), [["d", 30, "5"]], [])
      yield* book(24, 48)
      assert.deepStrictEqual(yield* waiting, ["open missing-transfer d"])
      yield* withdrawAhead({ now: at(26), reach: at(26), settle: 0 })
      yield* book(24, 48, {}, { carry: false })
      assert.deepStrictEqual(yield* waiting, ["undetermined coverage-gap d"])
      yield* read(all(), [["d", 30, "5"]], [])
      yield* quiet()
      assert.deepStrictEqual(yield* waiting, ["open missing-transfer d"])
    })
  )

  test(
    "where reading goes on behind a hole, what was still to come cannot be told any more",
    Effect.gen(function*() {
      yield* read([-240, 30], [["d", 28, "5"]], [])
      yield* book(24, 48)
      assert.deepStrictEqual(yield* waiting, ["pending in-flight d"])
      yield* read([72, 200], [], [])
      yield* book(96, 120)
      assert.deepStrictEqual(yield* waiting, ["undetermined coverage-gap d"])
    })
  )

  test(
    "the ranges that are judged again stay those of the first executions, night after night",
    Effect.gen(function*() {
      for (let night = 0; night < 8; night++) {
        yield* read([-240, 24 * (night + 1) + 6], [], [])
        const { execution } = yield* book(24 * night, 24 * (night + 1))
        for (const { range } of execution.body.carried ?? []) {
          assert.strictEqual(range === null ? 0 : range.to - range.from, at(24) - at(0))
        }
        assert.isAtMost((execution.body.carried ?? []).length, 2, `night ${night}`)
      }
    })
  )
})
