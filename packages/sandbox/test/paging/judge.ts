/** Whether a scan kept its word. */
import { assert } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"

const counted = <Record>(records: Iterable<Record>, identity: (record: Record) => string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const record of records) counts.set(identity(record), (counts.get(identity(record)) ?? 0) + 1)
  return counts
}

export interface Judged {
  /** Settled milliseconds that were proven complete, and all of them. */
  readonly proven: number
  readonly settled: number
}

/**
 * What was delivered, against what exists: no hole in the coverage, nothing outside its slice, nothing invented, and where
 * coverage is complete every record as often as it exists.
 */
export const judge = <Record>(
  slices: ReadonlyArray<Slice.Slice<Record>>,
  truth: ReadonlyArray<Record>,
  range: Coverage.Interval,
  time: (record: Record) => number,
  identity: (record: Record) => string
): Judged => {
  const coverage = slices.flatMap((slice) => slice.coverage)
  let at = range.from
  for (const part of coverage) {
    assert.strictEqual(part.from, at, "coverage leaves a hole")
    at = part.to
  }
  assert.strictEqual(at, range.to, "coverage ends early")

  const delivered = slices.flatMap((slice) => {
    for (const record of slice.records) {
      assert.isTrue(time(record) >= slice.from && time(record) < slice.to, "a record lies outside its slice")
    }
    return slice.records
  })
  assert.deepStrictEqual(delivered.map(time), delivered.map(time).toSorted((a, b) => a - b), "not in time order")
  const exists = counted(truth, identity)
  for (const [id, count] of counted(delivered, identity)) {
    assert.isAtMost(count, exists.get(id) ?? 0, `invented: ${id}`)
  }
  let proven = 0
  let settled = 0
  for (const { from, state, to } of coverage) {
    if (state === "open") continue
    settled += to - from
    if (state === "incomplete") continue
    proven += to - from
    const within = (record: Record) => time(record) >= from && time(record) < to
    assert.deepStrictEqual(
      counted(delivered.filter(within), identity),
      counted(truth.filter(within), identity),
      `quietly lost in [${from}, ${to})`
    )
  }
  return { proven, settled }
}
