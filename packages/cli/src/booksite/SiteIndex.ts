/** Makes the facts of the index and of the days of what the books say. */
import * as Execution from "@tallystick/archive/Execution"
import type * as ItemSummary from "@tallystick/archive/ItemSummary"
import * as Period from "@tallystick/archive/Period"
import * as Periods from "@tallystick/archive/Periods"
import * as Timeline from "@tallystick/core/Timeline"
import type * as BookSite from "@tallystick/report/BookSite"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as PeriodText from "../archive/PeriodText.ts"
import * as RunIdentity from "../archive/RunIdentity.ts"
import * as WithoutEntriesText from "../archive/WithoutEntriesText.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"
import type * as SiteBooks from "./SiteBooks.ts"
import * as SiteDays from "./SiteDays.ts"

type Books = SiteBooks.SiteBooks

/** So many items are on the index. */
const MOST = 25

const judgedOf = ({ by: { at, by, number }, from, judging: { run }, to }: Execution.Judged): BookSite.Judged => ({
  from,
  to,
  execution: number,
  madeAt: at,
  by,
  run
})

const unknownOf =
  (times: ZonedTimes.ZonedTimes) => (item: Books["withoutEntries"][number]): BookSite.WithoutEntries => ({
    id: item.id,
    kind: item._tag === "BadRecord" ? "record" : "time",
    text: WithoutEntriesText.named(item, times)
  })

/** Gives what was judged; of runs over everything the time of what waits, up to the last execution. */
const judgedIn = ({ executions, waiting }: Books): ReadonlyArray<Execution.Judged> => {
  const bodies = executions.map(({ body }) => body)
  const known = bodies.flatMap((body) => Execution.judgings(body).flatMap(({ range }) => range ?? []))
  const times = [...waiting.map(({ item }) => item.at), ...known.flatMap(({ from, to }) => [from, to])]
  const ends = [...known.map(({ to }) => to), ...bodies.map(({ asOf }) => asOf)]
  const all = {
    from: times.reduce((first, at) => Math.min(first, at), bodies.at(-1)?.asOf ?? 0),
    to: ends.reduce((last, at) => Math.max(last, at), 0)
  }
  return Timeline.clip(Execution.judged(bodies), all).toSorted((a, b) => a.from - b.from)
}

/** Gives the parts by the days that they have any time in common with. */
const byDay = <Part extends Timeline.Interval>(
  parts: ReadonlyArray<Part>,
  within: ReturnType<typeof SiteDays.make>["within"]
): Map<string, Array<Part>> => {
  const found = new Map<string, Array<Part>>()
  for (const part of parts) {
    for (const { day, from, to } of within(part)) {
      const own = found.get(day) ?? []
      own.push({ ...part, from: Math.max(part.from, from), to: Math.min(part.to, to) })
      found.set(day, own)
    }
  }
  return found
}

/** Gives the days that a run of the books judged, or of which something waits, the first one first. */
const daysOf = Effect.fnUntraced(function*(books: Books, { zone }: BookSite.Look) {
  const { waiting } = books
  const { of, within } = SiteDays.make(zone)
  const judged = byDay(judgedIn(books), within)
  const items = new Map<string, Array<BookSite.Item>>()
  for (const { item, listed } of waiting) {
    for (const day of new Set(item.entries.map(({ at }) => of(at).day))) {
      const own = items.get(day)
      if (own === undefined) items.set(day, [listed])
      else own.push(listed)
    }
  }
  const starts = [
    ...Array.from(judged.values(), ([first]) => first?.from ?? 0),
    ...waiting.flatMap(({ item }) => item.entries.map(({ at }) => at))
  ]
  const days = Array.from(new Map(starts.map(of).map((day) => [day.day, day])).values())
    .toSorted((a, b) => a.from - b.from)
  const named = unknownOf(ZonedTimes.make(zone))
  const lacking = yield* Periods.Periods.use((periods) => periods.lacking(days))
  return Arr.zipWith(days, lacking, ({ day, from, to }, { badRecords, lacks }): BookSite.Day => ({
    day,
    from,
    to,
    judged: (judged.get(day) ?? []).map(judgedOf),
    unread: lacks.filter((lack) => lack._tag === "Unread"),
    unsettled: lacks.filter((lack) => lack._tag === "Unsettled"),
    due: lacks.filter((lack) => lack._tag === "Due"),
    unreadable: badRecords.map(named),
    items: items.get(day) ?? []
  }))
})

const ageingOf = ({ ages, at, ...total }: ItemSummary.ItemSummary): BookSite.Ageing => ({ at, ages, total })

const periodOf = (period: Period.Period): BookSite.Period => {
  const { by, carried, from, number, to, at } = period.close
  return {
    number,
    from,
    to,
    closedAt: at,
    by,
    carried: carried.count,
    standing: PeriodText.standing(period),
    isBroken: Period.isBroken(period)
  }
}

/** Gives the assets of open items of which the books have no price. */
const withoutPrice = ({ executions, open, prices }: Books): ReadonlyArray<string> => {
  const list = executions.find(({ body }) => body.number === prices?.execution)?.body.prices?.list ?? []
  const priced = new Set(list.map(({ asset }) => asset))
  return Array.from(
    new Set(open.differences.filter(({ asset, size }) => size !== "0" && !priced.has(asset)).map(({ asset }) => asset))
  ).toSorted()
}

const lastOf = ({ executions }: Books): BookSite.Judged | undefined => {
  const body = executions.at(-1)?.body
  if (body === undefined) return undefined
  const { at, by, number, range, run } = body
  return { from: range?.from ?? 0, to: range?.to ?? at, execution: number, madeAt: at, by, run }
}

/** Gives the facts of the index, and in it those of the days. */
export const of = Effect.fnUntraced(function*(books: Books, look: BookSite.Look) {
  const { lastReading, ledger, open, periods, place, prices, reported, undetermined, waiting, withoutEntries } = books
  const breaks = waiting.map(({ listed }) => listed).filter(({ state }) => state === "open")
  const index: BookSite.Index = {
    archive: RunIdentity.nameOf(place),
    ledger: { number: ledger.number, id: ledger.id },
    readAt: lastReading ?? undefined,
    last: lastOf(books),
    days: yield* daysOf(books, look),
    open: ageingOf(open),
    undetermined: ageingOf(undetermined),
    pending: waiting.filter(({ listed }) => listed.state === "pending").length,
    pricedAt: prices?.at,
    withoutPrice: withoutPrice(books),
    most: breaks.slice(0, MOST),
    withoutEntries: withoutEntries.map(unknownOf(ZonedTimes.make(look.zone))),
    books: reported,
    periods: periods.map(periodOf)
  }
  return index
})
