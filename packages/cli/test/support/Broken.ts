/** Sources that break: after so many chunks, in each of the ways in which a source does not end by itself. */
import { assert } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"

export const ways = ["a failure", "a defect", "an interruption", "a reader that goes away"] as const
type Way = typeof ways[number]

/** Breaks a stream, or several that are read one after another. `error` is what it fails with where it fails. */
export type Break = <A, E, R>(stream: Stream.Stream<A, E, R>, error: E) => Stream.Stream<A, E, R>

const never: Break = (stream) => stream

/** Everything of a source that nothing breaks. */
export const whole = <A, E, R>(make: (breaks: Break) => Stream.Stream<A, E, R>) => Stream.runCollect(make(never))

/** What a source that breaks behind so many chunks gave before it did; it never seems to have ended. */
export const seen = Effect.fnUntraced(function*<A, E, R>(
  chunks: number,
  way: Way,
  make: (breaks: Break) => Stream.Stream<A, E, R>
) {
  const found: Array<A> = []
  const stalled = yield* Deferred.make<void>()
  const broken = <E>(error: E): Stream.Stream<never, E> => {
    if (way === "a failure") return Stream.fail(error)
    if (way === "a defect") return Stream.die(new Error("a defect of the source"))
    if (way === "an interruption") return Stream.fromEffect(Effect.interrupt)
    return Stream.fromEffectDrain(Effect.andThen(Deferred.succeed(stalled, undefined), Effect.never))
  }
  let left = chunks
  const breaks: Break = (stream, error) =>
    stream.pipe(
      Stream.chunks,
      Stream.takeWhile(() => left-- > 0),
      Stream.flattenArray,
      Stream.concat(Stream.suspend(() => left > 0 ? Stream.empty : broken(error)))
    )
  const fiber = yield* Effect.forkChild(
    Stream.runForEachArray(make(breaks), (some) => Effect.sync(() => void found.push(...some)))
  )
  if (way === "a reader that goes away") {
    yield* Deferred.await(stalled)
    yield* Fiber.interrupt(fiber)
  }
  assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)), `${way} behind ${chunks} chunks is taken for the end`)
  return found
})
