/** The table of jobs. A row is what was asked, and what became of it; what runners tell each other are only ids. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as Job from "../../Job.ts"
import * as Question from "../../Question.ts"
import type * as Runner from "../../Runner.ts"
import * as Engine from "../effect/Engine.ts"
import * as Migrating from "../Migrating.ts"
import { unusable } from "../Unusable.ts"
import { Whole } from "./Whole.ts"

const TABLE = `${Engine.PREFIX}_jobs`
const VERSIONS = `${Engine.PREFIX}_versions`

/** Runners of two versions share these tables: a migration leaves them usable to the version before, as one does that only adds to them. */
const migrations = Migrator.fromRecord({
  "0001_jobs": Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const int = sql.onDialectOrElse({ sqlite: () => sql.literal("INTEGER"), orElse: () => sql.literal("BIGINT") })
    yield* sql`CREATE TABLE ${sql(TABLE)} (
      id TEXT PRIMARY KEY,
      asked TEXT NOT NULL,
      stand TEXT NOT NULL,
      version TEXT NOT NULL,
      question TEXT NOT NULL,
      author TEXT NOT NULL,
      range_from ${int} NOT NULL,
      range_to ${int} NOT NULL,
      submitted_at ${int} NOT NULL,
      attempt ${int} NOT NULL,
      state TEXT NOT NULL,
      given ${int} NOT NULL,
      cancelling ${int} NOT NULL,
      runner TEXT,
      begun_at ${int},
      begun ${int} NOT NULL,
      ended_at ${int},
      run TEXT,
      execution ${int},
      failure TEXT
    )`
    yield* sql`CREATE INDEX ${sql(`${TABLE}_waiting`)} ON ${sql(TABLE)} (submitted_at) WHERE given = 0`
  }),
  "0002_versions": Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const int = sql.onDialectOrElse({ sqlite: () => sql.literal("INTEGER"), orElse: () => sql.literal("BIGINT") })
    yield* sql`CREATE TABLE ${sql(VERSIONS)} (version TEXT PRIMARY KEY, seen_at ${int} NOT NULL)`
  }),
  "0003_cleared": Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const int = sql.onDialectOrElse({ sqlite: () => sql.literal("INTEGER"), orElse: () => sql.literal("BIGINT") })
    yield* sql`ALTER TABLE ${sql(TABLE)} ADD COLUMN cleared ${int} NOT NULL DEFAULT 0`
    yield* sql`CREATE INDEX ${sql(`${TABLE}_uncleared`)} ON ${sql(TABLE)} (version) WHERE cleared < attempt`
  })
})

/** So many attempts are cleared in a round. */
const TOGETHER = 500

const Row = Schema.Struct({
  id: Schema.String,
  version: Schema.String,
  author: Schema.String,
  range_from: Whole,
  range_to: Whole,
  submitted_at: Whole,
  attempt: Whole,
  state: Schema.String,
  given: Whole,
  cancelling: Whole,
  runner: Schema.NullOr(Schema.String),
  begun_at: Schema.NullOr(Whole),
  begun: Whole,
  ended_at: Schema.NullOr(Whole),
  run: Schema.NullOr(Schema.String),
  execution: Schema.NullOr(Whole),
  failure: Schema.NullOr(Schema.String)
})
const rowsOf = Schema.decodeUnknownEffect(Schema.Array(Row))

const COLUMNS = Object.keys(Row.fields)

const isState = Schema.is(Job.State)

