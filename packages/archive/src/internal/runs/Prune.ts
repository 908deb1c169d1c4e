/**
 * A pruning takes the outcomes of runs away in whose place a later run of the same range stands. What the run came to in short
 * stays: its policy, coverage and totals. Each run loses its outcomes in one transaction, so that one is whole or has none, and
 * what no run comes to any more goes afterwards.
 *
 * A program of this version opens no archive of a later one. So it takes nothing of a run that something names which only a
 * later version keeps; that version must leave such runs out, as this one does with those that the ledger names.
 */
import * as Report from "@tallystick/reconcile/Report"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as Execution from "../../Execution.ts"
import type * as Run from "../../Run.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type * as Database from "../sql/Database.ts"
import * as Question from "./Question.ts"
import * as RunRow from "./RunRow.ts"
import * as Verification from "./Verification.ts"

/** One transaction looks at so many outcomes. */
const OUTCOMES = 2048

/** One transaction looks at so many packs. */
const PACKS = 256

interface Gone {
  readonly rows: number
  readonly bytes: number
}

const NONE: Gone = { rows: 0, bytes: 0 }

const plus = (gone: Gone, more: Gone): Gone => ({ rows: gone.rows + more.rows, bytes: gone.bytes + more.bytes })

const sum = (rows: ReadonlyArray<Gone | undefined>): Gone =>
  rows.reduce<Gone>((all, gone) => gone === undefined ? all : plus(all, gone), NONE)

const ofBytes = (rows: ReadonlyArray<{ readonly bytes: number }>): Gone =>
  sum(rows.map(({ bytes }) => ({ rows: 1, bytes })))

const decodeSummary = Schema.decodeUnknownOption(Schema.fromJsonString(Report.Summary))

