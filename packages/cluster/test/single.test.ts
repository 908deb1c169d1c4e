/** A cluster in one process: the same jobs, over an SQLite file of its own beside that of the archive. */
import { assert, describe, it } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Books from "@tallystick/archive/Books"
import * as Notices from "@tallystick/archive/Notices"
import type * as Receiver from "@tallystick/archive/Receiver"
import * as Runs from "@tallystick/archive/Runs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryFolder } from "../../archive/test/support/databases.ts"
import * as Cluster from "../src/Cluster.ts"
import * as Doing from "../src/internal/runner/Doing.ts"
import * as Reconciling from "../src/Reconciling.ts"
import * as Desk from "./support/Desk.ts"

const { Reconciling: Jobs } = Reconciling

const desk = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  const archive: ArchiveConfig.Location = { _tag: "File", file: join(folder, "archive.db") }
  const copy: ArchiveConfig.Location = { _tag: "File", file: join(folder, "copy.db") }
  yield* Desk.keep(archive, 200)
  copyFileSync(archive.file, copy.file)
  const file = join(folder, "cluster.db")
  const submitting = Jobs.layer.pipe(Layer.provideMerge(Cluster.single({ file })))
  const running = Layer.provideMerge(Jobs.layerRunner({ archive }), submitting)
  return { archive, copy, file, running, submitting }
})

const executions = (location: ArchiveConfig.Location) =>
  Books.Books.use(({ executions }) => executions).pipe(Desk.within(location))

const reportOf = (location: ArchiveConfig.Location, id: string) =>
  Effect.gen(function*() {
    const runs = yield* Runs.Runs
    const { run, summary } = Option.getOrThrow(yield* runs.get(id))
    const { coverage: _, ...said } = summary
    return { said, outcomes: yield* Stream.runCollect(runs.outcomes(run)) }
  }).pipe(Desk.within(location))

