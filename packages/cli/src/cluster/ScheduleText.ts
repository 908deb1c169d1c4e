/** Schedules in words. */
import type * as DaySchedule from "@tallystick/cluster/DaySchedule"
import * as Text from "@tallystick/report/text/Text"

const states: Readonly<Record<DaySchedule.DayState, string>> = {
  unread: "was left out, because nothing of it was read",
  waiting: "waits for a runner",
  running: "is under way",
  done: "is done",
  failed: "failed",
  cancelled: "was cancelled",
  unknown: "is in a state that only a later version of tallystick knows"
}

/** Says where a schedule stands. */
export const line = ({ last, name, next, zone }: DaySchedule.Standing): string =>
  `schedule ${Text.plain(name)}: ${last === undefined ? "" : `${last.day} ${states[last.state]}, and `}${next} ` +
  `(${Text.plain(zone)}) comes next`

/** Says what keeps a schedule from going on, and what it left open, a line for each day. */
export const open = ({ isUnderstood, name, open, zone }: DaySchedule.Standing): ReadonlyArray<string> => [
  ...(isUnderstood
    ? []
    : [`schedule ${Text.plain(name)} was set by another version, and this one does not understand it: set it again`]),
  ...open.map(({ day, failure, state, tries }) =>
    `schedule ${Text.plain(name)}: ${day} ${states[state]}${
      failure === undefined ? "" : ` (${Text.counted(tries, "time")}): ${Text.plain(failure)}`
    }; tallystick cluster reconcile --day ${day} --zone ${Text.plain(zone)} does it`
  )
]
