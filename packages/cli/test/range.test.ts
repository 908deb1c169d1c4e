import { assert, describe, it } from "@effect/vitest"
import * as AskedRange from "@tallystick/cli/flags/AskedRange"
import type * as RangeFlags from "@tallystick/cli/flags/RangeFlags"
import * as Moment from "@tallystick/cli/text/Moment"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 20, 12)
const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")

const asked = Effect.fnUntraced(function*(flags: Partial<Record<keyof RangeFlags.Flags, string>>) {
  yield* TestClock.setTime(NOW)
  const option = (name: keyof RangeFlags.Flags) => Option.fromUndefinedOr(flags[name])
  return yield* AskedRange.asked({
    day: option("day"),
    from: option("from"),
    to: option("to"),
    since: option("since"),
    zone: option("zone")
  })
})

describe("a question to the service", () => {
  it.layer(layerFiles)((it) => {
    it.effect("counts its range from the service's clock, not from this machine's", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const { put } = yield* directory
        const accounts = yield* put("accounts.txt", "sub00001\n")
        const env = {
          TALLYSTICK_BASE_URL: "https://api.example.com",
          TALLYSTICK_API_KEY: "key",
          TALLYSTICK_SECRET_KEY: "secret"
        }
        /** How long before the service's now the oldest question begins, in hours. */
        const reach = Effect.fnUntraced(function*(args: ReadonlyArray<string>, ahead: number) {
          const { client, urls } = Service.make({ time: Service.timeAhead(ahead) })
          yield* tallystick(args, { env }).pipe(Effect.provideService(HttpClient.HttpClient, client))
          const starts = urls.map(({ searchParams }) => searchParams.get("startTime")).filter((start) => start !== null)
          return Math.round((NOW + ahead - Math.min(...starts.map(Number))) / HOUR)
        })
        assert.strictEqual(yield* reach(["deposits", "--since", "2h"], -5 * HOUR), 2)
        for (
          const command of [
            ["deposits"],
            ["transfers"],
            ["reconcile", "--accounts", accounts],
            ["reconcile", "--accounts", accounts, "--format", "ndjson"]
          ]
        ) {
          for (const args of [command, [...command, "--since", "2h"]]) {
            const right = yield* reach(args, 0)
            for (const ahead of [-5 * HOUR, 5 * HOUR]) {
              assert.strictEqual(yield* reach(args, ahead), right, args.join(" "))
            }
          }
        }
      }))
  })
})

describe("a business day", () => {
  it("is 24 hours long, and 23 or 25 where the clocks change", () => {
    const length = (text: string) => Result.map(Moment.day(text, berlin, NOW), ({ from, to }) => (to - from) / HOUR)
    assert.deepStrictEqual(length("2026-11-19"), Result.succeed(24))
    assert.deepStrictEqual(length("2026-03-29"), Result.succeed(23))
    assert.deepStrictEqual(length("2026-10-25"), Result.succeed(25))
  })

  it("begins at midnight of its zone", () => {
    assert.deepStrictEqual(
      Moment.day("2026-11-19", berlin, NOW),
      Result.succeed({
        from: Date.UTC(2026, 10, 18, 23),
        to: Date.UTC(2026, 10, 19, 23)
      })
    )
    assert.deepStrictEqual(
      Moment.day("2026-12-31", undefined, NOW),
      Result.succeed({
        from: Date.UTC(2026, 11, 31),
        to: Date.UTC(2027, 0, 1)
      })
    )
  })

  it("must exist in its zone", () => {
    const skipped = Moment.day("2011-12-30", DateTime.zoneMakeNamedUnsafe("Pacific/Apia"), NOW)
    assert.deepStrictEqual(skipped, Result.fail("\"2011-12-30\" is no day in this zone: its clocks jumped over it"))
  })

  it("may be named from today, in its zone, and with another one for all between them", () => {
    const days = (text: string, now = NOW) => Moment.days(text, berlin, now)
    assert.deepStrictEqual(days("today"), Result.succeed(["2026-11-20"]))
    assert.deepStrictEqual(days("yesterday"), Result.succeed(["2026-11-19"]))
    assert.deepStrictEqual(days("-2"), Result.succeed(["2026-11-18"]))
    assert.deepStrictEqual(days("-2..yesterday"), Result.succeed(["2026-11-18", "2026-11-19"]))
    assert.deepStrictEqual(days("2026-10-24..2026-10-26"), Result.succeed(["2026-10-24", "2026-10-25", "2026-10-26"]))
    // An hour before midnight in UTC it is tomorrow in Berlin.
    assert.deepStrictEqual(days("today", Date.UTC(2026, 10, 20, 23, 30)), Result.succeed(["2026-11-21"]))
    assert.deepStrictEqual(
      Moment.day("2026-10-24..2026-10-26", berlin, NOW),
      Result.succeed({ from: Date.UTC(2026, 9, 23, 22), to: Date.UTC(2026, 9, 26, 23) })
    )
    const apia = DateTime.zoneMakeNamedUnsafe("Pacific/Apia")
    assert.deepStrictEqual(
      Moment.days("2011-12-29..2011-12-31", apia, NOW),
      Result.succeed(["2011-12-29", "2011-12-31"])
    )
  })

  it("must exist", () => {
    for (
      const text of [
        "2026-02-30",
        "2026-13-01",
        "26-01-01",
        "tomorrow",
        "",
        "-",
        "+1",
        "2026-11-20..2026-11-19",
        "today..",
        "2026-11-18..2026-11-19..2026-11-20",
        "2020-01-01..2026-01-01"
      ]
    ) {
      assert.isTrue(Result.isFailure(Moment.day(text, undefined, NOW)), text)
    }
  })

  it("is refused in words that say what may be written", () => {
    const refusal = (text: string) => Result.merge(Result.map(Moment.days(text, undefined, NOW), () => "taken"))
    assert.strictEqual(
      refusal("tomorrow"),
      "\"tomorrow\" is no day; wanted: 2026-11-19, today, yesterday, or -2 for two days before today"
    )
    assert.strictEqual(
      refusal("today.."),
      "\"today..\" lacks its last day; wanted: -3..yesterday, or one day"
    )
    assert.strictEqual(refusal("..today"), "\"..today\" lacks its first day; wanted: -3..yesterday, or one day")
  })
})

