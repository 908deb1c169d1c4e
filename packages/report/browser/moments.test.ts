/** Where the lines of an axis of time stand, without a browser. */
import { assert, describe, it } from "@effect/vitest"
import * as Times from "@tallystick/report/text/Times"
import * as DateTime from "effect/DateTime"
import * as Moments from "../page/src/charts/Moments.ts"

const HOUR = 3600

const labelsOf = (zone: string, from: string, hours: number, most: number): ReadonlyArray<string> => {
  const times = Times.make(DateTime.zoneMakeNamedUnsafe(zone))
  const start = DateTime.toEpochMillis(DateTime.makeUnsafe(from)) / 1000
  const end = start + hours * HOUR
  const found = Moments.moments(times, start, end, most)
  assert.isTrue(found.every((at, index) => at >= start && at <= end && (index === 0 || at > (found[index - 1] ?? at))))
  return Moments.labels(times, found, start, end)
}

describe("an axis of time", () => {
  it("has a line where each day begins, also behind a change of clocks", () => {
    assert.deepStrictEqual(labelsOf("Europe/Berlin", "2026-03-27T23:00:00Z", 71, 8), [
      "03-28",
      "12:00",
      "03-29",
      "12:00",
      "03-30",
      "12:00",
      "03-31"
    ])
    assert.deepStrictEqual(labelsOf("Europe/Berlin", "2026-10-23T22:00:00Z", 73, 8), [
      "10-24",
      "12:00",
      "10-25",
      "12:00",
      "10-26",
      "12:00",
      "10-27"
    ])
    assert.deepStrictEqual(labelsOf("America/New_York", "2026-10-24T04:00:00Z", 24 * 21 + 1, 4), [
      "2026-10-29",
      "2026-11-05",
      "2026-11-12"
    ])
    assert.deepStrictEqual(labelsOf("Europe/Berlin", "2026-03-20T23:00:00Z", 24 * 21, 4), [
      "2026-03-26",
      "2026-04-02",
      "2026-04-09"
    ])
  })

  it("stands at every hour that there is on the day of a change, and at none that clocks skip", () => {
    assert.deepStrictEqual(labelsOf("Europe/Berlin", "2026-03-29T00:00:00Z", 3, 4), [
      "03-29 01:00",
      "03:00",
      "04:00",
      "05:00"
    ])
    assert.deepStrictEqual(labelsOf("Europe/Berlin", "2026-10-24T23:00:00Z", 3, 4), [
      "10-25 01:00",
      "02:00",
      "02:00",
      "03:00"
    ])
    assert.deepStrictEqual(labelsOf("Europe/Berlin", "2026-03-28T23:00:00Z", 9, 6), [
      "03-29",
      "04:00",
      "06:00",
      "08:00",
      "10:00"
    ])
  })

  it("says of which day it is where no day begins in it", () => {
    assert.deepStrictEqual(labelsOf("UTC", "2026-11-19T08:10:00Z", 1, 4), ["11-19 08:15", "08:30", "08:45", "09:00"])
    assert.deepStrictEqual(labelsOf("UTC", "2026-11-19T23:00:00Z", 2, 4), ["23:00", "23:30", "11-20", "00:30", "01:00"])
  })
})
