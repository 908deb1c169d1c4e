/** Open deposits and the equal transfers in their windows that are not settled. */
import type * as Entry from "../../Entry.ts"
import type { Objection } from "../../Past.ts"
import * as CandidateGraph from "./CandidateGraph.ts"
import * as CandidateIndex from "./CandidateIndex.ts"
import { bucket, item } from "./Column.ts"
import * as Ledger from "./Ledger.ts"
import type { Run } from "./Run.ts"

const openWith = (side: Ledger.Side, statuses: ReadonlyArray<Entry.Status>) => (index: number): boolean =>
  side.open[index] === 1 && side.inFlow[index] === 1 && statuses.includes(item(side.entries, index).status)

/** Connected by equal amount, window, account and the rest, whatever the size. */
const equals = (
  ledger: Ledger.Ledger,
  isLeft: (deposit: number) => boolean,
  isRight: (transfer: number) => boolean,
  reach: (deposit: number) => { readonly before: number; readonly after: number } = (deposit) =>
    ledger.rule(deposit).window
): ReadonlyArray<CandidateGraph.Component> => {
  const { amountClasses, deposits, transfers } = ledger
  const lefts = bucket(deposits.amountClass, amountClasses, isLeft)
  const rights = bucket(transfers.amountClass, amountClasses, isRight)
  const found: Array<CandidateGraph.Component> = []
  for (let key = 0; key < amountClasses; key++) {
    const [left, right] = [lefts.of(key), rights.of(key)]
    if (left.length === 0 || right.length === 0) continue
    const index = CandidateIndex.byTime(ledger, right, reach)
    found.push(...CandidateGraph.components(ledger, left, index, ledger.filtered ? ledger.compatible : undefined))
  }
  return found
}

type Include = (index: number) => boolean

/** Notes which of them may have been for each other, so that neither is final before the other. */
const join = ({ closure, ledger }: Run, isLeft: Include, isRight: Include): void => {
  for (const { deposits, transfers } of equals(ledger, isLeft, isRight)) {
    for (const deposit of deposits) closure.join(deposit, item(transfers, 0))
    for (const transfer of transfers) closure.join(item(deposits, 0), transfer)
  }
}

const isEligible = ({ eligible }: Ledger.Side): Include => (index) => eligible[index] === 1

/** Notes which deposits failed transfers may have been for. */
export const joinFailed = (run: Run): void => {
  const { deposits, transfers } = run.ledger
  join(run, isEligible(deposits), openWith(transfers, ["failed"]))
}

/** Open entries of the flows with an objection: this one, or any. */
const objected = ({ inFlow, objections, open }: Ledger.Side, code?: Objection): Include => (index) => {
  const found = objections.get(index)
  return found !== undefined && (code === undefined || found === code) && open[index] === 1 && inFlow[index] === 1
}

/** Notes what entries with an objection may have been for. */
export const joinObjected = (run: Run): void => {
  const { deposits, transfers } = run.ledger
  join(run, isEligible(deposits), objected(transfers))
  join(run, objected(deposits), isEligible(transfers))
}

/** Transfers with this objection, and the open deposits that are equal to them. */
export const objectedTransfers = (
  ledger: Ledger.Ledger,
  code: Objection
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, (deposit) => Ledger.isFree(ledger.deposits, deposit), objected(ledger.transfers, code))

/** Deposits with this objection, and the open transfers that are equal to them. */
export const objectedDeposits = (
  ledger: Ledger.Ledger,
  code: Objection
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, objected(ledger.deposits, code), (transfer) => Ledger.isFree(ledger.transfers, transfer))

/** Open deposits with equal transfers of these statuses, but for those of `except`. */
export const unsettledCounterparts = (
  ledger: Ledger.Ledger,
  statuses: ReadonlyArray<Entry.Status>,
  except: ReadonlySet<number> = new Set()
): ReadonlyArray<CandidateGraph.Component> =>
  equals(
    ledger,
    (deposit) => Ledger.isFree(ledger.deposits, deposit) && !except.has(deposit),
    openWith(ledger.transfers, statuses)
  )

/** Open deposits with an equal open transfer that may be late or early. */
export const withLateTransfer = (ledger: Ledger.Ledger): ReadonlySet<number> =>
  new Set(
    equals(
      ledger,
      (deposit) => Ledger.isFree(ledger.deposits, deposit),
      (transfer) => Ledger.isFree(ledger.transfers, transfer),
      (deposit) => Ledger.horizon(ledger, deposit)
    ).flatMap(({ deposits }) => deposits)
  )

/** Open transfers with equal deposits of these statuses. */
export const unsettledOrigins = (
  ledger: Ledger.Ledger,
  statuses: ReadonlyArray<Entry.Status>
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, openWith(ledger.deposits, statuses), (transfer) => Ledger.isFree(ledger.transfers, transfer))
