/** A clock that begins at the same moment in every run: of which day the entries of a sandbox are depends on no hour then. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const BEGINNING = Date.UTC(2026, 10, 24, 14, 23)

/** It goes on as fast as this machine's clock does. */
export const layer = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (real): Clock.Clock => {
    const ahead = BEGINNING - real.currentTimeMillisUnsafe()
    const nanosAhead = BigInt(ahead) * 1_000_000n
    return {
      currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + ahead,
      currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + ahead),
      currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe() + nanosAhead,
      currentTimeNanos: Effect.map(real.currentTimeNanos, (now) => now + nanosAhead),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }
  })
)
