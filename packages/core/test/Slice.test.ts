import { assert, describe, it } from "@effect/vitest"
import * as Coverage from "@tallystick/core/Coverage"
import * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
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

/** Entries that each know how often their time was looked at. */
const counted = (count: number, timeOf: (index: number) => number) => {
  const looks = { count: 0 }
  const entries = Array.from({ length: count }, (_, index) => ({
    get at() {
      looks.count++
      return timeOf(index)
    }
  }))
  return { entries, looks }
}

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

  it.effect("begin with the first entry where that is older than what is vouched for", () =>
    Effect.gen(function*() {
      const found = yield* slices([[1], [2], [3]], [complete(10, 20)])
      assert.deepStrictEqual(found.map(({ from, to }) => [from, to]), [[1, 2], [2, 3], [3, 20]])
      assert.deepStrictEqual(found.flatMap(({ coverage }) => coverage), [{ ...complete(10, 20), readAt: 20 }])
    }))

  it.effect("reach no farther than the entries that came before the source broke", () =>
    Effect.gen(function*() {
      const breaks = [Stream.fail("gone"), Stream.die("gone"), Stream.fromEffect(Effect.interrupt)]
      for (const broken of breaks) {
        for (const count of [0, 1, 2, 3]) {
          const found: Array<Slice.Slice<unknown>> = []
          const entries = Stream.concat(Stream.rechunk(Stream.make({ at: 3 }, { at: 5 }, { at: 8 }), 1), broken)
          const source = Stream.concat(Stream.take(entries, count), broken)
          const exit = yield* Effect.exit(Stream.runForEach(
            Slice.fromEntries(source, [complete(0, 20)]),
            (slice) => Effect.sync(() => void found.push(slice))
          ))
          assert.isTrue(Exit.isFailure(exit))
          assert.deepStrictEqual(
            found.map(({ from, to }) => [from, to]),
            [[0, 5], [5, 8]].slice(0, Math.max(0, count - 1))
          )
        }
      }
    }))

  it.effect("look at each entry a few times, however many share a millisecond and come one by one", () =>
    Effect.gen(function*() {
      for (const timeOf of [() => 5, (index: number) => Math.floor(index / 2000), (index: number) => index]) {
        const { entries, looks } = counted(8000, timeOf)
        const read = Slice.fromEntries(Stream.rechunk(Stream.fromIterable(entries), 1), [complete(0, 20)])
        const found = yield* Stream.runFold(read, () => 0, (sum, { records }) => sum + records.length)
        assert.strictEqual(found, entries.length)
        assert.isBelow(looks.count, 10 * entries.length)
      }
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
      assert.deepStrictEqual(found.map(({ from, to }) => [from, to]), [[3, 9], [9, 10]])
      assert.deepStrictEqual(yield* slices([], []), [])
    }))

  it.effect("show coverage of no interval as it is, and vouch for nothing by it", () =>
    Effect.gen(function*() {
      for (const [from, to] of [[0, Infinity], [Number.NaN, 20], [20, 0], [0, 20.5]] as const) {
        const found = yield* slices([[3], [9]], [complete(from, to)])
        const [first, ...rest] = found
        assert.deepStrictEqual(first, { from, to, records: [], bad: [], coverage: [complete(from, to)] })
        assert.deepStrictEqual(rest.map(({ coverage, from, to }) => [from, to, coverage.length]), [[3, 9, 0], [
          9,
          10,
          0
        ]])
      }
    }))

  it.effect("hold an entry without a time as a bad record beside the others, wherever it comes", () =>
    Effect.gen(function*() {
      const cycle: { at: number; self?: unknown } = { at: Number.NaN }
      cycle.self = cycle
      const hostile: ReadonlyArray<unknown> = [
        ...[Number.NaN, Infinity, -Infinity, 1.5, "7", undefined, null, 7n, Symbol("s"), {}, [], 2 ** 53]
          .map((at, index) => ({ at, id: `x${index}`, side: "transfer" })),
        null,
        undefined,
        5,
        { id: Symbol("id"), at: "9" },
        cycle,
        new Proxy({}, { get: () => assert.fail("a trap") })
      ]
      for (const place of [0, 1, 2, 3]) {
        const good: ReadonlyArray<unknown> = [{ at: 3 }, { at: 5 }, { at: 9 }]
        const entries = [...good.slice(0, place), ...hostile, ...good.slice(place)]
        const found = yield* Stream.runCollect(
          // @ts-expect-error JavaScript keeps no type's promise
          Slice.fromEntries(Stream.rechunk(Stream.fromIterable(entries), 2), [complete(0, 20)])
        )
        assert.deepStrictEqual(found.flatMap(({ records }) => records), good)
        const bad = found.flatMap(({ bad }) => bad)
        assert.strictEqual(bad.length, hostile.length)
        assert.isTrue(bad.every(({ side }) => side === "deposit"))
        assert.deepInclude(bad[0], {
          source: "entry x0",
          path: "at",
          reason: "a time in whole Unix ms was wanted, NaN came"
        })
        assert.isTrue(found.every(Coverage.isInterval))
        assert.strictEqual(found.at(-1)?.to, 20)
      }
      const timeless = yield* slices([[Number.NaN]], [])
      assert.deepStrictEqual(timeless.map(({ bad, from, to }) => [from, to, bad.length]), [[0, 0, 1]])
    }))

  it.effect("are of the side that the entries name where nothing is vouched for", () =>
    Effect.gen(function*() {
      const found = yield* Stream.runCollect(
        Slice.fromEntries(Stream.make({ at: 1, side: "transfer" }, { at: Number.NaN, side: "transfer" }), [])
      )
      assert.deepStrictEqual(found.flatMap(({ bad }) => bad.map(({ side }) => side)), ["transfer"])
    }))

  it.effect("claim nothing where what is vouched for is not even an object", () =>
    Effect.gen(function*() {
      for (const one of [null, undefined, "everything", 5]) {
        for (const coverage of [[one], one]) {
          // @ts-expect-error JavaScript keeps no type's promise
          const found = yield* slices([[3, 5], [9]], coverage)
          assert.deepStrictEqual(found.flatMap(({ records }) => records.map(({ at }) => at)), [3, 5, 9])
          assert.isTrue(found.every(({ coverage }) => coverage.every(({ state }) => state === "incomplete")))
          assert.include(found[0]?.coverage[0]?.gap?.detail, "what was vouched for is malformed")
        }
      }
    }))
})
