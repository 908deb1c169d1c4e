/** A recorder writes a run while its outcomes come, some at a time, in memory that does not grow. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import * as ArchiveError from "../../ArchiveError.ts"
import type * as Run from "../../Run.ts"
import type * as Database from "../sql/Database.ts"
import * as Content from "./Content.ts"
import * as Identity from "./Identity.ts"
import * as Pack from "./Pack.ts"
import * as Packer from "./Packer.ts"
import * as RunCount from "./RunCount.ts"
import * as RunOutcome from "./RunOutcome.ts"
import * as RunPack from "./RunPack.ts"
import * as RunRow from "./RunRow.ts"
import * as Verification from "./Verification.ts"

/** One transaction writes so many outcomes in rows of their own. */
const BATCH = 4096

/** One transaction writes so many packs. */
const PACKS = 16

/** A recording that has written nothing for so long is taken for dead: its process was killed. */
const LEASE = Duration.hours(1)

/** A recording tells as which run a reconciliation was recorded. */
export interface Recording {
  /** The run as which the reconciliation was recorded. */
  readonly run: Run.Run
  /**
   * It is true where no run over the same data had been recorded, or that run was damaged or had lost its outcomes to `prune`,
   * and this one took its place.
   */
  readonly isNew: boolean
}

interface Recorder {
  /** Takes outcomes, and writes as soon as there are enough for a transaction. */
  readonly add: (outcomes: ReadonlyArray<Outcome.Outcome>) => Effect.Effect<void, ArchiveError.DatabaseError>
  /** Writes the rest and closes the run. It fails where the recording was taken for dead meanwhile. */
  readonly finish: (summary: Report.Summary) => Effect.Effect<Recording, ArchiveError.DatabaseError>
  /** Removes everything that was written, unless the run was finished. */
  readonly discard: Effect.Effect<void, ArchiveError.DatabaseError>
}

const encodeSummary = Schema.encodeSync(Schema.fromJsonString(Report.Summary))

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

const lost = (place: string) =>
  ArchiveError.ArchiveError.of(
    new ArchiveError.Failed({
      place,
      detail: `the recording of this run stood still for ${Duration.format(LEASE)} and was removed; reconcile again`
    })
  )

/** The next number follows from the greatest one, which is a damaged run's. */
const countless = (place: string) =>
  ArchiveError.ArchiveError.of(
    new ArchiveError.Damaged({
      place,
      detail: "a run has a number that none was given, and no other can be recorded"
    })
  )

const counted = (counts: Report.Summary["counts"], kind: Outcome.Kind): number =>
  counts.reduce((sum, { outcome, outcomes }) => (outcome === kind ? sum + outcomes : sum), 0)

