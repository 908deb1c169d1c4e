/** News of outcomes, over real sockets: nobody waits for a reader, and no reader misses an outcome without being told. */
import { assert, describe, it } from "@effect/vitest"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import type * as ReportApi from "@tallystick/report/ReportApi"
import * as Reports from "@tallystick/report/Reports"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as TestClock from "effect/testing/TestClock"
import { connect } from "node:net"
import * as Served from "./support/Served.ts"

const { sample } = Served
const summary = Struct.omit(sample, ["outcomes"])

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** As many outcomes as one likes, each its own. */
const outcomesOf = (count: number): ReadonlyArray<Outcome.Outcome> =>
  Array.from({ length: count }, (_, index) => {
    const outcome = sample.outcomes[index % sample.outcomes.length]
    assert.isDefined(outcome)
    return { ...outcome, id: `${outcome.id}-${index}` }
  })

const events = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Reconciliation.Event> => [
  ...outcomes.map((outcome) => ({ _tag: "Outcome" as const, outcome })),
  { _tag: "Summary", summary }
]

/** What a derived client hears, from the first word on. */
const listen = Effect.fnUntraced(function*(after?: string) {
  const { tallystick } = yield* Served.client
  const heard = yield* Queue.unbounded<ReportApi.News>()
  const news = yield* tallystick.events({ headers: after === undefined ? {} : { "last-event-id": after } })
  const first = yield* Deferred.make<ReportApi.News>()
  yield* Stream.runForEach(news, (told) => Effect.andThen(Deferred.succeed(first, told), Queue.offer(heard, told)))
    .pipe(Effect.orDie, Effect.forkScoped)
  yield* Deferred.await(first)
  return heard
})

/** A connection that has begun to watch, and reads nothing by itself. */
const watch = Effect.gen(function*() {
  const { port } = new URL(yield* Served.origin)
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect(Number(port), "127.0.0.1")),
    (socket) => Effect.sync(() => socket.destroy())
  )
  socket.write("GET /report/events HTTP/1.1\r\nHost: here\r\n\r\n")
  yield* Effect.callback<void>((resume) => void socket.once("readable", () => resume(Effect.void)))
  return socket
})

const names = (news: ReadonlyArray<ReportApi.News>): ReadonlyArray<string> =>
  news.map(({ data, event }) =>
    event === "outcome" ? `outcome ${data.id}` : event === "behind" ? `behind ${data.missed}` : event
  )

describe("those who watch", () => {
  it.effect("hear of an outcome while the run goes on, and of the report when it is served", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      const { tallystick } = yield* Served.client
      const heard = yield* listen()
      const [one, other] = outcomesOf(2)
      assert.isDefined(one)
      assert.isDefined(other)
      const gate = yield* Latch.make()
      const run = yield* Stream.fromIterable(events([one, other]), { chunkSize: 1 }).pipe(
        Stream.tap((event) => event._tag === "Outcome" && event.outcome === one ? Effect.void : gate.await),
        reports.publishEvents,
        Effect.forkChild
      )
      assert.deepStrictEqual(names(yield* Queue.takeN(heard, 2)), ["alive", `outcome ${one.id}`])
      assert.isTrue(Option.isNone(yield* reports.current))
      yield* gate.open
      const [second, report] = yield* Queue.takeN(heard, 2)
      assert.deepStrictEqual(second?.data, other)
      assert.deepStrictEqual(report?.data, summary)
      assert.deepStrictEqual(yield* Fiber.join(run), { ...summary, outcomes: [one, other] })
      assert.deepStrictEqual(yield* tallystick.outcome({ params: { id: other.id } }), other)
    }).pipe(Effect.scoped, Effect.provide(Served.layer())))

  it.effect("hear only of outcomes that the last report does not have, or has otherwise", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      const heard = yield* listen()
      const [one, other, third] = outcomesOf(3)
      assert.isDefined(one)
      assert.isDefined(other)
      assert.isDefined(third)
      yield* reports.publish({ ...summary, outcomes: [one, other] })
      assert.deepStrictEqual(
        names(yield* Queue.takeN(heard, 4)),
        ["alive", `outcome ${one.id}`, `outcome ${other.id}`, "report"]
      )
      const changed = { ...other, final: !other.final }
      yield* reports.publish({ ...summary, outcomes: [structuredClone(one), changed, third] })
      const [next, last, report] = yield* Queue.takeN(heard, 3)
      assert.deepStrictEqual([next?.data, last?.data, report?.event], [changed, third, "report"])
    }).pipe(Effect.scoped, Effect.provide(Served.layer())))

  it.effect("are told after a while that there is nothing new", () =>
    Effect.gen(function*() {
      const heard = yield* listen()
      yield* Queue.take(heard)
      for (let times = 0; times < 3; times++) {
        yield* Effect.repeat(turn, { times: 20 })
        yield* TestClock.adjust("15 seconds")
        assert.strictEqual((yield* Queue.take(heard)).event, "alive")
      }
    }).pipe(Effect.scoped, Effect.provide(Served.layer())))

  it.effect("may be many, and all hear the same", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      const readers = yield* Effect.all(Array.from({ length: 25 }, () => listen()), { concurrency: 20 })
      const outcomes = outcomesOf(100)
      yield* reports.publish({ ...summary, outcomes })
      for (const heard of readers) {
        const [alive, ...news] = yield* Queue.takeN(heard, outcomes.length + 2)
        assert.deepStrictEqual([alive?.event, news.at(-1)?.event], ["alive", "report"])
        assert.deepStrictEqual(names(news.slice(0, -1)), outcomes.map(({ id }) => `outcome ${id}`))
      }
    }).pipe(Effect.scoped, Effect.provide(Served.layer())))
})

