/** Tells how the books stand. */
import * as Books from "@tallystick/archive/Books"
import * as Execution from "@tallystick/archive/Execution"
import * as ItemPages from "@tallystick/archive/ItemPages"
import * as Runs from "@tallystick/archive/Runs"
import * as Timeline from "@tallystick/core/Timeline"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { ConsoleApi } from "../../ConsoleApi.ts"
import { Impossible } from "../../ConsoleError.ts"
import * as Failing from "./Failing.ts"

const USUAL = 30

/** A day of a zone, Unix ms. */
interface Day extends Timeline.Interval {
  readonly day: string
}

/** Gives so many days, the last one last; those that the clocks of the zone skipped are left out. */
const daysThrough = Effect.fnUntraced(function*(through: string, zone: string, count: number) {
  const last = TimeRange.businessDay(through, zone)
  if (Result.isFailure(last)) return yield* new Impossible({ message: last.failure.message })
  const utc = DateTime.makeUnsafe(`${through}T00:00:00Z`)
  return Array.from(
    { length: count },
    (_, place) => DateTime.formatIsoDateUtc(DateTime.subtract(utc, { days: count - 1 - place }))
  )
    .flatMap((day): ReadonlyArray<Day> =>
      Result.match(TimeRange.businessDay(day, zone), {
        onFailure: () => [],
        onSuccess: ({ from, to }) => [{ day, from, to }]
      })
    )
})

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "books",
  Effect.fnUntraced(function*(handlers) {
    const books = yield* Books.Books
    const items = yield* ItemPages.ItemPages
    const runs = yield* Runs.Runs
    const executions = Effect.mapError(books.recentExecutions, Failing.database)

    /** Counts the breaks of each day in one look at them: an age that reaches back to its beginning is that of its first moment. */
    const breaksOf = Effect.fnUntraced(function*(days: ReadonlyArray<Day>) {
      const [from, at] = [days[0]?.from ?? 0, days.at(-1)?.to ?? 0]
      const bounds = days.map(({ from }) => at - from + 1).toReversed()
      const { ages } = yield* Effect.mapError(
        items.summary({ states: ["open"], from, before: at }, { at, bounds }),
        Failing.archive
      )
      return ages.slice(0, days.length).map(({ items }) => items).toReversed()
    })

    return handlers.handleAll({
      lastExecution: Effect.fnUntraced(function*() {
        const last = (yield* executions).at(-1)
        if (last === undefined) return { execution: null }
        const { at, number, range, run } = last.body
        const found = yield* Effect.mapError(
          runs.get(run),
          (error) => error._tag === "Ambiguous" ? Failing.gone(`run ${run}`) : Failing.database(error)
        )
        if (Option.isNone(found)) return yield* Failing.gone(`run ${run}`)
        return { execution: { number, at, run, range, matchRate: found.value.summary.matchRate } }
      }),
      days: Effect.fnUntraced(function*({ query: { days: count = USUAL, through, zone = "UTC" } }) {
        const days = yield* daysThrough(through, zone, count)
        const bodies = (yield* executions).map(({ body }) => body)
        const judged = Timeline.union(Execution.judged(bodies))
        const unread = Execution.unread(bodies)
        const breaks = yield* breaksOf(days)
        return {
          days: days.map(({ day, from, to }, place) => {
            const of = { from, to }
            const isJudged = judged.some((one) => Timeline.overlaps(one, of))
            return {
              day,
              from,
              to,
              judged: !isJudged ? "nothing" as const : Timeline.covers(judged, of) ? "whole" as const : "part" as const,
              isRead: !unread.some((one) => Timeline.overlaps(one, of)),
              breaks: isJudged ? breaks[place] ?? 0 : null
            }
          })
        }
      })
    })
  })
)