export const make = Effect.fnUntraced(function*({ error, place, sql }: Database.Service) {
  const transaction = <A>(effect: Effect.Effect<A, SqlError | ArchiveError.DatabaseError>) =>
    sql.withTransaction(effect).pipe(
      Effect.mapError((failure) => failure._tag === "ArchiveError" ? failure : error(failure))
    )

  const verification = Verification.make(sql)

  /** Removes what a run came to, with the packs to which no other came. */
  const forget = Effect.fnUntraced(function*(number: number) {
    yield* sql`DELETE FROM packs WHERE digest IN (SELECT digest FROM run_packs WHERE run = ${number})
      AND NOT EXISTS (SELECT 1 FROM run_packs o WHERE o.digest = packs.digest AND o.run <> ${number})`
    yield* sql`DELETE FROM run_packs WHERE run = ${number}`
    yield* sql`DELETE FROM run_outcomes WHERE run = ${number}`
  })

  const remove = (number: number) => Effect.andThen(forget(number), sql`DELETE FROM runs WHERE number = ${number}`)

  /**
   * Outcomes that were written in vain stay in `outcomes` alone: nobody sees them there, and the next run is likely to come to
   * them.
   */
  const recording = randomUUID()
  const begin = transaction(Effect.gen(function*() {
    const touchedAt = yield* now
    const dead = yield* sql<{ number: number }>`SELECT number FROM runs
      WHERE id IS NULL AND checksum IS NULL AND touched_at <= ${touchedAt - Duration.toMillis(LEASE)}`
    yield* Effect.forEach(dead, ({ number }) => remove(number), { discard: true })
    const rows = yield* sql<{ number: number }>`INSERT INTO runs ${
      sql.insert({ touched_at: touchedAt, recording })
    } RETURNING number`
    const number = rows[0]?.number ?? 0
    if (!Number.isSafeInteger(number)) return yield* countless(place)
    // SQLite gives the number of a lost run to a new one.
    yield* forget(number)
    return number
  }))

  const number = yield* begin
  const packer = Packer.make()
  let rows: Array<Content.Content> = []
  let packs: Array<Pack.Pack> = []
  let places = 0
  let sum = 0n
  let count = 0
  let written = RunOutcome.NONE

  /** Whether the row is there still, is this recording's, and is not finished; then nobody else changes it in this transaction. */
  const isOpen = Effect.gen(function*() {
    const rows = yield* sql`UPDATE runs SET touched_at = ${yield* now}
      WHERE number = ${number} AND recording = ${recording} AND id IS NULL RETURNING number`
    return rows.length > 0
  })

  /** Fails where another recording has removed this one. */
  const touch = Effect.flatMap(isOpen, (isOpen) => isOpen ? Effect.void : Effect.fail(lost(place)))

  /** Writes what waits. */
  const flush = Effect.suspend(() => {
    const [outcomes, full] = [rows, packs]
    rows = []
    packs = []
    if (outcomes.length + full.length === 0) return Effect.void
    return Effect.gen(function*() {
      yield* touch
      const ofRows = RunOutcome.add(RunOutcome.NONE, yield* RunOutcome.write(sql, number, outcomes))
      return RunPack.add(ofRows, yield* RunPack.write(sql, number, full, places))
    }).pipe(
      transaction,
      Effect.map((totals) => {
        written = RunOutcome.plus(written, totals)
        places += full.length
      })
    )
  })

  const flushMany = Effect.suspend(() => rows.length < BATCH && packs.length < PACKS ? Effect.void : flush)

  /** Making a pack takes some milliseconds, so that other fibers have their turn before each. */
  const pack = (groups: ReadonlyArray<ReadonlyArray<Content.Content>>) =>
    Effect.forEach(groups, (group) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.suspend(() => {
          packs.push(Pack.make(group))
          return flushMany
        })
      ), { discard: true })

  const take = (outcome: Outcome.Outcome): ReadonlyArray<ReadonlyArray<Content.Content>> => {
    const content = Content.make(outcome)
    sum = Identity.add(sum, content.digest)
    count++
    if (Pack.takes(outcome)) return packer.add(content)
    rows.push(content)
    return []
  }

  const close = Effect.fnUntraced(function*(summary: Report.Summary) {
    yield* touch
    const id = Identity.make(summary, sum, count)
    const [known] = yield* sql<RunRow.Whole>`SELECT ${RunRow.allColumns(sql)} FROM runs WHERE id = ${id}`
    if (known !== undefined && known.pruned_at === null && (yield* verification.isWhole(known.number, number))) {
      yield* remove(number)
      yield* sql`UPDATE runs SET ${sql.update(RunRow.changed(known, { seen_at: yield* now }))}
        WHERE number = ${known.number}`
      return { run: RunRow.decode(known), isNew: false }
    }
    if (known !== undefined) yield* remove(known.number)
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
      seen_at: null,
      pruned_at: null,
      summary: encodeSummary(summary)
    })
    yield* sql`UPDATE runs SET ${sql.update({ ...row }, ["number"])} WHERE number = ${number}`
    if (known === undefined) yield* RunCount.raise(sql)
    return { run: RunRow.decode(row), isNew: true }
  })

  const recorder: Recorder = {
    add: (outcomes) =>
      Effect.forEach(
        Arr.chunksOf(outcomes, BATCH),
        (batch) => Effect.andThen(Effect.suspend(() => pack(batch.flatMap(take))), flushMany),
        { discard: true }
      ),
    finish: (summary) =>
      Effect.suspend(() => pack(packer.finish())).pipe(
        Effect.andThen(flush),
        Effect.andThen(
          // Another process may have closed the same run since it was looked for.
          sql.withTransaction(close(summary)).pipe(
            Effect.retry({
              times: 1,
              while: (failure) => failure._tag === "SqlError" && failure.reason._tag === "UniqueViolation"
            }),
            Effect.mapError((failure) => failure._tag === "ArchiveError" ? failure : error(failure))
          )
        )
      ),
    // Whether the run was finished only the database knows: an interruption may come between its commit and whoever waits for it.
    discard: transaction(Effect.flatMap(isOpen, (isOpen) => isOpen ? remove(number) : Effect.void))
  }
  return recorder
})
