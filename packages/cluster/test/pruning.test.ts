/**
 * What the engine keeps of jobs is removed when they have ended, and nothing of those that go on.
 *
 * TALLYSTICK_CASES: 200 jobs where it is set, and a few where it is not.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryFolder } from "../../archive/test/support/databases.ts"
import * as Seeded from "../../archive/test/support/Seeded.ts"
import * as Cluster from "../src/Cluster.ts"
import * as Engine from "../src/internal/effect/Engine.ts"
import * as JobTable from "../src/internal/jobs/JobTable.ts"
import * as Dispatching from "../src/internal/runner/Dispatching.ts"
import * as Pruning from "../src/internal/runner/Pruning.ts"
import { Version } from "../src/internal/Version.ts"
import * as Desk from "./support/Desk.ts"

const JOBS = Seeded.isLong ? 200 : 12
const TOGETHER = Seeded.isLong ? 40 : 4
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const KEEP = 90 * DAY

const idOf = (index: number): string => String(index).padStart(64, "0")

const submitted = Effect.fnUntraced(function*(index: number) {
  const jobs = yield* JobTable.JobTable
  const version = yield* Version
  yield* jobs.submit({ id: idOf(index), asked: "asked", stand: "stand", version, question: Desk.question })
})

/** A cluster whose jobs do nothing but to wait for a latch before their result, and for another one after it. */
const running = (file: string, before = Latch.makeUnsafe(true), after = Latch.makeUnsafe(true)) =>
  Layer.unwrap(Effect.map(JobTable.JobTable, (jobs) =>
    Engine.layerWork((work) =>
      Effect.gen(function*() {
        const begun = yield* jobs.begin(work, "here")
        yield* before.await
        yield* jobs.end(work, begun?.begun ?? 0, { state: "done", run: "run", execution: 1 })
        yield* after.await
      }).pipe(Effect.orDie)
    ))).pipe(
      Layer.merge(Dispatching.layer),
      Layer.provideMerge(Cluster.single({ file }))
    )

const LOOK = Schedule.spaced("100 millis")

const ended = (count: number) =>
  Effect.gen(function*() {
    const jobs = yield* JobTable.JobTable
    const done = Effect.map(jobs.list("", count), (all) => all.filter(({ state }) => state === "done").length)
    yield* Effect.repeat(done, { schedule: LOOK, until: (found) => found === count })
  })

/** A round as it would be so much later. */
const later = (ms: number) =>
  Effect.gen(function*() {
    const clock = yield* Clock.Clock
    const now = Effect.map(clock.currentTimeMillis, (time) => time + ms)
    const ahead: Clock.Clock = Object.assign(Object.create(clock), { currentTimeMillis: now })
    yield* Effect.provideService(Pruning.round(KEEP), Clock.Clock, ahead)
  })

const database = Effect.fnUntraced(function*(file: string) {
  const sqlite = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(file)),
    (sqlite) => Effect.sync(() => sqlite.close())
  )
  const count = (what: string): number => Number(sqlite.prepare(`SELECT count(*) AS n FROM ${what}`).get()?.["n"])
  const messages = "tallystick_cluster_0_1_0_messages"
  /** Nothing is told any more: the last word of a job arrives after its result. */
  const isQuiet = Effect.repeat(Effect.sync(() => count(`${messages} WHERE processed = 0`)), {
    schedule: LOOK,
    until: (left) => left === 0
  })
  const kept = () => ({ messages: count(messages), replies: count("tallystick_cluster_0_1_0_replies") })
  return { count, isQuiet, kept, sqlite }
})

describe("pruning", () => {
  it.live("the tables of the engine are as small after many jobs as after the first", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "cluster.db")
      yield* Effect.gen(function*() {
        const { isQuiet, kept } = yield* database(file)
        for (let index = 0; index < JOBS; index++) {
          yield* submitted(index)
          if ((index + 1) % TOGETHER !== 0) continue
          yield* ended(index + 1)
          yield* isQuiet
          assert.isAbove(kept().messages, TOGETHER)
          yield* later(2 * MINUTE)
          assert.deepStrictEqual(kept(), { messages: 0, replies: 0 })
        }
        yield* later(KEEP - MINUTE)
        assert.lengthOf(yield* JobTable.JobTable.use(({ list }) => list("", JOBS + 1)), JOBS)
        yield* later(KEEP + MINUTE)
        assert.lengthOf(yield* JobTable.JobTable.use(({ list }) => list("", JOBS + 1)), 0)
      }).pipe(Effect.provide(running(file)))
    }).pipe(Effect.scoped))

  it.live("a job that goes on loses nothing, whatever else is removed", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "cluster.db")
      const [before, after] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
      yield* Effect.gen(function*() {
        const jobs = yield* JobTable.JobTable
        const { isQuiet, kept } = yield* database(file)
        yield* submitted(1)
        yield* Effect.repeat(jobs.list("", 1), { schedule: LOOK, until: ([job]) => job?.state === "running" })
        const there = kept()
        yield* later(KEEP + DAY)
        assert.isAtLeast(kept().messages, there.messages)
        yield* before.open
        yield* ended(1)
        yield* later(2 * MINUTE)
        assert.isAtLeast(kept().messages, there.messages, "the job has its result, and its runner still works on it")
        yield* after.open
        yield* later(0)
        assert.isAbove(kept().messages, 0, "what has just ended may still be told")
        yield* isQuiet
        const [job] = yield* jobs.list("", 1)
        assert.include(job, { state: "done", begun: 1 })
        yield* later(2 * MINUTE)
        assert.deepStrictEqual(kept(), { messages: 0, replies: 0 })
      }).pipe(Effect.provide(running(file, before, after)))
    }).pipe(Effect.scoped))

  it.live("tables of a version that is gone are removed, unless a job waits for it", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "cluster.db")
      const tables = (count: (what: string) => number, version: string) =>
        count(`sqlite_schema WHERE type = 'table' AND name LIKE 'tallystick!_cluster!_${version}!_%' ESCAPE '!'`)
      for (const version of ["0.0.8", "0.0.9"]) {
        yield* Layer.build(running(file)).pipe(Effect.scoped, Effect.provideService(Version, version))
      }
      yield* Effect.gen(function*() {
        yield* Effect.provideService(submitted(1), Version, "0.0.8")
        const { count } = yield* database(file)
        yield* later(KEEP - DAY)
        assert.strictEqual(tables(count, "0_0_9"), 6)
        yield* later(KEEP + DAY)
        assert.strictEqual(tables(count, "0_0_9"), 0)
        assert.strictEqual(tables(count, "0_0_8"), 6)
        assert.strictEqual(tables(count, "0_1_0"), 6)
      }).pipe(Effect.provide(running(file)))
    }).pipe(Effect.scoped))
})
