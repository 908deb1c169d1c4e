/** Decides all entries at once, with one outcome for every one of them. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../../../Outcome.ts"
import type { Input } from "../../Question.ts"
import type { Steps } from "../../Steps.ts"
import { append } from "../ledger/Column.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import * as Driver from "./Driver.ts"
import * as Seen from "./Seen.ts"
import type * as Work from "./Work.ts"

interface Decided {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly seen: Seen.Seen
}

// Decides entries and coverage that `Admission` has checked.
export const match = function*(input: Input, work?: Work.Work): Steps<Decided> {
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
    seen: seen.seen({ repeated: driver.counts().repeated, unfollowed: driver.unfollowed() })
  }
}
