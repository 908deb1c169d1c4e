/** Decides all entries at once, with one outcome for every one of them. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import * as Words from "../../explain/Words.ts"
import type { Input, Output } from "../../Question.ts"
import * as Decision from "../Decision.ts"
import * as FarCounterpart from "../evidence/FarCounterpart.ts"
import * as Asides from "../outcomes/Asides.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import * as LonePairs from "./LonePairs.ts"

/** Decides entries and coverage that `Admission` has checked. */
export const match = (input: Input): Output => {
  const { bad, policy, range } = input
  const coverage = Coverage.merge(input.coverage)
  const { deposits, pairs, transfers } = LonePairs.isPossible(input.deposits, input.transfers)
    ? LonePairs.make(policy).sieve({ ...input, coverage, watermark: Number.POSITIVE_INFINITY, ended: true })
    : { ...input, pairs: [] }
  const { conflicts, drafts, repeated, bench, warnings } = Decision.decide({ ...input, deposits, transfers, coverage })
  const count = (side: Entry.Side): number => bad.filter((record) => record.side === side).length
  const counts = { deposit: count("deposit"), transfer: count("transfer") }
  const named = FarCounterpart.named(bench.ledger, drafts)
  const found = [
    ...pairs,
    ...named.filter(Outcomes.isDrafted(bench, range)).map((draft) => Outcomes.finish(bench, draft, counts)),
    ...conflicts.deposit.map((versions) => Asides.conflict("deposit", versions)),
    ...conflicts.transfer.map((versions) => Asides.conflict("transfer", versions)),
    ...bad.map(Asides.numbering())
  ]
  return {
    outcomes: Outcomes.inOrder(found.filter(Outcomes.isReported(range))),
    warnings: [...warnings, ...Words.warnings(repeated, bad.length)]
  }
}