describe("a moment", () => {
  it("is a date, or a time with its zone", () => {
    assert.deepStrictEqual(Moment.moment("2026-11-19", berlin), Result.succeed(Date.UTC(2026, 10, 18, 23)))
    assert.deepStrictEqual(Moment.moment("2026-11-19T08:30:00Z", berlin), Result.succeed(Date.UTC(2026, 10, 19, 8, 30)))
    assert.deepStrictEqual(
      Moment.moment("2026-11-19T08:30+01:00", undefined),
      Result.succeed(Date.UTC(2026, 10, 19, 7, 30))
    )
    assert.isTrue(Result.isFailure(Moment.moment("2026-11-19T08:30:00", berlin)))
  })
})

describe("a range", () => {
  it.effect("may begin a length of time before now", () =>
    Effect.gen(function*() {
      for (const since of ["90m", "2h", "3d", "1w", "2 hours", "1 day"]) {
        assert.isBelow((yield* asked({ since })).from ?? NOW, NOW)
      }
      assert.strictEqual((yield* asked({ since: "2h" })).from, NOW - 2 * HOUR)
      assert.strictEqual((yield* asked({ since: "2026-11-19" })).from, Date.UTC(2026, 10, 19))
    }))

  it.effect("is the last 24 hours when nothing is asked for", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* AskedRange.bounded(yield* asked({})), { from: NOW - 24 * HOUR, to: NOW })
    }))

  it.effect("is refused for the service when none of it is past", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(AskedRange.bounded(yield* asked({ day: "2026-11-21" })))
      assert.strictEqual(failure.exitCode, 2)
      assert.include(failure.message, "the range lies in the future")
      const today = yield* AskedRange.bounded(yield* asked({ day: "2026-11-20" }))
      assert.deepStrictEqual(today, { from: Date.UTC(2026, 10, 20), to: Date.UTC(2026, 10, 21) })
    }))

  it.effect("is refused where its flags contradict each other, with the reason", () =>
    Effect.gen(function*() {
      const refusal = Effect.fnUntraced(function*(flags: Parameters<typeof asked>[0]) {
        const failure = yield* Effect.flip(asked(flags))
        assert.strictEqual(failure.exitCode, 2)
        return failure.message
      })
      assert.match(yield* refusal({ day: "2026-11-19", from: "2026-11-18" }), /--day is a range of its own/)
      assert.match(yield* refusal({ from: "2026-11-18", since: "2h" }), /--from and --since/)
      assert.match(yield* refusal({ from: "2026-11-18", to: "2026-11-18" }), /the range is empty/)
      assert.match(yield* refusal({ zone: "Europe/Atlantis" }), /--zone: "Europe\/Atlantis" is no time zone/)
      assert.match(
        yield* refusal({ since: "soon" }),
        /--since: "soon" is neither a time nor a length of time; wanted: 2026-11-19, .* how long ago: 90m/
      )
      assert.match(yield* refusal({ to: "tomorrow" }), /--to: "tomorrow" is no time/)
    }))
})
