/** Says of a day in one of three ways how the books stand, and in words why. */
import * as Timeline from "@tallystick/core/Timeline"
import * as Text from "../../text/Text.ts"
import type { Day, Item } from "./Facts.ts"

/**
 * A day agrees, has breaks that are open, or is not decided: something of it is pending, not decidable, not read, not judged, or to be
 * judged again.
 */
export type Standing = "agrees" | "breaks" | "undecided"

/** What stands beside the colour. */
export const signs: Readonly<Record<Standing, string>> = { agrees: "✓", breaks: "✗", undecided: "?" }

const inState = (items: ReadonlyArray<Item>, state: Item["state"]): number =>
  items.filter((item) => item.state === state).length

/** Returns the time of the day that no run of the books judged. */
export const unjudged = ({ from, judged, to }: Day) => Timeline.gaps(judged, { from, to })

/** Returns what keeps a day without breaks from agreeing, in words. */
const doubts = (day: Day): ReadonlyArray<string> => {
  const [undetermined, pending] = [inState(day.items, "undetermined"), inState(day.items, "pending")]
  return [
    ...(undetermined === 0 ? [] : [`${Text.counted(undetermined, "item")} not decidable`]),
    ...(pending === 0 ? [] : [`${Text.counted(pending, "item")} pending`]),
    ...(day.unreadable.length === 0
      ? []
      : [`${Text.counted(day.unreadable.length, "record")} near it that could not be read`]),
    ...(day.unread.length === 0 ? [] : ["time that was not read"]),
    ...(unjudged(day).length === 0 ? [] : ["time that no run judged"]),
    ...(day.unsettled.length === 0 ? [] : ["entries whose counterparts may lie in time that was not read"]),
    ...(day.due.length === 0 ? [] : ["time that must be reconciled again"])
  ]
}

export const of = (day: Day): Standing =>
  inState(day.items, "open") > 0 ? "breaks" : doubts(day).length > 0 ? "undecided" : "agrees"

/** Says it in a word or two, as a calendar has room for. */
export const short = (day: Day): string => {
  const breaks = inState(day.items, "open")
  return breaks > 0 ? Text.counted(breaks, "break") : doubts(day).length > 0 ? "undecided" : "agrees"
}

/** Says it in a sentence. */
export const sentence = (day: Day): string => {
  const breaks = inState(day.items, "open")
  const rest = doubts(day)
  if (breaks > 0) {
    return `${Text.counted(breaks, "break")} of this day ${breaks === 1 ? "is" : "are"} open${
      rest.length === 0 ? "" : `, and it has ${Text.listed(rest)}`
    }.`
  }
  return rest.length > 0
    ? `This day is not decided: it has ${Text.listed(rest)}.`
    : "This day agrees: all of it was read and judged, and nothing of it waits."
}
