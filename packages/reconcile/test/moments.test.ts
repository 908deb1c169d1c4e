import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Moments from "../src/internal/explain/Moments.ts"

const utc = (text: string): number => DateTime.makeUnsafe(text).epochMilliseconds
const zone = Option.getOrThrow(DateTime.zoneFromString("Europe/Berlin"))

describe("moments in sentences", () => {
  const noon = utc("2026-11-22T07:47:31Z")

  it("have year and zone where the sentence stands alone", () => {
    assert.strictEqual(Moments.make().at(noon), "22 Nov 2026 07:47 UTC")
    assert.strictEqual(Moments.make({ zone }).at(noon), "22 Nov 2026 08:47 +01:00")
  })

  it("have the year only where it is another than the report's, which names the zone", () => {
    const { at } = Moments.make({ year: 2026, zone })
    assert.strictEqual(at(noon), "22 Nov 08:47")
    assert.strictEqual(at(utc("2026-12-31T22:59:59Z")), "31 Dec 23:59")
    assert.strictEqual(at(utc("2026-12-31T23:00:00Z")), "1 Jan 2027 00:00")
  })

  it("are the time of day alone after another one of the same day, and differ from it", () => {
    const { next } = Moments.make({ year: 2026 })
    assert.strictEqual(next(noon + 3_600_000, noon), "08:47")
    assert.strictEqual(next(noon + 86_400_000, noon), "23 Nov 07:47")
    assert.strictEqual(next(noon + 2000, noon), "07:47:33")
    assert.strictEqual(next(noon + 2, noon), "07:47:31.002")
    assert.strictEqual(Moments.make().next(noon + 3_600_000, noon), "08:47")
  })

  it("have their offset where the clocks change, because an hour comes twice", () => {
    const { at, next } = Moments.make({ year: 2026, zone })
    const [summer, winter] = [utc("2026-10-25T00:30:00Z"), utc("2026-10-25T01:30:00Z")]
    assert.deepStrictEqual([at(summer), at(winter)], ["25 Oct 02:30 +02:00", "25 Oct 02:30 +01:00"])
    assert.strictEqual(next(winter, summer), "25 Oct 02:30 +01:00")
  })

  it("begin no earlier than an interval that is told whole, and lie within it", () => {
    const { within } = Moments.make({ year: 2026 })
    assert.strictEqual(within(noon, utc("2026-11-22T08:47:31Z")), "between 22 Nov 07:48 and 08:47")
    assert.strictEqual(within(noon, utc("2026-11-22T07:48:10Z")), "between 22 Nov 07:47:31 and 07:48:10")
    assert.strictEqual(within(noon + 1, noon + 2500), "between 22 Nov 07:47:32 and 07:47:33")
    assert.strictEqual(within(noon + 1, noon + 20), "between 22 Nov 07:47:31.001 and 07:47:31.020")
  })

  it("are both ends of an interval, of which one may be the end of all time", () => {
    const { between } = Moments.make({ year: 2026 })
    assert.strictEqual(between(noon, noon + 3_600_000), "between 22 Nov 07:47 and 08:47")
    assert.strictEqual(between(noon, noon + 3_600_000, noon), "between 07:47 and 08:47")
    assert.strictEqual(between(noon, noon + 1000), "between 22 Nov 07:47:31 and 07:47:32")
    assert.strictEqual(between(0, noon), "before 22 Nov 07:47")
    assert.strictEqual(between(noon, Number.MAX_SAFE_INTEGER), "from 22 Nov 07:47 on")
    assert.strictEqual(between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), "of all time")
  })
})
