/** The report of a run of the archive is written with the run's identity, and with warnings of closed periods that do not stand as they did. */
import type * as Execution from "@tallystick/archive/Execution"
import type * as Run from "@tallystick/archive/Run"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type { Event } from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import type * as Prices from "@tallystick/report/Prices"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Only from "../flags/Only.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as BrokenPeriods from "./BrokenPeriods.ts"
import * as RunIdentity from "./RunIdentity.ts"

type IdentityFlags = Parameters<typeof RunIdentity.identifying>[0]

export interface Flags
  extends
    Pick<IdentityFlags, keyof IdentityFlags>,
    Pick<ReportFlags.Flags, "format" | "maskAccounts" | "only" | "prices" | "pricesIn" | "title" | "withoutMatches">
{
  readonly out: Option.Option<string>
}

/** What was made. Nothing was recorded without a run, and the books stay as they are without an execution. */
interface Made {
  readonly report: Report.Report
  readonly run?: Pick<Run.Run, "id" | "recordedAt"> | undefined
  readonly execution?: Execution.Execution | undefined
}

/** What the run was told. */
interface Told {
  readonly accounts: Accounts.Accounts
  readonly prices: Prices.Prices | undefined
  readonly currency: string | undefined
  readonly range: Coverage.Interval
  readonly times: ZonedTimes.ZonedTimes
  readonly zone: DateTime.TimeZone | undefined
}

/** The outcomes of a report in its order, a line each, and at last its summary. */
const eventsOf = ({ outcomes, ...summary }: Report.Report): Stream.Stream<Event> =>
  Stream.concat(
    Stream.map(Stream.fromIterable(outcomes), (outcome): Event => ({ _tag: "Outcome", outcome })),
    Stream.make<[Event]>({ _tag: "Summary", summary })
  )

/** Writes the report as the flags ask for it, and gives its summary as it was written. */
export const write = Effect.fnUntraced(function*(flags: Flags, { execution, report, run }: Made, told: Told) {
  const format = yield* ReportFlags.formatOf(flags)
  const only = yield* Only.parse(flags)
  const { accounts, currency, prices, range, times, zone } = told
  const maskedBy = ReportFlags.maskedBy(flags, accounts)
  const warnings = yield* BrokenPeriods.warnings([range], times)
  const identified = (yield* RunIdentity.identifying(flags, report.range))(report, run, execution)
  const warned = BrokenPeriods.warned(identified, warnings)
  const how = { out: flags.out, only, maskedBy }
  const summary: Report.Summary = format === "ndjson"
    ? yield* ReportOutput.writeEvents(eventsOf(warned), { ...how, range })
    : yield* ReportOutput.write(warned, { ...how, format, zone, prices, currency })
  return summary
})
