import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import * as Records from "./support/records.ts"
import * as Service from "./support/service.ts"
import { exitOf, keeping, parentOf } from "./support/spans.ts"

const DEPOSITS = "GET /api/v3/broker/capital/deposit/subHisrec/getall"
const TRANSFERS = "GET /api/v3/broker/sub-account/universalTransfer"
const CREATE = "POST /api/v3/broker/sub-account/apiKey"
const TIME = "GET /api/v3/time"

const key: Broker.CreateApiKey = {
  subAccount: "recognisable.account@example.test",
  permissions: ["SPOT_ACCOUNT_READ"],
  note: "recognisable note"
}

/** Runs a call to its end under virtual time and keeps its spans. */
const traced = <A, E>(
  handler: Service.Handler,
  call: (broker: Broker.Service) => Effect.Effect<A, E>,
  time?: Service.Reply
) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(Records.NOW)
    const broker = yield* Service.broker(Service.make(handler, time))
    const fiber = yield* Effect.forkChild(keeping(Effect.exit(call(broker))))
    yield* TestClock.adjust("1 day")
    const { kept, value } = yield* Fiber.join(fiber)
    return { ...kept, exit: value }
  })

const message = (exit: Exit.Exit<unknown, unknown> | undefined): string =>
  exit !== undefined && Exit.isFailure(exit) ? Cause.prettyErrors(exit.cause).map(({ message }) => message).join() : ""

describe("the span of an attempt", () => {
  it.effect("follows the conventions for HTTP clients, and names no host's prefix, query or signature", () =>
    Effect.gen(function*() {
      const { one } = yield* traced(() => Service.json([]), (broker) => broker.subAccountDeposits({ coin: "USDT" }))
      const span = one(DEPOSITS)
      assert.strictEqual(span.kind, "client")
      assert.strictEqual(parentOf(span), "Broker.subAccountDeposits")
      assert.deepStrictEqual(Object.fromEntries(span.attributes), {
        "http.request.method": "GET",
        "url.template": "/api/v3/broker/capital/deposit/subHisrec/getall",
        "url.scheme": "https",
        "server.address": "api.example.test",
        "server.port": 443,
        "tallystick.operation": "subAccountDeposits",
        "http.response.status_code": 200
      })
    }))

  it.effect("says of a repetition which one it is, and of a failure its kind and status", () =>
    Effect.gen(function*() {
      const { all, one } = yield* traced(
        (_, n) => n < 2 ? Service.refusal(1, 503) : Service.json([]),
        (broker) => broker.subAccountDeposits()
      )
      const attempts = all(DEPOSITS)
      assert.deepStrictEqual(attempts.map(({ attributes }) => attributes.get("http.request.resend_count")), [
        undefined,
        1,
        2
      ])
      assert.deepStrictEqual(attempts.map(({ attributes }) => attributes.get("error.type")), [
        "Unavailable",
        "Unavailable",
        undefined
      ])
      assert.deepStrictEqual(
        attempts.map(({ attributes }) => attributes.get("http.response.status_code")),
        [503, 503, 200]
      )
      assert.deepStrictEqual(attempts.map((span) => message(exitOf(span))), ["Unavailable", "Unavailable", ""])
      assert.deepStrictEqual(
        one("Broker.subAccountDeposits").events.map(([name, , attributes]) => [name, attributes["reason"]]),
        [["retry", "Unavailable"], ["retry", "Unavailable"]]
      )
    }))

  it.effect("has no status where no answer came", () =>
    Effect.gen(function*() {
      const { all } = yield* traced(
        ({ request }) => Effect.fail(Service.transportError(request, "ECONNREFUSED")),
        (broker) => broker.createApiKey(key)
      )
      const [span] = all(CREATE)
      assert.isFalse(span?.attributes.has("http.response.status_code"))
      assert.strictEqual(span?.attributes.get("error.type"), "Unavailable")
    }))

  it.effect("tells that the clock was read, and read again when a request came too late or too early", () =>
    Effect.gen(function*() {
      const { all } = yield* traced(
        (_, n) => n === 0 ? Service.refusal(700003) : Service.json([]),
        (broker) => broker.subAccountDeposits(),
        Service.timeAhead(3_600_000)
      )
      assert.strictEqual(all(TIME).length, 2)
      assert.deepStrictEqual(all(DEPOSITS).map(({ attributes }) => attributes.get("error.type")), [
        "ClockSkew",
        undefined
      ])
    }))

  it.effect("calls a time that nobody sends by the same name as any other missing answer", () =>
    Effect.gen(function*() {
      const { all } = yield* traced(() => Service.json([]), (broker) => broker.serverTime, Effect.never)
      const [span] = all(TIME)
      assert.strictEqual(span?.attributes.get("error.type"), "Unavailable")
      assert.strictEqual(parentOf(span!), "Broker.serverTime")
    }))

  it.effect("ends when it is interrupted, as no error", () =>
    Effect.gen(function*() {
      const broker = yield* Service.broker(Service.make(() => Effect.never))
      const { kept } = yield* keeping(Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(broker.subAccountDeposits())
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(fiber)
      }))
      const exit = exitOf(kept.one(DEPOSITS))
      assert.isTrue(exit !== undefined && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.isFalse(kept.one(DEPOSITS).attributes.has("error.type"))
    }))
})

