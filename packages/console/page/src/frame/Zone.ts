/** The zone in which times are told: each person chooses one, and the browser keeps it. */
import * as Times from "@tallystick/report/text/Times"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { useMemo, useState } from "preact/hooks"

const KEY = "tallystick.zone"

/** The browser's own zone, and UTC. */
export const OFFERED: ReadonlyArray<string> = [
  ...new Set(["UTC", new Intl.DateTimeFormat().resolvedOptions().timeZone])
]

const kept = (): string => {
  const zone = localStorage.getItem(KEY)
  return zone === null || Option.isNone(DateTime.zoneFromString(zone)) ? "UTC" : zone
}

export const useZone = () => {
  const [zone, set] = useState(kept)
  const times = useMemo(
    () => Times.make(zone === "UTC" ? undefined : Option.getOrUndefined(DateTime.zoneFromString(zone))),
    [zone]
  )
  const choose = (zone: string) => {
    localStorage.setItem(KEY, zone)
    set(zone)
  }
  return { zone, times, choose }
}
