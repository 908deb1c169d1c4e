/** The zone in which periods are told: the one that is asked for, else that of the last close that stands. */
import * as Periods from "@tallystick/archive/Periods"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as RangeFlags from "../flags/RangeFlags.ts"

export const of = ({ zone }: Pick<RangeFlags.Flags, "zone">) =>
  Option.isSome(zone) ? Effect.succeed(zone) : Effect.map(
    Periods.Periods.use(({ closes }) => closes),
    (closes) =>
      Option.fromUndefinedOr(closes.findLast(({ reopened }) => reopened === undefined)?.close.zone).pipe(
        // Times in UTC are written without an offset, as where no zone is asked for.
        Option.filter((name) => name !== "UTC")
      )
  )
