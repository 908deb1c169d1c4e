/**
 * Finds deposits of which only parts were moved, and transfers of which only parts came. At least two smaller entries are
 * alone with it in the window, and their sum falls short. A lone pair that differs is an amount mismatch, or is not judged at
 * all.
 */
import type * as Entry from "../../../Entry.ts"
import * as Shortfall from "../../kernel/sums/Shortfall.ts"
import type * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as Connected from "../candidates/Connected.ts"
import * as GroupSums from "../groups/GroupSums.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { item } from "../ledger/Column.ts"
import { opposite } from "../ledger/Side.ts"
import type { Workbench } from "../Workbench.ts"

const settleStar = (
  { finality, ledger, settle }: Workbench,
  side: Entry.Side,
  part: CandidateGraph.Component
): void => {
  const { deposits, transfers } = part
  const otherSide = opposite[side]
  const target = item(part[`${side}s`], 0)
  const parts = Int32Array.from(part[`${otherSide}s`])
  const amounts = Amounts.make(ledger, deposits, transfers)
  const sums = GroupSums.make(ledger, amounts)
  const accepted = sums.accepted(side, target, parts)
  const whole = amounts[side](target)
  const found = Shortfall.find({
    amounts: Array.from(parts, amounts[otherSide]),
    shared: new Uint8Array(parts.length),
    least: (count) => accepted(count)[0]?.low ?? whole
  })
  if (found === undefined || found.members.length < parts.length) return
  if (!finality.isRead({ deposits, transfers })) return
  const rest = amounts.format(whole - found.sum)
  settle({
    code: "split-incomplete",
    deposits,
    transfers,
    finality: "horizon",
    openCount: 1,
    openSum: rest,
    because: { code: "sum-falls-short", sum: amounts.format(found.sum) }
  })
}

export const splitIncomplete = (bench: Workbench): void => {
  const { ledger } = bench
  const { grouping } = ledger.policy
  if (!grouping.manyToOne && !grouping.oneToMany) return
  for (const part of Connected.stars(ledger)) {
    const { deposits, transfers } = part
    if (grouping.oneToMany && deposits.length === 1 && transfers.length > 1) settleStar(bench, "deposit", part)
    if (grouping.manyToOne && transfers.length === 1 && deposits.length > 1) settleStar(bench, "transfer", part)
  }
}
