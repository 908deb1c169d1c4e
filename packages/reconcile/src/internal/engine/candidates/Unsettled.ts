/**
 * Connects open entries with those of the other side that could explain them but are not settled, failed, or have an
 * objection.
 */
import type * as Entry from "../../../Entry.ts"
import type { Objection } from "../../Past.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"
import type * as CandidateGraph from "./CandidateGraph.ts"
import * as CandidateIndex from "./CandidateIndex.ts"
import * as Connected from "./Connected.ts"
import * as FitIndex from "./FitIndex.ts"

const openWith = (side: Ledger.Side, statuses: ReadonlyArray<Entry.Status>) => (index: number): boolean =>
  side.open[index] === 1 && side.inFlow[index] === 1 && statuses.includes(item(side.entries, index).status)

/** Connects entries by equal amount, window, account and reference. */
export const equals = (
  ledger: Ledger.Ledger,
  isLeft: Connected.Include,
  isRight: Connected.Include,
  reach: CandidateIndex.ReachOf = (deposit) => Window.span(ledger, deposit)
): ReadonlyArray<CandidateGraph.Component> =>
  Connected.components(ledger, {
    key: Connected.byAmount(ledger),
    among: { deposits: isLeft, transfers: isRight },
    index: (_, transfers) => CandidateIndex.byTime(ledger, transfers, reach)
  })

/** Notes which entries may have been for each other, so that neither is final before the other. */
const join = ({ finality, ledger }: Workbench, isLeft: Connected.Include, isRight: Connected.Include): void => {
  for (const part of equals(ledger, isLeft, isRight)) finality.joinAmong(part)
}

const isEligible = ({ eligible }: Ledger.Side): Connected.Include => (index) => eligible[index] === 1

/** Notes which deposits failed transfers may have been for. */
export const joinFailed = (bench: Workbench): void => {
  const { deposits, transfers } = bench.ledger
  join(bench, isEligible(deposits), openWith(transfers, ["failed"]))
}

/** Accepts open entries of the flows that have this objection, or any. */
const objected = ({ inFlow, objections, open }: Ledger.Side, code?: Objection): Connected.Include => (index) => {
  const found = objections.get(index)
  return found !== undefined && (code === undefined || found === code) && open[index] === 1 && inFlow[index] === 1
}

/** Notes which entries those with an objection may have been for. */
export const joinObjected = (bench: Workbench): void => {
  const { deposits, transfers } = bench.ledger
  join(bench, isEligible(deposits), objected(transfers))
  join(bench, objected(deposits), isEligible(transfers))
}

/** Connects transfers with this objection with open deposits that are equal to them. */
export const objectedTransfers = (
  ledger: Ledger.Ledger,
  code: Objection
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, (deposit) => Ledger.isFree(ledger.deposits, deposit), objected(ledger.transfers, code))

/** Connects deposits with this objection with open transfers that are equal to them. */
export const objectedDeposits = (
  ledger: Ledger.Ledger,
  code: Objection
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, objected(ledger.deposits, code), (transfer) => Ledger.isFree(ledger.transfers, transfer))

/** Connects open deposits, except those of `except`, with equal transfers that failed. */
export const failedCounterparts = (
  ledger: Ledger.Ledger,
  except: ReadonlySet<number>
): ReadonlyArray<CandidateGraph.Component> =>
  equals(
    ledger,
    (deposit) => Ledger.isFree(ledger.deposits, deposit) && !except.has(deposit),
    openWith(ledger.transfers, ["failed"])
  )

/** Connects entries of equal amount within the horizon. */
export const near = (
  ledger: Ledger.Ledger,
  isLeft: Connected.Include,
  isRight: Connected.Include
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, isLeft, isRight, (deposit) => Window.horizon(ledger, deposit))

/** Connects entries in the window whose amounts the policy lets be a pair. */
export const fitting = (
  ledger: Ledger.Ledger,
  isLeft: Connected.Include,
  isRight: Connected.Include,
  reach: CandidateIndex.ReachOf = (deposit) => Window.span(ledger, deposit)
): ReadonlyArray<CandidateGraph.Component> => {
  if (!AmountRule.areUnlike(ledger.policy)) return equals(ledger, isLeft, isRight, reach)
  return Connected.components(ledger, {
    key: Connected.byAsset(ledger),
    among: { deposits: isLeft, transfers: isRight },
    index: (deposits, transfers) => FitIndex.make(ledger, Amounts.make(ledger, deposits, transfers), transfers, reach)
  })
}

