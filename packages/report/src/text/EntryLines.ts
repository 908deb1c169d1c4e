/** Writes the lines of one entry. A long id is shortened in the middle, as commands take it. */
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Report from "@tallystick/reconcile/Report"
import * as OtherDays from "./OtherDays.ts"
import * as Route from "./Route.ts"
import type { Lines, Sheet } from "./Sheet.ts"
import * as ShortId from "./ShortId.ts"
import * as Text from "./Text.ts"

/** Returns the lines of the entry; `bullet` stands in front of the first one. */
export const entryLines = (entry: Entry.Entry, bullet: string, { range, style, times, width }: Sheet): Lines => {
  const status = entry.status === "settled" ? "" : `, ${entry.status}`
  const day = Report.isInRange(range)(entry) ? "" : `, ${OtherDays.ONE}`
  const facts = `${bullet}${times.instant(entry.at)}  ${entry.side.padEnd(8)}  ${entry.amount} ${
    Text.plain(entry.asset)
  }  ${Text.plain(Route.of(entry))}${status}${day}`
  const id = ShortId.of(Text.plain(entry.id))
  return Text.width(facts) + 2 + Text.width(id) <= width
    ? [`${facts}  ${style.faint(id)}`]
    : [facts, " ".repeat(Math.max(0, Math.min(bullet.length, width - Text.width(id)))) + style.faint(id)]
}
