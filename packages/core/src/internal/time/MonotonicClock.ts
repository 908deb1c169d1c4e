/** Reads a clock that nobody sets, for waiting and for measuring. It does not tell the time of day. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const toMillis = (nanos: bigint): number => Number(nanos / 1000n) / 1000

/** Milliseconds since some moment, with a fraction. */
export const millis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, toMillis)

/** Reads the clock outside of an effect. */
export const millisUnsafe = (clock: Clock.Clock): number => toMillis(clock.monotonicTimeNanosUnsafe())
