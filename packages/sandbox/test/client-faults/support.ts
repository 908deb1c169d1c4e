/** Virtual time that passes as fast as it can, and runs that can be repeated. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"

/** The local time at which every simulation begins, Unix ms. */
export const NOW = 1_700_000_000_000

/** The seeds of this run: `TALLYSTICK_SEED` alone, or `TALLYSTICK_SEEDS` of them. */
export const seeds = (usual: number): ReadonlyArray<number> => {
  const only = process.env["TALLYSTICK_SEED"]
  return only === undefined
    ? Array.from({ length: Number(process.env["TALLYSTICK_SEEDS"] ?? usual) }, (_, index) => index)
    : [Number(only)]
}

/**
 * Lets virtual time pass until the effect ends; a day is enough for everything here. In small steps: whoever still has
 * something to do when a step is over does it at its end, and time would then go back for those who wake in the next.
 */
export const passing = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  for (let seconds = 0; fiber.pollUnsafe() === undefined; seconds++) {
    if (seconds > 86_400) return yield* Effect.die(new Error("still running after a day"))
    yield* TestClock.adjust("1 second")
  }
  return yield* Fiber.join(fiber)
})

/** Runs one seed, chance within the client included; a defect names the command that repeats it. */
export const reproducible = (test: string, seed: number) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(
    Random.withSeed(effect, seed),
    (defect) => Effect.die(new Error(`TALLYSTICK_SEED=${seed} npx --yes pnpm@12 test -t "${test}"`, { cause: defect }))
  )
