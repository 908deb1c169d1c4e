/** What would make the books forget, double or take back what waits. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Decisions from "../src/Decisions.ts"
import * as Execution from "../src/Execution.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as OpenItems from "../src/OpenItems.ts"
import { arrives, book, far, near, options, refused, swept, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { clerk, DAY, decide, HOUR, idOf, link, MINUTE, testOn } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

describe.each(databases)("the books at their edges, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a run that the ledger overtook is none of the books, whether somebody decided or reconciled meanwhile", () =>
    test(Effect.gen(function*() {
      const { execute } = yield* Books.Books
      const early = yield* ArchiveReconciliation.record(options())
      yield* arrives(swept)
      yield* book()
      const after = yield* waiting()
      assert.isFalse(after.some((item) => item.includes("BTC")))
      const late = (made: typeof early) =>
        Effect.map(Effect.flip(execute(made.run, made.report, { author: clerk })), ({ message }) => message)
      assert.include(yield* late(early), "the ledger went on to row 1")
      const made = yield* ArchiveReconciliation.record(options())
      yield* decide([yield* link("near", ["t1"])])
      assert.include(yield* late(made), "the ledger went on to row 2")
      assert.deepStrictEqual(yield* waiting(), after)
      assert.deepStrictEqual((yield* book()).execution.body.number, 3)
    })))

  it.live("a run reads nothing before the last row of the ledger that it follows", () =>
    test(Effect.gen(function*() {
      const archive = yield* Archive.Archive
      const service = yield* Decisions.Decisions
      const note = { kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked" } as const
      const noted = Effect.orDie(service.decide([note], { author: clerk }))
      /** Counts how often coverage is read; the first time somebody writes a note behind it. */
      const reads = (isNoted: boolean) => {
        let count = 0
        const coverage: typeof archive.coverage = (interval) =>
          Effect.tap(
            archive.coverage(interval),
            Effect.suspend(() => ++count === 1 && isNoted ? Effect.asVoid(noted) : Effect.void)
          )
        return ArchiveReconciliation.run(options()).pipe(
          Effect.provideService(Archive.Archive, Archive.Archive.of({ ...archive, coverage })),
          Effect.map(({ decisions }) => ({ head: decisions?.head.number ?? 0, count }))
        )
      }
      const alone = yield* reads(false)
      const beside = yield* reads(true)
      assert.deepStrictEqual(beside, { head: 1, count: alone.count + 1 })
    })))

  it.live("a reading of which the time lies before another's counts like any other: the later execution knows more", () =>
    test(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* book()
      assert.isTrue((yield* waiting()).some((item) => item.includes("BTC")))
      const slice = { from: swept.timestamp, to: swept.timestamp + 1 }
      const coverage = [{ operation: "transfers" as const, ...slice, readAt: NOW + DAY, state: "complete" as const }]
      yield* transfers.saveSlice({ ...slice, records: [swept], bad: [], coverage })
      yield* book()
      assert.isFalse((yield* waiting()).some((item) => item.includes("BTC")))
    })))

  it.live("an entry that is told at two times is judged where it lies, keeps its first day, and takes no other along", () =>
    test(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* book()
      yield* book(options(far))
      const { story } = yield* OpenItems.OpenItems
      const at = NOW - 4 * DAY
      // The service tells another time of the transfer, and the counterpart of an open deposit.
      const found = transfer({ tranId: "t4", amount: "1.5", timestamp: NOW + 5 * MINUTE })
      const moved = transfer({ tranId: "t1", amount: "1.4", timestamp: at + MINUTE })
      yield* arrives(found)
      yield* arrives(moved)
      yield* book(options({ from: far.from, to: near.to }))
      const near1 = { side: "deposit", id: yield* idOf("near") } as const
      const changes = Effect.map(story(near1), (told) => Option.getOrThrow(told).changes.map(({ state }) => state))
      assert.deepStrictEqual(yield* changes, ["open", "matched"])
      const twice = Effect.map(story({ side: "transfer", id: "t1" }), (told) => Option.getOrThrow(told).entry)
      assert.include(yield* twice, { state: "open", code: "source-conflict", since: 1 })
      yield* book(options(far))
      yield* book()
      assert.include(yield* twice, { state: "open", code: "source-conflict", since: 1 })
      assert.isDefined(transfers)
    })))

  it.live("a class that does not come out even is judged whole, so that the entry which stands for it is not forgotten", () =>
    test(Effect.gen(function*() {
      const { deposits, transfers } = yield* Archive.Archive
      const midnight = NOW - 12 * HOUR
      const equal = (txId: string, minutes: number) =>
        deposit({ txId, amount: "7", coin: "SOL", insertTime: midnight + minutes * MINUTE })
      const sweep = (tranId: string, minutes: number) =>
        transfer({ tranId, amount: "7", asset: "SOL", timestamp: midnight + minutes * MINUTE })
      const slice = { from: midnight - HOUR, to: midnight + HOUR, bad: [] }
      const read = (readAt: number, records: ReadonlyArray<ReturnType<typeof deposit>>) =>
        deposits.saveSlice({
          ...slice,
          records,
          coverage: [{ operation: "deposits", from: slice.from, to: slice.to, readAt, state: "complete" }]
        })
      const later = [equal("e1", 1), equal("e2", 2)]
      yield* read(NOW + 6 * DAY + HOUR, later)
      yield* transfers.saveSlice({
        ...slice,
        records: [sweep("s1", 5), sweep("s2", 6)],
        coverage: [{ operation: "transfers", from: slice.from, to: slice.to, readAt: NOW + 6 * DAY, state: "complete" }]
      })
      const before = { from: midnight - HOUR, to: midnight }
      yield* book(options({ from: midnight, to: midnight + HOUR }))
      yield* read(NOW + 6 * DAY + 2 * HOUR, [equal("e0", -10), ...later])
      const { report } = yield* book(options(before))
      assert.deepStrictEqual(report.outcomes.map(({ code }) => code), ["class-short"])
      assert.lengthOf((yield* waiting()).filter((item) => item.includes("class-short")), 1)
    })))

  it.live("an item never leaves because of a list that grew on another day", () =>
    test(Effect.gen(function*() {
      const list = (names: ReadonlyArray<string>, range = near) => options(range, Policy.defaults, names)
      yield* book(list(["a@x"]))
      const before = yield* waiting()
      const other = list(["b@x", "c@x"], { from: NOW + 2 * DAY, to: NOW + 2 * DAY + HOUR })
      assert.include(yield* refused(other), "other accounts than execution")
      yield* book(other, { carry: false })
      assert.include(yield* refused(list(["b@x", "c@x"])), "other accounts than execution")
      assert.deepStrictEqual(yield* waiting(), before)
    })))

  it.live("an item never leaves because a longer list of addresses gives it to another account, unless that is declared", () =>
    test(Effect.gen(function*() {
      const knowing = (...addresses: ReadonlyArray<{ readonly address: string; readonly account: string }>) => ({
        ...options(near, Policy.defaults, ["a@x", "b@x"]),
        addresses
      })
      yield* book(knowing({ address: "TAbc", account: "a@x" }))
      const before = yield* waiting()
      yield* arrives({ ...swept, fromAccount: "b@x" })
      const others = knowing({ address: "TAbc", account: "b@x" }, { address: "TDef", account: "a@x" })
      assert.include(yield* refused(others), "other addresses than execution")
      assert.deepStrictEqual(yield* waiting(), before)
      yield* book(knowing({ address: "TAbc", account: "a@x" }, { address: "TDef", account: "b@x" }))
      assert.include((yield* waiting()).join(), "account-mismatch")
      yield* book(others, { declare: true })
      assert.notInclude((yield* waiting()).join(), "3 BTC")
    })))

  it.live("time that was not read is known to the books until a later execution has read it", () =>
    test(Effect.gen(function*() {
      const { executions } = yield* Books.Books
      const unread = Effect.map(executions, (all) => Execution.unread(all.map(({ body }) => body)))
      const day = (from: number, to: number) => ({ from: NOW + from * DAY, to: NOW + to * DAY })
      yield* book(options(day(4, 6)))
      assert.deepStrictEqual(yield* unread, [day(5, 6)])
      const { deposits, transfers } = yield* Archive.Archive
      const slice = { ...day(5, 6), records: [], bad: [] }
      const complete = { ...day(5, 6), readAt: NOW + 6 * DAY + HOUR, state: "complete" as const }
      yield* deposits.saveSlice({ ...slice, coverage: [{ operation: "deposits", ...complete }] })
      yield* transfers.saveSlice({ ...slice, coverage: [{ operation: "transfers", ...complete }] })
      yield* book(options(day(4, 5)), { carry: false })
      assert.deepStrictEqual(yield* unread, [day(5, 6)])
      yield* book(options(day(4, 5)))
      assert.deepStrictEqual(yield* unread, [])
    })))

  it.live("a run that lost its outcomes, or something of them, is none of the books", () =>
    test(Effect.gen(function*() {
      const { execute, executions } = yield* Books.Books
      const { sql } = yield* Database
      const { report, run } = yield* ArchiveReconciliation.record(options())
      yield* sql`DELETE FROM run_outcomes`
      const error = yield* Effect.flip(execute(run, report, { author: clerk }))
      assert.include(error.message, `run ${run.id} is not as it was recorded`)
      assert.deepStrictEqual(yield* executions, [])
    })))
})
