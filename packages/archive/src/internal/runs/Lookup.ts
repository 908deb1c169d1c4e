/** Reads runs, and outcomes with the runs they were seen in. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Run from "../../Run.ts"
import type * as Database from "../Database.ts"
import * as RunRow from "./RunRow.ts"

/** Outcomes that are read at once. */
const BATCH = 512

const decodeSummary = Schema.decodeUnknownEffect(Schema.fromJsonString(Report.Summary))
const decodeOutcome = Schema.decodeUnknownEffect(Schema.fromJsonString(Report.ReportOutcome))

const isRunPrefix = (prefix: string): boolean => /^r[0-9a-f]*$/.test(prefix)
const isOutcomePrefix = (prefix: string): boolean => /^[0-9a-f]+$/.test(prefix)

/** Behind every id that begins with it: ids go on with digits and letters up to f, whatever the collation. */
const behind = (prefix: string): string => `${prefix}g`

interface ContentRow {
  readonly at: number
  readonly digest: string
  readonly content: string
}

interface OutcomeRow extends ContentRow {
  readonly id: string
}

interface SightingRow extends Omit<ContentRow, "content"> {
  readonly run: number
}

export const make = ({ error, place, sql }: Database.Service) => {
  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)

  const damaged = (what: string) => () =>
    new ArchiveError.ArchiveError({
      reason: new ArchiveError.Damaged({ place, detail: `${what} does not read as one` })
    })

  const outcomeOf = ({ content, digest }: ContentRow) =>
    Effect.mapError(decodeOutcome(content), damaged(`outcome ${digest}`))

  const finished = query(
    sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id IS NOT NULL ORDER BY number DESC`
  )

  const list = Effect.map(finished, (rows) => rows.map(RunRow.decode))

  const get = Effect.fnUntraced(function*(
    prefix: string
  ): Effect.fn.Return<Option.Option<Run.Recorded>, ArchiveError.ArchiveError | Run.Ambiguous> {
    if (!isRunPrefix(prefix)) return Option.none()
    const rows = yield* query(
      sql<RunRow.RunRow & { readonly summary: string }>`SELECT ${RunRow.columns(sql)}, summary FROM runs
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
    const summary = yield* Effect.mapError(decodeSummary(row.summary), damaged(`run ${row.id}`))
    return Option.some({ run: RunRow.decode(row), summary })
  })

  /** Run by run, each in its own part of the table: SQLite takes a CROSS JOIN in the order it is written in. */
  const idsOf = (prefix: string) =>
    query(sql<{ id: string }>`SELECT DISTINCT o.id FROM runs r CROSS JOIN run_outcomes o
      WHERE o.run = r.number AND r.id IS NOT NULL AND o.id >= ${prefix} AND o.id < ${behind(prefix)}`)

  const outcome = Effect.fnUntraced(function*(
    prefix: string
  ): Effect.fn.Return<Option.Option<Run.Sighting>, ArchiveError.ArchiveError | Run.Ambiguous> {
    if (!isOutcomePrefix(prefix)) return Option.none()
    const ids = yield* idsOf(prefix)
    const [found] = ids
    if (found === undefined) return Option.none()
    if (ids.length > 1) return yield* new Run.Ambiguous({ prefix, of: "outcomes", count: ids.length })
    const sightings = yield* query(
      sql<SightingRow>`SELECT o.run, o.at, o.digest FROM runs r CROSS JOIN run_outcomes o
        WHERE o.run = r.number AND r.id IS NOT NULL AND o.id = ${found.id} ORDER BY r.number`
    )
    const runs = new Map((yield* finished).map((row) => [row.number, RunRow.decode(row)]))
    const versions = yield* Effect.forEach(
      Map.groupBy(sightings, ({ digest }) => digest),
      Effect.fnUntraced(function*([digest, rows]) {
        const contents = yield* query(
          sql<ContentRow>`SELECT at, digest, content FROM outcomes WHERE at = ${
            rows[0]?.at ?? 0
          } AND digest = ${digest}`
        )
        const [content] = contents
        if (content === undefined) return yield* damaged(`outcome ${digest}`)()
        return { outcome: yield* outcomeOf(content), runs: rows.flatMap(({ run }) => runs.get(run) ?? []) }
      })
    )
    return Option.some({ id: found.id, versions })
  })

  const numberOf = (run: Run.Run) =>
    Effect.map(query(sql<{ number: number }>`SELECT number FROM runs WHERE id = ${run.id}`), (rows) => rows[0]?.number)

  const page = (number: number, after: OutcomeRow | undefined) =>
    query(sql<OutcomeRow>`SELECT o.id, c.at, c.digest, c.content
      FROM run_outcomes o JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
      WHERE o.run = ${number} AND (o.id, o.digest) > (${after?.id ?? ""}, ${after?.digest ?? ""})
      ORDER BY o.id, o.digest LIMIT ${BATCH}`)

  const outcomes = (run: Run.Run): Stream.Stream<Outcome.Outcome, ArchiveError.ArchiveError> =>
    Stream.unwrap(Effect.map(numberOf(run), (number) =>
      number === undefined ? Stream.empty : Stream.paginate(
        undefined as OutcomeRow | undefined,
        Effect.fnUntraced(function*(after) {
          const rows = yield* page(number, after)
          const next = rows.length < BATCH ? undefined : rows.at(-1)
          return [yield* Effect.forEach(rows, outcomeOf), Option.fromUndefinedOr(next)] as const
        })
      )))

  return { list, get, outcome, outcomes }
}
