/**
 * Finds open entries that an unsettled entry could explain. Until that one settles, they are not called late, mistaken or
 * missing.
 */
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as NearInTime from "../candidates/NearInTime.ts"
import * as Unsettled from "../candidates/Unsettled.ts"
import { waitingSums } from "../evidence/WaitingSums.ts"
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Members } from "../ledger/Side.ts"
import * as TimeIndex from "../ledger/TimeIndex.ts"
import type { Workbench } from "../Workbench.ts"

/** Finds other candidates of the deposits, such as tries that failed. */
const others = ({ doubts, ledger }: Workbench, { deposits, transfers }: Members): ReadonlyArray<Candidate> => {
  const found = new Map(
    deposits.flatMap((deposit) => doubts.of("deposit", deposit)).map((candidate) => [candidate.id, candidate])
  )
  for (const transfer of transfers) found.delete(item(ledger.transfers.entries, transfer).id)
  return Array.from(found.values())
}

const settlePart = (bench: Workbench, part: Members): void => {
  const { ledger, settle } = bench
  const { deposits, transfers } = part
  const entries = [
    ...deposits.map((deposit) => item(ledger.deposits.entries, deposit)),
    ...transfers.map((transfer) => item(ledger.transfers.entries, transfer))
  ]
  const isUnknown = entries.some(({ status }) => status === "unknown")
  const amounts = new Set([
    ...deposits.map((deposit) => at(ledger.deposits.amountClass, deposit)),
    ...transfers.map((transfer) => at(ledger.transfers.amountClass, transfer))
  ])
  settle({
    code: isUnknown ? "unknown-status" : "unconfirmed",
    deposits,
    transfers,
    finality: "never",
    candidates: others(bench, part),
    because: { code: "waits-for-settlement", isOneAmount: amounts.size === 1 }
  })
}

/** Marked entries of each side, by position. */
type Marked = Readonly<Record<Entry.Side, Set<number>>>

const mark = (marked: Marked, { deposits, transfers }: Members): void => {
  for (const deposit of deposits) marked.deposit.add(deposit)
  for (const transfer of transfers) marked.transfer.add(transfer)
}

/** The largest number of candidates that are named. */
const NAMED = 3

/**
 * Settles entries to which a late entry may still belong. Each gets an outcome of its own, because lateness connects too many
 * entries.
 */
const settleLate = ({ ledger, settle }: Workbench, marked: Marked): void => {
  for (const own of [ledger.deposits, ledger.transfers]) {
    const { other } = own
    const near = NearInTime.make(ledger, own, "amountClass", (index) => marked[other.side].has(index), "horizon")
    for (const index of marked[own.side]) {
      if (!Ledger.isFree(own, index)) continue
      settle({
        code: "unconfirmed",
        ...own.alone(index),
        finality: "never",
        candidates: near(index, NAMED).map((one) => {
          const { id, status } = item(other.entries, one)
          return {
            side: other.side,
            id,
            because: { code: "may-be-late" as const, isSettled: status === "settled" }
          }
        }),
        because: { code: "late-one-waits-for-settlement" }
      })
    }
  }
}

const isUnsettled = ({ entries }: Ledger.Side, index: number): boolean => {
  const { status } = item(entries, index)
  return status === "pending" || status === "unknown"
}

/**
 * Notes every entry within the horizon of an unsettled entry of the same asset, and every transfer that an unsettled deposit may
 * reach once it is seen to settle. Amount, account and direction do not matter: once it settles, that entry may be a late or
 * other counterpart, or part of a sum. Entries that no tier took are decided with a look at all of these.
 */
const waitBeside = ({ finality, ledger, pendingDeposits }: Workbench): void => {
  const isNear = TimeIndex.make(
    ledger,
    (side, index) => isUnsettled(ledger[`${side}s`], index),
    "group",
    Policy.horizon(ledger.policy)
  )
  const { at: time, group } = ledger.transfers
  const isReached = (transfer: number): boolean =>
    pendingDeposits.mayReach(item(ledger.assets, at(group, transfer)), at(time, transfer))
  for (const { alone, entries, side } of [ledger.deposits, ledger.transfers]) {
    entries.forEach((_, index) => {
      if (isNear(side, index) || (side === "transfer" && isReached(index))) finality.wait(alone(index))
    })
  }
}

export const waiting = (bench: Workbench): void => {
  const { ledger } = bench
  const matches = Unsettled.waitingMatches(ledger)
  const marked: Marked = { deposit: new Set(), transfer: new Set() }
  for (const part of [...matches, ...Unsettled.waitingLate(ledger)]) mark(marked, part)
  for (const part of Unsettled.late(ledger)) {
    const isMarked = part.deposits.some((deposit) => marked.deposit.has(deposit)) ||
      part.transfers.some((transfer) => marked.transfer.has(transfer))
    if (isMarked) mark(marked, part)
  }
  waitBeside(bench)
  waitingSums(bench)
  bench.finality.wait({ deposits: Array.from(marked.deposit), transfers: Array.from(marked.transfer) })
  for (const part of matches) {
    bench.finality.lookAmong(part)
    settlePart(bench, part)
  }
  settleLate(bench, marked)
}
