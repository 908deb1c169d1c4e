/** Flags of a command that reads the exchange into the archive: once, again and again, or on one of several runners. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"
import * as InputFlags from "./InputFlags.ts"
import * as MetricsFlag from "./MetricsFlag.ts"
import * as RangeFlags from "./RangeFlags.ts"
import * as WarnHoursFlag from "./WarnHoursFlag.ts"

/** What each of them says first: under which flag it counts, where it does not always. */
type Needed = "--sync" | undefined

const said = (needed: Needed, what: string): string =>
  needed === undefined ? what : `With ${needed}: ${what.slice(0, 1).toLowerCase()}${what.slice(1)}`

/** The flag that asks for more than one round. */
const again = (needed: Needed): string => needed ?? "--watch"

const of = (needed: Needed) => ({
  since: Flag.String("since").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(said(
      needed,
      "First moment to keep, as a time or as a length of time before the service's now: 96h (default: where the archive " +
        "begins; for a new one as far back as the service shows deposits)"
    )),
    Flag.optional
  ),
  every: Flag.String("every").pipe(
    Flag.withMetavar("LENGTH"),
    Flag.withDescription(`How long ${again(needed)} waits between two rounds: 90s, 10m, 1h (default: 10m)`),
    Flag.optional
  ),
  quietEvery: Flag.String("quiet-every").pipe(
    Flag.withMetavar("LENGTH"),
    Flag.withDescription(said(
      needed,
      "With more than 100 lists of transfers a round reads those in which something happened, and the quiet ones in turn: each " +
        "at least so often (default: 6h)"
    )),
    Flag.optional
  ),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription(
      said(needed, "Read the quiet lists too, every time: before a report of today, for instance")
    ),
    Flag.withDefault(false)
  ),
  budget: Flag.String("budget").pipe(
    Flag.withMetavar("PERCENT"),
    Flag.withDescription(said(
      needed,
      "Use so much of the configured rate and leave the rest to others, such as a sweeper with the same key: 50% (default: 100%)"
    )),
    Flag.optional
  ),
  accounts: InputFlags.accountsOrService,
  addresses: InputFlags.flags.addresses,
  policy: InputFlags.configured(
    "policy",
    said(needed, "Its flows say which transfers are asked for, its statuses which records are read again")
  ),
  zone: RangeFlags.flags.zone,
  metrics: MetricsFlag.of(again(needed))
})

/** Those of `sync`. */
export const ofSync = { ...of(undefined), warnHours: WarnHoursFlag.flag }

/** Those of `cluster runner`. */
export const ofRunner = { ...of("--sync"), warnHours: WarnHoursFlag.ofRunner }

export interface Flags extends MetricsFlag.Flags, WarnHoursFlag.Flags, Pick<RangeFlags.Flags, "since" | "zone"> {
  readonly every: Option.Option<string>
  readonly quietEvery: Option.Option<string>
  readonly all: boolean
  readonly budget: Option.Option<string>
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly policy: Option.Option<string>
}
