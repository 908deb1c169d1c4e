import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Integrity from "../src/Integrity.ts"
import * as Content from "../src/internal/runs/Content.ts"
import * as Recorder from "../src/internal/runs/Recorder.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Runs from "../src/Runs.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const wide = { from: NOW - 40 * HOUR, to: NOW + 40 * HOUR }
const options: ArchiveReconciliation.Options = {
  range: { from: NOW - HOUR, to: NOW + 2 * HOUR },
  accounts: { list: ["a@x"], complete: true }
}

const count = 40
const deposits = Array.from(
  { length: count },
  (_, index) => deposit({ txId: `t${index}`, amount: `1.${index}1${"0".repeat(20)}`, insertTime: NOW + index * 1000 })
)
/** Every fifth deposit was never moved. */
const transfers = deposits.flatMap(({ amount, insertTime }, index) =>
  index % 5 === 0 ? [] : [transfer({ tranId: `s${index}`, amount, timestamp: insertTime + 60_000 })]
)

const keep = Effect.fnUntraced(function*(readAt: number, changes: { readonly deposits?: typeof deposits } = {}) {
  const archive = yield* Archive.Archive
  const covered = (operation: Coverage.Coverage["operation"]): ReadonlyArray<Coverage.Coverage> => [
    { operation, ...wide, readAt, state: "complete" }
  ]
  yield* archive.deposits.saveSlice({
    ...wide,
    records: changes.deposits ?? deposits,
    bad: [{ side: "deposit", source: "page 1", path: "amount", reason: "no amount", raw: `{"insertTime":${NOW}}` }],
    coverage: covered("deposits")
  })
  yield* archive.transfers.saveSlice({ ...wide, records: transfers, bad: [], coverage: covered("transfers") })
})

const bare = ({ account, amount, asset, at, id, reference, side, status }: Entry.Entry): Entry.Entry => ({
  side,
  id,
  asset,
  amount,
  at,
  status,
  ...(account === undefined ? {} : { account }),
  ...(reference === undefined ? {} : { reference })
})

/** What is kept of an outcome: a match is kept without the service's records. */
const kept = (outcome: Outcome.Outcome): Outcome.Outcome =>
  outcome.outcome === "matched"
    ? { ...outcome, deposits: outcome.deposits.map(bare), transfers: outcome.transfers.map(bare) }
    : outcome

const byId = (outcomes: ReadonlyArray<Outcome.Outcome>) => outcomes.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Counts the outcomes that runs have, in rows and in packs. */
const members = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ count: number }>`SELECT (SELECT COUNT(*) FROM run_outcomes) +
      (SELECT CAST(COALESCE(SUM(outcomes), 0) AS BIGINT) FROM run_packs) AS count`,
    ([row]) => row?.count
  )

const unique = (outcomes: ReadonlyArray<Outcome.Outcome>, prefix: string) =>
  new Set(outcomes.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => id)).size

