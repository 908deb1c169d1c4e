/** A lookup reads runs and their outcomes. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Run from "../../Run.ts"
import type * as Database from "../sql/Database.ts"
import * as Content from "./Content.ts"
import * as RunOutcome from "./RunOutcome.ts"
import * as RunPack from "./RunPack.ts"
import * as RunRow from "./RunRow.ts"
import * as Sightings from "./Sightings.ts"
import * as Stored from "./Stored.ts"
import * as Verification from "./Verification.ts"

/** So many outcomes in rows of their own are read at once. */
const BATCH = 512

/** So many packs are read at once. */
const PACKS = 2

/** A list of runs has those for which all of this holds. */
export interface Asked {
  /** The list has so many runs at most, the last ones recorded. Default: all. */
  readonly limit?: number
  /** They were recorded at this time or later, Unix ms. */
  readonly since?: number
  /** They are about any time of this interval, `[from, to)` in Unix ms; those about everything are. */
  readonly about?: Coverage.Interval
}

const decodeSummary = Schema.decodeUnknownEffect(Schema.fromJsonString(Report.Summary))

const isRunPrefix = (prefix: string): boolean => /^r[0-9a-f]*$/.test(prefix)

/** This is an outcome of a run in a row of its own; its content is null where that is gone. */
interface OutcomeRow extends Content.Content {
  readonly seen_id: string
  readonly seen_digest: string
  readonly seen_at: number
}

/** This is a pack of a run; all that `packs` says is null where that is gone. */
interface PackRow extends RunPack.RunPack {
  readonly ids: Uint8Array | null
  readonly content: Uint8Array | null
}

