/** The exit code of a process that is told to end. A command that runs until then has done its work. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The exit code of Ctrl-C. */
const INTERRUPTED = 130

/** The exit code after SIGTERM. The entry reads it when everything has ended. */
export const ExitCode = Context.Reference<{ exitCode: number }>("@tallystick/cli/ExitCode", {
  defaultValue: () => ({ exitCode: INTERRUPTED })
})

/** Runs an effect that never ends by itself: SIGTERM is then no failure. */
export const untilTold = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(ExitCode, (ending) =>
    Effect.suspend(() => {
      ending.exitCode = 0
      return effect
    }))
