/** `--book`: a run brings the books forward, together with runs over earlier time in which something changed. */
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Books from "@tallystick/archive/Books"
import type * as Execution from "@tallystick/archive/Execution"
import type * as Notices from "@tallystick/archive/Notices"
import * as OpenItems from "@tallystick/archive/OpenItems"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Report from "@tallystick/reconcile/Report"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import type * as BookFlags from "../flags/BookFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as BrokenPeriods from "./BrokenPeriods.ts"

/** So many stretches are named; of more, the number is told. */
const MOST = 3

const named = (ranges: ReadonlyArray<Coverage.Interval>, { stretch }: ZonedTimes.ZonedTimes): string => {
  const some = ranges.slice(0, MOST).map(stretch)
  return Text.listed(ranges.length > MOST ? [...some, `${ranges.length - MOST} more stretches`] : some)
}

/** Takes down how the archive stands before a run reads it; nothing where the run is none of the books. */
export const standing = ({ book }: BookFlags.Flags) =>
  book ? Books.Books.use(({ standing }) => standing) : Effect.succeed(undefined)

/** Brings the books forward, and gives what a report says of them. `over` gives the inputs of a run over an earlier range. */
export const execute = Effect.fnUntraced(function*<E, R>(
  flags: BookFlags.Flags,
  { run, summary }: Books.Ran,
  { notify, over, priceList, standing, times }: {
    readonly notify: Notices.Audience
    readonly priceList: Books.PriceList | undefined
    readonly standing: Books.Standing | undefined
    readonly over: (range: Coverage.Interval) => Effect.Effect<ArchiveReconciliation.Options, E, R>
    readonly times: ZonedTimes.ZonedTimes
  }
) {
  const { execute } = yield* Books.Books
  const how = { author: yield* AuthorFlags.author(flags), declare: flags.declare, notify }
  // Without its runs, what is due stays due.
  const carried = standing === undefined || flags.noCarry
    ? undefined
    : yield* ArchiveReconciliation.carry(standing, summary, over)
  const ranges = carried?.flatMap(({ summary: { range } }) => range === null ? [] : [range]) ?? []
  if (ranges.length > 0) yield* Stderr.say(`judged again, because something changed there: ${named(ranges, times)}`)
  const cut = carried?.flatMap(({ summary: { mayChange, range } }) =>
    mayChange === true && range !== null ? [range] : []
  )
  if (cut !== undefined && cut.length > 0) {
    yield* Stderr.complain(
      `not judged to the end ${
        named(cut, times)
      }: what is not final there may come out otherwise where more of the archive is read`
    )
  }
  const execution = yield* execute(run, summary, {
    ...how,
    ...(standing === undefined ? {} : { standing }),
    ...(carried === undefined ? {} : { carried }),
    ...(priceList === undefined ? {} : { prices: priceList })
  })
  return { execution, books: yield* OpenItems.OpenItems.use(({ reported }) => reported(execution)) }
})

/** Says by which execution the books were brought forward, and which closed periods do not stand as they did. */
export const tell = Effect.fnUntraced(function*(
  execution: Execution.Execution,
  summary: Report.Summary,
  times: ZonedTimes.ZonedTimes
) {
  const { body: { number }, id } = execution
  yield* Stderr.say(
    `the books were brought forward by execution ${number}; the ledger ends at ${number}@${id}; tallystick open lists what waits`
  )
  const broken = yield* BrokenPeriods.after(execution, summary.warnings, times)
  yield* Effect.forEach(broken, (warning) => Stderr.complain(warning), { discard: true })
})
