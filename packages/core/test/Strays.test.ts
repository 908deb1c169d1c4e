import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as PageLengths from "../src/internal/paging/PageLengths.ts"
import * as Reading from "../src/internal/paging/Reading.ts"
import * as Scan from "../src/internal/paging/Scan.ts"
import * as Strays from "../src/internal/paging/Strays.ts"

interface Row {
  readonly id: string
  readonly t: number
}

const reading = (...records: ReadonlyArray<Row>): Reading.Reading<Row> => ({
  records,
  bad: [],
  gap: undefined,
  at: { earliest: 0, latest: 0 },
  listing: { listed: records.length, pages: 1, length: records.length, within: 1 }
})

describe("records that came back for a time that is not theirs", () => {
  const make = () => Strays.make<Row>({ identity: ({ id }) => id, time: ({ t }) => t })
  const row = { id: "a", t: 50 }

  it("are delivered with the slice of their time, which has a gap then", () => {
    const strays = make()
    strays.show(100, 200, [row])
    const joined = strays.join({ from: 0, to: 100 }, reading())
    assert.deepStrictEqual(joined.records, [row])
    assert.strictEqual(joined.gap, Reading.SHOWN_ONCE)
  })

  it("change nothing where that slice shows them, or where they were asked for", () => {
    const strays = make()
    strays.show(100, 200, [row, { id: "b", t: 100 }, { id: "c", t: 200 }])
    const whole = reading(row)
    assert.strictEqual(strays.join({ from: 0, to: 100 }, whole), whole)
    const empty = reading()
    assert.strictEqual(strays.join({ from: 100, to: 201 }, empty), empty)
  })

  it("are told of once, and not of time that has gone out", () => {
    const strays = make()
    strays.show(200, 300, [row])
    const later = reading()
    assert.strictEqual(strays.join({ from: 100, to: 200 }, later), later)
    assert.strictEqual(strays.join({ from: 0, to: 100 }, later), later)
  })
})

describe("a scan of a service that filters by another time than its records show", () => {
  const MINUTE = 60_000
  const NOW = 1_699_999_980_000
  const from = NOW - 600 * MINUTE

  const scan = (rows: ReadonlyArray<Row & { readonly filtered: number }>) =>
    Scan.scan<Row>({
      source: {
        page: (start, end, { page = 1 }) =>
          Effect.succeed({
            page: {
              records: page > 1 ? [] : rows.filter(({ filtered }) => filtered >= start && filtered <= end),
              bad: []
            },
            at: { earliest: NOW, latest: NOW }
          }),
        time: ({ t }) => t,
        badTime: () => undefined,
        identity: ({ id }) => id,
        mark: ({ id }) => id,
        twins: "several",
        looksCut: () => false
      },
      lengths: PageLengths.make(),
      clock: { now: Effect.succeed({ earliest: NOW, latest: NOW }) },
      unasked: Effect.undefined,
      scope: { operation: "deposits" },
      from,
      to: NOW - 60 * MINUTE,
      sliceLength: 60 * MINUTE,
      joined: 0,
      settle: MINUTE,
      history: 1e12,
      concurrency: 1
    })

  it.effect("delivers a record that only the next slice showed, and names the gap", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 90 }, (_, index) => {
        const t = from + index * 6 * MINUTE + 60_000
        return { id: `r${index}`, t, filtered: t }
      })
      const border = from + 180 * MINUTE
      const strange = { id: "late", t: border - 10_000, filtered: border + 10_000 }
      const whole = yield* Stream.runCollect(scan(rows))
      assert.isTrue(whole.every(({ coverage }) => coverage.every(({ state }) => state === "complete")))
      const slices = yield* Stream.runCollect(scan([...rows, strange]))
      const owner = slices.find((slice) => slice.from <= strange.t && strange.t < slice.to)
      assert.isTrue(owner?.records.some(({ id }) => id === "late"))
      assert.deepStrictEqual(owner?.coverage.map(({ state }) => state), ["incomplete"])
    }))
})
