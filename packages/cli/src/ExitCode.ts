/** How a process ends that is told to. A command that runs until then has done what it was asked for. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** As for Ctrl-C. */
const INTERRUPTED = 130

/** The exit code after SIGTERM. The entry reads it when everything has ended. */
export const ExitCode = Context.Reference<{ exitCode: number }>("@tallystick/cli/ExitCode", {
  defaultValue: () => ({ exitCode: INTERRUPTED })
})

/** Runs what only ends when it is told to: SIGTERM is then no failure. */
export const untilTold = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(ExitCode, (ending) =>
    Effect.suspend(() => {
      ending.exitCode = 0
      return effect
    }))