describe("a reader that comes back", () => {
  it.effect("goes on after the last event that it had", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      const heard = yield* listen()
      yield* reports.publish({ ...summary, outcomes: outcomesOf(5) })
      const news = yield* Queue.takeN(heard, 7)
      for (const [index, { id }] of news.entries()) {
        const again = yield* Effect.scoped(Effect.flatMap(listen(id), (heard) => Queue.takeN(heard, 7 - index)))
        assert.deepStrictEqual(again.slice(1), news.slice(index + 1))
      }
    }).pipe(Effect.scoped, Effect.provide(Served.layer())))

  it.effect("is told how many events it missed when they are kept no longer", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      const [first] = yield* Effect.scoped(Effect.flatMap(listen(), (heard) => Queue.takeN(heard, 1)))
      yield* reports.publish({ ...summary, outcomes: outcomesOf(20) })
      const heard = yield* Queue.takeN(yield* listen(first?.id), 10)
      assert.deepStrictEqual(names(heard), [
        "alive",
        "behind 13",
        ...outcomesOf(20).slice(13).map(({ id }) => `outcome ${id}`),
        "report"
      ])
    }).pipe(Effect.scoped, Effect.provide(Served.layer({ capacity: 8 }))))

  it.effect("is told that nobody knows what it missed when the server has started again", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      const [before] = yield* Stream.runCollect(Stream.take(reports.news(), 1))
      assert.isDefined(before)
      yield* reports.publish({ ...summary, outcomes: outcomesOf(1) })
      const [epoch] = before.id.split("-")
      for (
        const stranger of ["zzzzzz-1", `${epoch}-99`, `${epoch}-`, `${epoch}--1`, `${epoch}-1e0`, "1", "x".repeat(5000)]
      ) {
        const heard = yield* Effect.scoped(Effect.flatMap(listen(stranger), (heard) => Queue.takeN(heard, 4)))
        const [outcome] = outcomesOf(1)
        assert.deepStrictEqual(names(heard), ["alive", "behind null", `outcome ${outcome?.id}`, "report"], stranger)
      }
    }).pipe(Effect.provide(Served.layer())))
})

describe("nobody waits for a reader", () => {
  it.effect("one that does not read holds up nothing, and is told what it missed when it reads again", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      const socket = yield* watch
      // More than what two sockets and their buffers hold.
      const TOTAL = 40_000
      yield* reports.publish({ ...summary, outcomes: outcomesOf(TOTAL) })
      assert.isTrue(Option.isSome(yield* reports.current))
      let text = ""
      yield* Effect.callback<void>((resume) => {
        socket.on("data", (part) => {
          text += String(part)
          if (text.includes("event: report")) resume(Effect.void)
        })
        socket.resume()
      })
      const missed = Array.from(text.matchAll(/"missed":(\d+)/g), ([, count]) => Number(count))
      const came = Array.from(text.matchAll(/^event: outcome$/gm)).length
      assert.isAbove(missed.length, 0)
      assert.strictEqual(missed.reduce((sum, count) => sum + count, came), TOTAL)
    }).pipe(Effect.scoped, Effect.provide(Served.layer())))

  it.effect("one that goes away leaves nothing behind", () =>
    Effect.gen(function*() {
      const real = yield* Reports.Reports
      let readers = 0
      const counted = Layer.succeed(Reports.Reports, {
        ...real,
        news: (options) =>
          real.news(options).pipe(
            Stream.onStart(Effect.sync(() => void readers++)),
            Stream.ensuring(Effect.sync(() => void readers--))
          )
      })
      const program = Effect.gen(function*() {
        const scope = yield* Scope.make()
        yield* Scope.provide(Effect.all(Array.from({ length: 10 }, () => listen())), scope)
        const socket = yield* watch
        assert.strictEqual(readers, 11)
        socket.destroy()
        yield* Scope.close(scope, Exit.void)
        yield* Effect.repeat(turn, { until: () => readers === 0 })
      })
      yield* program.pipe(Effect.scoped, Effect.provide(Layer.provide(Served.over, counted)))
    }).pipe(Effect.provide(Reports.Reports.layer())))

  it.effect("all end when the reports end", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const reports = Context.get(yield* Layer.buildWithScope(Reports.Reports.layer(), scope), Reports.Reports)
      const reader = yield* Effect.forkChild(Stream.runCollect(reports.news({ after: "none" })))
      yield* reports.publish(sample)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(reader)).at(-1)?.event, "report")
    }))
})

describe("a run that fails", () => {
  it.effect("leaves the last report, and what it told is told again", () =>
    Effect.gen(function*() {
      const reports = yield* Reports.Reports
      yield* reports.publish({ ...summary, outcomes: [] })
      const heard = yield* listen()
      const [one] = outcomesOf(1)
      assert.isDefined(one)
      const told = Stream.fromIterable(events([one]))
      const failed = yield* told.pipe(
        Stream.take(1),
        Stream.concat(Stream.fail("the ledger is gone")),
        reports.publishEvents,
        Effect.flip
      )
      assert.strictEqual(failed, "the ledger is gone")
      assert.deepStrictEqual(Option.map(yield* reports.current, ({ report }) => report.outcomes), Option.some([]))
      const report: Report.Report = yield* reports.publishEvents(told)
      assert.deepStrictEqual(report.outcomes, [one])
      assert.deepStrictEqual(
        names(yield* Queue.takeN(heard, 4)),
        ["alive", `outcome ${one.id}`, `outcome ${one.id}`, "report"]
      )
    }).pipe(Effect.scoped, Effect.provide(Served.layer())))
})
