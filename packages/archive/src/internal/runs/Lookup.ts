/** A lookup reads runs, and outcomes with the runs in which they were seen. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Run from "../../Run.ts"
import type * as Database from "../sql/Database.ts"
import * as Content from "./Content.ts"
import * as RunOutcome from "./RunOutcome.ts"
import * as RunRow from "./RunRow.ts"
import * as Verification from "./Verification.ts"

/** So many outcomes are read at once. */
const BATCH = 512

const decodeSummary = Schema.decodeUnknownEffect(Schema.fromJsonString(Report.Summary))
const decodeOutcome = Schema.decodeUnknownEffect(Schema.fromJsonString(Report.ReportOutcome))

const isRunPrefix = (prefix: string): boolean => /^r[0-9a-f]*$/.test(prefix)
const isOutcomePrefix = (prefix: string): boolean => /^[0-9a-f]+$/.test(prefix)

/** Gives a text behind every id that begins with `prefix`: ids go on with digits and letters up to f, whatever the collation. */
const behind = (prefix: string): string => `${prefix}g`

/** This is an outcome of a run; its content is null where that is gone. */
interface OutcomeRow extends Content.Content {
  readonly seen_id: string
  readonly seen_digest: string
  readonly seen_at: number
}

interface SightingRow extends RunOutcome.RunOutcome {
  readonly run: number
}

/** The outcomes of a run were read up to here. */
interface Read extends Pick<RunOutcome.RunOutcome, "id" | "digest"> {
  readonly totals: RunOutcome.Totals
}

const UNREAD: Read = { id: "", digest: "", totals: RunOutcome.NONE }

const REMEDY = "reconcile the same range from it again, which records it anew where the records are the same"

