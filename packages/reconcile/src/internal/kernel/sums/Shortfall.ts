/** Tells whether the parts of a target that have come fall short of it, and what they sum to. */
import { u8 } from "../Column.ts"
import type { Members } from "./Spread.ts"

export interface Question {
  /** The amounts of the open candidates, as for `CoveringSets`. */
  readonly amounts: Float64Array | ReadonlyArray<bigint>
  /** For each candidate, 1 if it is also a candidate of another target. */
  readonly shared: Uint8Array
  /** The least sum that is accepted for `count` members; `count` may be 1. */
  readonly least: (count: number) => bigint
}

export interface Shortfall {
  readonly members: Members
  readonly sum: bigint
}

/**
 * Finds all candidates that are smaller than the target; larger ones cannot be parts of it. Returns `undefined` if there are
 * none, if they do not fall short, or if one of them may belong to another target: then nobody knows which parts have come.
 */
export const find = ({ amounts, least, shared }: Question): Shortfall | undefined => {
  const whole = least(1)
  const members: Array<number> = []
  let sum = 0n
  for (const [candidate, value] of amounts.entries()) {
    const amount = BigInt(value)
    if (amount >= whole) continue
    if (u8(shared, candidate) !== 0) return undefined
    members.push(candidate)
    sum += amount
  }
  return members.length > 0 && sum < least(members.length) ? { members: Int32Array.from(members), sum } : undefined
}
