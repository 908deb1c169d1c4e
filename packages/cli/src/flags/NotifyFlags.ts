/** `--notify-url`, `--notify-command`: who is told of new items, and of an exchange that is not read as it should be. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"
import * as Setting from "../config/Setting.ts"
import * as Fallback from "./Fallback.ts"

/** A description names the flag that is needed, where there is one. */
const said = (needed: string | undefined, what: string): string =>
  needed === undefined ? `${what.slice(0, 1).toUpperCase()}${what.slice(1)}` : `With ${needed}: ${what}`

/** The flags of a command that makes notices with another flag of it, and what those are about. */
const of = (needed: "--book" | "--watch" | undefined, news: string) => ({
  notifyUrl: Flag.String("notify-url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription(said(needed, `post a notice of ${news} to this https address`)),
    Fallback.setting(Setting.notices.url),
    Flag.optional
  ),
  notifyCommand: Flag.String("notify-command").pipe(
    Flag.withMetavar("COMMAND"),
    Flag.withDescription(
      said(needed, "give the notice to a command, which reads it from stdin; no shell is between")
    ),
    Fallback.setting(Setting.notices.command),
    Flag.optional
  ),
  notifyDetails: Flag.Boolean("notify-details").pipe(
    Flag.withDescription(said(needed, "name sub-accounts in notices")),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})

/** Those of `reconcile`. */
export const ofBooks = of("--book", "each item that opens or is settled, and of each close that breaks,")

/** Those of `cluster runner`. */
export const ofRunner = of(
  undefined,
  "each item that opens or is settled, each close that breaks and, with --sync, an exchange that is not read in time"
)

/** Those of `sync`. */
export const ofWatch = of("--watch", "an exchange that is not read in time, or that refuses the key,")

export interface Flags {
  readonly notifyUrl: Option.Option<string>
  readonly notifyCommand: Option.Option<string>
  readonly notifyDetails: boolean
}
