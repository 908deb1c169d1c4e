/** What the application promises beyond a run that goes well. */
import { assert, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Report from "@tallystick/reconcile/Report"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Books from "../src/app/Books.ts"
import * as Desk from "../src/app/Desk.ts"
import * as Ledger from "../src/app/Ledger.ts"

const HOUR = 3_600_000
const now = 1_790_000_000_000
const SLICES = 50
const SIZE = 500

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

it.effect("the ledger is read no faster than the desk takes cases", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const desk = yield* Latch.make()
    let read = 0
    let taken = 0
    const services = Layer.mergeAll(
      Broker.Broker.layerMemory({}),
      Layer.succeed(Ledger.Ledger, {
        bookings: ({ from, to }) =>
          Stream.range(0, SLICES - 1).pipe(
            Stream.rechunk(1),
            Stream.map((index): Slice.Slice<Entry.Entry> => {
              read++
              const length = (to - from) / SLICES
              const start = from + index * length
              return {
                from: start,
                to: start + length,
                records: Array.from({ length: SIZE }, (_, n) => ({
                  side: "transfer",
                  id: `${index}/${n}`,
                  asset: "USDT",
                  amount: `${1 + index * SIZE + n}`,
                  at: start + n,
                  status: "settled"
                })),
                bad: [],
                coverage: [{ operation: "transfers", from: start, to: start + length, readAt: now, state: "complete" }]
              }
            })
          )
      }),
      Layer.succeed(Desk.Desk, {
        open: (outcomes) => Effect.andThen(desk.await, Effect.sync(() => void (taken += outcomes.length)))
      })
    )
    const closing = yield* Books.close({ from: now - 40 * HOUR, to: now - 10 * HOUR }).pipe(
      Effect.provide(services),
      Effect.forkChild
    )
    yield* Effect.repeat(turn, { times: 1000 })
    const ahead = read
    assert.isAbove(ahead, 0)
    yield* Effect.repeat(turn, { times: 1000 })
    assert.deepStrictEqual([read, taken], [ahead, 0])
    assert.isBelow(ahead, SLICES)
    yield* desk.open
    const { counts } = yield* Fiber.join(closing)
    assert.strictEqual(read, SLICES)
    const breaks = counts.filter(({ outcome }) => outcome === "discrepancy")
    assert.strictEqual(taken, breaks.reduce((sum, count) => sum + Report.outcomesListed(count), 0))
  }))

const MINUTE = 60_000
const COUNT = 9000
/** When each of the deposits came: a few a minute, before the last hours that may still change. */
const timeOf = (index: number): number => now - 40 * HOUR + Math.floor(index / 8) * MINUTE

const deposits = Array.from({ length: COUNT }, (_, index) => ({
  amount: `${index + 1}`,
  coin: "USDT",
  network: "TRX",
  status: 5,
  address: "TAbc",
  txId: `tx${index}:0`,
  unlockConfirm: "10",
  confirmTimes: "12",
  insertTime: timeOf(index),
  memo: ""
}))

/** Every ninth deposit was never booked. */
const lines = deposits.flatMap(({ amount, coin, insertTime, txId }, index) =>
  index % 9 === 4
    ? []
    : [
      `${
        JSON.stringify({ booking: txId, asset: coin, amount, bookedAt: insertTime + MINUTE, subAccount: "sub00001" })
      }\n`
    ]
)

/** The ledger's answer, whose connection is lost where `end` is short of its length. */
const answering = (text: string, end: number) =>
  HttpClient.make((request) =>
    Effect.sync(() => {
      const bytes = new TextEncoder().encode(text)
      let at = 0
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (at >= end) {
            return end < bytes.length
              ? controller.error(new Error("connection reset"))
              : controller.close()
          }
          const part = bytes.slice(at, Math.min(at + 16_384, end))
          at += part.length
          controller.enqueue(part)
        }
      })
      return HttpClientResponse.fromWeb(request, new Response(body))
    })
  )

/** The cases that the desk was told of, and how the run ended. */
const closing = Effect.fnUntraced(function*(share: number) {
  const cases = new Set<string>()
  const text = lines.join("")
  const exit = yield* Books.close({ from: now - 40 * HOUR, to: now - 12 * HOUR }).pipe(
    Effect.provide([
      Broker.Broker.layerMemory({ deposits }),
      Ledger.Ledger.layerHttp.pipe(
        Layer.provide(Layer.succeed(HttpClient.HttpClient, answering(text, Math.floor(text.length * share)))),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ LEDGER_URL: "http://ledger" })))
      ),
      Layer.succeed(Desk.Desk, {
        open: (outcomes) => Effect.sync(() => outcomes.forEach(({ id }) => cases.add(id)))
      })
    ]),
    Effect.exit
  )
  return { cases, exit }
})

it.effect("a ledger whose connection is lost opens no case that the whole ledger would not", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const whole = yield* closing(1)
    assert.isTrue(Exit.isSuccess(whole.exit))
    assert.isAbove(whole.cases.size, 0)
    for (const share of [0, 0.3, 0.6, 0.95]) {
      const { cases, exit } = yield* closing(share)
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(Array.from(cases).filter((id) => !whole.cases.has(id)), [])
    }
  }))
