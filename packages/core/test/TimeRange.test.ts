import { assert, describe, it } from "@effect/vitest"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const HOUR = 3_600_000
const iso = (range: { readonly from: number; readonly to: number }) => [
  new Date(range.from).toISOString(),
  new Date(range.to).toISOString()
]
const failed = <A>(result: Result.Result<A, { readonly message: string }>): string =>
  Result.isFailure(result) ? result.failure.message : assert.fail("it is a range")

describe("a range", () => {
  const from = Date.UTC(2026, 10, 24, 7, 30)

  it.each([
    ["Unix ms", from],
    ["a Date", new Date(from)],
    ["a DateTime", DateTime.makeUnsafe(from)],
    ["a DateTime in a zone", DateTime.makeZonedUnsafe(from, { timeZone: "Asia/Tokyo" })],
    ["a text in UTC", "2026-11-24T07:30:00Z"],
    ["a text with an offset", "2026-11-24T08:30:00+01:00"],
    ["parts", { year: 2026, month: 11, day: 24, hour: 7, minute: 30 }]
  ])("begins at %s", (_, moment) => {
    const range = TimeRange.make({ from: moment, to: from + HOUR })
    assert.deepStrictEqual(Result.getOrThrow(range), { from, to: from + HOUR })
  })

  it.each([
    ["a time without a zone", "2026-11-24T08:30:00", "ISO 8601 with its zone"],
    ["words", "yesterday", "ISO 8601 with its zone"],
    ["a day that no calendar has", "2026-02-30T08:30:00Z", "ISO 8601 with its zone"],
    ["a date that no calendar has", "2026-11-31", "ISO 8601 with its zone"],
    ["a Date that is none", new Date(Number.NaN), "is none"],
    ["no number", Number.NaN, "is none"],
    ["seconds", from / 1000, "in seconds"],
    ["its own end", from + HOUR, "is empty"]
  ])("does not begin at %s", (_, moment, told) => {
    assert.include(failed(TimeRange.make({ from: moment, to: from + HOUR })), told)
  })

  it("is not made of what has no ends", () => {
    for (const input of [null, undefined, {}, { from: null, to: null }]) {
      // A program without types may pass anything.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      assert.isTrue(Result.isFailure(TimeRange.make(input as unknown as TimeRange.Input)))
    }
  })

  it.prop("keeps every pair of moments, whatever their form", [
    Schema.Int.check(Schema.isBetween({ minimum: 1_300_000_000_000, maximum: 4_000_000_000_000 })),
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000_000 }))
  ], ([start, length]) => {
    const range = { from: start, to: start + length }
    const forms = [
      { from: new Date(range.from), to: new Date(range.to) },
      { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() },
      { from: DateTime.makeUnsafe(range.from), to: DateTime.makeUnsafe(range.to) }
    ]
    for (const form of forms) assert.deepStrictEqual(Result.getOrThrow(TimeRange.make(form)), range)
  })
})

describe("a business day", () => {
  it.each([
    ["2026-11-24", "UTC", ["2026-11-24T00:00:00.000Z", "2026-11-25T00:00:00.000Z"]],
    ["2026-11-24", "Europe/Berlin", ["2026-11-23T23:00:00.000Z", "2026-11-24T23:00:00.000Z"]],
    ["2026-03-29", "Europe/Berlin", ["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]],
    ["2026-10-25", "Europe/Berlin", ["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]],
    ["2026-11-24", "+05:30", ["2026-11-23T18:30:00.000Z", "2026-11-24T18:30:00.000Z"]],
    ["2024-02-29", "Asia/Tokyo", ["2024-02-28T15:00:00.000Z", "2024-02-29T15:00:00.000Z"]]
  ])("%s in %s", (day, zone, ends) => {
    assert.deepStrictEqual(iso(Result.getOrThrow(TimeRange.businessDay(day, zone))), ends)
    const first = Option.flatMap(DateTime.zoneFromString(zone), (zone) => TimeRange.startOfDay(day, zone))
    assert.deepStrictEqual(first, Option.some(Date.parse(ends[0] ?? "")))
  })

  it("is one of UTC where no zone is given", () => {
    assert.deepStrictEqual(TimeRange.businessDay("2026-11-24"), TimeRange.businessDay("2026-11-24", "UTC"))
  })

  it.each([
    ["2026-02-30", "UTC", "day \"2026-02-30\" is no day; wanted: YYYY-MM-DD"],
    ["24.11.2026", "UTC", "day \"24.11.2026\" is no day; wanted: YYYY-MM-DD"],
    [
      "2026-11-24",
      "Europe/Berlim",
      "zone \"Europe/Berlim\" is no time zone; wanted: Area/City such as Europe/Berlin, or UTC"
    ],
    ["2011-12-30", "Pacific/Apia", "day \"2011-12-30\" is no day in this zone: its clocks jumped over it"]
  ])("is not %s in %s", (day, zone, message) => {
    assert.strictEqual(failed(TimeRange.businessDay(day, zone)), message)
  })

  it.prop("begins where the day before it ends", [
    Schema.Int.check(Schema.isBetween({ minimum: 15_000, maximum: 30_000 })),
    Schema.Literals(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"])
  ], ([number, zone]) => {
    const day = (index: number) => new Date(index * 24 * HOUR).toISOString().slice(0, 10)
    const [one, next] = [TimeRange.businessDay(day(number), zone), TimeRange.businessDay(day(number + 1), zone)]
    assert.strictEqual(Result.getOrThrow(one).to, Result.getOrThrow(next).from)
  })
})
