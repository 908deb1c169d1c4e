/** Writes moments as sheets have them: a date as a clock on the wall of a zone shows it, and beside it exact text. */
import * as DateTime from "effect/DateTime"
import * as Times from "../../text/Times.ts"
import type * as Cell from "./Cell.ts"
import type { Column } from "./Sheet.ts"

/** Returns the Unix ms of the moment at which a clock in UTC shows what one in the zone shows now. */
const localMs = (zone: DateTime.TimeZone | undefined) => (ms: number): number =>
  zone === undefined ? ms : ms + DateTime.zonedOffset(DateTime.setZone(DateTime.makeUnsafe(ms), zone))

/** Returns a column of dates, and one of exact text, under this title. */
export const columns = <Row>(
  zone: DateTime.TimeZone | undefined,
  at: (row: Row) => number | undefined,
  title = "Time"
): ReadonlyArray<Column & { readonly cell: (row: Row) => Cell.Value }> => {
  const times = Times.make(zone)
  const local = localMs(zone)
  const of = (row: Row, write: (ms: number) => Cell.Value): Cell.Value => {
    const ms = at(row)
    return ms === undefined ? undefined : write(ms)
  }
  return [
    { title: `${title} (${times.zone})`, kind: "date", width: 19, cell: (row) => of(row, local) },
    { title: `${title}, exact`, kind: "text", width: 31, cell: (row) => of(row, times.instant) }
  ]
}
