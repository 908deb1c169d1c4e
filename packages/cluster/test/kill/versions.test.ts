/**
 * Two versions of the code side by side, as in an upgrade runner by runner: a job is done by a runner of the version that submitted it, or by
 * none. Real processes, SIGKILL, a real PostgreSQL.
 *
 * TALLYSTICK_KILLS: so many runners of the old version are killed at work, and one of the new version takes the place of each (default 1).
 * TALLYSTICK_SEED draws other moments.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Stream from "effect/Stream"
import { temporaryDatabase } from "../../../archive/test/support/databases.ts"
import * as Seeded from "../../../archive/test/support/Seeded.ts"
import * as Cluster from "../../src/Cluster.ts"
import { Version } from "../../src/internal/Version.ts"
import type * as Job from "../../src/Job.ts"
import * as Reconciling from "../../src/Reconciling.ts"
import * as Desk from "../support/Desk.ts"
import * as Processes from "./Processes.ts"

const KILLS = Number(process.env["TALLYSTICK_KILLS"] ?? 1)
const seed = Number(process.env["TALLYSTICK_SEED"] ?? 1)
const DEPOSITS = 2000
/** A job of so many deposits takes about so long, ms. */
const LENGTH = 2500
const OLD = "0.0.9"
const NEW = "0.1.0"

const { Reconciling: Jobs } = Reconciling

const desk = Effect.gen(function*() {
  const url = yield* temporaryDatabase
  const archive: ArchiveConfig.Location = { _tag: "Postgres", url }
  yield* Desk.keep(archive, DEPOSITS)
  const submit = (version: string, declare: boolean) =>
    Jobs.use(({ submit }) => submit({ ...Desk.question, declare })).pipe(
      Desk.within(archive),
      Effect.provideService(Version, version)
    )
  return { archive, submit, url, jobs: Jobs.layer.pipe(Layer.provide(Cluster.client({ url }))) }
})

const followed = (id: string, until: (job: Job.Job) => boolean) =>
  Jobs.use(({ follow }) =>
    follow(id).pipe(Stream.takeUntil(until), Stream.runLast, Effect.flatMap(Effect.fromOption), Effect.orDie)
  )

const booked = (archive: ArchiveConfig.Location) =>
  Books.Books.use(({ executions }) => executions).pipe(
    Effect.map((all) => all.map(({ body }) => body.job)),
    Desk.within(archive)
  )

describe("two versions side by side", () => {
  it.live("each job is done once, by a runner of its version, whenever a new runner takes the place of an old one", () =>
    Effect.gen(function*() {
      const { archive, jobs, submit, url } = yield* desk
      const seeded = Seeded.make(seed)
      const running = new Map<string, Processes.Running>()
      const begin = Effect.fnUntraced(function*(version: string, port: number) {
        running.set(`127.0.0.1:${port}`, yield* Processes.runner(url, port, { VERSION: version }))
      })
      const kill = (name: string) => running.get(name)?.kill ?? Effect.die(`no runner is ${name}`)
      yield* begin(OLD, yield* Processes.freePort)
      yield* begin(OLD, yield* Processes.freePort)
      const expected: Array<string | undefined> = []
      yield* Effect.gen(function*() {
        for (let turn = 0; turn < KILLS; turn++) {
          const old = yield* submit(OLD, turn % 2 === 0)
          const { runner: killed = "" } = yield* followed(old.id, ({ state }) => state === "running")
          yield* Effect.sleep(seeded.int(0, LENGTH))
          yield* kill(killed)
          const port = Number(killed.split(":")[1])
          yield* begin(NEW, port)
          const young = yield* submit(NEW, turn % 2 === 0)
          const [ended, other] = [yield* followed(old.id, () => false), yield* followed(young.id, () => false)]
          assert.include(ended, { state: "done", version: OLD })
          assert.include(other, { state: "done", version: NEW, runner: killed, begun: 1 })
          // Done before the kill, or else by the old runner that was left.
          if (ended.begun > 1) assert.notStrictEqual(ended.runner, killed)
          expected.push(old.id, young.id)
          assert.sameMembers(yield* booked(archive), expected)
          yield* kill(killed)
          yield* begin(OLD, port)
        }
      }).pipe(Effect.provide(jobs))
    }).pipe(Effect.scoped))

  it.live("a job of a version without a runner waits for one, while other versions do theirs", () =>
    Effect.gen(function*() {
      const { archive, jobs, submit, url } = yield* desk
      yield* Effect.gen(function*() {
        const port = yield* Processes.freePort
        const young = yield* Processes.runner(url, port, { VERSION: NEW })
        const old = yield* submit(OLD, false)
        const other = yield* submit(NEW, true)
        assert.include(yield* followed(other.id, () => false), { state: "done" })
        const { get, runners } = yield* Jobs
        assert.include(yield* get(old.id), { state: "waiting", version: OLD })
        assert.deepStrictEqual(yield* runners, [{ address: `127.0.0.1:${port}`, version: NEW }])
        yield* young.kill
        yield* Processes.runner(url, port, { VERSION: OLD })
        assert.include(yield* followed(old.id, () => false), { state: "done", version: OLD })
        assert.deepStrictEqual(yield* booked(archive), [other.id, old.id])
      }).pipe(Effect.provide(jobs))
    }).pipe(Effect.scoped))

  it.live("a runner writes nothing to an archive that a later version has brought to its own tables, and says so", () =>
    Effect.gen(function*() {
      const { archive, jobs, submit, url } = yield* desk
      yield* Processes.runner(url, yield* Processes.freePort)
      const { id } = yield* Effect.provide(submit(NEW, false), jobs)
      const sql = yield* PgClient.make({ url, maxConnections: 1 }).pipe(Effect.provide(Reactivity.layer))
      yield* sql`INSERT INTO tallystick_migrations (migration_id, name) VALUES (999, 'later')`
      const refused = yield* Effect.provide(followed(id, () => false), jobs)
      yield* sql`DELETE FROM tallystick_migrations WHERE migration_id = 999`
      assert.strictEqual(refused.state, "failed")
      assert.include(refused.failure, "was written by a later version of Tallystick (schema 999")
      assert.deepStrictEqual(yield* booked(archive), [])
    }).pipe(Effect.scoped))
})