describe.each(databases)("runs in $name", ({ layer }) => {
  const archive = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs | Database>) =>
    Effect.scoped(
      Effect.provide(
        effect,
        Layer.mergeAll(Archive.Archive.layer, Runs.Runs.layer).pipe(Layer.provideMerge(layer))
      )
    )

  it.effect("hold what the report said, to the last digit", () =>
    archive(Effect.gen(function*() {
      yield* keep(NOW + 50 * HOUR)
      yield* TestClock.adjust("1 hour")
      const runs = yield* Runs.Runs
      const { isNew, report, run } = yield* ArchiveReconciliation.record(options)
      const { outcomes, ...summary } = report
      assert.isTrue(isNew)
      assert.match(run.id, /^r[0-9a-f]{16}$/)
      assert.deepStrictEqual(run, {
        id: run.id,
        recordedAt: HOUR,
        range: { from: NOW - HOUR, to: NOW + 2 * HOUR },
        clean: false,
        counts: { matched: 32, discrepancy: 8, pending: 0, undetermined: 0, "set-aside": 1 }
      })
      assert.deepStrictEqual(yield* runs.list(), [run])
      const found = yield* runs.get(run.id.slice(0, 5))
      assert.deepStrictEqual(found, Option.some({ run, summary }))
      const read = yield* Stream.runCollect(runs.outcomes(run))
      assert.deepStrictEqual(byId(read), byId(outcomes.map(kept)))
    })))

  it.effect("are recorded once for the same data, however it was cut, whenever it was read", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      yield* keep(NOW + 50 * HOUR)
      const first = yield* ArchiveReconciliation.record(options)
      yield* keep(NOW + 60 * HOUR)
      for (const batch of [1, 7, 1000]) {
        const events = yield* Stream.runCollect(runs.record(ArchiveReconciliation.events({ ...options, batch })))
        assert.deepStrictEqual(events.at(-1), { _tag: "Recorded", run: first.run, isNew: false })
        assert.strictEqual(events.at(-2)?._tag, "Summary")
      }
      assert.deepStrictEqual(yield* runs.list(), [first.run])
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`SELECT * FROM runs`, 1)
      assert.strictEqual(yield* members(sql), 41)
    })))

  it.effect("tell of an outcome in which of them it was seen, and what it said then", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      yield* keep(NOW + 50 * HOUR)
      const first = yield* ArchiveReconciliation.record(options)
      yield* keep(NOW + 60 * HOUR, {
        deposits: deposits.with(5, { ...deposits[5]!, confirmTimes: "99" })
      })
      const second = yield* ArchiveReconciliation.record(options)
      assert.isTrue(second.isNew)
      assert.deepStrictEqual(yield* runs.list(), [second.run, first.run])
      const missing = (report: Report.Report) =>
        report.outcomes.filter(({ code }) => code === "missing-transfer").toSorted((a, b) =>
          a.deposits[0]!.at - b.deposits[0]!.at
        )
      const [same, changed] = [missing(first.report)[0]!, missing(first.report)[1]!]
      assert.deepStrictEqual(
        yield* runs.outcome(same.id),
        Option.some({ id: same.id, versions: [{ outcome: same, runs: [first.run, second.run] }] })
      )
      assert.deepStrictEqual(
        yield* runs.outcome(changed.id.slice(0, 12)),
        Option.some({
          id: changed.id,
          versions: [
            { outcome: changed, runs: [first.run] },
            { outcome: missing(second.report)[1]!, runs: [second.run] }
          ]
        })
      )
    })))

  it.effect("are not guessed from the beginning of several ids", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      yield* keep(NOW + 50 * HOUR)
      const { report, run } = yield* ArchiveReconciliation.record(options)
      yield* ArchiveReconciliation.record({ ...options, range: { from: NOW, to: NOW + HOUR } })
      const ambiguous = yield* Effect.flip(runs.get("r"))
      assert.strictEqual(ambiguous.message, "2 runs begin with r; give more of the id")
      const shared = "0123456789abcdef".split("").find((digit) => unique(report.outcomes, digit) > 1)!
      const outcome = yield* Effect.flip(runs.outcome(shared))
      assert.strictEqual(
        outcome.message,
        `${unique(report.outcomes, shared)} outcomes begin with ${shared}; give more of the id`
      )
      for (const prefix of ["", "rr", "r%", "%", "_", "x", `${run.id}0`, "' OR 1=1 --"]) {
        assert.deepStrictEqual(yield* runs.get(prefix), Option.none())
        assert.deepStrictEqual(yield* runs.outcome(prefix), Option.none())
      }
    })))

  it.effect("that fail or are left before their end leave nothing", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      yield* keep(NOW + 50 * HOUR)
      const events = ArchiveReconciliation.events(options)
      const failing = Stream.concat(Stream.take(events, 10), Stream.fail("broken"))
      assert.strictEqual(yield* Effect.flip(Stream.runDrain(runs.record(failing))), "broken")
      yield* Stream.runDrain(Stream.take(runs.record(events), 10))
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* runs.list(), [])
      assert.lengthOf(yield* sql`SELECT * FROM runs`, 0)
      assert.strictEqual(yield* members(sql), 0)
    })))

  it.effect("that a killed process left are never listed, and are removed when they have stood still for an hour", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      const { sql } = yield* Database
      yield* keep(NOW + 50 * HOUR)
      const report = yield* ArchiveReconciliation.run(options)
      const { outcomes, ...summary } = report
      const many = Array.from({ length: 600 }, () => outcomes).flat()
      const killed = yield* Recorder.make(yield* Database)
      yield* killed.add(many)
      assert.isAbove((yield* sql`SELECT * FROM run_outcomes`).length, 0)
      assert.isAbove((yield* sql`SELECT * FROM run_packs`).length, 0)
      assert.deepStrictEqual(yield* runs.list(), [])
      for (const { id } of outcomes) assert.deepStrictEqual(yield* runs.outcome(id), Option.none())

      yield* TestClock.adjust("59 minutes")
      const other = yield* runs.save(report)
      assert.isTrue(other.isNew)
      assert.lengthOf(yield* sql`SELECT * FROM runs`, 2)

      yield* TestClock.adjust("1 minute")
      assert.isFalse((yield* runs.save(report)).isNew)
      assert.lengthOf(yield* sql`SELECT * FROM runs`, 1)
      assert.strictEqual(yield* members(sql), outcomes.length)
      const error = yield* Effect.flip(killed.finish(summary))
      assert.include(error.message, "the recording of this run stood still for 1h and was removed; reconcile again")
      assert.deepStrictEqual(yield* runs.list(), [other.run])
    })))

  it.effect("that stood still do no harm to the one that got their number", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      yield* keep(NOW + 50 * HOUR)
      const report = yield* ArchiveReconciliation.run(options)
      const { outcomes, ...summary } = report
      const many = Array.from({ length: 200 }, () => outcomes).flat()
      const database = yield* Database
      for (const isFinished of [true, false]) {
        const still = yield* Recorder.make(database)
        yield* still.add(many)
        yield* TestClock.adjust("1 hour")
        const next = yield* Recorder.make(database)
        yield* next.add(outcomes)
        if (isFinished) yield* next.finish(summary)
        const error = yield* Effect.flip(Effect.andThen(still.add(many), still.finish(summary)))
        assert.include(error.message, "stood still for 1h")
        yield* still.discard
        if (!isFinished) yield* next.finish(summary)
        assert.lengthOf(yield* runs.list(), 1)
        assert.strictEqual(yield* members(database.sql), outcomes.length)
        assert.deepStrictEqual((yield* Integrity.check()).runs, { ids: [], lost: 0 })
      }
    })))

  it.effect("that are interrupted while they are committed are there, whole", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      yield* keep(NOW + 50 * HOUR)
      const report = yield* ArchiveReconciliation.run(options)
      const database = yield* Database
      const { withTransaction } = database.sql
      for (const last of [1, 2, 3]) {
        let transactions = 0
        const asked = yield* Deferred.make<void>()
        // Whoever waits for the commit of one transaction is interrupted, and the transaction is committed.
        const interrupting: typeof withTransaction = (effect) =>
          Effect.uninterruptible(
            Effect.tap(withTransaction(effect), () =>
              ++transactions === last
                ? Effect.andThen(Deferred.succeed(asked, undefined), Effect.yieldNow)
                : Effect.void)
          )
        const sql = new Proxy(database.sql, {
          get: (target, key) => key === "withTransaction" ? interrupting : Reflect.get(target, key)
        })
        const recording = yield* Effect.forkChild(
          Runs.Runs.use(({ save }) => save(report)).pipe(
            Effect.provide(Layer.provide(Layer.fresh(Runs.Runs.layer), Layer.succeed(Database, { ...database, sql })))
          )
        )
        yield* Deferred.await(asked)
        yield* Fiber.interrupt(recording)
        assert.lengthOf(yield* runs.list(), last === 3 ? 1 : 0, `interrupted in transaction ${last}`)
        assert.deepStrictEqual((yield* Integrity.check()).runs, { ids: [], lost: 0 })
      }
    })))

  it.effect("that two record at once become one", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      yield* keep(NOW + 50 * HOUR)
      const report = yield* ArchiveReconciliation.run(options)
      const saved = yield* Effect.all(Array.from({ length: 4 }, () => runs.save(report)), { concurrency: 4 })
      assert.strictEqual(new Set(saved.map(({ run }) => run.id)).size, 1)
      assert.strictEqual(saved.filter(({ isNew }) => isNew).length, 1)
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`SELECT * FROM runs`, 1)
      assert.strictEqual(yield* members(sql), 41)
    })))
})

