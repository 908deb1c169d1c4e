/** Schedules: which day is submitted when, without any work being done; and one that a cluster follows by itself. */
import { assert, describe, it } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Books from "@tallystick/archive/Books"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryFolder } from "../../archive/test/support/databases.ts"
import { NOW } from "../../archive/test/support/records.ts"
import * as Cluster from "../src/Cluster.ts"
import type * as DaySchedule from "../src/DaySchedule.ts"
import * as BusinessDays from "../src/internal/jobs/BusinessDays.ts"
import * as JobTable from "../src/internal/jobs/JobTable.ts"
import * as ScheduleTable from "../src/internal/jobs/ScheduleTable.ts"
import * as Pruning from "../src/internal/runner/Pruning.ts"
import * as Scheduling from "../src/internal/runner/Scheduling.ts"
import { Version } from "../src/internal/Version.ts"
import type * as Job from "../src/Job.ts"
import * as Reconciling from "../src/Reconciling.ts"
import * as Schedules from "../src/Schedules.ts"
import * as Desk from "./support/Desk.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const KEEP = 90 * Desk.DAY

const { policy } = Desk.question
const HORIZON = Policy.horizon(policy)

/** From the day on which it is set, unless it says another. */
const fromToday = {
  name: "desk",
  zone: "UTC",
  policy,
  accounts: Desk.question.accounts,
  author: Desk.question.author
} satisfies DaySchedule.DaySchedule

const schedule = { ...fromToday, from: "2023-11-15" } satisfies DaySchedule.DaySchedule

const rangeOf = (day: string) => Result.getOrThrow(TimeRange.businessDay(day))

/** The days whose end is passed by what the desk reads by as much as the policy looks. */
const READ_TO = NOW + 5 * Desk.DAY
const come = ["2023-11-15", "2023-11-16", "2023-11-17", "2023-11-18", "2023-11-19"].filter((day) =>
  rangeOf(day).to + HORIZON <= READ_TO
)

const desk = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  const archive: ArchiveConfig.Location = { _tag: "File", file: join(folder, "archive.db") }
  yield* Desk.keep(archive, 40)
  const cluster = Layer.merge(Reconciling.Reconciling.layer, Schedules.Schedules.layer).pipe(
    Layer.provideMerge(Cluster.single({ file: join(folder, "cluster.db") }))
  )
  return { archive, cluster, file: join(folder, "cluster.db") }
})

const later = (ms: number) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const now = Effect.map(clock.currentTimeMillis, (time) => time + ms)
    const ahead: Clock.Clock = Object.assign(Object.create(clock), { currentTimeMillis: now })
    return Effect.provideService(effect, Clock.Clock, ahead)
  })

const jobs = Effect.map(
  JobTable.JobTable.use(({ list }) => list("", 100)),
  (all) => all.toSorted((a, b) => a.range.from - b.range.from)
)

/** Ends the job that waits, as a runner would. */
const ended = (job: Job.Job, state: "done" | "failed" | "cancelled") =>
  Effect.gen(function*() {
    const { begin, end } = yield* JobTable.JobTable
    const work = { job: job.id, attempt: job.attempt }
    const begun = yield* begin(work, "here")
    yield* end(
      work,
      begun?.begun ?? 0,
      state === "done"
        ? { state, run: "run", execution: 1 }
        : state === "failed"
        ? { state, failure: "the disk is full" }
        : { state }
    )
  })

const waiting = Effect.map(jobs, (all) => all.filter(({ state }) => state === "waiting"))

const standing = Effect.map(Schedules.Schedules.use(({ list }) => list), ([first]) => first)

