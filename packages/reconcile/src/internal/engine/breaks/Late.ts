/**
 * Finds equal amounts outside the window. A pair is stated only if each is the other's only equal candidate within the
 * horizon, and nearness in time gave no other candidate to another entry.
 */
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import type * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as Unsettled from "../candidates/Unsettled.ts"
import * as TakenCandidates from "../evidence/TakenCandidates.ts"
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import type { Members } from "../ledger/Side.ts"
import * as Window from "../ledger/Window.ts"
import * as LateSettlement from "../outcomes/LateSettlement.ts"
import * as Mismatch from "../outcomes/Mismatch.ts"
import type { Workbench } from "../Workbench.ts"

/** Lists the entries of a component that are no members of the outcome. */
const beside = (ledger: Ledger.Ledger, component: Members, members: Members): ReadonlyArray<Candidate> => {
  const others = (side: "deposits" | "transfers"): ReadonlyArray<Candidate> => {
    const own = new Set(members[side])
    return component[side].filter((index) => !own.has(index)).map((index) => {
      const { id, side: of } = item(ledger[side].entries, index)
      return { side: of, id, because: { code: "late-for-several" } }
    })
  }
  return [...others("deposits"), ...others("transfers")]
}

/** The largest number of named entries among those that nearness in time gave to others. */
const NAMED = 3

/** Finds entries to which the two could belong as well. Nearness in time gave them to others. */
const givenAway = (
  { doubts, finality, ledger }: Workbench,
  byTime: ReturnType<typeof TakenCandidates.givenByTime>,
  deposit: number,
  transfer: number
): { readonly isDoubtful: boolean; readonly candidates: ReadonlyArray<Candidate> } => {
  const [transfers, deposits] = [byTime.deposit(deposit, NAMED), byTime.transfer(transfer, NAMED)]
  for (const other of transfers) finality.look(deposit, other)
  for (const other of deposits) finality.look(other, transfer)
  const because: Because.Note = { code: "late-but-taken" }
  return {
    isDoubtful: transfers.length + deposits.length > 0 || finality.isDoubtful("deposit", deposit) ||
      finality.isDoubtful("transfer", transfer),
    candidates: [
      ...doubts.of("deposit", deposit),
      ...doubts.of("transfer", transfer),
      ...deposits.map((index): Candidate => ({
        side: "deposit",
        id: item(ledger.deposits.entries, index).id,
        because
      })),
      ...transfers.map((index): Candidate => ({
        side: "transfer",
        id: item(ledger.transfers.entries, index).id,
        because
      }))
    ]
  }
}

const settleComponent = (
  bench: Workbench,
  byTime: ReturnType<typeof TakenCandidates.givenByTime>,
  component: CandidateGraph.Component
): void => {
  const { doubts, finality, ledger, settle } = bench
  const { deposits, edges, transfers } = component
  const decided = {
    deposits: deposits.filter((deposit) => finality.isRead(ledger.deposits.alone(deposit))),
    transfers: transfers.filter((transfer) => finality.isRead(ledger.transfers.alone(transfer)))
  }
  const undecided = deposits.length + transfers.length - decided.deposits.length - decided.transfers.length
  if (undecided > 0) {
    edges?.deposit.forEach((left, edge) => {
      const [deposit, transfer] = [item(deposits, left), item(transfers, edges.transfer[edge] ?? 0)]
      const { by, code } = Window.excess(ledger, deposit, transfer) ?? { by: 0, code: "late" }
      doubts.between(deposit, transfer, { code: "outside-window", excessMs: by, as: code })
    })
  }
  if (deposits.length === 1 && transfers.length === 1) {
    if (finality.postpones(component)) return
    const [deposit, transfer] = [item(deposits, 0), item(transfers, 0)]
    const lone = LateSettlement.isInWindow(ledger, deposit, transfer)
      ? LateSettlement.pair(ledger, deposit, transfer, { code: "equal-alone" })
      : Mismatch.time(ledger, deposit, transfer, "0", { code: "equal-alone" })
    const { candidates, isDoubtful } = givenAway(bench, byTime, deposit, transfer)
    if (!isDoubtful || (lone.code !== "exact" && ledger.policy.ambiguity.mode === "assign")) {
      settle(lone)
      return
    }
    settle({
      code: "ambiguous",
      deposits,
      transfers,
      finality: "horizon",
      candidates,
      because: {
        code: "nearer-elsewhere",
        as: lone.code === "late" || lone.code === "early" ? lone.code : "right"
      }
    })
    return
  }
  if (decided.deposits.length + decided.transfers.length === 0) return
  const { amount, asset } = item(ledger.deposits.entries, item(deposits, 0))
  settle({
    ...decided,
    code: "ambiguous",
    finality: undecided > 0 ? "never" : "horizon",
    candidates: beside(ledger, component, decided),
    because: {
      code: "outside-windows",
      deposits: deposits.length,
      transfers: transfers.length,
      amount,
      asset
    }
  })
}

const settle = (bench: Workbench, drafts: ReadonlyArray<Draft>, isMeant: (component: Members) => boolean): void => {
  const byTime = TakenCandidates.givenByTime(bench.ledger, TakenCandidates.draftsOf(drafts), "horizon")
  for (const component of Unsettled.late(bench.ledger)) {
    if (!isMeant(component)) continue
    bench.finality.lookAmong(component)
    settleComponent(bench, byTime, component)
  }
}

/**
 * Settles components in which a transfer came in the window that begins when a deposit was first seen settled. Such a transfer
 * is not late, so this runs before the rules about mistakes.
 */
export const settledLater = (bench: Workbench, drafts: ReadonlyArray<Draft>): void => {
  const { ledger } = bench
  settle(
    bench,
    drafts,
    ({ deposits, transfers }) =>
      deposits.some((deposit) =>
        ledger.delay(deposit) > 0 && transfers.some((transfer) => LateSettlement.isInWindow(ledger, deposit, transfer))
      )
  )
}

export const late = (bench: Workbench, drafts: ReadonlyArray<Draft>): void => settle(bench, drafts, () => true)
