/** `--notify-url`, `--notify-command`: who is told of new items, and of an exchange that is not read as it should be. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"
import * as Setting from "../config/Setting.ts"
import * as Fallback from "./Fallback.ts"

export const flags = {
  notifyUrl: Flag.String("notify-url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription(
      "With --book or --watch: post a notice of each new item to this https address, and of an exchange that is not read in time"
    ),
    Fallback.setting(Setting.notices.url),
    Flag.optional
  ),
  notifyCommand: Flag.String("notify-command").pipe(
    Flag.withMetavar("COMMAND"),
    Flag.withDescription("The same to a command, which reads the notice from stdin; no shell is between"),
    Fallback.setting(Setting.notices.command),
    Flag.optional
  ),
  notifyDetails: Flag.Boolean("notify-details").pipe(
    Flag.withDescription("Name sub-accounts in notices"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
}

export interface Flags {
  readonly notifyUrl: Option.Option<string>
  readonly notifyCommand: Option.Option<string>
  readonly notifyDetails: boolean
}
