/** The exchange's clock runs ahead, or falls behind, while an archive is synced: nothing is called complete that was not read. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Conventions from "@tallystick/core/Conventions"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Machine from "../../core/test/support/machine.ts"
import * as InProcess from "../../sandbox/test/broker.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const accounts = { list: ["a@x", "b@x"], complete: true }
const conventions = Conventions.make({})
const END = { from: 0, to: NOW + 1000 * HOUR }

const history = [-80, -60, -50, -20, -1, 0.5, 1, 2, 3, 3.5].flatMap((hours, index) => {
  const at = NOW + hours * HOUR
  return [{
    deposit: deposit({ txId: `t${index}`, insertTime: at }),
    transfer: transfer({ tranId: String(index), fromAccount: "a@x", timestamp: at + 1 })
  }]
})

/** The service, whose clock is set; it keeps and shows records by the true time. */
const world = Effect.gen(function*() {
  const [machine, service] = [yield* Machine.make, yield* Machine.make]
  let isDown = false
  let questions = Number.POSITIVE_INFINITY
  let latency = 0
  const exchange = yield* Exchange.Exchange.make({ credentials: [], conventions })
  const handle = Effect.fnUntraced(function*(request: Exchange.Request) {
    yield* TestClock.adjust(latency)
    if (request.path === conventions.serverTimePath) questions--
    if (isDown || questions === 0) return { status: 503, headers: {}, body: "" }
    const at = yield* Effect.provideService(Clock.currentTimeMillis, Clock.Clock, machine.truth)
    const isShown = (time: number, hours: number): boolean => time <= at && time > at - hours * HOUR
    const current = yield* Exchange.Exchange.make({
      credentials: InProcess.credentials,
      conventions,
      deposits: history.map(({ deposit }) => deposit).filter(({ insertTime }) => isShown(insertTime, 72)),
      transfers: history.map(({ transfer }) => transfer).filter(({ timestamp }) => isShown(timestamp, 24 * 30)),
      rules: { rate: null }
    })
    return yield* Effect.provideService(current.handle(request), Clock.Clock, service.clock)
  })
  const process = InProcess.unhurt({ ...exchange, handle }, conventions)
  return {
    /** The service answers nothing from now on. */
    fail: () => {
      isDown = true
    },
    /** The service does not answer this question for its time, counted from 1, from now on. */
    failQuestion: (number: number) => {
      questions = number
    },
    /** Each request takes so long from now on, ms. */
    slow: (ms: number) => {
      latency = ms
    },
    machine,
    service,
    /** A round of a process of its own. */
    sync: (options: Pick<Sync.Options, "quietEvery" | "since"> = {}) =>
      Effect.provideService(Effect.provide(Sync.run({ accounts, ...options }), process), Clock.Clock, machine.clock)
  }
})

const kept = Archive.Archive.use(({ deposits, transfers }) =>
  Effect.map(
    Effect.all([Stream.runCollect(deposits.slices(END)), Stream.runCollect(transfers.slices(END))]),
    (sides) => sides.map((slices) => slices.reduce((sum, { records }) => sum + records.length, 0))
  )
)

const shown = (at: number) =>
  history.filter(({ deposit: { insertTime } }) => insertTime < at && insertTime > NOW - 72 * HOUR)

/** Nothing is called complete of a time that is still to come, or of which a record is not kept. */
const judged = (now: number) =>
  Archive.Archive.use((archive) =>
    Effect.gen(function*() {
      const complete = (yield* archive.coverage()).filter(({ state, vouched }) => state === "complete" && !vouched)
      for (const { to } of complete) assert.isAtMost(to, now)
      const found = yield* Stream.runFold(
        archive.deposits.slices(END),
        () => new Set<number>(),
        (all, { records }) => new Set([...all, ...records.map(({ record }) => record.insertTime)])
      )
      const claimed = history.filter(({ deposit: { insertTime } }) =>
        complete.some(({ from, operation, to }) => operation === "deposits" && from <= insertTime && insertTime < to)
      )
      for (const { deposit: { insertTime } } of claimed) {
        assert.isTrue(found.has(insertTime), `${insertTime} is skipped`)
      }
    })
  )

