/** Works out the times in which the counterpart of an entry is looked for: its window, and with lateness its horizon. */
import type * as Policy from "../../../Policy.ts"
import { at } from "./Column.ts"

/** How far before and after an entry others are looked at, ms. */
export interface Reach {
  readonly before: number
  readonly after: number
}

/** The two ends of an interval, Unix ms, both inclusive. */
export type Bounds = readonly [from: number, to: number]

/** The rules about time that the policy has for the entries of a ledger. */
export interface Rules {
  /** Returns the rule of a deposit. */
  readonly rule: (deposit: number) => Policy.Rule
  /**
   * Returns how long after its own time the deposit was first seen settled, ms. Its lag may count from then as well. It is 0
   * for all others.
   */
  readonly delay: (deposit: number) => number
  /** Returns the widest window and lateness of any deposit of the group. A transfer has to look back that far. */
  readonly widest: (group: number) => Reach & { readonly late: number }
}

interface Times {
  readonly at: Float64Array
}

interface Grouped extends Times {
  readonly group: Int32Array
}

/** Both sides, and their rules. */
interface Sides extends Pick<Rules, "rule" | "widest"> {
  readonly deposits: Times
  readonly transfers: Grouped
}

export const around = (time: number, { after, before }: Reach): Bounds => [time - before, time + after]

/** Adds the same reach on both ends. */
export const wider = ({ after, before }: Reach, by: number): Reach => ({ before: before + by, after: after + by })

/** Returns the window of a deposit. If it was first seen settled later, the window from then is included. */
export const span = ({ delay, rule }: Pick<Rules, "rule" | "delay">, deposit: number): Reach => {
  const { after, before } = rule(deposit).window
  return { before, after: after + delay(deposit) }
}

/** Returns the span of a deposit, with lateness on both ends. */
export const horizon = (rules: Pick<Rules, "rule" | "delay">, deposit: number): Reach =>
  wider(span(rules, deposit), rules.rule(deposit).late)

/** The times that the entries of a side look at. */
export interface Windows {
  /** Returns the time in which the counterparts of the entry would be. */
  readonly windowOf: (index: number) => Bounds
  /** Returns that time with lateness on both ends. A deposit that was first seen settled later looks ahead from then. */
  readonly horizonOf: (index: number) => Bounds
  /** Returns how far apart two entries of the side may lie and still be twins, ms. It is as far as a counterpart may lie. */
  readonly twinsWithin: (index: number) => number
}

const farther = ({ after, before }: Reach): number => Math.max(Math.abs(before), Math.abs(after))

export const ofDeposits = (rules: Rules, { at: time }: Times): Windows => ({
  windowOf: (deposit) => around(at(time, deposit), rules.rule(deposit).window),
  horizonOf: (deposit) => around(at(time, deposit), horizon(rules, deposit)),
  twinsWithin: (deposit) => farther(rules.rule(deposit).window)
})

/** Makes the windows of transfers. A transfer looks back as far as a deposit looks ahead. */
export const ofTransfers = ({ widest }: Rules, { at: time, group }: Grouped): Windows => {
  const reach = (transfer: number, isLate: boolean): Reach => {
    const { after, before, late } = widest(at(group, transfer))
    return wider({ before: after, after: before }, isLate ? late : 0)
  }
  return {
    windowOf: (transfer) => around(at(time, transfer), reach(transfer, false)),
    horizonOf: (transfer) => around(at(time, transfer), reach(transfer, true)),
    twinsWithin: (transfer) => farther(widest(at(group, transfer)))
  }
}

/** Returns how far back a transfer may cancel another one, in ms. */
export const reversal = ({ transfers, widest }: Sides, transfer: number): number => {
  const { after, late } = widest(at(transfers.group, transfer))
  return Math.max(after, 0) + late
}

/** Says whether a transfer lies outside the window of the deposit, and by how much. */
export const excess = (
  { deposits, rule, transfers }: Sides,
  deposit: number,
  transfer: number
): { readonly code: "late" | "early"; readonly by: number } | undefined => {
  const lag = at(transfers.at, transfer) - at(deposits.at, deposit)
  const { after, before } = rule(deposit).window
  if (lag > after) return { code: "late", by: lag - after }
  return lag < -before ? { code: "early", by: -before - lag } : undefined
}

/** Whether a transfer lies in the window of the deposit. */
export const holds = ({ deposits, rule, transfers }: Sides, deposit: number, transfer: number): boolean => {
  const lag = at(transfers.at, transfer) - at(deposits.at, deposit)
  const { after, before } = rule(deposit).window
  return -before <= lag && lag <= after
}