export const make = ({ error, place, sql }: Database.Service) => {
  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)

  const verification = Verification.make(sql)
  const contents = (table: string) => sql.literal(Content.COLUMNS.map((name) => `${table}.${name}`).join(", "))

  const damaged = (what: string) =>
    new ArchiveError.ArchiveError({
      reason: new ArchiveError.Damaged({ place, detail: `${what} is not as it was recorded`, remedy: REMEDY })
    })

  const outcomeOf = (row: Content.Content, what: string) =>
    Content.holds(row)
      ? Effect.mapError(decodeOutcome(row.content), () => damaged(what))
      : Effect.fail(damaged(what))

  const finished = query(
    sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id IS NOT NULL ORDER BY number DESC`
  )

  const list = Effect.map(finished, (rows) => rows.map(RunRow.listed))

  const get = Effect.fnUntraced(function*(
    prefix: string
  ): Effect.fn.Return<Option.Option<Run.Recorded>, ArchiveError.ArchiveError | Run.Ambiguous> {
    if (!isRunPrefix(prefix)) return Option.none()
    const rows = yield* query(
      sql<RunRow.Whole>`SELECT ${RunRow.columns(sql)}, summary FROM runs
        WHERE id >= ${prefix} AND id < ${behind(prefix)} ORDER BY number LIMIT 2`
    )
    const [row] = rows
    if (row === undefined) return Option.none()
    if (rows.length > 1) {
      const counts = yield* query(
        sql<{ count: number }>`SELECT CAST(COUNT(*) AS INTEGER) AS count FROM runs
          WHERE id >= ${prefix} AND id < ${behind(prefix)}`
      )
      return yield* new Run.Ambiguous({ prefix, of: "runs", count: counts[0]?.count ?? 2 })
    }
    const what = `run ${row.id}`
    if (!(yield* query(verification.isSound(row)))) return yield* damaged(what)
    const summary = yield* Effect.mapError(decodeSummary(row.summary), () => damaged(what))
    return Option.some({ run: RunRow.decode(row), summary })
  })

  /** The ids are read run by run, each in its own part of the table: SQLite takes a CROSS JOIN in the order it is written in. */
  const idsOf = (prefix: string) =>
    query(sql<{ id: string }>`SELECT DISTINCT o.id FROM runs r CROSS JOIN run_outcomes o
      WHERE o.run = r.number AND r.id IS NOT NULL AND o.id >= ${prefix} AND o.id < ${behind(prefix)}`)

  /**
   * Reads runs by their numbers. A run whose outcomes are not all its own is damaged: it may never have seen the outcome that
   * was looked for.
   */
  const runsOf = Effect.fnUntraced(function*(numbers: ReadonlySet<number>) {
    const rows = (yield* finished).filter(({ number }) => numbers.has(number))
    const listed = yield* Effect.forEach(rows, (row) =>
      Effect.map(
        query(verification.hasItsOutcomes(row)),
        (isSound) => [row.number, isSound ? RunRow.listed(row) : RunRow.damaged(row)] as const
      ))
    return new Map(listed)
  })

  const outcome = Effect.fnUntraced(function*(
    prefix: string
  ): Effect.fn.Return<Option.Option<Run.Sighting>, ArchiveError.ArchiveError | Run.Ambiguous> {
    if (!isOutcomePrefix(prefix)) return Option.none()
    const ids = yield* idsOf(prefix)
    const [found] = ids
    if (found === undefined) return Option.none()
    if (ids.length > 1) return yield* new Run.Ambiguous({ prefix, of: "outcomes", count: ids.length })
    const sightings = yield* query(
      sql<SightingRow>`SELECT o.run, o.id, o.at, o.digest FROM runs r CROSS JOIN run_outcomes o
        WHERE o.run = r.number AND r.id IS NOT NULL AND o.id = ${found.id} ORDER BY r.number`
    )
    const runs = yield* runsOf(new Set(sightings.map(({ run }) => run)))
    const versions = yield* Effect.forEach(
      Map.groupBy(sightings, ({ digest }) => digest),
      Effect.fnUntraced(function*([digest, rows]) {
        const what = `outcome ${found.id}`
        const [row] = yield* query(
          sql<Content.Content>`SELECT ${contents("c")} FROM outcomes c
            WHERE c.at = ${rows[0]?.at ?? 0} AND c.digest = ${digest}`
        )
        if (row === undefined || row.id !== found.id) return yield* damaged(what)
        return { outcome: yield* outcomeOf(row, what), runs: rows.flatMap(({ run }) => runs.get(run) ?? []) }
      })
    )
    return Option.some({ id: found.id, versions })
  })

  const rowOf = (run: Run.Run) =>
    Effect.map(
      query(sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id = ${run.id}`),
      (rows) => rows[0]
    )

  const page = (number: number, { digest, id }: Read) =>
    query(sql<OutcomeRow>`SELECT ${contents("c")}, o.id AS seen_id, o.digest AS seen_digest, o.at AS seen_at
      FROM run_outcomes o LEFT JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
      WHERE o.run = ${number} AND (o.id, o.digest) > (${id}, ${digest})
      ORDER BY o.id, o.digest LIMIT ${BATCH}`)

  const outcomes = (run: Run.Run): Stream.Stream<Outcome.Outcome, ArchiveError.ArchiveError> => {
    const what = `run ${run.id}`
    return Stream.unwrap(Effect.map(rowOf(run), (row) => {
      if (row === undefined) return Stream.empty
      if (!RunRow.holds(row)) return Stream.fail(damaged(what))
      return Stream.paginate(
        UNREAD,
        Effect.fnUntraced(function*(read) {
          const rows = yield* page(row.number, read)
          const outcomes = yield* Effect.forEach(rows, (row) => outcomeOf(row, what))
          const seen = rows.map(({ seen_at, seen_digest, seen_id }) => ({
            id: seen_id,
            digest: seen_digest,
            at: seen_at
          }))
          const totals = RunOutcome.add(read.totals, seen)
          const last = seen.at(-1)
          if (last !== undefined && rows.length === BATCH) return [outcomes, Option.some({ ...last, totals })] as const
          return RunOutcome.areEqual(totals, row) ? [outcomes, Option.none()] as const : yield* damaged(what)
        })
      )
    }))
  }

  return { list, get, outcome, outcomes }
}
