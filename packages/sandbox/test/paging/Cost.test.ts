/** What the second readings cost on a server that has no bad habit. */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Conventions from "@tallystick/core/Conventions"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as InProcess from "../broker.ts"
import * as History from "./history.ts"

const NOW = 1_700_000_000_000
const DAY = 86_400_000
const conventions = Conventions.make({})

/** The long run reads 90 days of the busiest accounts too, and more scans of each. */
const isLong = process.env["TALLYSTICK_CASES"] !== undefined

/** Requests of a scan of so many days: those that read a slice, and those that read it again. */
const requests = Effect.fnUntraced(function*(days: number, perDay: number, seed: number) {
  yield* TestClock.setTime(NOW)
  const range = { from: NOW - days * DAY, to: NOW - 3_600_000 }
  const shape = { ...range, count: days * perDay, twins: 0, burst: 0 }
  const exchange = yield* Exchange.Exchange.make({
    credentials: InProcess.credentials,
    conventions,
    transfers: History.transfers(History.random(seed), shape),
    rules: { rate: null, remembered: 1 }
  })
  let read = 0
  let again = 0
  const handle = (request: Exchange.Request) => {
    const query = new URLSearchParams(request.rawQuery)
    // Only a first page that is read again is asked for without a number; its cuts end on no slice.
    const whole = [query.get("startTime"), query.get("endTime")].every((text, index) =>
      (Number(text) + 1 - index) % 60_000 === 0
    )
    if (query.has("startTime")) {
      if (query.has("page") && whole) read++
      else again++
    }
    return exchange.handle(request)
  }
  const query = { fromAccount: "sub00001", fromAccountType: "SPOT", toAccountType: "SPOT" }
  const slices = yield* Broker.Broker.use((broker) =>
    Stream.runCollect(broker.scanUniversalTransfers({ ...range, ...query }))
  )
    .pipe(Effect.provide(InProcess.unhurt({ ...exchange, handle }, conventions)))
  assert.isTrue(slices.every(({ coverage }) => coverage.every(({ state }) => state === "complete")))
  return { read, again }
})

describe("what is read twice", () => {
  it.effect(
    "adds at most 5 % to the requests of a scan of 40 slices and more, or seven requests in forty slices where that is more",
    () =>
      Effect.gen(function*() {
        for (const days of [40, 90]) {
          for (const perDay of isLong || days === 40 ? [1, 3, 10, 60, 300, 900, 2600] : [1, 3, 10, 60]) {
            let [read, again] = [0, 0]
            const scans = perDay > 500 ? 2 : isLong ? 12 : 6
            for (let seed = 0; seed < scans; seed++) {
              const one = yield* requests(days, perDay, seed)
              read += one.read
              again += one.again
            }
            const most = Math.max(read / 20, (7 * scans * days) / 40)
            assert.isAtMost(again, most, `${days} days, ${perDay} a day: ${read} requests and ${again} more`)
          }
        }
      }),
    600_000
  )
})