const run = (
  test: (found: Effect.Success<typeof world>) => Effect.Effect<void, unknown, Archive.Archive>
) =>
  TestClock.setTime(NOW).pipe(
    Effect.andThen(world),
    Effect.flatMap(test),
    Effect.provide(Archive.Archive.layerMemory())
  )

describe("an archive whose exchange tells a wrong time", () => {
  it.effect("reads what came after a round in which the clock was ahead, however late the next round is", () =>
    run(({ service, sync }) =>
      Effect.gen(function*() {
        service.set(3 * HOUR)
        const first = yield* sync()
        assert.strictEqual(first.clockAhead, 3 * HOUR)
        assert.isAtMost(first.completeTo ?? 0, NOW)
        yield* judged(NOW)
        service.set(-3 * HOUR)
        yield* TestClock.setTime(NOW + 4 * HOUR)
        const second = yield* sync()
        assert.strictEqual(second.clockAhead, 0)
        assert.deepStrictEqual(yield* kept, [shown(NOW + 4 * HOUR).length, history.length])
        yield* judged(NOW + 4 * HOUR)
        assert.isAtLeast(second.completeTo ?? 0, NOW + 4 * HOUR - 4 * MINUTE)
      })
    ))

  it.effect("takes back what was claimed where this machine's clock was ahead as well, and reads it again", () =>
    run(({ machine, service, sync }) =>
      Effect.gen(function*() {
        yield* sync()
        yield* TestClock.setTime(NOW + 10 * MINUTE)
        for (const clock of [machine, service]) clock.set(3 * HOUR)
        const ahead = yield* sync()
        assert.isAtLeast(ahead.completeTo ?? 0, NOW + 3 * HOUR)
        for (const clock of [machine, service]) clock.set(-3 * HOUR)
        for (const hours of [1, 4]) {
          yield* TestClock.setTime(NOW + hours * HOUR)
          const { gaps, withdrawn } = yield* sync()
          assert.strictEqual(withdrawn.length > 0, hours === 1)
          for (const { from } of withdrawn) {
            assert.isAtLeast(from, NOW + (hours - 72) * HOUR, "what the service may have forgotten stays")
          }
          assert.deepStrictEqual(gaps, [])
          yield* judged(NOW + hours * HOUR)
        }
        assert.deepStrictEqual(yield* kept, [shown(NOW + 4 * HOUR).length, history.length])
      })
    ))

  it.effect("reads again what several rounds claimed while both clocks were ahead, also where their time has come meanwhile", () =>
    run(({ machine, service, sync }) =>
      Effect.gen(function*() {
        yield* sync()
        yield* TestClock.setTime(NOW + 10 * MINUTE)
        for (const clock of [machine, service]) clock.set(3 * HOUR)
        for (const minutes of [10, 110, 200]) {
          yield* TestClock.setTime(NOW + minutes * MINUTE)
          yield* sync()
        }
        for (const clock of [machine, service]) clock.set(-3 * HOUR)
        for (const minutes of [225, 700]) {
          yield* TestClock.setTime(NOW + minutes * MINUTE)
          const { gaps, holes, withdrawn } = yield* sync()
          assert.strictEqual(withdrawn.length > 0, minutes === 225)
          assert.deepStrictEqual({ gaps, holes }, { gaps: [], holes: [] })
          yield* judged(NOW + minutes * MINUTE)
        }
        assert.deepStrictEqual(yield* kept, [shown(NOW + 700 * MINUTE).length, history.length])
      })
    ))

  it.effect("fails a round that could not ask whether an earlier clock was ahead, and the next one takes back", () =>
    run(({ failQuestion, machine, service, sync }) =>
      Effect.gen(function*() {
        yield* sync()
        yield* TestClock.setTime(NOW + 10 * MINUTE)
        for (const clock of [machine, service]) clock.set(6 * HOUR)
        yield* sync()
        for (const clock of [machine, service]) clock.set(-6 * HOUR)
        yield* TestClock.setTime(NOW + 150 * MINUTE)
        failQuestion(2)
        const failure = yield* Effect.flip(sync())
        assert.include(failure.message, "503")
        yield* TestClock.setTime(NOW + 160 * MINUTE)
        const { gaps, withdrawn } = yield* sync()
        assert.isAbove(withdrawn.length, 0)
        assert.deepStrictEqual(gaps, [])
        yield* judged(NOW + 160 * MINUTE)
      })
    ))

  it.effect("keeps a person's word, the times of readings and its beginning while the clock falls behind for one round", () =>
    run(({ service, sync }) =>
      Effect.gen(function*() {
        const archive = yield* Archive.Archive
        const [from, to] = [NOW - 216 * HOUR, NOW - 96 * HOUR]
        yield* archive.vouch("deposits", { from, to }, NOW - 84 * HOUR)
        yield* sync()
        const before = yield* archive.coverage()
        service.set(-10 * 24 * HOUR)
        yield* TestClock.setTime(NOW + HOUR)
        const { withdrawn } = yield* sync()
        for (const one of withdrawn) {
          assert.isAtLeast(one.from, NOW - (one.operation === "deposits" ? 36 : 90 * 24) * HOUR)
        }
        const behind = yield* archive.coverage()
        for (const part of behind) {
          assert.isTrue(before.some(({ operation, from }) => operation === part.operation && from <= part.from))
          if (part.state === "complete") assert.isAtLeast(part.readAt, part.to)
          if (part.gap?.code === "not-read") assert.include(part.gap.detail, "behind this machine's")
        }
        const vouched = behind.filter(({ vouched }) => vouched).map(({ from, readAt, to }) => ({ from, to, readAt }))
        assert.deepStrictEqual(vouched, [{ from, to, readAt: NOW - 84 * HOUR }])
        assert.strictEqual(yield* archive.lastReading, NOW)
        service.set(10 * 24 * HOUR)
        yield* TestClock.setTime(NOW + 2 * HOUR)
        const { gaps, holes } = yield* sync()
        for (const { gap } of [...gaps, ...holes]) {
          assert.strictEqual(gap?.code, "retention", "nobody vouched for -96 h on")
        }
        yield* judged(NOW + 2 * HOUR)
      })
    ))

  it.effect("counts down to the end of what it could not prove by both clocks, and reads it again when they agree", () =>
    run(({ machine, sync }) =>
      Effect.gen(function*() {
        machine.set(20 * HOUR)
        const { clockAhead, deadline, gaps } = yield* sync()
        assert.strictEqual(clockAhead, -20 * HOUR)
        assert.isAtMost(deadline, NOW + 4 * MINUTE)
        assert.deepStrictEqual(gaps.filter(({ gap }) => gap?.code !== "not-read"), [])
        assert.isAbove(gaps.length, 0)
        machine.set(-20 * HOUR)
        yield* TestClock.setTime(NOW + HOUR)
        const agreed = yield* sync()
        assert.isAtLeast(agreed.deadline, NOW + 72 * HOUR)
        assert.deepStrictEqual(agreed.holes, [])
        yield* judged(NOW + HOUR)
      })
    ))

  it.effect("keeps what was proven while a clock falls behind for one round, and loses nothing by it", () =>
    run(({ service, sync }) =>
      Effect.gen(function*() {
        yield* sync()
        service.set(-10 * 24 * HOUR)
        yield* TestClock.setTime(NOW + HOUR)
        const { clockAhead } = yield* sync()
        assert.strictEqual(clockAhead, -10 * 24 * HOUR)
        service.set(10 * 24 * HOUR)
        yield* TestClock.setTime(NOW + 2 * HOUR)
        const { completeFrom, gaps, holes, lost } = yield* sync()
        assert.deepStrictEqual({ gaps, holes, lost }, { gaps: [], holes: [], lost: [] })
        assert.isAtMost(completeFrom ?? NOW, NOW - 70 * HOUR)
        yield* judged(NOW + 2 * HOUR)
      })
    ))

  it.effect("has as many hours left after a round that was not answered as before it", () =>
    run(({ fail, slow, sync }) =>
      Effect.gen(function*() {
        slow(500)
        const first = yield* sync()
        assert.isAbove(first.deadline, NOW + 71 * HOUR)
        fail()
        const second = yield* sync()
        assert.isAbove(second.gaps.length, 0)
        assert.strictEqual(second.deadline, first.deadline)
      })
    ))

  it.effect("claims nothing that the exchange had forgotten by the true time when its clock was behind", () =>
    run(({ service, sync }) =>
      Effect.gen(function*() {
        service.set(-20 * HOUR)
        yield* sync()
        yield* judged(NOW)
        const coverage = yield* Archive.Archive.use((archive) => archive.coverage())
        for (const { from, operation, state } of coverage) {
          if (operation === "deposits" && state === "complete") assert.isAtLeast(from, NOW - 72 * HOUR)
        }
      })
    ))
})