/** This is a run whose place another takes. */
interface Superseded {
  readonly run: RunRow.RunRow
  readonly by: RunRow.RunRow
}

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const verification = Verification.make(sql)
  const ledger = Ledger.make(database)

  /** The runs by which the books were brought forward stay whole: an auditor can come to every state of the books again from them. */
  const booked = Effect.map(ledger.sound, ({ executions, head }) => ({
    head: head.number,
    runs: new Set(executions.flatMap(({ body }) => Execution.judgings(body).map(({ run }) => run)))
  }))

  /** Reads what a run was asked; none where the run is not as it was recorded. */
  const questionOf = (row: RunRow.RunRow) =>
    Effect.map(verification.read(row.number), (found) =>
      typeof found === "string"
        ? Option.none()
        : Option.map(Option.flatMap(RunRow.summaryOf(found), decodeSummary), Question.of))

  /** Gives the runs that have their outcomes, range by range, where there are several of one; the last come to stands first. */
  const rivals = Effect.gen(function*() {
    const rows = yield* sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs
      WHERE id IS NOT NULL AND pruned_at IS NULL`
    const ranges = Map.groupBy(rows.filter(RunRow.holds), ({ from_ms, to_ms }) => `${from_ms} ${to_ms}`)
    return Array.from(ranges.values()).filter(({ length }) => length > 1).map((rows) =>
      rows.toSorted((a, b) => RunRow.lastSeen(b) - RunRow.lastSeen(a) || b.number - a.number)
    )
  })

  /** Gives runs that no reconciliation came to since `before`, each with one that stays and replaces it, and that is whole. */
  const superseded = Effect.fnUntraced(function*(rows: ReadonlyArray<RunRow.RunRow>, before: number) {
    const found: Array<Superseded> = []
    const staying: Array<{ readonly row: RunRow.RunRow; readonly question: Question.Question }> = []
    const whole = new Map<number, boolean>()
    const isWhole = Effect.fnUntraced(function*({ number }: RunRow.RunRow) {
      const known = whole.get(number) ?? (yield* verification.isWhole(number))
      whole.set(number, known)
      return known
    })
    for (const row of rows) {
      const question = yield* questionOf(row)
      if (Option.isNone(question)) continue
      const later = RunRow.lastSeen(row) < before
        ? staying.filter((one) => Question.replaces(one.question, question.value))
        : []
      const by = yield* Effect.findFirst(later, ({ row }) => isWhole(row))
      if (Option.isSome(by)) found.push({ run: row, by: by.value.row })
      else staying.push({ row, question: question.value })
    }
    return found
  })

  const rowOf = (number: number) =>
    Effect.map(
      sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs
        WHERE number = ${number} AND id IS NOT NULL AND pruned_at IS NULL`,
      (rows) => Option.filter(Option.fromUndefinedOr(rows[0]), RunRow.holds)
    )

  /** Takes the outcomes of a run away, unless the one or the other changed meanwhile. */
  const take = Effect.fnUntraced(function*({ by, run }: Superseded, head: number) {
    // An execution may name the run by now.
    const since = yield* sql`SELECT number FROM ledger WHERE number > ${head} LIMIT 1`
    if (since.length > 0 && (yield* booked).runs.has(run.id)) return Option.none()
    const found = Option.all([yield* rowOf(run.number), yield* rowOf(by.number)])
    if (Option.isNone(found) || found.value[0].checksum !== run.checksum) return Option.none()
    const own = sql`run = ${run.number}`
    const [outcomes] = yield* sql<Gone>`SELECT COUNT(*) AS rows,
        CAST(COALESCE(SUM(OCTET_LENGTH(id) + OCTET_LENGTH(digest) + 16), 0) AS BIGINT) AS bytes
      FROM run_outcomes WHERE ${own}`
    const [packs] = yield* sql<Gone>`SELECT COUNT(*) AS rows,
        CAST(COALESCE(SUM(OCTET_LENGTH(digest) + 24), 0) AS BIGINT) AS bytes
      FROM run_packs WHERE ${own}`
    yield* sql`DELETE FROM run_outcomes WHERE ${own}`
    yield* sql`DELETE FROM run_packs WHERE ${own}`
    const pruned_at = Math.floor(yield* Clock.currentTimeMillis)
    yield* sql`UPDATE runs SET ${sql.update(RunRow.changed(run, { pruned_at }))} WHERE number = ${run.number}`
    return Option.some(sum([outcomes, packs]))
  })

  /** Removes outcomes of a page to which no run comes, and gives the last key of the page. */
  const sweepOutcomes = Effect.fnUntraced(function*({ at, digest }: { readonly at: number; readonly digest: string }) {
    const [end] = yield* sql<{ at: number; digest: string }>`SELECT at, digest FROM outcomes
      WHERE (at, digest) > (${at}, ${digest}) AND at < ${Number.MAX_SAFE_INTEGER}
      ORDER BY at, digest LIMIT 1 OFFSET ${OUTCOMES - 1}`
    const last = end === undefined
      ? sql`at < ${Number.MAX_SAFE_INTEGER}`
      : sql`(at, digest) <= (${end.at}, ${end.digest})`
    const gone = yield* sql<{ bytes: number }>`DELETE FROM outcomes
      WHERE (at, digest) > (${at}, ${digest}) AND ${last} AND NOT EXISTS (
        SELECT 1 FROM run_outcomes o WHERE o.at = outcomes.at AND o.digest = outcomes.digest
      )
      RETURNING OCTET_LENGTH(content) + OCTET_LENGTH(id) + OCTET_LENGTH(digest)
        + OCTET_LENGTH(kind) + OCTET_LENGTH(code) + 16 AS bytes`
    return [ofBytes(gone), end] as const
  })

  /** Removes packs of a page to which no run comes, and gives the last key of the page. */
  const sweepPacks = Effect.fnUntraced(function*(digest: string) {
    const [end] = yield* sql<{ digest: string }>`SELECT digest FROM packs WHERE digest > ${digest}
      ORDER BY digest LIMIT 1 OFFSET ${PACKS - 1}`
    const last = end === undefined ? sql`1 = 1` : sql`digest <= ${end.digest}`
    const gone = yield* sql<{ bytes: number }>`DELETE FROM packs
      WHERE digest > ${digest} AND ${last} AND NOT EXISTS (
        SELECT 1 FROM run_packs o WHERE o.digest = packs.digest
      )
      RETURNING OCTET_LENGTH(content) + OCTET_LENGTH(ids) + OCTET_LENGTH(digest) AS bytes`
    return [ofBytes(gone), end?.digest] as const
  })

  /** Sweeps page by page, a transaction each. */
  const swept = Effect.fnUntraced(function*<Key>(
    first: Key,
    page: (after: Key) => Effect.Effect<readonly [Gone, Key | undefined], SqlError>
  ) {
    let gone = NONE
    for (let after: Key | undefined = first; after !== undefined;) {
      const [more, end]: readonly [Gone, Key | undefined] = yield* sql.withTransaction(page(after))
      gone = plus(gone, more)
      after = end
    }
    return gone
  })

  const prune = Effect.fnUntraced(function*(before: number) {
    const ids: Array<string> = []
    let gone = NONE
    const { head, runs } = yield* booked
    for (const rows of yield* rivals) {
      for (const one of yield* superseded(rows, before)) {
        if (runs.has(one.run.id)) continue
        const taken = yield* sql.withTransaction(take(one, head))
        if (Option.isNone(taken)) continue
        ids.push(one.run.id)
        gone = plus(gone, taken.value)
      }
    }
    gone = plus(gone, yield* swept({ at: Number.MIN_SAFE_INTEGER, digest: "" }, sweepOutcomes))
    gone = plus(gone, yield* swept("", sweepPacks))
    return { ids, ...gone } satisfies Run.Pruned
  })

  return (before: number): Effect.Effect<Run.Pruned, ArchiveError.DatabaseError> =>
    Effect.mapError(prune(before), (failure) => failure._tag === "SqlError" ? error(failure) : failure)
}
