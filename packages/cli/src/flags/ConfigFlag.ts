/** `--config FILE`. It is looked for before anything is parsed, because flags that are not given are asked for there. */
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Setting from "../config/Setting.ts"
import * as FileFlag from "./FileFlag.ts"

export const config = GlobalFlag.Setting("config")({
  flag: FileFlag.make("config").pipe(
    Flag.withDescription(`The configuration file; else the one of ${Setting.CONFIG}, else tallystick.json here`),
    Flag.optional
  )
})

/** The file that the arguments name, else the environment. */
export const named = (args: ReadonlyArray<string>): Effect.Effect<Option.Option<string>> => {
  const end = args.indexOf("--")
  const own = end < 0 ? args : args.slice(0, end)
  const at = own.findLastIndex((arg) => arg === "--config" || arg.startsWith("--config="))
  const value = own[at] === "--config" ? own[at + 1] : own[at]?.slice("--config=".length)
  return value === undefined || value === ""
    ? Effect.orElseSucceed(Config.option(Config.NonEmptyString(Setting.CONFIG)), Option.none)
    : Effect.succeedSome(value)
}
