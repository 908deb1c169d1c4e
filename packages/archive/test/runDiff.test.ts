/** Two runs are compared by what they say of each entry. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Execution from "../src/Execution.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as RunDiff from "../src/RunDiff.ts"
import * as Runs from "../src/Runs.ts"
import { arrives, book, far, near, options, swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { DAY, decide, HOUR, link, MINUTE, testOn } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const record = (asked: ArchiveReconciliation.Options = options()) =>
  Effect.flatMap(
    ArchiveReconciliation.record(asked),
    ({ run }) => Runs.Runs.use(({ get }) => Effect.map(get(run.id), Option.getOrThrow))
  )

/** What differs, in words. */
const told = ({ differences }: RunDiff.RunDiff): ReadonlyArray<string> => {
  const stood = (stand: RunDiff.Stand | undefined) => stand === undefined ? "nothing" : `${stand.state} ${stand.code}`
  return differences.map(({ after, before, kind, side }) => {
    const { amount, asset } = after ?? before ?? { amount: "no amount", asset: "" }
    return `${kind} ${side} ${amount} ${asset}: ${stood(before)} -> ${stood(after)}`
  })
}

describe.each(databases)("the difference of two runs, on $name", (kind) => {
  const test = testOn(kind)

  it.live("tells what is new, what was closed and by what, and leaves out what stays", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const before = yield* record()
      yield* arrives(swept)
      yield* arrives(transfer({ tranId: "t4", asset: "ETH", amount: "7", timestamp: NOW + 2 * MINUTE }))
      yield* decide([yield* link("near", ["t1"])])
      const after = yield* record()
      const found = yield* diff(before, after)
      assert.deepStrictEqual(told(found), [
        "new transfer 7 ETH: nothing -> open missing-deposit",
        "closed deposit 1.5 USDT: open missing-transfer -> decided linked",
        "closed deposit 3 BTC: open missing-transfer -> matched exact",
        "closed transfer 1.4 USDT: open missing-deposit -> decided linked"
      ])
      assert.strictEqual(found.arrived, 1)
      assert.deepStrictEqual(found.asked, { policy: ["links"], accounts: false, addresses: false })
      assert.deepStrictEqual([found.before.ledger, found.after.ledger], [0, 1])
      assert.deepStrictEqual([found.before.run, found.after.run], [before.run.id, after.run.id])
      assert.isTrue(RunDiff.differs(found))
      assert.deepStrictEqual(told(yield* diff(after, before)), [
        "new deposit 1.5 USDT: decided linked -> open missing-transfer",
        "new deposit 3 BTC: matched exact -> open missing-transfer",
        "new transfer 1.4 USDT: decided linked -> open missing-deposit",
        "closed transfer 7 ETH: open missing-deposit -> nothing",
        "gone transfer 3 BTC: matched exact -> nothing"
      ])
    })))

  it.live("an entry that came and was settled at once is counted, and is no difference", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const { deposits } = yield* Archive.Archive
      const before = yield* record()
      const slice = { from: NOW + 2 * MINUTE, to: NOW + 2 * MINUTE + 1 }
      yield* deposits.saveSlice({
        ...slice,
        records: [deposit({ txId: "late", coin: "ETH", amount: "7", insertTime: slice.from })],
        bad: [],
        coverage: [{ operation: "deposits", ...slice, readAt: NOW + 6 * DAY + HOUR, state: "complete" }]
      })
      yield* arrives(transfer({ tranId: "t4", asset: "ETH", amount: "7", timestamp: NOW + 3 * MINUTE }))
      const found = yield* diff(before, yield* record())
      assert.deepStrictEqual([told(found), found.arrived], [[], 2])
      assert.isFalse(RunDiff.differs(found))
    })))

  it.live("nothing differs from a run to itself, nor to one that read the same once more", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const before = yield* record()
      const found = yield* diff(before, before)
      assert.isFalse(RunDiff.differs(found))
      const policy = yield* Policy.make({ window: { before: "24 hours", after: "30 hours" } })
      const other = yield* diff(before, yield* record(options(near, policy)))
      assert.deepStrictEqual(told(other), [])
      assert.deepStrictEqual(other.asked.policy, ["window"])
      assert.isFalse(RunDiff.differs(other))
    })))

  it.live("an entry that changes its amount is restated, and one whose counterpart is another has other partners", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const { sql } = yield* Database
      yield* arrives(swept)
      const before = yield* record()
      yield* sql`DELETE FROM transfers WHERE id IN ('t3', 't2')`
      yield* arrives(transfer({ tranId: "t5", asset: "BTC", amount: "3", timestamp: NOW + 3 * MINUTE }))
      yield* arrives(transfer({ tranId: "t2", amount: "8", timestamp: NOW + 20 * MINUTE }))
      const found = yield* diff(before, yield* record())
      // Of what else was read of the lost rows' time the archive is not sure any more.
      const differences = found.differences.filter(({ kind }) => kind !== "code")
      assert.deepStrictEqual(told({ ...found, differences }), [
        "partners deposit 3 BTC: matched exact -> matched exact",
        "restated transfer 8 USDT: open missing-deposit -> open missing-deposit",
        "gone transfer 3 BTC: matched exact -> nothing"
      ])
      assert.strictEqual(differences[1]?.before?.amount, "9")
    })))

  it.live("compares the time that both runs are about, and says what only one of them is about", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const wide = { from: far.from, to: near.to }
      const before = yield* record(options(wide))
      yield* arrives(swept)
      const after = yield* record()
      const found = yield* diff(before, after)
      assert.deepStrictEqual(told(found), ["closed deposit 3 BTC: open missing-transfer -> matched exact"])
      assert.deepStrictEqual(found.common, near)
      assert.deepStrictEqual(found.only, { before: [{ from: far.from, to: near.from }], after: [] })
      const part = { from: NOW + MINUTE / 2, to: NOW + HOUR }
      const within = yield* diff(before, after, part)
      assert.deepStrictEqual([told(within), within.common, within.only], [[], part, { before: [], after: [] }])
      const apart = yield* Effect.flip(diff(after, yield* record(options(far))))
      assert.strictEqual(apart._tag, "Apart")
      assert.include(apart.message, "are about different times")
    })))

  it.live("what the last execution over a time judged stands beside what had judged the same before", () =>
    test(Effect.gen(function*() {
      const { executions } = yield* Books.Books
      const wide = yield* book(options({ from: far.from, to: near.to }), { carry: false })
      yield* arrives(swept)
      const last = yield* book(options(), { carry: false })
      const all = (yield* executions).map(({ body }) => body)
      const named = (within: typeof near) => {
        const found = Execution.rejudged(all, within)
        return found && {
          by: found.by.number,
          pieces: found.pieces.map(({ after, before, from, to }) => ({ from, to, runs: [before.run, after.run] }))
        }
      }
      const runs = [wide.run.id, last.run.id]
      assert.deepStrictEqual(named({ from: far.from, to: near.to }), { by: 2, pieces: [{ ...near, runs }] })
      const part = { from: NOW, to: NOW + 2 * HOUR }
      assert.deepStrictEqual(named(part), { by: 2, pieces: [{ from: part.from, to: near.to, runs }] })
      assert.deepStrictEqual(named(far), { by: 1, pieces: [] })
      assert.isUndefined(named({ from: near.to, to: near.to + DAY }))
    })))

  it.live("records and time that could not be read differ, too", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const { deposits, transfers } = yield* Archive.Archive
      const range = { from: NOW + 4 * DAY, to: NOW + 6 * DAY }
      const before = yield* record(options(range))
      const slice = { from: NOW + 5 * DAY, to: NOW + 6 * DAY, records: [], bad: [] }
      const complete = { from: slice.from, to: slice.to, readAt: NOW + 6 * DAY + HOUR, state: "complete" as const }
      yield* transfers.saveSlice({ ...slice, coverage: [{ operation: "transfers", ...complete }] })
      yield* deposits.saveSlice({ ...slice, coverage: [{ operation: "deposits", ...complete }] })
      const found = yield* diff(before, yield* record(options(range)))
      assert.deepStrictEqual([found.before.unread, found.after.unread], [[{ from: slice.from, to: slice.to }], []])
      assert.isTrue(RunDiff.differs(found))
      assert.deepStrictEqual(found.differences, [])
    })))

  it.live("a record that could not be read counts where the time that it tells is compared, and is named apart where it tells none", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const { deposits } = yield* Archive.Archive
      const shows = (raw: string, from = near.from, to = NOW + 4 * HOUR) =>
        deposits.saveSlice({
          from,
          to,
          records: [],
          bad: [{ side: "deposit", source: "page 1, record 1", path: "amount", reason: "an amount was wanted", raw }],
          coverage: []
        })
      const told = ({ after, before }: RunDiff.RunDiff) =>
        [before, after].map(({ badRecords, untimedRecords }) => [badRecords, untimedRecords])
      // Entries for which it might be the counterpart are less sure by it: here they do not matter.
      const areOther = (found: RunDiff.RunDiff) => RunDiff.differs({ ...found, differences: [] })
      const none = [0, 0]
      const empty = yield* record()
      yield* shows(JSON.stringify({ insertTime: NOW + 3 * HOUR }))
      const beside = yield* record()
      assert.strictEqual(beside.summary.counts.find(({ code }) => code === "bad-record")?.outcomes, 1)
      assert.deepStrictEqual(told(yield* diff(empty, beside)), [none, none])
      assert.isFalse(areOther(yield* diff(empty, beside)))
      yield* shows("no JSON")
      yield* shows(JSON.stringify({ insertTime: NOW + 900 * DAY }))
      const untimed = yield* record()
      assert.deepStrictEqual(told(yield* diff(beside, untimed)), [none, [0, 2]])
      assert.isFalse(areOther(yield* diff(beside, untimed)))
      yield* shows(JSON.stringify({ insertTime: NOW + MINUTE }))
      const inside = yield* record()
      assert.deepStrictEqual(told(yield* diff(empty, inside)), [none, [1, 2]])
      assert.deepStrictEqual(told(yield* diff(inside, untimed)), [[1, 0], none])
      assert.isTrue(areOther(yield* diff(inside, untimed)))
      const later = yield* diff(empty, inside, { from: NOW + 2 * MINUTE, to: near.to })
      assert.deepStrictEqual([told(later), areOther(later)], [[none, [0, 2]], false])
      const about = <One extends typeof empty>(one: One) => ({ ...one, run: { ...one.run, range: null } })
      assert.deepStrictEqual(told(yield* diff(about(empty), about(inside))), [none, [4, 0]])
    })))

  it.live("records of which one was read and another came are no even trade", () =>
    test(Effect.gen(function*() {
      const { diff } = yield* Runs.Runs
      const { transfers } = yield* Archive.Archive
      const shows = (asset: string, readAt: number) => {
        const raw = JSON.stringify({ asset, timestamp: NOW + MINUTE })
        const slice = { from: NOW + MINUTE, to: NOW + MINUTE + 1 }
        return transfers.saveSlice({
          ...slice,
          records: [],
          bad: [{ side: "transfer", source: "page 1, record 1", path: "amount", reason: "an amount was wanted", raw }],
          coverage: [{ operation: "transfers", ...slice, readAt, state: "complete" }]
        })
      }
      yield* shows("BTC", NOW + 6 * DAY + HOUR)
      const before = yield* record()
      yield* shows("ETH", NOW + 6 * DAY + 2 * HOUR)
      const found = yield* diff(before, yield* record())
      assert.deepStrictEqual([found.before.badRecords, found.after.badRecords], [1, 1])
      assert.isTrue(RunDiff.differs(found))
    })))

  it.live("a run that lost its outcomes, or is not as it was recorded, is compared with none", () =>
    test(Effect.gen(function*() {
      const { diff, prune } = yield* Runs.Runs
      const { sql } = yield* Database
      const before = yield* record()
      yield* arrives(swept)
      const after = yield* record()
      assert.deepStrictEqual((yield* prune(NOW + 30 * DAY)).ids, [before.run.id])
      const pruned = yield* Effect.flip(diff(before, after))
      assert.include(pruned.message, `holds no outcomes of run ${before.run.id} any more`)
      yield* sql`DELETE FROM run_outcomes WHERE digest = (SELECT MIN(digest) FROM run_outcomes)`
      const damaged = yield* Effect.flip(diff(after, after))
      assert.include(damaged.message, `run ${after.run.id} is not as it was recorded`)
    })))
})
