/** The breaks that wait, by the day of their earliest entry. A day that nobody judged is no day without breaks, and is drawn otherwise. */
import * as Text from "@tallystick/report/text/Text"
import { Figure } from "../../../../report/page/src/charts/Figure.tsx"
import type * as BooksApi from "../../../src/internal/api/BooksApi.ts"
import { useAsked } from "../asking/useAsked.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { useNow } from "./useNow.ts"

type Day = typeof BooksApi.Day.Type

const DAYS = 30

/** What is known of a day. */
type Known = "all" | "part" | "nothing"

const knownOf = ({ isRead, judged }: Day): Known =>
  judged === "nothing" ? "nothing" : judged === "whole" && isRead ? "all" : "part"

const keys: Readonly<Record<Known, { readonly color: string; readonly label: string }>> = {
  all: { color: "var(--open)", label: "breaks that wait" },
  part: { color: "var(--pending)", label: "breaks of a day that was judged or read in part" },
  nothing: { color: "var(--unjudged)", label: "a day that nobody judged" }
}

const judgedText = ({ isRead, judged }: Day): string => {
  if (judged === "nothing") return "nothing"
  const of = judged === "whole" ? "all of it" : "a part"
  return isRead ? of : `${of}, but not everything was read`
}

const title = ({ breaks, day }: Day): string =>
  `${day}: ${breaks === null ? "nobody judged it" : Text.counted(breaks, "break")}`

const Bars = ({ days }: { readonly days: ReadonlyArray<Day> }) => {
  const most = Math.max(1, ...days.map(({ breaks }) => breaks ?? 0))
  const all = days.reduce((sum, { breaks }) => sum + (breaks ?? 0), 0)
  const unjudged = days.filter(({ breaks }) => breaks === null).length
  const label = `${Text.counted(all, "break")} in ${Text.counted(days.length, "day")}, ${
    Text.count(unjudged)
  } of them judged by nobody. The numbers follow as a table.`
  return (
    <div role="img" aria-label={label}>
      <p class="most">{Text.count(most)}</p>
      <div class="bars">
        {days.map((day) => (
          <span key={day.day} class={`day-bar ${knownOf(day)}`} title={title(day)}>
            <span style={{ height: `${100 * (day.breaks ?? 0) / most}%` }} />
          </span>
        ))}
      </div>
      <p class="ends">
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </p>
    </div>
  )
}

interface Props {
  /** By so much the console's clock is ahead of this machine's, ms. */
  readonly ahead: number
}

export const BreaksByDay = ({ ahead }: Props) => {
  const { marks, times } = useDesk()
  const through = times.instant(useNow() + ahead).slice(0, 10)
  const asked = useAsked(
    `days ${through} ${times.zone}`,
    `${marks?.ledger} ${marks?.rebuilt}`,
    (client) => client.books.days({ query: { through, zone: times.zone, days: DAYS } })
  )
  return (
    <Shown asked={asked} what="The breaks of each day">
      {({ days }) => {
        const known = new Set(days.map(knownOf))
        return (
          <Figure
            title={`Breaks that wait, by day (${times.zone})`}
            keys={(["all", "part", "nothing"] as const).filter((one) => known.has(one)).map((one) => keys[one])}
            note="A break stands on the day of its earliest entry."
            columns={["Day", "Breaks that wait", "Judged"]}
            rows={days.map((day) => [
              day.day,
              day.breaks === null ? "–" : Text.count(day.breaks),
              judgedText(day)
            ])}
          >
            <Bars days={days} />
          </Figure>
        )
      }}
    </Shown>
  )
}