export const make = (database: Database.Service) => {
  const { error, place, sql } = database
  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)

  const verification = Verification.make(sql)
  const stored = Stored.make(place)

  const isAsked = ({ about, since }: Asked): ReadonlyArray<Fragment> => [
    sql`id IS NOT NULL`,
    ...(since === undefined ? [] : [sql`touched_at >= ${since}`]),
    ...(about === undefined
      ? []
      : [sql`(from_ms IS NULL OR to_ms IS NULL OR (from_ms < ${about.to} AND to_ms > ${about.from}))`])
  ]

  /** Gives rows, the last recorded first. */
  const last = (conditions: ReadonlyArray<Fragment>, limit?: number) =>
    query(sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE ${sql.and(conditions)}
      ORDER BY number DESC ${limit === undefined ? sql.literal("") : sql`LIMIT ${limit}`}`)

  const list = (asked: Asked = {}) => Effect.map(last(isAsked(asked), asked.limit), (rows) => rows.map(RunRow.listed))

  /** Gives so many runs at most with their numbers, those before a number alone, and counts those on all pages. */
  const paged = Effect.fnUntraced(function*(asked: Asked, limit: number, before: number) {
    const conditions = isAsked(asked)
    const rows = yield* last([...conditions, sql`number < ${before}`], limit)
    const [counted] = yield* query(
      sql<{ readonly count: number }>`SELECT CAST(COUNT(*) AS INTEGER) AS count FROM runs WHERE ${sql.and(conditions)}`
    )
    return {
      runs: rows.map((row) => ({ number: row.number, run: RunRow.listed(row) })),
      count: counted?.count ?? 0
    }
  })

  const get = Effect.fnUntraced(function*(
    prefix: string
  ): Effect.fn.Return<Option.Option<Run.Recorded>, ArchiveError.DatabaseError | Run.Ambiguous> {
    if (!isRunPrefix(prefix)) return Option.none()
    const behind = Stored.behind(prefix)
    const rows = yield* query(
      sql<Pick<RunRow.RunRow, "id" | "number">>`SELECT id, number FROM runs
        WHERE id >= ${prefix} AND id < ${behind} ORDER BY number LIMIT 2`
    )
    const [row] = rows
    if (row === undefined) return Option.none()
    if (rows.length > 1) {
      const counts = yield* query(
        sql<
          { count: number }
        >`SELECT CAST(COUNT(*) AS INTEGER) AS count FROM runs WHERE id >= ${prefix} AND id < ${behind}`
      )
      return yield* new Run.Ambiguous({ prefix, of: "runs", count: counts[0]?.count ?? 2 })
    }
    const damaged = stored.damaged(`run ${row.id}`)
    const found = yield* query(verification.read(row.number))
    if (typeof found === "string") return yield* damaged
    const summary = yield* Effect.fromOption(RunRow.summaryOf(found), () => damaged).pipe(
      Effect.flatMap((text) => Effect.mapError(decodeSummary(text), () => damaged))
    )
    return Option.some({ run: RunRow.decode(found), summary })
  })

  const rowOf = (run: Pick<Run.Run, "id">) =>
    Effect.map(
      query(sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id = ${run.id}`),
      (rows) => rows[0]
    )

  /** Tells why the outcomes that were found are not those that were recorded: they may be taken away at this moment. */
  const lost = (run: Pick<Run.Run, "id">) =>
    Effect.flatMap(rowOf(run), (row) => {
      const prunedAt = row !== undefined && RunRow.holds(row) ? row.pruned_at : null
      return Effect.fail(
        prunedAt === null
          ? stored.damaged(`run ${run.id}`)
          : ArchiveError.ArchiveError.of(new ArchiveError.Pruned({ place, run: run.id, prunedAt }))
      )
    })

  const contents = sql.literal(Content.COLUMNS.map((name) => `c.${name}`).join(", "))

  const page = (number: number, { digest, id }: Pick<RunOutcome.RunOutcome, "digest" | "id">) =>
    query(sql<OutcomeRow>`SELECT ${contents}, o.id AS seen_id, o.digest AS seen_digest, o.at AS seen_at
      FROM run_outcomes o LEFT JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
      WHERE o.run = ${number} AND (o.id, o.digest) > (${id}, ${digest})
      ORDER BY o.id, o.digest LIMIT ${BATCH}`)

  const packsBehind = (number: number, place: number) =>
    query(sql<PackRow>`SELECT o.place, o.digest, o.outcomes, p.ids, p.content
      FROM run_packs o LEFT JOIN packs p ON p.digest = o.digest
      WHERE o.run = ${number} AND o.place > ${place} ORDER BY o.place LIMIT ${PACKS}`)

  /**
   * Streams the outcomes in rows of their own, then those in packs, all of which are matched or set aside: `unless` is asked between
   * them, and where it holds the packs are left unread.
   */
  const outcomes = (
    run: Pick<Run.Run, "id">,
    unless: () => boolean = () => false
  ): Stream.Stream<Outcome.Outcome, ArchiveError.OutcomesError> => {
    const what = `run ${run.id}`
    return Stream.unwrap(Effect.map(rowOf(run), (row) => {
      if (row === undefined) return Stream.empty
      if (!RunRow.holds(row) || row.pruned_at !== null) return Stream.unwrap(lost(run))
      let totals = RunOutcome.NONE

      const inRows = Stream.paginate(
        { id: "", digest: "" },
        Effect.fnUntraced(function*(after) {
          const rows = yield* page(row.number, after)
          const seen = rows.map(({ seen_at: at, seen_digest: digest, seen_id: id }) => ({ id, digest, at }))
          totals = RunOutcome.add(totals, seen)
          const next = rows.length < BATCH ? Option.none() : Option.fromUndefinedOr(seen.at(-1))
          return [yield* Effect.forEach(rows, (row) => stored.ofRow(row, what)), next] as const
        })
      )
      const inPacks = Stream.paginate(
        -1,
        Effect.fnUntraced(function*(after: number) {
          const rows = yield* packsBehind(row.number, after)
          totals = RunPack.add(totals, rows)
          const found = yield* Effect.forEach(
            rows,
            ({ content, digest, ids }) =>
              stored.ofPack(ids === null || content === null ? undefined : { digest, ids, content }, what)
          )
          const next = rows.length < PACKS ? Option.none() : Option.fromUndefinedOr(rows.at(-1)?.place)
          return [found.flat(), next] as const
        })
      )
      const end = Effect.suspend(() => RunOutcome.areEqual(totals, row) ? Effect.succeed(Stream.empty) : lost(run))
      const rest = Stream.concat(inPacks, Stream.unwrap(end))
      return Stream.concat(inRows, Stream.suspend(() => unless() ? Stream.empty : rest))
    }))
  }

  /** Fails where a run is not whole, or lost its outcomes to a pruning. */
  const whole = Effect.fnUntraced(function*(id: string): Effect.fn.Return<void, ArchiveError.OutcomesError | SqlError> {
    const [row] = yield* sql<Pick<RunRow.RunRow, "number">>`SELECT number FROM runs WHERE id = ${id}`
    const found = row === undefined ? "gone" : yield* verification.read(row.number)
    if (typeof found === "string") return yield* stored.damaged(`run ${id}`)
    return found.pruned_at === null
      ? undefined
      : yield* ArchiveError.ArchiveError.of(new ArchiveError.Pruned({ place, run: id, prunedAt: found.pruned_at }))
  })

  const damaged = (id: string) => stored.damaged(`run ${id}`)

  return { list, paged, get, outcomes, whole, damaged, outcome: Sightings.make(database, verification) }
}
