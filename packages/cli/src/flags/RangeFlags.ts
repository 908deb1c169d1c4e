/** Flags for the stretch of time that a command is about. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"
import * as Setting from "../config/Setting.ts"
import * as Fallback from "./Fallback.ts"

const zone = Flag.String("zone").pipe(Flag.withMetavar("AREA/CITY"))

/** `--zone` of a command about periods, which all have the days of one zone. */
export const zoneOfPeriods = (description: string) =>
  zone.pipe(
    Flag.withDescription(description),
    Fallback.setting(Setting.inputs.zone, "that of the last close"),
    Flag.optional
  )

export const flags = {
  day: Flag.String("day").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription(
      "A business day, in --zone: 2026-11-19, today, yesterday, -2 (two days before today); or several: 2026-11-16..2026-11-20"
    ),
    Flag.optional
  ),
  from: Flag.String("from").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription("First moment: 2026-11-19 (its midnight, in --zone) or 2026-11-19T08:30:00+01:00"),
    Flag.optional
  ),
  to: Flag.String("to").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription("End, not included"),
    Flag.optional
  ),
  since: Flag.String("since").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(
      "First moment as a time, or as a length of time before now (the service's now, where it is asked): 90m, 2h, 3d"
    ),
    Flag.optional
  ),
  zone: zone.pipe(
    Flag.withDescription("Zone of dates on the command line and of times in the report"),
    Fallback.setting(Setting.inputs.zone),
    Flag.optional
  )
}

export interface Flags {
  readonly day: Option.Option<string>
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
  readonly since: Option.Option<string>
  readonly zone: Option.Option<string>
}
