/** Moments of the report in its zone. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { createContext } from "preact"
import * as Times from "../../src/text/Times.ts"

/** The zone of that name; undefined is UTC. */
export const zoneOf = (zone: string | null): DateTime.TimeZone | undefined =>
  zone === null ? undefined : Option.getOrUndefined(DateTime.zoneFromString(zone))

export const make = (zone: string | null): Times.Times => Times.make(zoneOf(zone))

export const Clock = createContext<Times.Times>(Times.make())

/** A moment to the second, without its offset: for rows, of which each opens to the whole of it. */
export const brief = (times: Times.Times, ms: number): string => times.instant(ms).slice(0, 19)
