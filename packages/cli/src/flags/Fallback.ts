/** The value of a flag that is not given; help names it behind the description. */
import type * as Flag from "effect/cli/Flag"
import * as Param from "effect/cli/Param"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Setting from "../config/Setting.ts"
import * as FileUse from "../files/FileUse.ts"

/** A description stands at the core of a flag, whatever was made of its value since. */
const descriptionOf = <A>(flag: Param.Param<Param.ParamKind, A>): string => {
  if (Param.isSingle(flag)) return Option.getOrElse(flag.description, () => "")
  return Predicate.hasProperty(flag, "param") && Param.isParam(flag.param) ? descriptionOf(flag.param) : ""
}

const told = <A>(flag: Flag.Flag<A>, note: string): Flag.Flag<A> =>
  Param.withDescription(flag, `${descriptionOf(flag)} (${note})`)

/** A value, which help names. The flag has its description already. */
export const value = <const B extends string | number>(value: B) => <A>(flag: Flag.Flag<A>): Flag.Flag<A | B> =>
  Param.withDefault(told(flag, `default: ${value}`), value)

/**
 * Falls back on the environment or the configuration file. A command that takes the value from elsewhere before it takes the usual one
 * says from where.
 */
export const setting =
  (setting: Setting.Setting, otherwise?: string) => (flag: Flag.Flag<string>): Flag.Flag<string> => {
    const { fallback, variable } = setting
    const sources = [variable, otherwise, fallback].filter((source) => source !== undefined)
    return told(flag, sources.map((source) => `else ${source}`).join(", ")).pipe(
      Param.withFallbackConfig(
        Config.NonEmptyString(variable).pipe(
          Config.mapEffect((value) =>
            Effect.as(Setting.namesFile(setting, value) ? FileUse.toReadBySetting(value, variable) : Effect.void, value)
          )
        )
      )
    )
  }
