/** The tables of schedules and of their days. A day is a row from the moment on at which its job is submitted, so that it is submitted once. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import * as DaySchedule from "../../DaySchedule.ts"
import * as Job from "../../Job.ts"
import * as Engine from "../effect/Engine.ts"
import * as Migrating from "../Migrating.ts"
import { unusable } from "../Unusable.ts"
import { Whole } from "./Whole.ts"

const SCHEDULES = `${Engine.PREFIX}_schedules`
const DAYS = `${Engine.PREFIX}_days`
const JOBS = `${Engine.PREFIX}_jobs`

const migrations = Migrator.fromRecord({
  "0001_schedules": Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const int = sql.onDialectOrElse({ sqlite: () => sql.literal("INTEGER"), orElse: () => sql.literal("BIGINT") })
    yield* sql`CREATE TABLE ${sql(SCHEDULES)} (
      name TEXT PRIMARY KEY,
      zone TEXT NOT NULL,
      first_day TEXT NOT NULL,
      author TEXT NOT NULL,
      schedule TEXT NOT NULL
    )`
    yield* sql`CREATE TABLE ${sql(DAYS)} (
      schedule TEXT NOT NULL,
      day TEXT NOT NULL,
      range_from ${int} NOT NULL,
      range_to ${int} NOT NULL,
      job TEXT,
      tries ${int} NOT NULL,
      PRIMARY KEY (schedule, day)
    )`
  })
})

/** What is asked is text that another version may have written. */
const Kept = Schema.Struct({
  name: Schema.String,
  zone: Schema.String,
  first_day: Schema.String,
  author: Schema.String,
  schedule: Schema.String
})
const keptOf = Schema.decodeUnknownEffect(Schema.Array(Kept))
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(DaySchedule.DaySchedule))
const encode = Schema.encodeSync(Schema.fromJsonString(DaySchedule.DaySchedule))

/** A schedule as it is kept. */
export interface Schedule {
  readonly name: string
  readonly zone: string
  /** The first day. */
  readonly from: string
  readonly by: string
  /** What is asked; none where this version does not understand it. */
  readonly asked: Option.Option<DaySchedule.DaySchedule>
}

/** The job of a day that was submitted long ago may be forgotten by now: it ended. */
const Row = Schema.Struct({
  day: Schema.String,
  job: Schema.NullOr(Schema.String),
  tries: Whole,
  state: Schema.NullOr(Job.State),
  ended_at: Schema.NullOr(Whole),
  failure: Schema.NullOr(Schema.String)
})
const rowsOf = Schema.decodeUnknownEffect(Schema.Array(Row))

const doneOf = (row: typeof Row.Type): DaySchedule.Done => ({
  day: row.day,
  state: row.job === null ? "unread" : row.state ?? "done",
  tries: row.tries,
  ...(row.job === null ? {} : { job: row.job }),
  ...(row.failure === null ? {} : { failure: row.failure }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at })
})

/** A day of a schedule, as it is about to be begun. */
interface Day {
  readonly schedule: string
  readonly day: string
  /** Unix ms, `to` not included. */
  readonly range: { readonly from: number; readonly to: number }
  /** Its job; none where nothing of the day was ever read. */
  readonly job: string | null
  /** So often a job of the day was submitted before. */
  readonly tries: number
}

