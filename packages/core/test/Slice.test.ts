import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const complete = (from: number, to: number): Coverage.Coverage => ({
  operation: "deposits",
  from,
  to,
  readAt: to,
  state: "complete"
})

const slices = (times: ReadonlyArray<ReadonlyArray<number>>, coverage: ReadonlyArray<Coverage.Coverage>) =>
  Stream.fromIterable(times).pipe(
    Stream.flatMap((chunk) => Stream.fromIterable(chunk.map((at) => ({ at })))),
    (entries) => Slice.fromEntries(entries, coverage),
    Stream.runCollect
  )

describe("slices of one's own entries", () => {
  it.effect("tile what is vouched for and hold every entry once", () =>
    Effect.gen(function*() {
      const chunks = [[3, 5, 5], [5, 8], [8, 9]]
      const found = yield* slices(chunks, [complete(0, 20)])
      assert.deepStrictEqual(found.flatMap(({ records }) => records.map(({ at }) => at)), chunks.flat())
      let at = 0
      for (const slice of found) {
        assert.strictEqual(slice.from, at)
        assert.deepStrictEqual(slice.coverage, [{ ...complete(slice.from, slice.to), readAt: 20 }])
        assert.isTrue(slice.records.every((record) => record.at >= slice.from && record.at < slice.to))
        at = slice.to
      }
      assert.strictEqual(at, 20)
    }))

  it.effect("say what is vouched for even when there is no entry", () =>
    Effect.gen(function*() {
      const found = yield* slices([], [complete(0, 20)])
      assert.deepStrictEqual(found, [{ from: 0, to: 20, records: [], bad: [], coverage: [complete(0, 20)] }])
    }))

  it.effect("reach to the last entry where nothing is vouched for", () =>
    Effect.gen(function*() {
      const found = yield* slices([[3], [9]], [])
      assert.deepStrictEqual(found.flatMap(({ records }) => records.map(({ at }) => at)), [3, 9])
      assert.isTrue(found.every(({ coverage }) => coverage.length === 0))
    }))
})