describe("the spans of a scan", () => {
  const range = { from: Records.NOW - 3 * 3_600_000, to: Records.NOW - 3_600_000 }
  const inRange = Records.deposit({ insertTime: range.from + 1 })

  it.effect("stand one in the other: scan, slice, page, attempt", () =>
    Effect.gen(function*() {
      const { all, one } = yield* traced(
        ({ url: { searchParams: query } }) => {
          const isAsked = (query.get("page") ?? "1") === "1" && Number(query.get("startTime")) <= inRange.insertTime
          return Service.json(isAsked ? [inRange] : [])
        },
        (broker) => Stream.runCollect(broker.streamSubAccountDeposits(range))
      )
      assert.deepStrictEqual(all(DEPOSITS).map(parentOf), Array.from({ length: 6 }, () => "Broker.scan.page"))
      // Two pages of the slice; two cuts of its second reading, and its halves.
      assert.deepStrictEqual(all("Broker.scan.page").map(parentOf), [
        "Broker.scan.slice",
        "Broker.scan.slice",
        "Broker.scan.check",
        "Broker.scan.check",
        "Broker.scan.check",
        "Broker.scan.check"
      ])
      assert.deepStrictEqual(
        all("Broker.scan.page").map(({ attributes }) => attributes.get("tallystick.page")),
        [1, 2, 1, 1, 1, 1]
      )
      const slice = one("Broker.scan.slice")
      assert.deepStrictEqual(Object.fromEntries(slice.attributes), {
        "tallystick.slice.from": range.from,
        "tallystick.slice.to": range.to,
        "tallystick.records": 1,
        "tallystick.bad_records": 0
      })
      assert.strictEqual(parentOf(slice), "Broker.scanSubAccountDeposits")
      assert.strictEqual(parentOf(one("Broker.scanSubAccountDeposits")), "Broker.streamSubAccountDeposits")
      assert.deepStrictEqual(exitOf(one("Broker.streamSubAccountDeposits")), Exit.void)
    }))

  it.effect("say which slice has a gap, and of what kind", () =>
    Effect.gen(function*() {
      const { one } = yield* traced(
        () => Service.json({ result: [], totalCount: 7 }),
        (broker) =>
          Stream.runCollect(
            broker.streamUniversalTransfers({ ...range, fromAccountType: "SPOT", toAccountType: "SPOT" })
          )
      )
      assert.strictEqual(one("Broker.scan.slice").attributes.get("tallystick.gap"), "unproven")
      assert.strictEqual(one("Broker.streamUniversalTransfers").attributes.get("error.type"), "Incomplete")
    }))

  it.effect("all end where the stream is left early", () =>
    Effect.gen(function*() {
      const { spans } = yield* traced(
        ({ url }) => Service.json((url.searchParams.get("page") ?? "1") === "1" ? [inRange] : []),
        (broker) => Stream.runHead(broker.streamSubAccountDeposits(range))
      )
      assert.isAbove(spans.length, 4)
      for (const span of spans) assert.strictEqual(span.status._tag, "Ended", span.name)
    }))
})

describe("no span says what it was about", () => {
  /** Everything of a span that an exporter could read. */
  const contents = (spans: ReadonlyArray<{ readonly attributes: unknown }>): string =>
    inspect(spans, { depth: 12, showHidden: true, getters: true })

  it.effect("of a new key: neither its secret, account and note, nor an answer that was lost", () =>
    Effect.gen(function*() {
      const secret = "recognisable-new-secret"
      const good = yield* traced(
        () => Service.json({ apiKey: "recognisable-new-key", secretKey: secret, note: key.note }),
        (broker) => broker.createApiKey(key)
      )
      assert.isTrue(Exit.isSuccess(good.exit))
      assert.deepStrictEqual(exitOf(good.one("Broker.createApiKey")), Exit.void)
      const lost = yield* traced(
        () => Service.refusal(`no such account ${key.subAccount}`, 504),
        (broker) => broker.createApiKey(key)
      )
      assert.strictEqual(lost.one("Broker.createApiKey").attributes.get("error.type"), "OutcomeUnknown")
      for (const { spans } of [good, lost]) assert.notMatch(contents(spans), /recognisable/)
    }))

  it.effect("of records, and of what the service says of them: neither accounts, addresses nor memos", () =>
    Effect.gen(function*() {
      const transfer = Records.transfer({ fromAccount: "recognisable@x", timestamp: Records.NOW - 900_000 })
      const deposit = Records.deposit({
        address: "recognisable",
        memo: "recognisable",
        insertTime: Records.NOW - 900_000
      })
      const query = { fromAccountType: "SPOT", toAccountType: "SPOT", fromAccount: "recognisable@x" }
      const range = { from: Records.NOW - 900_000, to: Records.NOW - 899_998 }
      const answers: ReadonlyArray<Service.Handler> = [
        ({ url }) => Service.json(url.pathname.endsWith("getall") ? [deposit] : [transfer]),
        () => Service.json({ code: 140001, msg: "recognisable@x is unknown" }, 400),
        () => Service.json([{ address: "recognisable" }])
      ]
      for (const answer of answers) {
        const { spans } = yield* traced(answer, (broker) =>
          Effect.all([
            Effect.exit(broker.universalTransfers(query)),
            Effect.exit(broker.subAccountDeposits()),
            Effect.exit(Stream.runCollect(broker.streamUniversalTransfers({ ...range, ...query }))),
            Effect.exit(Stream.runCollect(broker.streamSubAccountDeposits(range)))
          ]))
        assert.isTrue(spans.some(({ name }) => name === TRANSFERS))
        assert.notMatch(contents(spans), /recognisable/)
      }
    }))

  it.effect("of a parameter that was refused", () =>
    Effect.gen(function*() {
      const { one, spans } = yield* traced(() => Service.json([]), (broker) =>
        broker.createApiKey({ ...key, ip: ["recognisable"] }))
      assert.strictEqual(one("Broker.createApiKey").attributes.get("error.type"), "InvalidParameter")
      assert.notMatch(contents(spans), /recognisable/)
    }))
})
