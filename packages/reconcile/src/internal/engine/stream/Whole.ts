/** Decides all entries at once, with one outcome for every one of them. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../../../Outcome.ts"
import type { Input } from "../../Question.ts"
import type * as SeenForm from "../../report/SeenForm.ts"
import type { Steps } from "../../Steps.ts"
import { append } from "../ledger/Column.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import type * as Unusable from "../outcomes/Unusable.ts"
import * as Driver from "./Driver.ts"
import * as Seen from "./Seen.ts"
import type * as Work from "./Work.ts"

interface Decided {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly seen: SeenForm.Seen
  /** Warnings about links that could not be followed: there are none where `Matching.check` found nothing. */
  readonly warnings: ReadonlyArray<string>
}

/** Everything that is decided at once, without the records that could not be used. */
interface Whole extends Omit<Input, "bad"> {
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
  const seen = Seen.make(input)
  seen.add("deposit", input.deposits)
  seen.add("transfer", input.transfers)
  return {
    outcomes: Outcomes.inOrder(outcomes),
    seen: seen.seen(driver.repeated()),
    warnings: driver.warnings()
  }
}
