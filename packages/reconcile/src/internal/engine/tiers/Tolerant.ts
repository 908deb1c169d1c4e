/**
 * Tier `tolerant`: pairs amounts within tolerance or explained by a fee, together with equal amounts that compete with these.
 * A component is decided among all its candidates at once, and an equal amount in it is a candidate, but no proof.
 */
import type * as Outcome from "../../../Outcome.ts"
import * as Steps from "../../Steps.ts"
import * as AmountAssignment from "../candidates/AmountAssignment.ts"
import * as CandidateGraph from "../candidates/CandidateGraph.ts"
import type { CandidateIndex } from "../candidates/CandidateIndex.ts"
import * as Connected from "../candidates/Connected.ts"
import { exhausted } from "../candidates/Exhausted.ts"
import * as FitIndex from "../candidates/FitIndex.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Members } from "../ledger/Side.ts"
import * as Pair from "../outcomes/Pair.ts"
import type { Workbench } from "../Workbench.ts"

/** The number of candidate pairs that are decided in a step. */
const AT_ONCE = 256

type DecidedBy = NonNullable<Outcome.Outcome["decidedBy"]>

/** The facts of an outcome, by the reason of its pair. */
const reasons = {
  forced: ["forced", "in-every-pairing"],
  equal: ["amount", "in-every-pairing-without-difference"],
  "equal-and-time": ["time", "nearest-without-difference"],
  noise: ["amount", "within-noise"],
  time: ["time", "nearest-in-time"],
  assigned: ["assigned", "asked-for"]
} as const satisfies Record<AmountAssignment.Reason, readonly [decidedBy: DecidedBy, because: string]>

const statePair = (bench: Workbench, amounts: Amounts.Amounts, stated: AmountAssignment.Stated): void => {
  const { deposit, fit: { fee, residual }, reason, rival, transfer } = stated
  const [decidedBy, code] = reasons[reason]
  bench.settle(Pair.make(bench.ledger, deposit, transfer, {
    code: fee !== undefined ? "fee" : residual === 0n ? "exact" : "tolerant",
    residual: amounts.format(residual),
    decidedBy,
    because: { code, ...AmountRule.factOf(fee) },
    ...(rival === undefined ? {} : { candidates: [rival] })
  }))
}

/** States that entries may be paired in several ways. It states none of the pairs, and names the nearest by amount. */
const stateAmbiguous = (
  { ledger, settle }: Workbench,
  amounts: Amounts.Amounts,
  { matched, nearest, part }: AmountAssignment.Undecided
): void =>
  settle({
    code: "ambiguous",
    deposits: part.deposits,
    transfers: part.transfers,
    finality: "horizon",
    matchedCount: matched,
    openCount: part.deposits.length + part.transfers.length - 2 * matched,
    candidates: nearest.map(({ deposit, fit, transfer }) => ({
      side: "transfer",
      id: item(ledger.transfers.entries, transfer).id,
      because: {
        code: "fits-deposit",
        residual: amounts.format(fit.residual),
        deposit: item(ledger.deposits.entries, deposit).id,
        lagMs: Ledger.lag(ledger, deposit, transfer)
      }
    })),
    because: { code: "several-pairings" }
  })

/** The largest number of noted candidates among those that went elsewhere. */
const NOTED = 3

const notePassedOver = (
  { doubts, finality, ledger }: Workbench,
  { passedOver, stated }: AmountAssignment.Solution
): void => {
  const partners = {
    deposit: new Map(stated.map(({ deposit, transfer }) => [transfer, deposit] as const)),
    transfer: new Map(stated.map(({ deposit, transfer }) => [deposit, transfer] as const))
  }
  for (const { deposit, isDoubtful, left, transfer } of passedOver) {
    const own = { deposit, transfer }[left]
    if (isDoubtful) finality.doubt(left, own)
    const noted = doubts.of(left, own)
    if (noted.length >= NOTED) continue
    const partner = left === "deposit" ? partners.deposit.get(transfer) : partners.transfer.get(deposit)
    const { entries } = ledger[`${left}s`]
    const because = {
      code: "fits-but-taken" as const,
      ...(partner === undefined ? {} : { by: { side: left, id: item(entries, partner).id } })
    }
    if (left === "deposit") doubts.ofDepositOnly(deposit, transfer, because)
    else doubts.ofTransferOnly(deposit, transfer, because)
  }
}

/** Whether the amounts of the entries differ. Equal ones need no more than tier `exact`. */
const isUnlike = ({ deposits, transfers }: Ledger.Ledger) => (entries: Members): boolean => {
  const amount = deposits.amountClass[item(entries.deposits, 0)]
  return entries.deposits.some((deposit) => deposits.amountClass[deposit] !== amount) ||
    entries.transfers.some((transfer) => transfers.amountClass[transfer] !== amount)
}

const settleComponents = (
  bench: Workbench,
  amounts: Amounts.Amounts,
  deposits: Iterable<number>,
  index: CandidateIndex
): Steps.Steps<void> => {
  const { ledger } = bench
  const components = CandidateGraph.components(ledger, deposits, index, { isWanted: isUnlike(ledger) })
  return Steps.forEach(
    components,
    (component) => {
      if (component.edges === undefined) {
        exhausted(bench, component, "amounts within tolerance")
        return
      }
      const solution = AmountAssignment.solve(
        bench,
        amounts,
        { ...component, edges: component.edges },
        "amounts-and-time"
      )
      for (const stated of solution.stated) statePair(bench, amounts, stated)
      for (const undecided of solution.undecided) stateAmbiguous(bench, amounts, undecided)
      notePassedOver(bench, solution)
    },
    AT_ONCE,
    ({ size }) => size
  )
}

export const tolerant = function*(bench: Workbench): Steps.Steps<void> {
  const { ledger } = bench
  if (!AmountRule.areUnlike(ledger.policy)) return
  for (const { deposits, transfers } of Connected.alike(Connected.byAsset(ledger), Connected.free(ledger))) {
    const amounts = Amounts.make(ledger, deposits, transfers)
    yield* settleComponents(bench, amounts, deposits, FitIndex.make(ledger, amounts, transfers))
  }
}