describe("a cluster in one process", () => {
  it.live("does a job as one process would, and asked again gives the same job", () =>
    Effect.gen(function*() {
      const { archive, copy, running } = yield* desk
      const done = yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        const submitted = yield* jobs.submit(Desk.question).pipe(Desk.within(archive))
        assert.strictEqual(submitted.state, "waiting")
        const seen = yield* Stream.runCollect(jobs.follow(submitted.id.slice(0, 12)))
        const again = yield* jobs.submit({
          ...Desk.question,
          author: { by: "somebody else", identity: "claimed" }
        }).pipe(Desk.within(archive))
        assert.deepStrictEqual(again, seen.at(-1))
        return again
      }).pipe(Effect.provide(running))
      assert.include(done, { state: "done", by: "evening", attempt: 1, begun: 1, execution: 1 })
      const alone = yield* ArchiveReconciliation.book(Desk.question, { author: Desk.question.author }).pipe(
        Desk.within(copy)
      )
      assert.strictEqual(done.run, alone.run.id)
      assert.deepStrictEqual(
        yield* reportOf(archive, done.run ?? ""),
        yield* reportOf(copy, alone.run.id)
      )
      assert.deepStrictEqual((yield* executions(archive)).map(({ body }) => body.job), [done.id])
    }).pipe(Effect.scoped))

  it.live("a job waits until there is a runner, and one that is cancelled before that is never begun", () =>
    Effect.gen(function*() {
      const { archive, running, submitting } = yield* desk
      const [first, second] = yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        const first = yield* jobs.submit(Desk.question).pipe(Desk.within(archive))
        const second = yield* jobs.submit({ ...Desk.question, declare: true }).pipe(Desk.within(archive))
        assert.notStrictEqual(first.id, second.id)
        assert.include(yield* jobs.cancel(second.id), { state: "cancelled", begun: 0 })
        return [first, second] as const
      }).pipe(Effect.provide(submitting))
      yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        yield* Stream.runDrain(jobs.follow(first.id))
        assert.include(yield* jobs.get(first.id), { state: "done" })
        assert.include(yield* jobs.get(second.id), { state: "cancelled", begun: 0 })
        const anew = yield* jobs.submit({ ...Desk.question, declare: true }).pipe(Desk.within(archive))
        assert.notStrictEqual(anew.id, second.id)
      }).pipe(Effect.provide(running))
    }).pipe(Effect.scoped))

  it.live("a job that fails says why, and can be submitted again", () =>
    Effect.gen(function*() {
      const { archive, running } = yield* desk
      const question = { ...Desk.question, prices: { of: { USDT: "0" } } }
      yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        const ended = (id: string) => Effect.andThen(Stream.runDrain(jobs.follow(id)), jobs.get(id))
        const submit = jobs.submit(question).pipe(Desk.within(archive))
        const failed = yield* ended((yield* submit).id)
        assert.include(failed, { state: "failed", attempt: 1 })
        assert.include(failed.failure, "a decimal above zero was wanted")
        const again = yield* submit
        assert.include(again, { id: failed.id, state: "waiting", attempt: 2 })
        assert.isUndefined(again.failure)
        assert.include(yield* ended(again.id), { state: "failed", attempt: 2 })
      }).pipe(Effect.provide(running))
      assert.deepStrictEqual(yield* executions(archive), [])
    }).pipe(Effect.scoped))

  it.live("a job that is under way is cancelled, and books nothing", () =>
    Effect.gen(function*() {
      const { archive, running } = yield* desk
      yield* Desk.keep(archive, 20_000)
      yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        const { id } = yield* jobs.submit(Desk.question).pipe(Desk.within(archive))
        yield* jobs.follow(id).pipe(Stream.takeUntil(({ state }) => state === "running"), Stream.runDrain)
        assert.include(yield* jobs.cancel(id), { isCancelling: true })
        yield* Stream.runDrain(jobs.follow(id))
        assert.include(yield* jobs.get(id), { state: "cancelled" })
      }).pipe(Effect.provide(running))
      assert.deepStrictEqual(yield* executions(archive), [])
    }).pipe(Effect.scoped))

  it.live("a job of another version is left to the runners of that version, and ended at once where there are none", () =>
    Effect.gen(function*() {
      const { archive, file, running, submitting } = yield* desk
      const { id } = yield* Jobs.use(({ submit }) => submit(Desk.question)).pipe(
        Desk.within(archive),
        Effect.provide(submitting)
      )
      const database = new DatabaseSync(file)
      database.exec("UPDATE tallystick_cluster_jobs SET version = '0.0.9', question = 'of another form'")
      database.close()
      yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        const own = yield* jobs.submit({ ...Desk.question, declare: true }).pipe(Desk.within(archive))
        yield* Stream.runDrain(jobs.follow(own.id))
        assert.include(yield* jobs.get(own.id), { state: "done", version: "0.1.0" })
        assert.include(yield* jobs.get(id), { state: "waiting", version: "0.0.9" })
        assert.include(yield* jobs.cancel(id), { state: "cancelled", begun: 0 })
      }).pipe(Effect.provide(running))
      assert.lengthOf(yield* executions(archive), 1)
    }).pipe(Effect.scoped))

  it.live("what another version began is refused in a cluster that two versions share", () =>
    Effect.gen(function*() {
      const { archive, file, submitting } = yield* desk
      yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        const { attempt, id } = yield* jobs.submit(Desk.question).pipe(Desk.within(archive))
        const database = new DatabaseSync(file)
        database.exec("UPDATE tallystick_cluster_jobs SET version = '0.0.9', question = 'of another form'")
        database.close()
        const work = yield* Doing.make({ archive, name: "here", receivers: [], threads: 1, booked: Effect.void })
        yield* work({ job: id, attempt })
        const refused = yield* jobs.get(id)
        assert.strictEqual(refused.state, "failed")
        assert.include(refused.failure, "submitted by version 0.0.9, and this runner is of version 0.1.0")
      }).pipe(Effect.provide(submitting))
      assert.deepStrictEqual(yield* executions(archive), [])
    }).pipe(Effect.scoped))

  it.live("a receiver is told once of what a job opens", () =>
    Effect.gen(function*() {
      const { archive, submitting } = yield* desk
      const sent: Array<string> = []
      const receiver: Receiver.Receiver = {
        id: "f".repeat(64),
        place: "a test",
        hasDetails: false,
        send: (notice) => Effect.sync(() => void sent.push(notice))
      }
      const booked = Notices.Notices.use(({ deliver }) => deliver([receiver])).pipe(
        Desk.within(archive),
        Effect.orDie,
        Effect.asVoid
      )
      const running = Layer.provideMerge(Jobs.layerRunner({ archive, receivers: [receiver], booked }), submitting)
      yield* Effect.gen(function*() {
        const jobs = yield* Jobs
        for (const declare of [false, true]) {
          const { id } = yield* jobs.submit({ ...Desk.question, declare }).pipe(Desk.within(archive))
          yield* Stream.runDrain(jobs.follow(id))
          assert.include(yield* jobs.get(id), { state: "done" })
        }
      }).pipe(Effect.provide(running))
      assert.lengthOf(yield* executions(archive), 2)
      yield* booked
      assert.lengthOf(sent, 1)
      assert.include(sent[0], "open-items")
    }).pipe(Effect.scoped))
})
