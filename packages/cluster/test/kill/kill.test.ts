/**
 * Whatever is killed, a job comes to the report to which one process comes, and makes one execution: three runners as real processes,
 * SIGKILL, a real PostgreSQL.
 *
 * TALLYSTICK_KILLS: so many runners are killed at work, half as many times the sessions of PostgreSQL, and a quarter as many submitters
 * (default 2). TALLYSTICK_SEED draws other moments.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import { temporaryDatabase, temporaryFolder } from "../../../archive/test/support/databases.ts"
import * as Seeded from "../../../archive/test/support/Seeded.ts"
import * as Cluster from "../../src/Cluster.ts"
import type * as Job from "../../src/Job.ts"
import * as Reconciling from "../../src/Reconciling.ts"
import * as Desk from "../support/Desk.ts"
import * as Processes from "./Processes.ts"

const KILLS = Number(process.env["TALLYSTICK_KILLS"] ?? 2)
const seed = Number(process.env["TALLYSTICK_SEED"] ?? 1)
const DEPOSITS = 3000
const RUNNERS = 3

const { Reconciling: Jobs } = Reconciling

/** Runners over a database of their own, and the run to which one process comes. */
const desk = Effect.gen(function*() {
  const url = yield* temporaryDatabase
  const archive: ArchiveConfig.Location = { _tag: "Postgres", url }
  const alone: ArchiveConfig.Location = { _tag: "File", file: join(yield* temporaryFolder, "alone.db") }
  yield* Desk.keep(archive, DEPOSITS)
  yield* Desk.keep(alone, DEPOSITS)
  const { run } = yield* ArchiveReconciliation.book(Desk.question, { author: Desk.question.author }).pipe(
    Desk.within(alone)
  )
  const runners = new Map<string, Processes.Running>()
  const begin = Effect.fnUntraced(function*(port: number) {
    runners.set(`127.0.0.1:${port}`, yield* Processes.runner(url, port))
  })
  for (let index = 0; index < RUNNERS; index++) yield* begin(yield* Processes.freePort)
  const kill = (name: string) => runners.get(name)?.kill ?? Effect.die(`no runner is ${name}`)
  return { archive, begin, kill, run: run.id, url, jobs: Jobs.layer.pipe(Layer.provide(Cluster.client({ url }))) }
})

const followed = (id: string, until: (job: Job.Job) => boolean) =>
  Jobs.use(({ follow }) =>
    follow(id).pipe(Stream.takeUntil(until), Stream.runLast, Effect.flatMap(Effect.fromOption), Effect.orDie)
  )

/** The jobs of the executions of an archive: each one once, and the ledger as it was written. */
const booked = (archive: ArchiveConfig.Location) =>
  Books.Books.use(({ executions }) => executions).pipe(
    Effect.map((all) => all.map(({ body }) => `${body.job} ${body.run}`)),
    Desk.within(archive)
  )

