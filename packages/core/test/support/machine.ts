/**
 * A machine that is suspended and whose clock is set, and the true time beside it. Its timers, and the clock that nobody
 * sets, are the test clock: they stand still while it is suspended.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface Machine {
  /** As a program on the machine sees time. */
  readonly clock: Clock.Clock
  /** The true time, as a service has it. */
  readonly truth: Clock.Clock
  /** Somebody sets the machine's clock, by so much, ms. */
  readonly set: (by: number) => void
  /** How far the machine's clock is ahead of the true time, ms. */
  readonly ahead: () => number
  /** So much time passes, ms, and nothing runs on the machine. */
  readonly suspend: (ms: number) => void
}

const NANOS = 1_000_000n

const later = (clock: Clock.Clock, by: () => number): Clock.Clock => {
  const millis = () => clock.currentTimeMillisUnsafe() + by()
  const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(by()) * NANOS
  return Object.assign({}, clock, {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos)
  })
}

export const make: Effect.Effect<Machine> = Effect.map(Clock.Clock, (steady) => {
  let suspended = 0
  let ahead = 0
  return {
    clock: later(steady, () => suspended + ahead),
    truth: later(steady, () => suspended),
    set: (by) => {
      ahead += by
    },
    ahead: () => ahead,
    suspend: (ms) => {
      suspended += ms
    }
  }
})
