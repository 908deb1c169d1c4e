import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Runs at a time (Unix ms) that stands still, beside a database whose own waiting does not: for `it.live`. */
export const at = (now: number) =>
  Effect.updateService(Clock.Clock, (live): Clock.Clock => ({
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.succeed(now),
    monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    monotonicTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
    currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    currentTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
    sleep: (duration) => live.sleep(duration)
  }))
