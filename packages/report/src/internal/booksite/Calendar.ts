/** The calendar: months, the last one first, whose days lead to their pages. */
import * as DateTime from "effect/DateTime"
import { months, weekdays } from "../content/CalendarNames.ts"
import type { Day } from "./Facts.ts"
import { html, type Markup } from "./Markup.ts"
import * as Standing from "./Standing.ts"

/** A week begins on Monday. */
const fromMonday = [...weekdays.slice(1), ...weekdays.slice(0, 1)]

const cell = (number: number, day: Day | undefined): Markup => {
  if (day === undefined) return html`<td><span class="number">${String(number)}</span></td>`
  const standing = Standing.of(day)
  return html`<td class="${standing}"><a href="days/${day.day}.html"><span class="number">${
    String(number)
  }</span> <span class="sign" aria-hidden="true">${Standing.signs[standing]}</span> <span class="words">${
    Standing.short(day)
  }</span></a></td>`
}

/** A date of the calendar, whatever the zone: only its weekday and the length of its month are asked for. */
const dateOf = (year: number, month: number, day: number): DateTime.Utc => DateTime.makeUnsafe({ year, month, day })

const month = (year: number, number: number, days: ReadonlyMap<string, Day>): Markup => {
  const first = dateOf(year, number, 1)
  const length = DateTime.toPartsUtc(DateTime.endOf(first, "month")).day
  // Sunday is day 0, and a week begins on Monday.
  const before = (DateTime.toPartsUtc(first).weekDay + 6) % 7
  const prefix = `${String(year).padStart(4, "0")}-${String(number).padStart(2, "0")}-`
  const weeks = Array.from(
    { length: Math.ceil((before + length) / 7) },
    (_, week) =>
      html`<tr>${
        fromMonday.map((_, column) => {
          const at = week * 7 + column - before + 1
          return at < 1 || at > length
            ? html`<td class="other"></td>`
            : cell(at, days.get(`${prefix}${String(at).padStart(2, "0")}`))
        })
      }</tr>
`
  )
  return html`<table class="calendar">
<caption>${months[number - 1] ?? ""} ${String(year)}</caption>
<thead><tr>${fromMonday.map((name) => html`<th scope="col" abbr="${name}">${name.slice(0, 2)}</th>`)}</tr></thead>
<tbody>
${weeks}</tbody>
</table>
`
}

/** Returns a table for each month that has one of the days. */
export const of = (days: ReadonlyArray<Day>): ReadonlyArray<Markup> => {
  const byDay = new Map(days.map((day) => [day.day, day]))
  const names = Array.from(new Set(days.map(({ day }) => day.slice(0, 7)))).toSorted().toReversed()
  return names.map((name) => month(Number(name.slice(0, 4)), Number(name.slice(5)), byDay))
}
