/** A report that meets a closed period says so where the period does not stand as it did. */
import * as Execution from "@tallystick/archive/Execution"
import * as Period from "@tallystick/archive/Period"
import * as Periods from "@tallystick/archive/Periods"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as PeriodText from "./PeriodText.ts"

/** Warns of the broken periods that ranges meet. Of a ledger that is damaged nothing is told, and that is said. */
export const warnings = (
  ranges: ReadonlyArray<Coverage.Interval>,
  times: ZonedTimes.ZonedTimes
): Effect.Effect<ReadonlyArray<string>, never, Periods.Periods> =>
  Effect.forEach(ranges, (range) => Periods.Periods.use(({ list }) => list(range))).pipe(
    Effect.map((periods) => {
      const broken = periods.flat().filter(Period.isBroken).map((period) => PeriodText.warning(period, times))
      return Array.from(new Set(broken))
    }),
    Effect.catchTag(
      "ArchiveError",
      ({ message }) => Effect.succeed([`Whether the periods stand that were closed cannot be told: ${message}.`])
    )
  )

/** Warns of those that an execution meets, which may have broken them after its report was written, or in earlier time. */
export const after = (
  execution: Execution.Execution,
  told: ReadonlyArray<string>,
  times: ZonedTimes.ZonedTimes
): Effect.Effect<ReadonlyArray<string>, never, Periods.Periods> =>
  Effect.map(
    warnings(Execution.judgings(execution.body).flatMap(({ range }) => range ?? []), times),
    (found) => found.filter((warning) => !told.includes(warning))
  )

/** Adds warnings to a report or its summary. */
export const warned = <Summary extends Report.Summary>(summary: Summary, warnings: ReadonlyArray<string>): Summary =>
  warnings.length === 0 ? summary : { ...summary, warnings: [...summary.warnings, ...warnings] }