describe("a cluster of three runners", () => {
  it.live("a job whose runner is killed at any moment is done by another one, once", () =>
    Effect.gen(function*() {
      const { archive, begin, jobs, kill, run } = yield* desk
      const seeded = Seeded.make(seed)
      yield* Effect.gen(function*() {
        const { submit } = yield* Jobs
        /** Asked again, the same question would be answered by the job before. */
        const asked = (turn: number) => submit({ ...Desk.question, declare: turn % 2 === 0 }).pipe(Desk.within(archive))
        const first = yield* asked(1)
        const undisturbed = yield* followed(first.id, () => false)
        assert.include(undisturbed, { state: "done", run, begun: 1 })
        const expected = [`${first.id} ${run}`]
        const length = (undisturbed.endedAt ?? 0) - (undisturbed.begunAt ?? 0)
        for (let turn = 0; turn < KILLS; turn++) {
          const job = yield* asked(turn)
          const { runner = "" } = yield* followed(job.id, ({ state }) => state === "running")
          yield* Effect.sleep(Math.floor(seeded.next() * length))
          yield* kill(runner)
          yield* begin(Number(runner.split(":")[1]))
          const done = yield* followed(job.id, () => false)
          assert.include(done, { state: "done", run })
          expected.push(`${job.id} ${run}`)
          assert.deepStrictEqual(yield* booked(archive), expected)
        }
      }).pipe(Effect.provide(jobs))
    }).pipe(Effect.scoped))

  it.live("a job is done once when PostgreSQL ends all sessions at any moment", () =>
    Effect.gen(function*() {
      const { archive, jobs, run, url } = yield* desk
      const seeded = Seeded.make(seed + 3)
      const sql = yield* PgClient.make({ url, maxConnections: 1 }).pipe(Effect.provide(Reactivity.layer))
      const expected: Array<string> = []
      for (let turn = 0; turn < Math.ceil(KILLS / 2); turn++) {
        const { id } = yield* Effect.gen(function*() {
          const { submit } = yield* Jobs
          const job = yield* submit({ ...Desk.question, declare: turn % 2 === 0 }).pipe(Desk.within(archive))
          return yield* followed(job.id, ({ state }) => state === "running")
        }).pipe(Effect.provide(jobs))
        yield* Effect.sleep(seeded.int(0, 2500))
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
        const done = yield* followed(id, () => false).pipe(Effect.provide(jobs))
        assert.include(done, { state: "done", run })
        expected.push(`${id} ${run}`)
        assert.deepStrictEqual(yield* booked(archive), expected)
      }
    }).pipe(Effect.scoped))

  it.live("a job whose submitter is killed at any moment is done once, and asked again it is the same job", () =>
    Effect.gen(function*() {
      const { archive, jobs, run, url } = yield* desk
      const seeded = Seeded.make(seed + 1)
      const one = yield* Processes.submitter(url)
      yield* one.line(0)
      const id = yield* one.line(1)
      assert.strictEqual(yield* one.line(2), "done")
      for (let turn = 0; turn < Math.ceil(KILLS / 4); turn++) {
        yield* Effect.gen(function*() {
          const { submit } = yield* Jobs
          // The ledger goes on, so that the submitter's question is one of a new job.
          const other = yield* submit({ ...Desk.question, declare: true }).pipe(Desk.within(archive))
          yield* followed(other.id, () => false)
          const before = yield* booked(archive)
          const killed = yield* Processes.submitter(url)
          yield* killed.line(0)
          yield* Effect.sleep(seeded.int(0, 2000))
          yield* killed.kill
          const job = yield* submit(Desk.question).pipe(Desk.within(archive))
          assert.include(yield* followed(job.id, () => false), { state: "done", run })
          assert.deepStrictEqual(yield* booked(archive), [...before, `${job.id} ${run}`])
        }).pipe(Effect.provide(jobs))
      }
      assert.match(id, /^[0-9a-f]{64}$/)
    }).pipe(Effect.scoped))
})

describe("a cluster in one process", () => {
  it.live("goes on with its job when it was killed at any moment and is started again, and does it once", () =>
    Effect.gen(function*() {
      const seeded = Seeded.make(seed + 2)
      for (let turn = 0; turn < Math.ceil(KILLS / 2); turn++) {
        const folder = yield* temporaryFolder
        const [file, jobs] = [join(folder, "archive.db"), join(folder, "jobs.db")]
        const archive: ArchiveConfig.Location = { _tag: "File", file }
        yield* Desk.keep(archive, DEPOSITS)
        const first = yield* Processes.single(file, jobs)
        yield* first.told("begun")
        yield* Effect.sleep(seeded.int(0, 2500))
        yield* first.kill
        const second = yield* Processes.single(file, jobs)
        assert.match(yield* second.told("done"), /^done [12]$/)
        yield* second.kill
        assert.lengthOf(yield* booked(archive), 1)
      }
    }).pipe(Effect.scoped))
})