const jobOf = (row: typeof Row.Type): Job.Job => ({
  id: row.id,
  version: row.version,
  state: isState(row.state) ? row.state : "unknown",
  range: { from: row.range_from, to: row.range_to },
  by: row.author,
  submittedAt: row.submitted_at,
  attempt: row.attempt,
  isGiven: row.given !== 0,
  isCancelling: row.cancelling !== 0,
  begun: row.begun,
  ...(row.runner === null ? {} : { runner: row.runner }),
  ...(row.begun_at === null ? {} : { begunAt: row.begun_at }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  ...(row.run === null ? {} : { run: row.run }),
  ...(row.execution === null ? {} : { execution: row.execution }),
  ...(row.failure === null ? {} : { failure: row.failure })
})

/** What is asked, and of what: `Identity.of` makes it. */
export interface Asked {
  readonly id: string
  /** SHA-256 of the question, and of what tells the archive apart. */
  readonly asked: string
  /** SHA-256 of what the archive held of the time that is read, and the version of the code. */
  readonly stand: string
  readonly version: string
  readonly question: Question.Question
}

/** What a runner is to do. Another version may have written a question that this one cannot read. */
const Begun = Schema.Struct({
  asked: Schema.String,
  question: Schema.String,
  version: Schema.String,
  /** So often the attempt was begun by now: this tells a runner that was lost from the one that has the attempt. */
  begun: Whole
})
export type Begun = typeof Begun.Type
const begunOf = Schema.decodeUnknownEffect(Schema.Array(Begun))

const Versions = Schema.Array(Schema.Struct({ version: Schema.String }))
const versionsOf = Schema.decodeUnknownEffect(Versions)

const Work = Schema.Struct({ job: Schema.String, attempt: Whole })
const worksOf = Schema.decodeUnknownEffect(Schema.Array(Work))

interface Done {
  readonly state: "done"
  readonly run: string
  readonly execution: number
}

/** How an attempt ended. */
export type Ended =
  | Done
  | { readonly state: "failed"; readonly failure: string }
  | { readonly state: "cancelled" }

/** An attempt that nobody has begun. */
const FRESH = {
  state: "waiting",
  given: 0,
  cancelling: 0,
  runner: null,
  begun_at: null,
  begun: 0,
  ended_at: null,
  run: null,
  execution: null,
  failure: null
}

const encodeQuestion = Schema.encodeSync(Schema.fromJsonString(Question.Question))

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Migrating.make([{ loader: migrations, table: `${Engine.PREFIX}_job_migrations` }])
  const table = sql(TABLE)
  const now = Effect.map(Clock.currentTimeMillis, Math.floor)
  const columns = sql.literal(COLUMNS.join(", "))

  /** What the submitter of an attempt said. */
  const toldOf = (question: Question.Question) =>
    Effect.map(now, (submitted_at) => ({
      question: encodeQuestion(question),
      author: question.author.by,
      range_from: question.range.from,
      range_to: question.range.to,
      submitted_at
    }))

  const at = ({ attempt, job }: Engine.Work) => sql`id = ${job} AND attempt = ${attempt}`

  return {
    /** Keeps what was submitted. A job that failed or was cancelled begins anew. */
    submit: ({ asked, id, question, stand, version }: Asked) =>
      Effect.gen(function*() {
        const told = yield* toldOf(question)
        const row = { id, asked, stand, version, attempt: 1, ...told, ...FRESH }
        yield* sql`INSERT INTO ${table} ${
          sql.insert(row)
        } ON CONFLICT (id) DO UPDATE SET attempt = ${table}.attempt + 1,
          ${sql.csv(Object.keys({ ...told, ...FRESH }).map((name) => sql`${sql(name)} = ${sql(`excluded.${name}`)}`))}
          WHERE ${table}.state IN ('failed', 'cancelled')`
      }).pipe(Effect.mapError(unusable)),
    /** A job that is done begins anew: the ledger went back to a time before it. */
    anew: ({ id, question }: Asked, attempt: number) =>
      Effect.gen(function*() {
        yield* sql`UPDATE ${table} SET ${sql.update({ attempt: attempt + 1, ...yield* toldOf(question), ...FRESH })}
          WHERE id = ${id} AND attempt = ${attempt} AND state = 'done'`
      }).pipe(Effect.mapError(unusable)),
    /** Keeps that the ledger has an execution of a job, whatever was told of it. */
    booked: Effect.fnUntraced(function*(id: string, done: Pick<Done, "run" | "execution">) {
      const changes = { state: "done", failure: null, ...done, ended_at: yield* now }
      yield* sql`UPDATE ${table} SET ${sql.update(changes)} WHERE id = ${id} AND state <> 'done'`
    }, Effect.mapError(unusable)),
    /** Finds the job by which the books were brought forward, if it was asked the same of the same. */
    same: ({ asked, stand }: Pick<Asked, "asked" | "stand">, id: string) =>
      Effect.map(
        sql`SELECT 1 FROM ${table} WHERE id = ${id} AND asked = ${asked} AND stand = ${stand}`,
        (rows) => rows.length > 0
      ).pipe(Effect.mapError(unusable)),
    /** Gives the jobs whose ids begin so, the last submitted first. */
    list: (prefix: string, most: number) =>
      sql`SELECT ${columns} FROM ${table} WHERE substr(id, 1, ${prefix.length}) = ${prefix}
        ORDER BY submitted_at DESC, id LIMIT ${most}`.pipe(
        Effect.mapError(unusable),
        Effect.flatMap((rows) => Effect.orDie(rowsOf(rows))),
        Effect.map((rows) => rows.map(jobOf))
      ),
    /** Asks for the end of a job; one that no runner has begun ends at once. */
    cancel: Effect.fnUntraced(function*(id: string) {
      const time = yield* now
      yield* sql`UPDATE ${table} SET state = 'cancelled', ended_at = ${time} WHERE id = ${id} AND state = 'waiting'`
      yield* sql`UPDATE ${table} SET cancelling = 1 WHERE id = ${id} AND state IN ('waiting', 'running')`
    }, Effect.mapError(unusable)),
    /** Ends a job whose version has no runner that could. */
    abandon: Effect.fnUntraced(function*(id: string) {
      yield* sql`UPDATE ${table} SET state = 'cancelled', ended_at = ${yield* now}
        WHERE id = ${id} AND state IN ('waiting', 'running')`
    }, Effect.mapError(unusable)),
    /** Ends a job of another version than this one, if no runner of its version was there since a time. */
    giveUp: Effect.fnUntraced(function*(id: string, version: string, before: number) {
      yield* sql`UPDATE ${table} SET state = 'failed', ended_at = ${yield* now},
        failure = 'no runner of version ' || version || ' is there any more'
        WHERE id = ${id} AND state IN ('waiting', 'running') AND version <> ${version} AND submitted_at < ${before} AND NOT EXISTS (
          SELECT 1 FROM ${sql(VERSIONS)} AS other WHERE other.version = ${table}.version AND seen_at >= ${before}
        )`
    }, Effect.mapError(unusable)),
    /** Gives the attempts of a version that no runner was given yet, the first submitted first. */
    waiting: (version: string) =>
      sql`SELECT id AS job, attempt FROM ${table} WHERE given = 0 AND state = 'waiting' AND version = ${version}
        ORDER BY submitted_at, id`.pipe(
        Effect.mapError(unusable),
        Effect.flatMap((rows) => Effect.orDie(worksOf(rows)))
      ),
    given: (work: Engine.Work) =>
      Effect.asVoid(sql`UPDATE ${table} SET given = 1 WHERE ${at(work)}`).pipe(Effect.mapError(unusable)),
    /** Gives what is to be done of an attempt, and counts that it began; nothing where it ended already. */
    begin: Effect.fnUntraced(function*(work: Engine.Work, runner: string) {
      const rows = yield* sql`UPDATE ${table}
        SET state = 'running', given = 1, runner = ${runner}, begun_at = ${yield* now}, begun = begun + 1
        WHERE ${at(work)} AND state IN ('waiting', 'running') RETURNING asked, question, version, begun`
      return (yield* Effect.orDie(begunOf(rows)))[0]
    }, Effect.mapError(unusable)),
    isCancelling: (work: Engine.Work) =>
      Effect.map(sql`SELECT 1 FROM ${table} WHERE ${at(work)} AND cancelling = 1`, (rows) => rows.length > 0).pipe(
        Effect.mapError(unusable)
      ),
    /** Whether an attempt is still that of the runner that began it for this time. */
    holds: (work: Engine.Work, begun: number) =>
      Effect.map(
        sql`SELECT 1 FROM ${table} WHERE ${at(work)} AND begun = ${begun} AND state = 'running'`,
        (rows) => rows.length > 0
      ).pipe(Effect.mapError(unusable)),
    /**
     * Keeps how an attempt ended. What was booked is told whatever was told before: the ledger has it. Anything else is told by the runner
     * that began it last.
     */
    end: Effect.fnUntraced(function*(work: Engine.Work, begun: number, ended: Ended) {
      const changes = { run: null, execution: null, failure: null, ...ended, ended_at: yield* now }
      yield* sql`UPDATE ${table} SET ${sql.update(changes)} WHERE ${at(work)} AND
        ((begun = ${begun} AND state = 'running') OR ${ended.state === "done" ? 1 : 0} = 1)`
    }, Effect.mapError(unusable)),
    /** Gives attempts of a version that ended before a time, and whose messages may still be there: the first ones. */
    uncleared: (version: string, before: number) =>
      sql`SELECT id AS job, cleared + 1 AS attempt FROM ${table} WHERE version = ${version} AND cleared < attempt AND
        (cleared + 1 < attempt OR (state IN ('done', 'failed', 'cancelled') AND ended_at < ${before}))
        ORDER BY submitted_at, id LIMIT ${TOGETHER}`.pipe(
        Effect.mapError(unusable),
        Effect.flatMap((rows) => Effect.orDie(worksOf(rows)))
      ),
    cleared: ({ attempt, job }: Engine.Work) =>
      Effect.asVoid(sql`UPDATE ${table} SET cleared = ${attempt} WHERE id = ${job} AND cleared < ${attempt}`).pipe(
        Effect.mapError(unusable)
      ),
    /** Removes the tables of other versions that had no runner since a time, and of which no job waits. */
    retire: Effect.fnUntraced(function*(version: string, before: number) {
      const rows = yield* sql`SELECT version FROM ${
        sql(VERSIONS)
      } AS other WHERE version <> ${version} AND seen_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM ${table} WHERE version = other.version AND state IN ('waiting', 'running'))`
      for (const { version } of yield* Effect.orDie(versionsOf(rows))) {
        yield* Engine.retire(sql, version)
        yield* sql`DELETE FROM ${sql(VERSIONS)} WHERE version = ${version}`
      }
    }, Effect.mapError(unusable)),
    /** Keeps that there is a runner of a version. */
    enrol: Effect.fnUntraced(function*(version: string) {
      yield* sql`INSERT INTO ${sql(VERSIONS)} ${sql.insert({ version, seen_at: yield* now })}
        ON CONFLICT (version) DO UPDATE SET seen_at = excluded.seen_at`
    }, Effect.mapError(unusable)),
    /** Gives the runners that were there in the last seconds. */
    runners: sql`SELECT version FROM ${sql(VERSIONS)} ORDER BY version`.pipe(
      Effect.mapError(unusable),
      Effect.flatMap((rows) => Effect.orDie(versionsOf(rows))),
      Effect.flatMap(Effect.forEach(({ version }) =>
        Engine.runners(sql, version).pipe(
          // A version whose runners are in the cluster of an app has no table of them here.
          Effect.orElseSucceed((): ReadonlyArray<string> => []),
          Effect.map((addresses) => addresses.map((address): Runner.Runner => ({ address, version })))
        )
      )),
      Effect.map((found) => found.flat())
    )
  }
})

/** The jobs of a cluster. */
export class JobTable extends Context.Service<JobTable, Effect.Success<typeof make>>()(
  "@tallystick/cluster/internal/jobs/JobTable"
) {
  static readonly layer = Layer.effect(JobTable, make)
}