describe.each(databases)("coverage on $name", ({ layer }) => {
  const query = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }
  const save = (from: number, to: number, readAt: number) =>
    Archive.Archive.use(({ transfers }) => {
      const part = { operation: "transfers" as const, query, from, to, readAt, state: "complete" as const }
      return transfers.saveSlice({ from, to, records: [], bad: [], coverage: [part] }, query)
    })
  const now = NOW + HOUR
  const settle = 2 * MINUTE
  const reach = now - 30 * HOUR

  it.effect("stays as it was read where only a person's word was ahead", () =>
    Effect.gen(function*() {
      const archive = yield* Archive.Archive
      yield* archive.claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
      yield* save(NOW - 40 * HOUR, NOW - settle, NOW)
      yield* archive.vouch("deposits", { from: NOW - HOUR, to: NOW + 2 * HOUR }, NOW + 2 * HOUR)
      const taken = [{ operation: "deposits" as const, from: now, to: NOW + 2 * HOUR }]
      assert.deepStrictEqual(yield* archive.withdrawAhead({ now, reach, settle }), taken)
      const gaps = (yield* archive.coverage()).flatMap(({ from, gap }) => gap === undefined ? [] : [{ from, ...gap }])
      assert.deepStrictEqual(gaps.map(({ code, from }) => [code, from]), [["not-read", now]])
      assert.include(gaps[0]?.detail ?? "", "a person vouched for it by a clock that was ahead")
    }).pipe(Effect.provide(Archive.Archive.layer.pipe(Layer.provide(layer)))))

  it.effect("is taken back as far as the service still shows it, and what a person vouched for behind now", () =>
    Effect.gen(function*() {
      const archive = yield* Archive.Archive
      yield* archive.claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
      yield* save(NOW - 40 * HOUR, NOW - settle, NOW)
      assert.deepStrictEqual(yield* archive.withdrawAhead({ now, reach, settle }), [])
      yield* save(NOW - HOUR, NOW + 3 * HOUR - settle, NOW + 3 * HOUR)
      yield* archive.vouch("deposits", { from: NOW - HOUR, to: NOW + 2 * HOUR }, NOW + 2 * HOUR)
      assert.deepStrictEqual(yield* archive.withdrawAhead({ now, reach, settle }), [
        { operation: "deposits", from: now, to: NOW + 2 * HOUR },
        { operation: "transfers", from: reach, to: NOW + 3 * HOUR - settle }
      ])
      assert.strictEqual(yield* archive.lastReading, now)
      const coverage = yield* archive.coverage()
      const complete = coverage.filter(({ state }) => state === "complete")
      assert.deepStrictEqual(complete.filter(({ vouched }) => vouched).map(({ from, to }) => [from, to]), [[
        NOW - HOUR,
        now
      ]])
      assert.strictEqual(Math.max(...complete.filter(({ vouched }) => !vouched).map(({ to }) => to)), reach)
      assert.deepStrictEqual(yield* archive.structure, [])
      assert.deepStrictEqual(yield* archive.transfers.check(END), [])
      assert.deepStrictEqual(yield* archive.withdrawAhead({ now, reach, settle }), [])
    }).pipe(Effect.provide(Archive.Archive.layer.pipe(Layer.provide(layer)))))
})
