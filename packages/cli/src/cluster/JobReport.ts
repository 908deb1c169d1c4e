/** The report of a job that is done is that of `tallystick reconcile --archive --book`: it is made of what the job recorded. */
import * as Books from "@tallystick/archive/Books"
import type * as Execution from "@tallystick/archive/Execution"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Runs from "@tallystick/archive/Runs"
import type * as Job from "@tallystick/cluster/Job"
import type * as Question from "@tallystick/cluster/Question"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Arr from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Stream from "effect/Stream"
import * as Booking from "../archive/Booking.ts"
import * as RunReport from "../archive/RunReport.ts"
import * as Failure from "../Failure.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"
import * as FullEntries from "./FullEntries.ts"

/** The order of the outcomes of a report: by time, those without one last. */
const inOrder = Order.combine(
  Order.mapInput(Order.Number, Outcome.earliest),
  Order.mapInput(Order.String, ({ id }: Outcome.Outcome) => id)
)

/**
 * Says which end of the ledger a run followed. A run that comes to the same as one before it is recorded once, as it was then; decisions that
 * it follows make it another one.
 */
const followed = (summary: Report.Summary, { body: { number, previous } }: Execution.Execution): Report.Summary => {
  const head = { number: number - 1, id: previous }
  return head.number === 0 ? summary : { ...summary, decisions: { applied: 0, faults: [], ...summary.decisions, head } }
}

/** Writes the report of a job that is done, and gives its summary. */
export const write = Effect.fnUntraced(function*(
  flags: RunReport.Flags,
  { execution: number, run: id }: Job.Job,
  { accounts, addresses, prices, range }: Question.Question,
  zone: DateTime.TimeZone | undefined
) {
  const runs = yield* Runs.Runs
  const recorded = id === undefined ? Option.none() : yield* runs.get(id)
  const execution = (yield* (yield* Books.Books).executions).find(({ body }) => body.number === number)
  if (Option.isNone(recorded) || execution === undefined) {
    return yield* Failure.unfinished(`run ${id} was recorded, and is there no more`)
  }
  const { run, summary } = recorded.value
  const { reported } = yield* OpenItems.OpenItems
  const outcomes = yield* FullEntries.make(Arr.sort(yield* Stream.runCollect(runs.outcomes(run)), inOrder), {
    policy: summary.policy,
    accounts,
    ...(addresses === undefined ? {} : { account: AddressBook.lookup(addresses) })
  })
  const report: Report.Report = {
    ...followed(summary, execution),
    books: yield* reported(execution),
    outcomes
  }
  const times = ZonedTimes.make(zone)
  const told = {
    accounts,
    range,
    times,
    zone,
    prices: prices === undefined ? undefined : new Map(Object.entries(prices.of)),
    currency: prices?.currency
  }
  const written = yield* RunReport.write(flags, { report, run, execution }, told)
  yield* Booking.tell(execution, written, times)
  return written
})
