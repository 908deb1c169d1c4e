/** The totals of a day are what a sum over the records of that day comes to, so that they tie to a statement of the exchange. */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as TimeRange from "@tallystick/core/TimeRange"
import type * as Report from "@tallystick/reconcile/Report"
import * as History from "@tallystick/sandbox/History"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Runs from "../src/Runs.ts"
import { databases } from "./support/databases.ts"

const HOUR = 3_600_000
const ZONE = "Europe/Berlin"

/** The clocks are turned back on the second of them, which has 25 hours. */
const days = ["2026-10-24", "2026-10-25", "2026-10-26"].map((day) =>
  Result.getOrThrow(TimeRange.businessDay(day, ZONE))
)
const whole = { from: days[0]?.from ?? 0, to: days.at(-1)?.to ?? 0 }
const read = { from: whole.from - 48 * HOUR, to: whole.to + 48 * HOUR }

const history = History.generate({
  seed: 5,
  to: whole.to,
  span: whole.to - whole.from,
  deposits: 400,
  subAccounts: 4,
  crowd: { share: 0.1, unswept: 0.02 },
  sweeps: 10,
  splits: 10
})

const keep = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const covered = { ...read, readAt: read.to + HOUR, state: "complete" } as const
  yield* archive.deposits.saveSlice({
    ...read,
    records: history.deposits,
    bad: [],
    coverage: [{ ...covered, operation: "deposits" }]
  })
  for (const fromAccount of history.subAccounts) {
    const query = { fromAccount, fromAccountType: "SPOT", toAccountType: "SPOT" }
    yield* archive.transfers.saveSlice({
      ...read,
      records: history.transfers.filter((transfer) => transfer.fromAccount === fromAccount),
      bad: [],
      coverage: [{ ...covered, operation: "transfers", query }]
    }, query)
  }
})

const run = (range: Coverage.Interval) =>
  ArchiveReconciliation.run({
    range,
    accounts: { list: history.subAccounts, complete: true },
    addresses: history.addressBook
  })

interface Row {
  readonly asset: string
  readonly count: number
  readonly units: string
}

/** The smallest part of an amount that the history has. */
const SCALE = 8

/** A sum as anybody writes it who holds the totals against the records: the same statement for both databases. */
const summed = Effect.fnUntraced(function*(operation: "deposits" | "transfers", { from, to }: Coverage.Interval) {
  const { sql } = yield* Database
  const asset = sql.literal(operation === "deposits" ? "coin" : "asset")
  const rows = yield* sql<Row>`SELECT ${asset} AS asset, CAST(COUNT(*) AS INTEGER) AS count,
      CAST(SUM(CAST(ROUND(CAST(amount AS NUMERIC) * 100000000) AS BIGINT)) AS TEXT) AS units
    FROM ${sql.literal(operation)} WHERE at >= ${from} AND at < ${to} GROUP BY ${asset}`
  return Object.fromEntries(
    rows.map(({ asset, count, units }) => [asset, { count, sum: Amount.format(BigInt(units), SCALE) }])
  )
})

/** The same from the totals of a report, without sides on which nothing came in. */
const told = ({ totals }: Report.Report, operation: "deposits" | "transfers") =>
  Object.fromEntries(
    totals.flatMap((total) => {
      const { count, sum } = total[operation].in
      return count === 0 ? [] : [[total.asset, { count, sum }]]
    })
  )

describe.each(databases)("the days of an archive in $name", ({ layer }) => {
  const services = Layer.provideMerge(Layer.mergeAll(Archive.Archive.layer, Runs.Runs.layer), layer)

  it.effect("have totals that are the sums over their own records, and add up to those of all of them", () =>
    Effect.gen(function*() {
      yield* keep
      const reports = yield* Effect.forEach(days, run)
      for (const report of reports) {
        const range = report.range ?? whole
        for (const operation of ["deposits", "transfers"] as const) {
          const expected = yield* summed(operation, range)
          assert.isNotEmpty(expected)
          assert.deepStrictEqual(told(report, operation), expected)
        }
      }
      const { counts, totals } = yield* run(whole)
      for (const { asset, ...total } of totals) {
        for (const side of ["deposits", "transfers"] as const) {
          for (const [line, { count, sum }] of Object.entries(total[side])) {
            const parts = reports.flatMap((report) => {
              const own = report.totals.find((total) => total.asset === asset)?.[side]
              return Object.entries(own ?? {}).flatMap(([name, part]) => name === line ? [part] : [])
            })
            const units = parts.reduce((all, part) => all + Amount.units(part.sum, SCALE), 0n)
            assert.strictEqual(parts.reduce((all, part) => all + part.count, 0), count, `${asset} ${side} ${line}`)
            assert.strictEqual(units, Amount.units(sum, SCALE), `${asset} ${side} ${line}`)
          }
        }
      }
      for (const { code, outcomes } of counts) {
        const parts = reports.flatMap((report) => report.counts.filter((count) => count.code === code))
        assert.strictEqual(parts.reduce((all, part) => all + part.outcomes, 0), outcomes, code)
      }
      // Midnight cuts some of them.
      assert.isTrue(reports.some(({ totals }) => totals.some(({ ofOtherDays }) => ofOtherDays !== undefined)))
    }).pipe(Effect.provide(services)))

  it.effect("are recorded with the numbers that they have, and a run of an earlier version is still shown", () =>
    Effect.gen(function*() {
      yield* keep
      const runs = yield* Runs.Runs
      const report = yield* run(days[1] ?? whole)
      const { run: recorded } = yield* runs.save(report)
      const exact = report.counts.filter(({ outcome }) => outcome === "matched")
      assert.strictEqual(recorded.counts.matched, exact.reduce((all, { outcomes }) => all + outcomes, 0))
      // An outcome is listed by the days of all of its entries, and kept once.
      const outcomes = yield* Stream.runCollect(runs.outcomes(recorded))
      assert.strictEqual(outcomes.length, report.outcomes.length)

      const { isNew, run: earlier } = yield* runs.save({ ...report, version: 1 })
      assert.isTrue(isNew)
      const shown = Option.getOrThrow(yield* runs.get(earlier.id))
      assert.strictEqual(shown.summary.version, 1)
      assert.deepStrictEqual(shown.summary.totals, report.totals)
    }).pipe(Effect.provide(services)))
})
