/** What is still open, what was said of the rest, and which two entries may belong together at all. */
import type * as Entry from "../../../src/Entry.ts"
import type * as Outcome from "../../../src/Outcome.ts"
import { reasonOf } from "./Reason.ts"

/** The policy, as far as the oracle knows it. Times in ms, amounts in units. */
export interface Law {
  readonly before: number
  readonly after: number
  readonly late: number
  readonly absolute: bigint
  /** Residuals below it are noise. */
  readonly noise: bigint
  readonly ratio: number
  readonly rivals: number
  readonly reference: "prefer" | "require" | "only" | "ignore"
  readonly forbid: ReadonlyArray<{ readonly deposit: string; readonly transfer: string }>
}

export interface Verdict {
  readonly code: Outcome.Code
  readonly members: ReadonlyArray<Entry.Entry>
  /** Whether what preferred this pair is weak: nearness in time, or a residual that counts as noise. */
  readonly isWeak: boolean
  /** How many pairs it holds, whichever they are. */
  readonly pairs: number
}

export interface Marks extends Partial<Pick<Verdict, "isWeak" | "pairs">> {}

export interface Desk {
  readonly law: Law
  readonly entries: ReadonlyArray<Entry.Entry>
  readonly verdicts: ReadonlyArray<Verdict>
  /** The entries of a side that nothing was said of yet. */
  readonly open: (side: Entry.Side) => ReadonlyArray<Entry.Entry>
  /** Those of them that are settled and not in dispute, and go the way of a flow as far as is known. */
  readonly settled: (side: Entry.Side) => ReadonlyArray<Entry.Entry>
  readonly say: (code: Outcome.Code, members: Iterable<Entry.Entry>, marks?: Marks) => void
}

export const make = (law: Law, entries: ReadonlyArray<Entry.Entry>): Desk => {
  const left = new Set(entries)
  const verdicts: Array<Verdict> = []
  const open = (side: Entry.Side) => [...left].filter((entry) => entry.side === side)
  return {
    law,
    entries,
    verdicts,
    open,
    settled: (side) => open(side).filter((entry) => isSettled(entry) && isFlow(entry)),
    say: (code, members, { isWeak = false, pairs = 0 } = {}) => {
      const list = [...members]
      for (const member of list) {
        if (!left.delete(member)) throw new Error(`${member.id} has an outcome already`)
      }
      verdicts.push({ code, members: list, isWeak, pairs })
    }
  }
}

export const isSettled = (entry: Entry.Entry): boolean => entry.status === "settled" && reasonOf(entry) === undefined

const isMaster = (name: string): boolean => name === "" || name === "master"

/** Which way a transfer goes; deposits go forth. */
export const way = ({ from, to }: Entry.Entry): "forth" | "back" | "elsewhere" => {
  if (from === undefined || to === undefined) return "forth"
  if (isMaster(from) === isMaster(to)) return "elsewhere"
  return isMaster(to) ? "forth" : "back"
}

const isFlow = (entry: Entry.Entry): boolean => way(entry) === "forth"

export const accountOf = ({ account, from, to }: Entry.Entry): string | undefined =>
  account !== undefined && account !== ""
    ? account
    : [from, to].find((end) => end !== undefined && !isMaster(end))

const referenceOf = (law: Law, { reference }: Entry.Entry): string | undefined =>
  law.reference === "ignore" || reference === "" ? undefined : reference

export const amountOf = ({ amount }: Entry.Entry): bigint => BigInt(amount)

export const lag = (deposit: Entry.Entry, transfer: Entry.Entry): number => transfer.at - deposit.at

export const isInWindow = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean =>
  lag(deposit, transfer) >= -law.before && lag(deposit, transfer) <= law.after

/** How much later than its own time a deposit was first seen settled; no less than 0. */
export const delayOf = (deposit: Entry.Entry): number =>
  isSettled(deposit) ? Math.max(0, (deposit.past?.settledAt ?? deposit.at) - deposit.at) : 0

/** From the beginning of its own window to the end of that which counts from when it was first seen settled. */
export const isInSpan = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean =>
  lag(deposit, transfer) >= -law.before && lag(deposit, transfer) <= law.after + delayOf(deposit)

/** How much later than its own time it was last seen unsettled before that. */
const unsettledOf = (deposit: Entry.Entry): number =>
  Math.max(0, Math.min((deposit.past?.unsettledAt ?? Infinity) - deposit.at, delayOf(deposit)))

/** The window, counted from some time between when the deposit was last seen unsettled and first seen settled. */
export const isInLaterWindow = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean => {
  const delay = delayOf(deposit)
  return delay > 0 && lag(deposit, transfer) >= unsettledOf(deposit) - law.before &&
    lag(deposit, transfer) <= delay + law.after
}

/** The same, beyond the window that counts from its own time. */
export const isOnlyInLaterWindow = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean =>
  isInLaterWindow(law, deposit, transfer) && lag(deposit, transfer) > law.after

/** Late ones included, which count from when the deposit settled. */
export const isInHorizon = (
  law: Law,
  deposit: Entry.Entry,
  transfer: Entry.Entry,
  delay: number = delayOf(deposit)
): boolean => lag(deposit, transfer) >= -law.before - law.late && lag(deposit, transfer) <= law.after + delay + law.late

export const isEqual = (one: Entry.Entry, other: Entry.Entry): boolean => amountOf(one) === amountOf(other)

export const residual = (deposit: Entry.Entry, transfer: Entry.Entry): bigint => {
  const difference = amountOf(transfer) - amountOf(deposit)
  return difference < 0n ? -difference : difference
}

/** The absolute tolerance never exceeds half of the smaller amount. */
export const isFitting = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean => {
  const [left, right] = [amountOf(deposit), amountOf(transfer)]
  const off = residual(deposit, transfer)
  return off === 0n || off <= law.absolute && 2n * off <= (left < right ? left : right)
}

export const sameReference = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean =>
  referenceOf(law, deposit) !== undefined && referenceOf(law, deposit) === referenceOf(law, transfer)

/** Whether accounts are known to differ. */
export const isElsewhere = (deposit: Entry.Entry, transfer: Entry.Entry): boolean => {
  const [left, right] = [accountOf(deposit), accountOf(transfer)]
  return left !== undefined && right !== undefined && left !== right
}

/** Whether references and hand-made decisions let two entries be a pair of any kind. */
export const isPermitted = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean => {
  const [left, right] = [referenceOf(law, deposit), referenceOf(law, transfer)]
  if (law.forbid.some((pair) => pair.deposit === deposit.id && pair.transfer === transfer.id)) return false
  if (law.reference === "only") return left !== undefined && left === right
  return !(law.reference === "require" && left !== undefined && right !== undefined && left !== right)
}

/** Whether two entries may be a pair but for amount and time. */
export const isCompatible = (law: Law, deposit: Entry.Entry, transfer: Entry.Entry): boolean =>
  deposit.asset === transfer.asset && !isElsewhere(deposit, transfer) && isPermitted(law, deposit, transfer)
