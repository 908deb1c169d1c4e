/** Decides all entries at once, with one outcome for every one of them. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Words from "../../explain/Words.ts"
import type { Input, Output } from "../../Question.ts"
import * as Driver from "./Driver.ts"
import * as Seen from "./Seen.ts"

/** Decides entries and coverage that `Admission` has checked. */
export const match = (input: Input): Output => {
  const driver = Driver.make(input)
  const outcomes = driver.advance({
    ...input,
    coverage: Coverage.merge(input.coverage),
    watermark: Number.POSITIVE_INFINITY,
    ended: true
  })
  const { bad, repeated } = driver.counts()
  const seen = Seen.make(input)
  seen.add("deposit", input.deposits)
  seen.add("transfer", input.transfers)
  return { outcomes, warnings: [...driver.warnings(), ...seen.notExcluded(), ...Words.warnings(repeated, bad)] }
}
