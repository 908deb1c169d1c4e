/** Decides all entries at once, with one outcome for every one of them. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import type { Input } from "../../Question.ts"
import type { Steps } from "../../Steps.ts"
import { append } from "../ledger/Column.ts"
import type * as Terms from "../ledger/Terms.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import type * as Unusable from "../outcomes/Unusable.ts"
import * as Driver from "./Driver.ts"
import type * as Work from "./Work.ts"

interface Decided {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  /** The number of entries of each side that came again with the same content. */
  readonly repeated: Readonly<Record<Entry.Side, number>>
  /** Warnings about links that could not be followed: there are none where `Matching.check` found nothing. */
  readonly warnings: ReadonlyArray<string>
}

/** Everything that is decided at once, without the records that could not be used. */
interface Whole extends Terms.About, Pick<Input, "deposits" | "transfers" | "coverage"> {
  readonly range?: Coverage.Interval | undefined
  readonly unusable: Unusable.Unusable
}

// Decides entries and coverage that `Admission` has checked.
export const match = function*(input: Whole, work?: Work.Work): Steps<Decided> {
  const driver = Driver.make({ ...input, work })
  const outcomes: Array<Outcome.Outcome> = []
  const step = {
    ...input,
    coverage: Coverage.merge(input.coverage),
    watermark: Number.POSITIVE_INFINITY,
    ended: true
  }
  for (const given of driver.advance(step)) {
    append(outcomes, given)
    yield
  }
  return {
    outcomes: Outcomes.inOrder(outcomes),
    repeated: driver.repeated(),
    warnings: driver.warnings()
  }
}
