/** `--quiet`: nothing is said but errors. */
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as References from "effect/References"

export const quiet = GlobalFlag.Setting("quiet")({
  flag: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withoutNegation,
    Flag.withDescription("Say nothing but errors: no progress, no notes, and no line when all is well"),
    Flag.withDefault(false)
  )
})

/** Whether the command that runs was told to be quiet. */
export const isQuiet: Effect.Effect<boolean> = Effect.map(Effect.serviceOption(quiet), Option.getOrElse(() => false))

/** The least that is logged: without `--log-level` a quiet command warns of nothing. */
export const logLevel: Effect.Effect<LogLevel.LogLevel> = Effect.gen(function*() {
  const asked = Option.flatten(yield* Effect.serviceOption(GlobalFlag.LogLevel))
  return Option.isNone(asked) && (yield* isQuiet) ? "Error" : yield* References.MinimumLogLevel
})
