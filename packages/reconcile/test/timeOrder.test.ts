import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import * as TimeOrder from "../src/internal/TimeOrder.ts"

interface One {
  readonly at: number
  readonly name: string
}

const sorted = (times: ReadonlyArray<number>, limit: number, chunk: number) =>
  Stream.fromIterable(times.map((at, index): One => ({ at, name: `${at}.${index}` }))).pipe(
    Stream.rechunk(chunk),
    TimeOrder.sort({ limit, late: ({ at }, watermark) => `${at} came after ${watermark}` }),
    Stream.map(({ name }) => name),
    Stream.runCollect
  )

const names = (...list: ReadonlyArray<string>): ReadonlyArray<string> => list

describe("putting in order of time", () => {
  it.effect("puts in its place whatever is out of place by no more than the limit", () =>
    Effect.gen(function*() {
      for (const chunk of [1, 2, 3, 10]) {
        const found = yield* sorted([3, 4, 5, 1, 6, 7, 8, 9], 3, chunk)
        assert.deepStrictEqual(Array.from(found), names("1.3", "3.0", "4.1", "5.2", "6.4", "7.5", "8.6", "9.7"))
      }
    }))

  it.effect("leaves what comes at the same time in the order in which it came, however late", () =>
    Effect.gen(function*() {
      const found = yield* sorted([5, 5, 5, 5, 5, 5], 1, 1)
      assert.deepStrictEqual(Array.from(found), names("5.0", "5.1", "5.2", "5.3", "5.4", "5.5"))
    }))

  it.effect("fails where something comes after its place has gone by", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(sorted([5, 6, 7, 8, 9, 1], 1, 1))
      assert.strictEqual(error, "1 came after 8")
    }))

  it.effect("puts in order within the limit, wherever the chunks end", () =>
    Effect.gen(function*() {
      const limit = 4
      const times = Array.from({ length: 60 }, (_, index) => index - (index % 7 === 0 ? limit : 0))
      const wanted = times.map((at, index) => ({ at, index })).toSorted((a, b) => a.at - b.at)
        .map(({ at, index }) => `${at}.${index}`)
      for (const chunk of [1, 2, 5, 9, 60]) {
        assert.deepStrictEqual(Array.from(yield* sorted(times, limit, chunk)), wanted)
      }
    }))

  it.effect("looks at each a few times, however many come at the same time and one by one", () =>
    Effect.gen(function*() {
      let looks = 0
      const many = Array.from({ length: 8000 }, () => ({
        get at() {
          looks++
          return 5
        }
      }))
      const found = yield* Stream.rechunk(Stream.fromIterable(many), 1).pipe(
        TimeOrder.sort({ limit: 100, late: () => "late" }),
        Stream.runCount
      )
      assert.strictEqual(found, many.length)
      assert.isBelow(looks, 10 * many.length)
    }))

  it.effect("gives nothing of what it holds as the last when its source breaks", () =>
    Effect.gen(function*() {
      const breaks = [Stream.fail("gone"), Stream.die("gone"), Stream.fromEffect(Effect.interrupt)]
      for (const broken of breaks) {
        const found: Array<number> = []
        const exit = yield* Stream.make({ at: 3 }, { at: 1 }, { at: 4 }, { at: 9 }).pipe(
          Stream.rechunk(1),
          Stream.concat(broken),
          TimeOrder.sort({ limit: 1, late: () => "late" }),
          Stream.runForEach(({ at }) => Effect.sync(() => void found.push(at))),
          Effect.exit
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(found, [1, 3])
      }
    }))
})
