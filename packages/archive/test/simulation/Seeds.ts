/**
 * TALLYSTICK_SEEDS: how many lives a kind of simulation has, times 25 (default 100). One that fails names its seed, and is
 * repeated with TALLYSTICK_SEED=<seed>.
 */
import * as Effect from "effect/Effect"

const only = process.env["TALLYSTICK_SEED"] ?? ""
const SEEDS = Math.ceil(Number(process.env["TALLYSTICK_SEEDS"] ?? 100) / 25)

const seeds = only === "" ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(only)]

/** Enough lives to expect of what may happen that it did. */
export const isAll = only === "" && SEEDS >= 20

/** Plays a life after the other. */
export const each = <E, R>(life: (seed: number) => Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  Effect.forEach(
    seeds,
    (seed) =>
      life(seed).pipe(
        Effect.catchDefect((defect) => Effect.die(new Error(`TALLYSTICK_SEED=${seed}`, { cause: defect })))
      ),
    { discard: true }
  )