/** So many days that failed are told of. */
const TOLD = 20

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Migrating.make([{ loader: migrations, table: `${Engine.PREFIX}_schedule_migrations` }])
  const [schedules, days, jobs] = [sql(SCHEDULES), sql(DAYS), sql(JOBS)]
  /** Days that failed or were cancelled, and that no job over their time has done. */
  const isOpen = sql`j.state IN ('failed', 'cancelled') AND NOT EXISTS (SELECT 1 FROM ${jobs} other
    WHERE other.state = 'done' AND other.range_from <= d.range_from AND other.range_to >= d.range_to)`
  const columns =
    sql`d.day, d.job, d.tries, j.state, j.ended_at, j.failure FROM ${days} d LEFT JOIN ${jobs} j ON j.id = d.job`

  return {
    list: sql`SELECT name, zone, first_day, author, schedule FROM ${schedules} ORDER BY name`.pipe(
      Effect.mapError(unusable),
      Effect.flatMap((rows) => Effect.orDie(keptOf(rows))),
      Effect.map((rows) =>
        rows.map(({ author: by, first_day: from, name, schedule, zone }): Schedule => ({
          name,
          zone,
          from,
          by,
          asked: decode(schedule)
        }))
      )
    ),
    /** Keeps a schedule, in the place of one with its name. `today`: its first day, where neither it nor that one says another. */
    set: (schedule: DaySchedule.DaySchedule, today: string) => {
      const { author: { by: author }, from: first_day = today, name, zone } = schedule
      const row = { name, zone, first_day, author, schedule: encode(schedule) }
      return Effect.asVoid(
        sql`INSERT INTO ${schedules} ${
          sql.insert(row)
        } ON CONFLICT (name) DO UPDATE SET zone = excluded.zone, author = excluded.author,
          first_day = COALESCE(${schedule.from ?? null}, ${schedules}.first_day), schedule = excluded.schedule`
      ).pipe(Effect.mapError(unusable))
    },
    /** Removes a schedule and what is known of its days; its jobs stay. Gives false where there is none. */
    remove: (name: string) =>
      sql`DELETE FROM ${schedules} WHERE name = ${name} RETURNING name`.pipe(
        Effect.tap(() => sql`DELETE FROM ${days} WHERE schedule = ${name}`),
        sql.withTransaction,
        Effect.mapBoth({ onFailure: unusable, onSuccess: (rows) => rows.length > 0 })
      ),
    /** Gives the last day that was begun. */
    last: (schedule: string) =>
      sql`SELECT ${columns} WHERE d.schedule = ${schedule} ORDER BY d.day DESC LIMIT 1`.pipe(
        Effect.mapError(unusable),
        Effect.flatMap((rows) => Effect.orDie(rowsOf(rows))),
        Effect.map(([row]) => (row === undefined ? undefined : doneOf(row)))
      ),
    open: (schedule: string) =>
      sql`SELECT ${columns} WHERE d.schedule = ${schedule} AND ${isOpen} ORDER BY d.day DESC LIMIT ${TOLD}`.pipe(
        Effect.mapError(unusable),
        Effect.flatMap((rows) => Effect.orDie(rowsOf(rows))),
        Effect.map((rows) => rows.map(doneOf))
      ),
    /** Removes the jobs that ended before a time: those of `version` once their messages are gone, and none of a day that is still open. */
    forget: (version: string, before: number) =>
      Effect.asVoid(sql`DELETE FROM ${jobs} WHERE state IN ('done', 'failed', 'cancelled') AND ended_at < ${before}
        AND (version <> ${version} OR cleared >= attempt)
        AND id NOT IN (SELECT d.job FROM ${days} d JOIN ${jobs} j ON j.id = d.job WHERE ${isOpen})`).pipe(
        Effect.mapError(unusable)
      ),
    /**
     * Begins a day together with what `submit` does. It does nothing and gives false where the day was begun otherwise meanwhile, or its
     * schedule is gone.
     */
    begin: <E, R>({ day, job, range, schedule, tries }: Day, submit: Effect.Effect<void, E, R>) =>
      Effect.gen(function*() {
        const there = yield* sql`SELECT 1 FROM ${schedules} WHERE name = ${schedule}`
        if (there.length === 0) return false
        const row = { schedule, day, range_from: range.from, range_to: range.to, job, tries: tries + 1 }
        const marked = tries === 0
          ? yield* sql`INSERT INTO ${days} ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING day`
          : yield* sql`UPDATE ${days} SET job = ${job}, tries = ${tries + 1}
              WHERE schedule = ${schedule} AND day = ${day} AND tries = ${tries} RETURNING day`
        if (marked.length > 0) yield* submit
        return marked.length > 0
      }).pipe(
        sql.withTransaction,
        Effect.mapError((error) => isSqlError(error) ? unusable(error) : error)
      )
  }
})

/** The schedules of a cluster. */
export class ScheduleTable extends Context.Service<ScheduleTable, Effect.Success<typeof make>>()(
  "@tallystick/cluster/internal/jobs/ScheduleTable"
) {
  static readonly layer = Layer.effect(ScheduleTable, make)
}
