/** A clock that stands still, on which nothing that waits ever goes on. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const clock = (now: number): Clock.Clock => ({
  currentTimeMillisUnsafe: () => now,
  currentTimeMillis: Effect.succeed(now),
  monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
  monotonicTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
  currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
  sleep: () => Effect.never
})

/** Runs at this time, Unix ms. */
export const at = (now: number) => Effect.provideService(Clock.Clock, clock(now))

/** The events of a stream that is run as a whole by `run`, which gives it what it needs. */
export const collected = <A, E, R, E2>(
  stream: Stream.Stream<A, E, R>,
  run: (effect: Effect.Effect<ReadonlyArray<A>, E, R>) => Effect.Effect<ReadonlyArray<A>, E2>
): Stream.Stream<A, E2> => Stream.fromIterableEffect(run(Stream.runCollect(stream)))
