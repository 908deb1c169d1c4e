/** Tier `reference`: equal references have the first say, inside window and tolerance like any other pair. */
import * as AmountAssignment from "../AmountAssignment.ts"
import * as AmountRule from "../AmountRule.ts"
import * as Amounts from "../Amounts.ts"
import * as CandidateGraph from "../CandidateGraph.ts"
import * as CandidateIndex from "../CandidateIndex.ts"
import { at, item } from "../Column.ts"
import type { Draft } from "../Drafts.ts"
import { exhausted } from "../Exhausted.ts"
import * as FitIndex from "../FitIndex.ts"
import * as Ledger from "../Ledger.ts"
import { asCandidates } from "../Members.ts"
import * as Mismatch from "../Mismatch.ts"
import * as Pair from "../Pair.ts"
import type { Run } from "../Run.ts"
import * as Words from "../Words.ts"

/** Open entries of one asset that carry one reference, on both sides. */
export interface Bearers {
  readonly deposits: Array<number>
  readonly transfers: Array<number>
}

/** Lists the open bearers of every reference that stands on both sides. */
export const bearers = ({ deposits, groups, transfers }: Ledger.Ledger): ReadonlyArray<Bearers> => {
  const found = new Map<number, Bearers>()
  for (let index = 0; index < deposits.entries.length; index++) {
    if (at(deposits.reference, index) < 0 || !Ledger.isFree(deposits, index)) continue
    const key = at(deposits.reference, index) * groups + at(deposits.group, index)
    const known = found.get(key)
    if (known === undefined) found.set(key, { deposits: [index], transfers: [] })
    else known.deposits.push(index)
  }
  for (let index = 0; index < transfers.entries.length; index++) {
    if (at(transfers.reference, index) < 0 || !Ledger.isFree(transfers, index)) continue
    found.get(at(transfers.reference, index) * groups + at(transfers.group, index))?.transfers.push(index)
  }
  return Array.from(found.values()).filter((known) => known.transfers.length > 0)
}

/** Takes an outcome that references alone are the reason of. */
const settleHeld = ({ closure, settle }: Run, draft: Draft): void => {
  closure.hold(draft.deposits, draft.transfers)
  settle(draft)
}

const suspect = (run: Run, part: CandidateGraph.Component): void =>
  settleHeld(run, {
    code: "duplicate-suspect",
    deposits: part.deposits,
    transfers: part.transfers,
    finality: "horizon",
    candidates: asCandidates(run.ledger, part, "carries the same reference as the others"),
    explanation:
      `${Words.count(part.deposits.length, "deposit")} and ${Words.count(part.transfers.length, "transfer")} ` +
      "carry one and the same reference and cannot be told apart, so none of them was matched."
  })

const sameReference = "both carry the same reference"

const statePair = (
  run: Run,
  amounts: Amounts.Amounts,
  { deposit, fit, rival, transfer }: AmountAssignment.Stated
): void => {
  const residual = amounts.format(fit.residual)
  const rule = fit.fee === undefined ? "equal references" : `equal references, ${AmountRule.feeText(fit.fee)}`
  const amountText = fit.fee === undefined
    ? `that is ${Pair.difference(residual)}`
    : `after a ${AmountRule.feeText(fit.fee)} that is ${Pair.difference(residual)}`
  settleHeld(
    run,
    Pair.make(run.ledger, deposit, transfer, {
      code: "reference",
      residual,
      decidedBy: "reference",
      rule,
      because: `${amountText}, and ${sameReference}`,
      ...(rival === undefined ? {} : { candidates: [rival] })
    })
  )
}

const settleBearers = (run: Run, { deposits, transfers }: Bearers): void => {
  const { ledger } = run
  const accept = ledger.filtered ? ledger.compatible : undefined
  const amounts = Amounts.make(ledger, deposits, transfers)
  const fitting = FitIndex.make(ledger, amounts, Int32Array.from(transfers))
  for (const component of CandidateGraph.components(ledger, deposits, fitting, accept)) {
    if (component.edges === undefined) {
      exhausted(run, component, "one reference")
      continue
    }
    const solution = AmountAssignment.solve(run, amounts, { ...component, edges: component.edges }, "amounts")
    for (const stated of solution.stated) statePair(run, amounts, stated)
    for (const { part } of solution.undecided) suspect(run, part)
  }

  // What is left carries the same reference inside the window, but no amount that fits.
  const rest = transfers.filter((transfer) => Ledger.isFree(ledger.transfers, transfer))
  const inWindow = CandidateIndex.byTime(ledger, Int32Array.from(rest), (deposit) => ledger.rule(deposit).window)
  const left = deposits.filter((deposit) => Ledger.isFree(ledger.deposits, deposit))
  for (const component of CandidateGraph.components(ledger, left, inWindow, accept)) {
    const [deposit, transfer] = [item(component.deposits, 0), item(component.transfers, 0)]
    for (const other of component.deposits) run.closure.join(other, transfer)
    for (const other of component.transfers) run.closure.join(deposit, other)
    if (component.deposits.length > 1 || component.transfers.length > 1) {
      suspect(run, component)
      continue
    }
    const { residual } = AmountRule.nearest(amounts.expected(deposit), amounts.transfer(transfer))
    settleHeld(run, Mismatch.amount(ledger, deposit, transfer, amounts.format(residual), sameReference))
  }
}

export const reference = (run: Run): void => {
  if (run.ledger.policy.reference === "ignore") return
  for (const found of bearers(run.ledger)) settleBearers(run, found)
}
