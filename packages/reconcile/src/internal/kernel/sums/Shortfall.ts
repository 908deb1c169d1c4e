/** A target whose parts have come only in part: what is there, and that it falls short. */
import { u8 } from "../Column.ts"
import type { Members } from "./Spread.ts"

export interface Question {
  /** Of the open candidates, as for `CoveringSets`. */
  readonly amounts: Float64Array | ReadonlyArray<bigint>
  /** Per candidate, 1 = it is a candidate of another target too. */
  readonly shared: Uint8Array
  /** The least sum that is accepted of so many members, one included. */
  readonly least: (count: number) => bigint
}

export interface Shortfall {
  readonly members: Members
  readonly sum: bigint
}

/**
 * All candidates that are smaller than the target, at least one; larger ones cannot be parts of it. Undefined if they do
 * not fall short, or if one of them may belong elsewhere: then it is not known what has come.
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