/** Connects entries of equal amount in the window whose accounts are known and differ. */
export const elsewhere = (
  ledger: Ledger.Ledger,
  isLeft: Connected.Include,
  isRight: Connected.Include
): ReadonlyArray<CandidateGraph.Component> => {
  const { deposits, isElsewhere, transfers } = ledger
  return Connected.components(ledger, {
    key: Connected.byAmount(ledger),
    among: {
      deposits: (index) => at(deposits.account, index) >= 0 && isLeft(index),
      transfers: (index) => at(transfers.account, index) >= 0 && isRight(index)
    },
    index: (_, right) => CandidateIndex.anyAccount(ledger, right, (deposit) => Window.span(ledger, deposit)),
    accept: isElsewhere,
    isWanted: ({ deposits: lefts, transfers: rights }) =>
      new Set([
        ...lefts.map((deposit) => at(deposits.account, deposit)),
        ...rights.map((transfer) => at(transfers.account, transfer))
      ]).size > 1
  })
}

/**
 * Connects deposits that were first seen settled later than their own time with entries that fit them in the window from then,
 * outside the window of their own time.
 */
export const settledLater = (
  ledger: Ledger.Ledger,
  isLeft: Connected.Include,
  isRight: Connected.Include
): ReadonlyArray<CandidateGraph.Component> => {
  if (ledger.delayed.length === 0) return []
  return fitting(ledger, (deposit) => ledger.delay(deposit) > 0 && isLeft(deposit), isRight, (deposit) => {
    const { after, before } = ledger.rule(deposit).window
    const first = Math.max(ledger.unsettled(deposit) - before, after + 1)
    return { before: -first, after: ledger.delay(deposit) + after }
  })
}

const waiting = ["pending", "unknown"] as const

/** Accepts open entries that are not settled yet and could be matched if they were. */
export const isWaiting = (side: Ledger.Side): Connected.Include => {
  const isOpen = openWith(side, waiting)
  return (index) => isOpen(index) && !side.objections.has(index)
}

const isFree = (side: Ledger.Side): Connected.Include => (index) => Ledger.isFree(side, index)

type Connect = typeof fitting

/** Connects open entries with unsettled ones of the other side. Either side may be the unsettled one. */
const withWaiting = (ledger: Ledger.Ledger, connect: Connect): ReadonlyArray<CandidateGraph.Component> => {
  const { deposits, transfers } = ledger
  return [
    ...connect(ledger, isFree(deposits), isWaiting(transfers)),
    ...connect(ledger, isWaiting(deposits), isFree(transfers))
  ]
}

/** Finds entries that would match if all of them were settled. */
export const waitingMatches = (ledger: Ledger.Ledger): ReadonlyArray<CandidateGraph.Component> =>
  withWaiting(ledger, fitting)

/** Finds entries that would be equal and within each other's horizon if all of them were settled. */
export const waitingLate = (ledger: Ledger.Ledger): ReadonlyArray<CandidateGraph.Component> => withWaiting(ledger, near)

/** Finds open entries of equal amount within each other's horizon. */
export const late = (ledger: Ledger.Ledger): ReadonlyArray<CandidateGraph.Component> =>
  near(ledger, isFree(ledger.deposits), isFree(ledger.transfers))

/** Finds open deposits with an equal open transfer that may be late or early. */
export const withLateTransfer = (ledger: Ledger.Ledger): ReadonlySet<number> =>
  new Set(late(ledger).flatMap(({ deposits }) => deposits))

/** Finds open deposits for which a transfer is, or may be, under way. */
export const withWaitingTransfer = (ledger: Ledger.Ledger): ReadonlySet<number> =>
  new Set([...waitingMatches(ledger), ...waitingLate(ledger)].flatMap(({ deposits }) => deposits))