describe("the content of an outcome", () => {
  const outcome: Outcome.Outcome = {
    id: "0123456789abcdef",
    outcome: "matched",
    code: "class-balanced",
    final: true,
    decidedBy: "time",
    rule: "a fee",
    lagMs: 5,
    residual: "0.000000000000000000001",
    pairs: [{ lagMs: 5, transfer: "t", deposit: "d" }],
    matchedCount: 1,
    openCount: 0,
    openSum: "0",
    explanation: "a sentence",
    deposits: [{ side: "deposit", id: "d", asset: "BTC", amount: "1.50", at: NOW, status: "settled", reference: "r" }],
    transfers: [{
      at: NOW + 5,
      side: "transfer",
      id: "t",
      asset: "BTC",
      amount: "1.5",
      status: "settled",
      account: "a"
    }],
    candidates: [{ reason: "farther", id: "u", side: "transfer" }]
  }
  const encode = Schema.encodeSync(Schema.fromJsonString(Report.ReportOutcome))

  it("of a match is what the report's schema writes of it", () => {
    assert.strictEqual(Content.make(outcome).content, encode(outcome))
  })

  it("leaves out the records of a match, and of nothing else", () => {
    const withRecords = {
      ...outcome,
      deposits: outcome.deposits.map((entry) => ({ ...entry, network: "BTC", record: { any: "thing" } }))
    }
    assert.deepStrictEqual(Content.make(withRecords), Content.make(outcome))
    const open: Outcome.Outcome = { ...withRecords, outcome: "discrepancy", code: "class-short" }
    assert.strictEqual(Content.make(open).content, encode(open))
    assert.include(Content.make(open).content, "\"any\":\"thing\"")
  })

  it("is the same content whenever it was found that nothing could be read, and another when something else changed", () => {
    const gap = (readAt: number, to: number): Outcome.Outcome => ({
      ...outcome,
      outcome: "undetermined",
      code: "coverage-gap",
      missing: { operation: "deposits", from: NOW, to, readAt, state: "incomplete" }
    })
    const { digest } = Content.make(gap(1, NOW + 1))
    assert.strictEqual(Content.make(gap(2, NOW + 1)).digest, digest)
    assert.notStrictEqual(Content.make(gap(1, NOW + 2)).digest, digest)
    assert.include(Content.make(gap(2, NOW + 1)).content, "\"readAt\":2")
  })
})
