/** Deposits that settled late widen the time before and behind a range that has to be read. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as ControlTable from "../coverage/ControlTable.ts"
import type * as CoverageTable from "../coverage/CoverageTable.ts"
import * as Day from "../coverage/Day.ts"
import * as BadRecordTable from "../records/BadRecordTable.ts"
import * as DepositTable from "../records/DepositTable.ts"
import * as VersionTable from "../records/VersionTable.ts"
import * as Checksum from "../sql/Checksum.ts"
import type * as Database from "../sql/Database.ts"
import * as Disputes from "./Disputes.ts"

/** A service shows no deposit for longer than this, so none is seen to settle later, ms. */
export const MEMORY = 7 * 86_400_000

/** Stretches whose control totals are compared at once have about so many rows. */
const BATCH = 1_000_000

interface Row {
  readonly unreadable: number | null
  readonly earliest: number | null
  readonly latest: number | null
}

/**
 * Widens an interval by the times at which its deposits may have been seen to settle. A deposit that changed may have been seen
 * to settle then, under some policy: more deposits are counted than settled, and none is left out. A deposit that could not be
 * read may have settled at any time while the service showed it. A damaged row may widen the interval for nothing;
 * `LostDeposits` puts a gap where the row should have told of a deposit.
 */
export const make = ({ error, sql }: Database.Service) =>
  Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const [row] = yield* sql<Row>`SELECT
      (SELECT MIN(at) FROM bad_records WHERE operation = 'deposits' AND gone_at IS NULL
        AND timed IN (${BadRecordTable.timed.untold}, ${BadRecordTable.timed.told})
        AND at >= ${Day.dayOf(from - MEMORY)} AND at < ${from} AND until > ${from - MEMORY}) AS unreadable,
      (SELECT MIN(at) FROM deposits
        WHERE at >= ${
      from - MEMORY
    } AND at < ${from} AND history > 0 AND imported = 0 AND seen_at >= ${from}) AS earliest,
      (SELECT MAX(seen_at) FROM deposits
        WHERE at >= ${from} AND at < ${to} AND history > 0 AND imported = 0) AS latest`
    const begin = Math.min(row?.earliest ?? from, row?.unreadable ?? from)
    const latest = row?.latest ?? null
    return { from: begin, to: Math.min(Math.max(to, latest === null ? to : latest + 1), to + MEMORY) }
  }, Effect.mapError(error))

/**
 * Finds where a deposit that changed may be unknown. A week of deposits is looked at before each report, and few of them are
 * read: the database adds up by itself which of them changed, and when (`Weight`). Earlier versions are read, because only a
 * version's own checksum tells that it is no longer marked as a file's word. A version without its record tells of a change
 * too. Deposits that could not be read are few, and each is held against its checksum.
 */
export const unknown = (
  { error, sql }: Database.Service,
  controls: ControlTable.ControlTable,
  coverage: CoverageTable.CoverageTable
) => {
  const disputes = Disputes.make(sql, DepositTable.table)
  const versions = VersionTable.make(sql, DepositTable.table)
  const ofBad = sql.literal(BadRecordTable.COLUMNS.join(", "))

  const differing = Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const found: Array<Coverage.Interval> = []
    for (let at = from; at < to;) {
      const stretches = yield* controls.next("deposits", { from: at, to }, BATCH)
      for (const stretch of stretches) {
        const { checksums, records } = yield* controls.counted("deposits", stretch)
        if (records !== stretch.records || checksums !== stretch.checksums) {
          found.push({ from: stretch.from, to: Day.endOf(stretch.to - 1) })
        }
      }
      at = stretches.at(-1)?.to ?? to
    }
    return found
  })

  const moment = ({ at }: Pick<VersionTable.Row, "at">): Coverage.Interval => ({ from: at, to: at + 1 })

  const changed = Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const bad = yield* sql<BadRecordTable.Row>`SELECT ${ofBad} FROM bad_records
      WHERE operation = 'deposits' AND at >= ${from} AND at < ${to}`
    const orphans = yield* sql<Pick<VersionTable.Row, "at">>`SELECT at FROM versions
      WHERE operation = 'deposits' AND at >= ${from} AND at < ${to} AND NOT EXISTS (
        SELECT 1 FROM deposits WHERE deposits.at = versions.at AND deposits.id = versions.id AND history > 0)`
    const { damaged, disputed } = yield* disputes({ from, to })
    return {
      damaged: [
        ...damaged,
        ...orphans.map(moment),
        ...yield* versions.altered({ from, to }),
        ...bad.filter((row) => !Checksum.holds(row)).map(({ at }) => ({ from: at, to: Day.endOf(at) }))
      ],
      disputed
    }
  })

  const doubtful = Effect.fnUntraced(function*(interval: Coverage.Interval) {
    const attempt = Effect.zipWith(
      differing(interval),
      changed(interval),
      (a, { damaged, disputed }) => ({ damaged: [...a, ...damaged], disputed })
    )
    const found = yield* attempt
    // Another process may have written between the statements.
    return found.damaged.length + found.disputed.length === 0 ? found : yield* sql.withTransaction(attempt)
  })

  return Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const begin = (yield* coverage.begin("deposits")) ?? Number.POSITIVE_INFINITY
    const { parts } = yield* coverage.known({ from, to })
    const known = parts.filter(({ operation }) => operation === "deposits")
    const unread = begin < to ? Coverage.uncovered(known, { from: Math.max(from, begin), to }) : []
    return { begin, ...yield* doubtful({ from: Day.dayOf(from), to }), unread }
  }, Effect.mapError(error))
}
