/** How long the service asks to wait. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Service from "./support/service.ts"

const MADE = "Sun, 06 Nov 1994 08:49:37 GMT"
const IN_TWO_MINUTES = "Sun, 06 Nov 1994 08:51:37 GMT"

/** What a 429 with these headers asks for, ms. */
const asked = (headers: Record<string, string>, status: 418 | 429 = 429) =>
  Effect.gen(function*() {
    const service = Service.make(() => Service.refusal(status, status, headers))
    const broker = yield* Service.broker(service, { retries: 0, maxWait: 0 })
    const { reason } = yield* Effect.flip(broker.subAccountDeposits())
    return reason._tag === "RateLimited" ? reason.retryAfter : reason._tag === "Banned" ? reason.remaining : undefined
  })

describe("Retry-After", () => {
  it.effect.each<readonly [string, number]>([
    ["7", 7000],
    [" 7 ", 7000],
    ["+600", 600_000],
    ["0", 0],
    ["1.2", 1200],
    ["7.", 7000],
    [".5", 500],
    ["1700000000", 1e12],
    ["9".repeat(30), 1e12],
    ["120, 120", 120_000],
    ["5,120 , 30", 120_000],
    ["120, soon", 120_000],
    ["soon", 1000],
    ["", 1000],
    [",", 1000],
    ["-5", 1000],
    ["+-5", 1000],
    ["1e3", 1000],
    ["0x10", 1000],
    ["1.2.3", 1000],
    ["120s", 1000],
    ["NaN", 1000],
    ["Infinity", 1000]
  ])("of %j is %d ms", ([header, expected]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* asked({ "retry-after": header }), expected)
    }))

  it.effect("is a second after a 429 and a minute after a 418 where nothing says how long", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual([yield* asked({}), yield* asked({}, 418)], [1000, 60_000])
      const unreadable = { "retry-after": "soon" }
      assert.deepStrictEqual([yield* asked(unreadable), yield* asked(unreadable, 418)], [1000, 60_000])
    }))

  it.effect.each<readonly [string, string | undefined, string, number]>([
    ["later than the answer's own is the time between them", MADE, IN_TWO_MINUTES, 120_000],
    ["far away is as long as any wait", MADE, "Fri, 31 Dec 9999 23:59:59 GMT", 1e12],
    ["that is over says nothing", IN_TWO_MINUTES, MADE, 60_000],
    ["of the same second says nothing", MADE, MADE, 60_000],
    ["without the answer's own says nothing", undefined, IN_TWO_MINUTES, 60_000],
    ["beside an unreadable one says nothing", "yesterday", IN_TWO_MINUTES, 60_000],
    ["in another form says nothing", MADE, "1994-11-06T08:51:37Z", 60_000],
    ["that never comes says nothing", MADE, "Sun, 99 Xyz 1994 08:51:37 GMT", 60_000]
  ])("as a date %s", ([, date, header, expected]) =>
    Effect.gen(function*() {
      // This machine's clock has no say: it stands decades later.
      yield* TestClock.setTime(1_800_000_000_000)
      const headers = { "retry-after": header, ...(date === undefined ? {} : { date }) }
      assert.strictEqual(yield* asked(headers, 418), expected)
    }))
})
