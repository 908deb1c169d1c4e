/** A verification tells whether runs are kept as they were recorded. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type * as Run from "../../Run.ts"
import * as Pages from "../sql/Pages.ts"
import * as Content from "./Content.ts"
import * as Pack from "./Pack.ts"
import * as RunCount from "./RunCount.ts"
import * as RunOutcome from "./RunOutcome.ts"
import * as RunPack from "./RunPack.ts"
import * as RunRow from "./RunRow.ts"

/** So many rows are read at once. */
const BATCH = 512

/** So many packs are read at once. */
const PACKS = 16

/** No run has this number. */
const NO_RUN = 0

/** A run came to this; `kept` is null where it is gone. */
type Kept<Row> = Row & { readonly kept: string | null }

const keyOf = ({ at, digest }: Pick<RunOutcome.RunOutcome, "at" | "digest">): string => `${at} ${digest}`

/** Outcomes, by time and digest, and packs, by digest, are not as they were written. */
type Altered = ReadonlySet<string>

const NONE_ALTERED: Altered = new Set()

const isAmong = (altered: Altered, key: string, { kept }: { readonly kept: string | null }): boolean =>
  kept === null || altered.has(key)

export const make = (sql: SqlClient.SqlClient) => {
  /** Counts what a run has; gives none where something of it is gone or altered. */
  const totalsOf = Effect.fnUntraced(function*(run: number, altered: Altered) {
    let totals = RunOutcome.NONE
    let isWhole = true
    yield* Pages.read({
      first: { id: "", digest: "" },
      most: BATCH,
      page: ({ digest, id }) =>
        sql<Kept<RunOutcome.RunOutcome>>`SELECT o.id, o.digest, o.at, c.digest AS kept
          FROM run_outcomes o LEFT JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
          WHERE o.run = ${run} AND (o.id, o.digest) > (${id}, ${digest})
          ORDER BY o.id, o.digest LIMIT ${BATCH}`,
      take: (rows) => {
        totals = RunOutcome.add(totals, rows)
        return isWhole = rows.every((seen) => !isAmong(altered, keyOf(seen), seen))
      }
    })
    if (!isWhole) return Option.none()
    yield* Pages.read({
      first: { place: -1 },
      most: BATCH,
      page: ({ place }) =>
        sql<Kept<RunPack.RunPack>>`SELECT o.place, o.digest, o.outcomes, p.digest AS kept
          FROM run_packs o LEFT JOIN packs p ON p.digest = o.digest
          WHERE o.run = ${run} AND o.place > ${place} ORDER BY o.place LIMIT ${BATCH}`,
      take: (rows) => {
        totals = RunPack.add(totals, rows)
        return isWhole = rows.every((seen) => !isAmong(altered, seen.digest, seen))
      }
    })
    return isWhole ? Option.some(totals) : Option.none()
  })

  /**
   * Tells whether a run has all of its outcomes, none of another's, and none of those that are `altered`. A run whose outcomes
   * were taken away has none.
   */
  const hasItsOutcomes = (row: RunRow.RunRow, altered: Altered = NONE_ALTERED) =>
    Effect.map(
      totalsOf(row.number, altered),
      Option.exists((found) => RunOutcome.areEqual(found, row.pruned_at === null ? row : RunOutcome.NONE))
    )

  /** Reads the outcomes of `[from, to)` that are not as they were written. */
  const alteredOutcomes = Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const found: Array<string> = []
    yield* Pages.read({
      first: { at: from, digest: "" },
      most: BATCH,
      page: ({ at, digest }) =>
        sql<Content.Content>`SELECT ${sql.literal(Content.COLUMNS.join(", "))}
          FROM outcomes WHERE (at, digest) > (${at}, ${digest}) AND at < ${to} ORDER BY at, digest LIMIT ${BATCH}`,
      take: (rows) => {
        for (const row of rows) if (!Content.holds(row)) found.push(keyOf(row))
        return true
      }
    })
    return found
  })

  /** Reads packs to which a run came that the condition on `r` names, and gives those that are not as they were written. */
  const alteredPacks = Effect.fnUntraced(function*(named: Fragment) {
    const found: Array<string> = []
    yield* Pages.read({
      first: { digest: "" },
      most: PACKS,
      page: ({ digest }) =>
        sql<Pack.Pack>`SELECT ${sql.literal(Pack.COLUMNS.join(", "))} FROM packs p
          WHERE p.digest > ${digest} AND EXISTS (SELECT 1 FROM run_packs o
            JOIN runs r ON r.number = o.run WHERE o.digest = p.digest AND r.id IS NOT NULL AND ${named})
          ORDER BY p.digest LIMIT ${PACKS}`,
      take: (rows) => {
        for (const row of rows) if (!Pack.isSound(row)) found.push(row.digest)
        return true
      }
    })
    return found
  })

  /**
   * Counts the runs of which only the outcomes are left, or that lost their id. An unfinished run has no id, and no checksum
   * either.
   */
  const orphaned = Effect.map(
    sql<{ readonly count: number }>`SELECT COUNT(*) AS count
      FROM (SELECT run FROM run_outcomes UNION SELECT run FROM run_packs) o
      LEFT JOIN runs r ON r.number = o.run WHERE r.number IS NULL OR (r.id IS NULL AND r.checksum IS NOT NULL)`,
    (rows) => rows[0]?.count ?? 0
  )

  const lost = Effect.map(
    Effect.all([orphaned, RunCount.read(sql)]),
    ([orphaned, { kept, recorded }]) => Math.max(orphaned, (recorded ?? kept) - kept)
  )

  /** Tells whether a run is as it was recorded, except for what its outcomes say. */
  const isSound = (row: RunRow.Whole, altered?: Altered) =>
    Option.isSome(RunRow.summaryOf(row)) ? hasItsOutcomes(row, altered) : Effect.succeed(false)

  const whole = (number: number) =>
    Effect.map(
      sql<RunRow.Whole>`SELECT ${RunRow.allColumns(sql)} FROM runs WHERE number = ${number}`,
      (rows) => rows[0]
    )

  /** Reads a run that is as it was recorded. One whose outcomes are taken away at this moment is read again. */
  const read = Effect.fnUntraced(function*(
    number: number,
    altered?: Altered
  ): Effect.fn.Return<RunRow.Whole | "damaged" | "gone", SqlError> {
    let row = yield* whole(number)
    while (row !== undefined) {
      if (yield* isSound(row, altered)) return row
      const again: RunRow.Whole | undefined = yield* whole(number)
      if (again?.checksum === row.checksum) return "damaged"
      row = again
    }
    return "gone"
  })

  /** Reads the outcomes that a run has in rows and another has not, and gives those that are not as they were written. */
  const alteredRows = Effect.fnUntraced(function*(run: number, other: number) {
    const found: Array<string> = []
    yield* Pages.read({
      first: { id: "", digest: "" },
      most: BATCH,
      page: ({ digest, id }) =>
        sql<Content.Content>`SELECT ${sql.literal(Content.COLUMNS.map((name) => `c.${name}`).join(", "))}
          FROM run_outcomes o JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
          WHERE o.run = ${run} AND (o.id, o.digest) > (${id}, ${digest}) AND NOT EXISTS (
            SELECT 1 FROM run_outcomes s WHERE s.run = ${other} AND s.id = o.id AND s.digest = o.digest
          )
          ORDER BY o.id, o.digest LIMIT ${BATCH}`,
      take: (rows) => {
        for (const row of rows) if (!Content.holds(row)) found.push(keyOf(row))
        return true
      }
    })
    return found
  })

  /**
   * Tells whether a run is as it was recorded, with all that its outcomes say. Those that it shares with `other` are sound: they
   * were just written as outcomes of that one.
   */
  const isWhole = Effect.fnUntraced(function*(number: number, other = NO_RUN) {
    const own = sql`r.number = ${number} AND NOT EXISTS (
      SELECT 1 FROM run_packs s WHERE s.run = ${other} AND s.digest = p.digest
    )`
    const altered = new Set([...yield* alteredRows(number, other), ...yield* alteredPacks(own)])
    return typeof (yield* read(number, altered)) === "object"
  })

  /** Reads each outcome of the interval once, and for each run about that time which of them it came to. */
  const damages = Effect.fnUntraced(function*(interval: Coverage.Interval) {
    const { from, to } = interval
    const altered = new Set([
      ...yield* alteredOutcomes(interval),
      ...yield* alteredPacks(sql`(r.from_ms IS NULL OR r.to_ms IS NULL OR (r.from_ms < ${to} AND r.to_ms > ${from}))`)
    ])
    const ids: Array<string> = []
    const runs = yield* sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id IS NOT NULL ORDER BY number`
    for (const row of runs) {
      if (RunRow.holds(row) && !RunRow.isAbout(row, interval)) continue
      const found = yield* read(row.number, altered)
      // A number beyond 2^53 is rounded when it is read, and does not find its row.
      if (found === "damaged" || (found === "gone" && !RunRow.holds(row))) ids.push(row.id)
    }
    return { ids, lost: yield* lost } satisfies Run.Damages
  })

  return { hasItsOutcomes, isWhole, read, damages }
}
