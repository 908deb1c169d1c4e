/** `--strict`: files that others than their owner may open are refused, of which a command otherwise warns. */
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Failure from "../Failure.ts"
import * as Configured from "./Configured.ts"
import * as Setting from "./Setting.ts"

export const strict = GlobalFlag.Setting("strict")({
  flag: Flag.Boolean("strict").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Refuse key files that others may read, and a configuration file that others may write"),
    Flag.withDefault(false)
  )
})

/** Whether the flag was given. */
export const isGiven: Effect.Effect<boolean> = Effect.map(Effect.serviceOption(strict), Option.getOrElse(() => false))

/** Whether the command that runs was told to be strict, by the flag or by the setting. */
export const isStrict: Effect.Effect<boolean, Failure.Failure> = Effect.gen(function*() {
  if (yield* isGiven) return true
  const { allowed, fallback, variable } = Setting.strict
  const said = (yield* Configured.value(variable))?.value ?? fallback
  return Setting.truth(said) ??
    (yield* Failure.usage(`${yield* Configured.nameOf(variable)} is not valid; allowed: ${allowed}`))
})
