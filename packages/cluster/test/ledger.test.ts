/** What is told of a job is what the ledger says, whenever its runner, its thread or its statements are lost: over a real PostgreSQL. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { temporaryDatabase } from "../../archive/test/support/databases.ts"
import * as Cluster from "../src/Cluster.ts"
import * as Reconciling from "../src/Reconciling.ts"
import * as Processes from "./kill/Processes.ts"
import * as Desk from "./support/Desk.ts"

const { Reconciling: Jobs } = Reconciling

/** The number of a lock that a test holds, so that a transaction stands still where a trigger asks for it. */
const HELD = 4711

/** An archive, a runner of it in this process, and a session of its database. */
const desk = Effect.gen(function*() {
  const url = yield* temporaryDatabase
  const archive: ArchiveConfig.Location = { _tag: "Postgres", url }
  yield* Desk.keep(archive, 40)
  const sql = yield* PgClient.make({ url, maxConnections: 2 }).pipe(Effect.provide(Reactivity.layer))
  const address = { host: "127.0.0.1", port: yield* Processes.freePort }
  const running = Layer.provideMerge(
    Jobs.layerRunner({ archive }),
    Layer.provideMerge(Jobs.layer, Cluster.runner({ url, address }))
  )
  const booked = Effect.map(Books.Books.use(({ executions }) => executions), (all) => all.map(({ body }) => body.job))
  return { archive, booked: Desk.within(archive)(booked), running, sql }
})

/** From now on whoever writes a row of a table stands still until the lock is free: as it writes, or as it commits. */
const holdUp = (sql: SqlClient.SqlClient, table: string, when: "at once" | "at the commit") =>
  Effect.gen(function*() {
    yield* sql.unsafe(`CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN
        PERFORM set_config('lock_timeout', '0', true);
        PERFORM pg_advisory_xact_lock(${HELD});
        RETURN NULL;
      END $$`)
    const kind = when === "at once" ? "TRIGGER" : "CONSTRAINT TRIGGER"
    const deferred = when === "at once" ? "" : "DEFERRABLE INITIALLY DEFERRED"
    yield* sql.unsafe(`CREATE ${kind} stand_still AFTER INSERT ON ${table} ${deferred}
      FOR EACH ROW EXECUTE FUNCTION stand_still()`)
  })

/** So many transactions wait for a lock that another one has. */
const waitFor = (sql: SqlClient.SqlClient, count: number) =>
  sql<{ readonly waiting: number }>`SELECT COUNT(*)::int AS waiting FROM pg_locks
    WHERE NOT granted AND locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.pipe(
    Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: ([row]) => (row?.waiting ?? 0) >= count })
  )

const ended = Effect.fnUntraced(function*(id: string) {
  const { follow, get } = yield* Jobs
  yield* Stream.runDrain(follow(id))
  return yield* get(id)
})

describe("a job of which the ledger knows", () => {
  it.live("is done, although it was cancelled while its commit was under way", () =>
    Effect.gen(function*() {
      const { archive, booked, running, sql } = yield* desk
      yield* holdUp(sql, "ledger", "at the commit")
      yield* Effect.gen(function*() {
        const { cancel, get, submit } = yield* Jobs
        const { id } = yield* submit(Desk.question).pipe(Desk.within(archive))
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`SELECT pg_advisory_xact_lock(${HELD})::text`
          yield* waitFor(sql, 1)
          yield* cancel(id)
          // Its thread is ended, and whoever would tell that it was cancelled waits for the commit.
          yield* waitFor(sql, 2)
          assert.include(yield* get(id), { state: "running", isCancelling: true })
        }))
        assert.include(yield* ended(id), { state: "done", execution: 1 })
        assert.deepStrictEqual(yield* booked, [id])
      }).pipe(Effect.provide(running))
    }).pipe(Effect.scoped))

  it.live("is done, whatever fails after its commit, and whatever its row tells", () =>
    Effect.gen(function*() {
      const { archive, booked, running, sql } = yield* desk
      // The report on the books, which is made after the commit, finds no such table any more.
      yield* sql.unsafe(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN ALTER TABLE entry_history RENAME TO lost; RETURN NULL; END $$`)
      yield* sql.unsafe(`CREATE CONSTRAINT TRIGGER lose AFTER INSERT ON ledger DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION lose()`)
      yield* Effect.gen(function*() {
        const { submit } = yield* Jobs
        const { id } = yield* submit(Desk.question).pipe(Desk.within(archive))
        const done = yield* ended(id)
        assert.include(done, { state: "done", execution: 1 })
        for (const state of ["failed", "cancelled"]) {
          yield* sql`UPDATE tallystick_cluster_jobs SET state = ${state}, run = NULL, execution = NULL WHERE id = ${id}`
          const again = yield* submit(Desk.question).pipe(Desk.within(archive))
          assert.strictEqual(again.run, done.run)
          assert.include(again, { id, state: "done", execution: 1, attempt: 1 })
        }
        assert.deepStrictEqual(yield* booked, [id])
      }).pipe(Effect.provide(running))
    }).pipe(Effect.scoped))

  it.live("is of nobody who was taken over: a thread that comes late books nothing", () =>
    Effect.gen(function*() {
      const { archive, booked, running, sql } = yield* desk
      yield* holdUp(sql, "run_packs", "at once")
      yield* Effect.gen(function*() {
        const { get, submit } = yield* Jobs
        const { id } = yield* submit(Desk.question).pipe(Desk.within(archive))
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`SELECT pg_advisory_xact_lock(${HELD})::text`
          yield* waitFor(sql, 1)
          // As another runner does that began it meanwhile, and to which somebody said that it is to end.
          yield* sql`UPDATE tallystick_cluster_jobs SET begun = begun + 1, runner = 'another', state = 'cancelled'`
        }))
        // The next job has its turn when the thread has ended.
        const next = yield* submit({ ...Desk.question, declare: true }).pipe(Desk.within(archive))
        assert.include(yield* ended(next.id), { state: "done" })
        assert.include(yield* get(id), { state: "cancelled", runner: "another", begun: 2 })
        assert.deepStrictEqual(yield* booked, [next.id])
      }).pipe(Effect.provide(running))
    }).pipe(Effect.scoped))
})
