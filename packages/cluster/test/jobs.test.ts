/** What makes two submissions one job, what becomes of its row, and what a runner does beside its jobs. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryFolder } from "../../archive/test/support/databases.ts"
import { NOW, transfer } from "../../archive/test/support/records.ts"
import * as Cluster from "../src/Cluster.ts"
import * as JobTable from "../src/internal/jobs/JobTable.ts"
import type * as Question from "../src/Question.ts"
import * as Reconciling from "../src/Reconciling.ts"
import * as Desk from "./support/Desk.ts"

const { Reconciling: Jobs } = Reconciling

const DEPOSITS = 20

const desk = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  const archive: ArchiveConfig.File = { _tag: "File", file: join(folder, "archive.db") }
  yield* Desk.keep(archive, DEPOSITS)
  const file = join(folder, "cluster.db")
  const submitting = Jobs.layer.pipe(Layer.provideMerge(Cluster.single({ file })))
  const running = (booked: Effect.Effect<void>) => Layer.provideMerge(Jobs.layerRunner({ archive, booked }), submitting)
  const backup = join(folder, "backup.db")
  return { archive, backup, file, running, submitting }
})

const submit = (question: Question.Question, archive: ArchiveConfig.Location) =>
  Jobs.use(({ submit }) => submit(question)).pipe(Desk.within(archive))

const ended = Effect.fnUntraced(function*(id: string) {
  const { follow, get } = yield* Jobs
  yield* Stream.runDrain(follow(id))
  return yield* get(id)
})

describe("a question", () => {
  it.live("is the same one in whatever order its accounts, addresses and prices stand", () =>
    Effect.gen(function*() {
      const { archive, submitting } = yield* desk
      const address = (account: string) => ({ address: `address of ${account}`, account })
      const asked = (first: string, second: string, price: ReadonlyArray<[string, string]>): Question.Question => ({
        ...Desk.question,
        accounts: { list: [first, second], complete: true },
        addresses: [address(first), address(second)],
        prices: { of: Object.fromEntries(price) }
      })
      yield* Effect.gen(function*() {
        const one = yield* submit(asked("a@x", "b@x", [["BTC", "3"], ["USDT", "1"]]), archive)
        const same = yield* submit(asked("b@x", "a@x", [["USDT", "1"], ["BTC", "3"]]), archive)
        const other = yield* submit(asked("b@x", "a@x", [["USDT", "1"], ["BTC", "4"]]), archive)
        assert.strictEqual(same.id, one.id)
        assert.notStrictEqual(other.id, one.id)
      }).pipe(Effect.provide(submitting))
    }).pipe(Effect.scoped))

  it.live("is another one after each reading: of time far from its range, and where nothing new was read", () =>
    Effect.gen(function*() {
      const { archive, submitting } = yield* desk
      const far = { from: NOW - 60 * Desk.DAY, to: NOW - 59 * Desk.DAY, bad: [] }
      const read = (readAt: number, records: ReadonlyArray<ReturnType<typeof transfer>>) =>
        Archive.Archive.use(({ transfers }) =>
          transfers.saveSlice({
            ...far,
            records,
            coverage: [{ operation: "transfers", from: far.from, to: far.to, readAt, state: "complete" }]
          })
        ).pipe(Desk.within(archive))
      const ids = new Set<string>()
      yield* Effect.gen(function*() {
        const ask = Effect.map(submit(Desk.question, archive), ({ id }) => ids.add(id))
        yield* ask
        yield* ask
        assert.strictEqual(ids.size, 1)
        yield* read(NOW + 6 * Desk.DAY, [transfer({ tranId: "late", timestamp: far.from + 1 })])
        yield* ask
        assert.strictEqual(ids.size, 2)
        yield* read(NOW + 7 * Desk.DAY, [transfer({ tranId: "late", timestamp: far.from + 1 })])
        yield* ask
        assert.strictEqual(ids.size, 3)
      }).pipe(Effect.provide(submitting))
    }).pipe(Effect.scoped))
})

describe("a job", () => {
  it.live("that is done begins anew where the archive was restored from a backup of before", () =>
    Effect.gen(function*() {
      const { archive, backup, running } = yield* desk
      copyFileSync(archive.file, backup)
      yield* Effect.gen(function*() {
        const { id } = yield* submit(Desk.question, archive)
        const before = yield* ended(id)
        assert.include(before, { state: "done", attempt: 1 })
        copyFileSync(backup, archive.file)
        const again = yield* submit(Desk.question, archive)
        assert.include(again, { id, state: "waiting", attempt: 2, begun: 0 })
        assert.include(yield* ended(id), { state: "done", attempt: 2, begun: 1, execution: 1 })
      }).pipe(Effect.provide(running(Effect.void)))
      assert.lengthOf(yield* Books.Books.use(({ executions }) => executions).pipe(Desk.within(archive)), 1)
    }).pipe(Effect.scoped))

  it.live("is refused by a runner of another archive", () =>
    Effect.gen(function*() {
      const { archive, backup, running } = yield* desk
      const other: ArchiveConfig.Location = { _tag: "File", file: backup }
      yield* Desk.keep(other, DEPOSITS)
      const database = new DatabaseSync(backup)
      database.exec("UPDATE tallystick_migrations SET created_at = '2026-01-02 03:04:05'")
      database.close()
      yield* Effect.gen(function*() {
        const { id } = yield* submit(Desk.question, other)
        const refused = yield* ended(id)
        assert.strictEqual(refused.state, "failed")
        assert.include(refused.failure, "about another archive")
      }).pipe(Effect.provide(running(Effect.void)))
      assert.deepStrictEqual(yield* Books.Books.use(({ executions }) => executions).pipe(Desk.within(archive)), [])
    }).pipe(Effect.scoped))

  it.live("that a runner has and has not begun is cancelled at once, and is nobody's after that", () =>
    Effect.gen(function*() {
      const { archive, submitting } = yield* desk
      yield* Effect.gen(function*() {
        const jobs = yield* JobTable.JobTable
        const { attempt, id: job } = yield* submit(Desk.question, archive)
        yield* jobs.given({ job, attempt })
        const { cancel } = yield* Jobs
        assert.include(yield* cancel(job), { state: "cancelled", begun: 0 })
        assert.isUndefined(yield* jobs.begin({ job, attempt }, "a runner"))
      }).pipe(Effect.provide(submitting))
    }).pipe(Effect.scoped))

  it.live("is told by the runner that began it last, and an attempt counts for itself", () =>
    Effect.gen(function*() {
      const { archive, submitting } = yield* desk
      yield* Effect.gen(function*() {
        const jobs = yield* JobTable.JobTable
        const { attempt, id: job } = yield* submit(Desk.question, archive)
        const work = { job, attempt }
        const [lost, last] = [yield* jobs.begin(work, "lost"), yield* jobs.begin(work, "last")]
        assert.deepStrictEqual([lost?.begun, last?.begun], [1, 2])
        assert.isFalse(yield* jobs.holds(work, 1))
        assert.isTrue(yield* jobs.holds(work, 2))
        yield* jobs.end(work, 1, { state: "failed", failure: "it was lost" })
        assert.include(yield* Jobs.use(({ get }) => get(job)), { state: "running", runner: "last" })
        yield* jobs.end(work, 2, { state: "failed", failure: "the disk is full" })
        assert.isFalse(yield* jobs.holds(work, 2))
        const author = { by: "somebody else", identity: "claimed" } as const
        const again = yield* submit({ ...Desk.question, author }, archive)
        assert.include(again, { id: job, state: "waiting", attempt: 2, begun: 0, by: "somebody else" })
        assert.doesNotHaveAnyKeys(again, ["failure", "runner", "begunAt", "endedAt"])
      }).pipe(Effect.provide(submitting))
    }).pipe(Effect.scoped))

  it.live("of which a later version says something else is told as unknown, and hides no other one", () =>
    Effect.gen(function*() {
      const { archive, file, submitting } = yield* desk
      yield* Effect.gen(function*() {
        const { id } = yield* submit(Desk.question, archive)
        const other = yield* submit({ ...Desk.question, declare: true }, archive)
        const database = new DatabaseSync(file)
        database.prepare("UPDATE tallystick_cluster_jobs SET state = 'paused' WHERE id = ?").run(id)
        database.close()
        const { list } = yield* Jobs
        const states = new Map((yield* list(5)).map((job) => [job.id, job.state]))
        assert.strictEqual(states.get(id), "unknown")
        assert.strictEqual(states.get(other.id), "waiting")
      }).pipe(Effect.provide(submitting))
    }).pipe(Effect.scoped))

  it.live("waits for no receiver of notices: one that never answers holds up notices alone", () =>
    Effect.gen(function*() {
      const { archive, running } = yield* desk
      yield* Effect.gen(function*() {
        for (const declare of [false, true]) {
          const { id } = yield* submit({ ...Desk.question, declare }, archive)
          assert.include(yield* ended(id), { state: "done" })
        }
      }).pipe(Effect.provide(running(Effect.never)))
    }).pipe(Effect.scoped))
})
