/** A recorder writes a run while its outcomes come, some at a time, in memory that does not grow. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import type * as Run from "../../Run.ts"
import type * as Database from "../sql/Database.ts"
import * as Content from "./Content.ts"
import * as Identity from "./Identity.ts"
import * as RunCount from "./RunCount.ts"
import * as RunOutcome from "./RunOutcome.ts"
import * as RunRow from "./RunRow.ts"
import * as Verification from "./Verification.ts"

/** One transaction writes so many outcomes. */
const BATCH = 4096

/** One INSERT writes so many rows: few texts of statements have to be prepared, and a database takes far more. */
const ROWS = 128

/** A recording that has written nothing for so long is taken for dead: its process was killed. */
const LEASE = Duration.hours(1)

/** A recording tells as which run a reconciliation was recorded. */
export interface Recording {
  readonly run: Run.Run
  /** It is true where no run over the same data had been recorded, or that run was damaged and this one took its place. */
  readonly isNew: boolean
}

interface Recorder {
  /** Takes outcomes, and writes as soon as there are enough for a transaction. */
  readonly add: (outcomes: ReadonlyArray<Outcome.Outcome>) => Effect.Effect<void, ArchiveError.ArchiveError>
  /** Writes the rest and closes the run. It fails where the recording was taken for dead meanwhile. */
  readonly finish: (summary: Report.Summary) => Effect.Effect<Recording, ArchiveError.ArchiveError>
  /** Removes everything that was written, unless the run was finished. */
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

/** The next number follows from the greatest one, which is a damaged run's. */
const countless = (place: string) =>
  new ArchiveError.ArchiveError({
    reason: new ArchiveError.Damaged({
      place,
      detail: "a run has a number that none was given, and no other can be recorded"
    })
  })

const counted = (counts: Report.Summary["counts"], kind: Outcome.Kind): number =>
  counts.reduce((sum, { outcome, outcomes }) => (outcome === kind ? sum + outcomes : sum), 0)

export const make = Effect.fnUntraced(function*({ error, place, sql }: Database.Service) {
  const transaction = <A>(effect: Effect.Effect<A, SqlError | ArchiveError.ArchiveError>) =>
    sql.withTransaction(effect).pipe(
      Effect.mapError((failure) => failure._tag === "ArchiveError" ? failure : error(failure))
    )

  const verification = Verification.make(sql)
  const columns = sql.literal(Content.COLUMNS.join(", "))

  const remove = Effect.fnUntraced(function*(number: number) {
    yield* sql`DELETE FROM run_outcomes WHERE run = ${number}`
    yield* sql`DELETE FROM runs WHERE number = ${number}`
  })

  /**
   * Outcomes that were written in vain stay in `outcomes` alone: nobody sees them there, and the next run is likely to come to
   * them.
   */
  const begin = transaction(Effect.gen(function*() {
    const touchedAt = yield* now
    const dead = yield* sql<{ number: number }>`SELECT number FROM runs
      WHERE id IS NULL AND checksum IS NULL AND touched_at <= ${touchedAt - Duration.toMillis(LEASE)}`
    yield* Effect.forEach(dead, ({ number }) => remove(number), { discard: true })
    const rows = yield* sql<{ number: number }>`INSERT INTO runs ${
      sql.insert({ touched_at: touchedAt })
    } RETURNING number`
    const number = rows[0]?.number ?? 0
    if (!Number.isSafeInteger(number)) return yield* countless(place)
    // SQLite gives the number of a lost run to a new one.
    yield* sql`DELETE FROM run_outcomes WHERE run = ${number}`
    return number
  }))

  const number = yield* begin
  let waiting: Array<Content.Content> = []
  let sum = 0n
  let count = 0
  let written = RunOutcome.NONE
  let isOpen = true

  /** Fails where another recording has removed this one. */
  const touch = Effect.gen(function*() {
    const rows = yield* sql`UPDATE runs SET touched_at = ${yield* now}
      WHERE number = ${number} AND id IS NULL RETURNING number`
    return rows.length === 0 ? yield* lost(place) : undefined
  })

  /** Replaces those outcomes that are there already and are not as they were written. */
  const heal = Effect.fnUntraced(function*(contents: ReadonlyArray<Content.Content>) {
    const kept = yield* sql<Content.Content>`SELECT ${columns} FROM outcomes WHERE ${
      sql.or(contents.map(({ at, digest }) => sql`(at = ${at} AND digest = ${digest})`))
    }`
    const sound = new Set(kept.filter(Content.holds).map(({ at, digest }) => `${at} ${digest}`))
    for (const content of contents.filter(({ at, digest }) => !sound.has(`${at} ${digest}`))) {
      yield* sql`DELETE FROM outcomes WHERE at = ${content.at} AND digest = ${content.digest}`
      yield* sql`INSERT INTO outcomes ${sql.insert({ ...content })}`
    }
  })

  /**
   * Writes outcomes always in one order, so that no two recordings wait for each other. Gives the totals of those to which the
   * run had not come before.
   */
  const write = Effect.fnUntraced(function*(contents: ReadonlyArray<Content.Content>) {
    const ordered = contents.toSorted((a, b) => a.at - b.at || (a.digest < b.digest ? -1 : 1))
    let totals = RunOutcome.NONE
    yield* touch
    for (const rows of Arr.chunksOf(ordered, ROWS)) {
      const added = yield* sql<Content.Content>`INSERT INTO outcomes ${
        sql.insert(Arr.map(rows, (row) => ({ ...row })))
      } ON CONFLICT DO NOTHING RETURNING digest`
      const digests = new Set(added.map(({ digest }) => digest))
      const known = rows.filter(({ digest }) => !digests.has(digest))
      if (known.length > 0) yield* heal(known)
      const seen = yield* sql<RunOutcome.RunOutcome>`INSERT INTO run_outcomes ${
        sql.insert(Arr.map(rows, ({ at, digest, id }) => ({ run: number, id, digest, at })))
      } ON CONFLICT DO NOTHING RETURNING id, digest, at`
      totals = RunOutcome.add(totals, seen)
    }
    return totals
  })

  const flush = Effect.suspend(() => {
    const contents = waiting
    waiting = []
    return contents.length === 0 ? Effect.void : Effect.map(transaction(write(contents)), (totals) => {
      written = RunOutcome.plus(written, totals)
    })
  })

  const close = Effect.fnUntraced(function*(summary: Report.Summary) {
    const id = Identity.make(summary, sum, count)
    const [known] = yield* sql<RunRow.Whole>`SELECT ${RunRow.columns(sql)}, summary FROM runs WHERE id = ${id}`
    if (known !== undefined) {
      const isSound = yield* verification.isSound(known)
      yield* remove(isSound ? number : known.number)
      if (isSound) return { run: RunRow.decode(known), isNew: false }
    }
    const { clean, counts, range } = summary
    const row = RunRow.make({
      number,
      id,
      touched_at: yield* now,
      from_ms: range?.from ?? null,
      to_ms: range?.to ?? null,
      clean: clean ? 1 : 0,
      matched: counted(counts, "matched"),
      discrepancies: counted(counts, "discrepancy"),
      pending: counted(counts, "pending"),
      undetermined: counted(counts, "undetermined"),
      set_aside: counted(counts, "set-aside"),
      ...written,
      summary: encodeSummary(summary)
    })
    const rows = yield* sql`UPDATE runs SET ${sql.update({ ...row }, ["number"])}
      WHERE number = ${number} AND id IS NULL RETURNING number`
    if (rows.length === 0) return yield* lost(place)
    if (known === undefined) yield* RunCount.raise(sql)
    return { run: RunRow.decode(row), isNew: true }
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
