/** Writes a run while its outcomes come: some at a time, in memory that does not grow. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import type * as Runs from "../../Runs.ts"
import type * as Database from "../Database.ts"
import * as Content from "./Content.ts"
import * as Identity from "./Identity.ts"
import * as RunRow from "./RunRow.ts"

/** Outcomes of one transaction. */
const BATCH = 4096

/** Rows of one INSERT: few texts of statements to prepare, and far below what a database takes. */
const ROWS = 128

/** A recording that has written nothing for so long is taken for dead: its process was killed. */
const LEASE = Duration.hours(1)

interface Recorder {
  /** Writes as soon as there is enough for a transaction. */
  readonly add: (outcomes: ReadonlyArray<Outcome.Outcome>) => Effect.Effect<void, ArchiveError.ArchiveError>
  /** Writes the rest and closes the run. Fails where the recording was taken for dead meanwhile. */
  readonly finish: (summary: Report.Summary) => Effect.Effect<Runs.Recording, ArchiveError.ArchiveError>
  /** Removes what was written, unless it was finished. */
  readonly discard: Effect.Effect<void, ArchiveError.ArchiveError>
}

const encodeSummary = Schema.encodeSync(Schema.fromJsonString(Report.Summary))

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

const lost = (place: string) =>
  new ArchiveError.ArchiveError({
    reason: new ArchiveError.Failed({
      place,
      detail: `the recording of this run stood still for ${Duration.format(LEASE)} and was removed; reconcile again`
    })
  })

const counted = (counts: Report.Summary["counts"], kind: Outcome.Kind): number =>
  counts.reduce((sum, { outcome, outcomes }) => (outcome === kind ? sum + outcomes : sum), 0)

export const make = Effect.fnUntraced(function*({ error, place, sql }: Database.Service) {
  const transaction = <A>(effect: Effect.Effect<A, SqlError | ArchiveError.ArchiveError>) =>
    sql.withTransaction(effect).pipe(
      Effect.mapError((failure) => failure._tag === "ArchiveError" ? failure : error(failure))
    )

  const remove = Effect.fnUntraced(function*(number: number) {
    yield* sql`DELETE FROM run_outcomes WHERE run = ${number}`
    yield* sql`DELETE FROM runs WHERE number = ${number}`
  })

  /** What was written in vain stays in `outcomes` alone: nobody sees it there, and the next run is likely to come to it. */
  const begin = transaction(Effect.gen(function*() {
    const touchedAt = yield* now
    const dead = yield* sql<{ number: number }>`SELECT number FROM runs
      WHERE id IS NULL AND touched_at <= ${touchedAt - Duration.toMillis(LEASE)}`
    yield* Effect.forEach(dead, ({ number }) => remove(number), { discard: true })
    const rows = yield* sql<{ number: number }>`INSERT INTO runs ${
      sql.insert({ touched_at: touchedAt })
    } RETURNING number`
    return rows[0]?.number ?? 0
  }))

  const number = yield* begin
  let waiting: Array<Content.Content> = []
  let sum = 0n
  let count = 0
  let isOpen = true

  /** Fails where another recording has removed this one. */
  const touch = Effect.gen(function*() {
    const rows = yield* sql`UPDATE runs SET touched_at = ${yield* now}
      WHERE number = ${number} AND id IS NULL RETURNING number`
    return rows.length === 0 ? yield* lost(place) : undefined
  })

  /** In one order always, so that no two recordings wait for each other. */
  const write = Effect.fnUntraced(function*(contents: ReadonlyArray<Content.Content>) {
    const ordered = contents.toSorted((a, b) => a.at - b.at || (a.digest < b.digest ? -1 : 1))
    yield* touch
    for (const rows of Arr.chunksOf(ordered, ROWS)) {
      yield* sql`INSERT INTO outcomes ${sql.insert(Arr.map(rows, (row) => ({ ...row })))} ON CONFLICT DO NOTHING`
      yield* sql`INSERT INTO run_outcomes ${
        sql.insert(Arr.map(rows, ({ at, digest, id }) => ({ run: number, id, digest, at })))
      } ON CONFLICT DO NOTHING`
    }
  })

  const flush = Effect.suspend(() => {
    const contents = waiting
    waiting = []
    return contents.length === 0 ? Effect.void : transaction(write(contents))
  })

  const close = Effect.fnUntraced(function*(summary: Report.Summary) {
    const id = Identity.make(summary, sum, count)
    const known = yield* sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id = ${id}`
    if (known[0] !== undefined) {
      yield* remove(number)
      return { run: RunRow.decode(known[0]), isNew: false }
    }
    yield* touch
    const { clean, counts, range } = summary
    const rows = yield* sql<RunRow.RunRow>`UPDATE runs SET ${
      sql.update({
        id,
        from_ms: range?.from ?? null,
        to_ms: range?.to ?? null,
        clean: clean ? 1 : 0,
        matched: counted(counts, "matched"),
        discrepancies: counted(counts, "discrepancy"),
        pending: counted(counts, "pending"),
        undetermined: counted(counts, "undetermined"),
        set_aside: counted(counts, "set-aside"),
        summary: encodeSummary(summary)
      })
    } WHERE number = ${number} RETURNING ${RunRow.columns(sql)}`
    return rows[0] === undefined ? yield* lost(place) : { run: RunRow.decode(rows[0]), isNew: true }
  })

  const recorder: Recorder = {
    add: (outcomes) =>
      Effect.forEach(Arr.chunksOf(outcomes, BATCH), (batch) => {
        for (const outcome of batch) {
          const content = Content.make(outcome)
          waiting.push(content)
          sum = Identity.add(sum, content.digest)
          count++
        }
        return waiting.length < BATCH ? Effect.void : flush
      }, { discard: true }),
    finish: (summary) =>
      flush.pipe(
        Effect.andThen(
          // Another process may have closed the same run since it was looked for.
          sql.withTransaction(close(summary)).pipe(
            Effect.retry({
              times: 1,
              while: (failure) => failure._tag === "SqlError" && failure.reason._tag === "UniqueViolation"
            }),
            Effect.mapError((failure) => failure._tag === "ArchiveError" ? failure : error(failure))
          )
        ),
        Effect.tap(() => Effect.sync(() => (isOpen = false)))
      ),
    discard: Effect.suspend(() => isOpen ? transaction(remove(number)) : Effect.void)
  }
  return recorder
})