describe("a schedule", () => {
  it.live("submits each day once its last window is read, in order, and the next one when it is done", () =>
    Effect.gen(function*() {
      const { archive, cluster } = yield* desk
      yield* Effect.gen(function*() {
        const { set } = yield* Schedules.Schedules
        yield* set(schedule)
        for (const day of come) {
          assert.isTrue(yield* Scheduling.round(archive))
          assert.isTrue(yield* Scheduling.round(archive), "one day at a time")
          const [job, other] = yield* waiting
          assert.isUndefined(other)
          assert.deepStrictEqual(job?.range, rangeOf(day))
          assert.strictEqual(job?.by, "evening")
          yield* Effect.forEach(yield* waiting, (job) => ended(job, "done"))
        }
        assert.isFalse(yield* Scheduling.round(archive), "the next day is not read to its end")
        assert.lengthOf(yield* jobs, come.length)
        const last = come.at(-1) ?? ""
        assert.deepInclude(yield* standing, { next: BusinessDays.next(last, "UTC"), open: [] })
      }).pipe(Effect.provide(cluster))
      assert.isAbove(come.length, 1)
    }).pipe(Effect.scoped))

  it.live("submits a day once, although two runners of two versions look at the same time", () =>
    Effect.gen(function*() {
      const { archive, cluster } = yield* desk
      yield* Effect.gen(function*() {
        const { set } = yield* Schedules.Schedules
        yield* set(schedule)
        yield* Effect.forEach(
          ["0.0.9", "0.1.0", "0.0.9", "0.1.0"],
          (version) => Effect.provideService(Scheduling.round(archive), Version, version),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(yield* jobs, 1)
        // A runner that looked before the day was begun comes too late.
        const [day = ""] = come
        const { begin } = yield* ScheduleTable.ScheduleTable
        const late = { schedule: "desk", day, range: rangeOf(day), job: "0".repeat(64) }
        let submitted = 0
        const submit = Effect.sync(() => void submitted++)
        assert.isFalse(yield* begin({ ...late, tries: 0 }, submit))
        assert.isTrue(yield* begin({ ...late, tries: 1 }, submit))
        assert.isFalse(yield* begin({ ...late, tries: 1 }, submit))
        assert.isFalse(yield* begin({ ...late, schedule: "gone", tries: 0 }, submit))
        assert.strictEqual(submitted, 1)
      }).pipe(Effect.provide(cluster))
    }).pipe(Effect.scoped))

  it.live("tries a day that fails three times, goes on with the next, and tells of it until a job has done it", () =>
    Effect.gen(function*() {
      const { archive, cluster } = yield* desk
      yield* Effect.gen(function*() {
        const { set } = yield* Schedules.Schedules
        yield* set(schedule)
        const [day = "", following = ""] = come
        for (let attempt = 0; attempt < 3; attempt++) {
          yield* later(attempt * 16 * MINUTE)(Scheduling.round(archive))
          const [job] = yield* waiting
          assert.deepStrictEqual(job?.range, rangeOf(day))
          yield* Effect.forEach(yield* waiting, (job) => ended(job, "failed"))
          if (attempt < 2) {
            assert.isFalse(yield* Scheduling.round(archive), "it waits before it tries again")
            assert.deepInclude(yield* standing, { next: day })
          }
        }
        assert.isTrue(yield* Scheduling.round(archive))
        const [job] = yield* waiting
        assert.deepStrictEqual(job?.range, rangeOf(following))
        const failed = yield* standing
        assert.deepInclude(failed?.open[0], { day, state: "failed", tries: 3, failure: "the disk is full" })
        const pruned = later(KEEP + Desk.DAY)(Pruning.round(KEEP))
        // An attempt a round.
        yield* Effect.repeat(pruned, { times: 3 })
        assert.deepInclude((yield* standing)?.open[0], { day, state: "failed" }, "it is told of for ever")
        const { submit } = yield* Reconciling.Reconciling
        const byHand = yield* submit({ ...Desk.question, range: rangeOf(day), declare: true }).pipe(
          Desk.within(archive)
        )
        yield* ended(byHand, "done")
        assert.deepInclude(yield* standing, { open: [] })
        yield* pruned
        assert.lengthOf(yield* jobs, 1, "the day that is under way")
        assert.deepInclude(yield* standing, { open: [] })
      }).pipe(Effect.provide(cluster))
    }).pipe(Effect.scoped))

  it.live("does not try a day again that somebody cancelled, and leaves out days of which nothing was read", () =>
    Effect.gen(function*() {
      const { archive, cluster } = yield* desk
      yield* Effect.gen(function*() {
        const { list, remove, set } = yield* Schedules.Schedules
        // Nothing was read of the days before the ninth.
        yield* set({ ...schedule, from: "2023-11-07" })
        yield* Scheduling.round(archive)
        const [first] = yield* waiting
        assert.deepStrictEqual(first?.range, rangeOf("2023-11-09"))
        yield* Effect.forEach(yield* waiting, (job) => ended(job, "cancelled"))
        yield* Scheduling.round(archive)
        const { last } = (yield* standing) ?? {}
        assert.deepInclude(last, { day: "2023-11-10", state: "waiting", tries: 1 })
        assert.isTrue(yield* remove("desk"))
        assert.isFalse(yield* remove("desk"))
        assert.deepStrictEqual(yield* list, [])
        assert.isFalse(yield* Scheduling.round(archive))
      }).pipe(Effect.provide(cluster))
    }).pipe(Effect.scoped))

  it.live("gives up a job that waits for a version without a runner, and has the day done by its own", () =>
    Effect.gen(function*() {
      const { archive, cluster } = yield* desk
      yield* Effect.gen(function*() {
        const { set } = yield* Schedules.Schedules
        yield* set(schedule)
        yield* Effect.provideService(Scheduling.round(archive), Version, "0.0.9")
        yield* Scheduling.round(archive)
        assert.deepInclude(yield* waiting, (yield* jobs)[0])
        yield* later(11 * MINUTE)(Scheduling.round(archive))
        const [given] = yield* jobs
        assert.deepInclude(given, { state: "failed", failure: "no runner of version 0.0.9 is there any more" })
        yield* later(HOUR)(Scheduling.round(archive))
        const [again] = yield* waiting
        assert.deepInclude(again, { version: "0.1.0", range: rangeOf(come[0] ?? "") })
      }).pipe(Effect.provide(cluster))
    }).pipe(Effect.scoped))

  it.live("is told of and left alone where another version set what this one does not understand, and holds no other up", () =>
    Effect.gen(function*() {
      const { archive, cluster, file } = yield* desk
      yield* Effect.gen(function*() {
        const { list, set } = yield* Schedules.Schedules
        yield* set({ ...schedule, name: "another" })
        yield* set(schedule)
        const database = new DatabaseSync(file)
        database.exec(
          "UPDATE tallystick_cluster_schedules SET schedule = '{\"of\":\"another form\"}' WHERE name = 'another'"
        )
        database.close()
        assert.isTrue(yield* Scheduling.round(archive))
        const [other, own] = yield* list
        assert.deepInclude(other, { name: "another", isUnderstood: false, next: schedule.from, open: [] })
        assert.include(own?.last, { day: schedule.from, state: "waiting" })
        yield* set({ ...fromToday, name: "another", zone: "Europe/Berlin" })
        assert.deepInclude((yield* list)[0], { isUnderstood: true, from: schedule.from, zone: "Europe/Berlin" })
        yield* set({ ...fromToday, name: "today" })
        const today = BusinessDays.of(yield* Clock.currentTimeMillis, DateTime.zoneMakeNamedUnsafe("UTC"))
        assert.deepInclude((yield* list)[2], { name: "today", from: today, next: today })
      }).pipe(Effect.provide(cluster))
    }).pipe(Effect.scoped))

  it.live("is followed by a runner, which brings the books forward day by day", () =>
    Effect.gen(function*() {
      const { archive, cluster } = yield* desk
      const days = come.slice(-2)
      yield* Effect.gen(function*() {
        const { list, set } = yield* Schedules.Schedules
        yield* set({ ...schedule, from: days[0] ?? "" })
        yield* Effect.repeat(list, {
          schedule: Schedule.spaced("200 millis"),
          until: ([standing]) => standing?.last?.day === days[1] && standing?.last?.state === "done"
        })
      }).pipe(
        Effect.provide(Layer.provideMerge(Reconciling.Reconciling.layerRunner({ archive }), cluster))
      )
      const executions = yield* Books.Books.use(({ executions }) => executions).pipe(Desk.within(archive))
      assert.lengthOf(executions, days.length)
    }).pipe(Effect.scoped))

  it.effect("refuses a zone and a first day that there are not", () =>
    Effect.gen(function*() {
      const { cluster } = yield* desk
      yield* Effect.gen(function*() {
        const { set } = yield* Schedules.Schedules
        const zone = yield* Effect.flip(set({ ...schedule, zone: "Mars/Olympus" }))
        assert.include(zone.message, "is no time zone")
        const jumped = yield* Effect.flip(set({ ...schedule, zone: "Pacific/Apia", from: "2011-12-30" }))
        assert.include(jumped.message, "its clocks jumped over it")
      }).pipe(Effect.provide(cluster))
    }).pipe(Effect.scoped))

  it("knows that a day follows another, also where clocks jump", () => {
    assert.strictEqual(BusinessDays.next("2023-12-31", "UTC"), "2024-01-01")
    assert.strictEqual(BusinessDays.next("2024-02-28", "Europe/Berlin"), "2024-02-29")
    assert.strictEqual(BusinessDays.next("2011-12-29", "Pacific/Apia"), "2011-12-31")
  })
})
