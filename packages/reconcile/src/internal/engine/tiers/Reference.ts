/**
 * Tier `reference`: settles entries with equal references before amounts are compared. Inside window and tolerance they match
 * like any other pair. Of the rest, two that are alone with each other in the horizon are a mismatch, late or early.
 */
import * as AmountAssignment from "../candidates/AmountAssignment.ts"
import * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as CandidateIndex from "../candidates/CandidateIndex.ts"
import { exhausted } from "../candidates/Exhausted.ts"
import * as FitIndex from "../candidates/FitIndex.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { at, item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import * as LateSettlement from "../outcomes/LateSettlement.ts"
import * as Mismatch from "../outcomes/Mismatch.ts"
import * as Pair from "../outcomes/Pair.ts"
import type { Workbench } from "../Workbench.ts"

/** Open entries of one asset and one reference, on both sides. */
interface Bearers {
  readonly deposits: Array<number>
  readonly transfers: Array<number>
}

/** Lists the open bearers of every reference that both sides carry. */
const bearers = ({ deposits, groups, transfers }: Ledger.Ledger): ReadonlyArray<Bearers> => {
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

/** Settles a draft that references alone are the reason for. */
const settleHeld = ({ finality, settle }: Workbench, draft: Draft): void => {
  finality.hold(draft)
  settle(draft)
}

const suspect = (bench: Workbench, part: CandidateGraph.Component): void =>
  settleHeld(bench, {
    code: "duplicate-suspect",
    deposits: part.deposits,
    transfers: part.transfers,
    finality: "horizon",
    because: { code: "shared-reference" }
  })

const statePair = (
  bench: Workbench,
  amounts: Amounts.Amounts,
  { deposit, fit, rival, transfer }: AmountAssignment.Stated
): void => {
  settleHeld(
    bench,
    Pair.make(bench.ledger, deposit, transfer, {
      code: "reference",
      residual: amounts.format(fit.residual),
      decidedBy: "reference",
      because: { code: "same-reference", ...AmountRule.factOf(fit.fee) },
      ...(rival === undefined ? {} : { candidates: [rival] })
    })
  )
}

/** Splits bearers into components within each other's horizon. */
const inHorizon = (
  ledger: Ledger.Ledger,
  { deposits, transfers }: Bearers
): ReadonlyArray<CandidateGraph.Component> => {
  const index = CandidateIndex.byTime(ledger, Int32Array.from(transfers), (deposit) => Window.horizon(ledger, deposit))
  return CandidateGraph.components(ledger, deposits, index)
}

/**
 * Settles the remaining bearers in each other's horizon, none of which fits another. Amounts and times do not tell several
 * apart: an entry in the window is no better than a late one of equal amount.
 */
const settleUnfit = (bench: Workbench, part: CandidateGraph.Component): void => {
  const { finality, ledger } = bench
  const { deposits, transfers } = part
  finality.lookAmong(part)
  const { count, missing } = finality.unread(part)
  if (count > 0) {
    settleHeld(bench, {
      code: missing === undefined ? "in-flight" : "coverage-gap",
      deposits,
      transfers,
      finality: "never",
      ...(missing === undefined ? {} : { missing }),
      because: { code: "reference-does-not-fit" }
    })
    return
  }
  if (deposits.length > 1 || transfers.length > 1) {
    suspect(bench, part)
    return
  }
  const [deposit, transfer] = [item(deposits, 0), item(transfers, 0)]
  const amounts = Amounts.make(ledger, deposits, transfers)
  const { fee, residual } = AmountRule.nearest(amounts.expected(deposit), amounts.transfer(transfer))
  const because = { code: "same-reference", ...AmountRule.factOf(fee) } as const
  const written = amounts.format(residual)
  const cameAtSettlement = LateSettlement.isInWindow(ledger, deposit, transfer)
  if (cameAtSettlement && residual === 0n) {
    settleHeld(bench, LateSettlement.pair(ledger, deposit, transfer, because))
    return
  }
  // Where the policy allows the difference of a pair that came when the deposit settled, only its time does not fit.
  const isOutside = Window.excess(ledger, deposit, transfer) !== undefined
  if (!isOutside || (cameAtSettlement && amounts.fit(deposit, transfer) === undefined)) {
    settleHeld(bench, Mismatch.amount(ledger, deposit, transfer, written, because))
    return
  }
  settleHeld(bench, Mismatch.time(ledger, deposit, transfer, written, because))
}

const settleBearers = (bench: Workbench, { deposits, transfers }: Bearers): void => {
  const { ledger } = bench
  for (const part of inHorizon(ledger, { deposits, transfers })) bench.finality.joinAmong(part)
  const amounts = Amounts.make(ledger, deposits, transfers)
  const fitting = FitIndex.make(ledger, amounts, Int32Array.from(transfers))
  for (const component of CandidateGraph.components(ledger, deposits, fitting)) {
    if (component.edges === undefined) {
      exhausted(bench, component, "one reference")
      continue
    }
    const solution = AmountAssignment.solve(bench, amounts, { ...component, edges: component.edges }, "amounts")
    for (const stated of solution.stated) statePair(bench, amounts, stated)
    for (const { part } of solution.undecided) suspect(bench, part)
  }

  const left = {
    deposits: deposits.filter((deposit) => Ledger.isFree(ledger.deposits, deposit)),
    transfers: transfers.filter((transfer) => Ledger.isFree(ledger.transfers, transfer))
  }
  if (left.deposits.length === 0 || left.transfers.length === 0) return
  for (const part of inHorizon(ledger, left)) settleUnfit(bench, part)
}

export const reference = (bench: Workbench): void => {
  if (bench.ledger.policy.reference === "ignore") return
  for (const found of bearers(bench.ledger)) settleBearers(bench, found)
}
