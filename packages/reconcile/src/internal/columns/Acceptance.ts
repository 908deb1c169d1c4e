/**
 * The amounts that the tolerance accepts for a deposit, in whole units: between two ranges in doubles that cost little, and
 * exactly. Where no amount lies between the two, the exact range need not be known.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "../../Policy.ts"
import * as AmountRule from "../matching/AmountRule.ts"

type Tolerance = Policy.Rule["tolerance"]

/** Both ends inclusive. */
interface Range {
  readonly low: number
  readonly high: number
}

export interface Acceptance {
  /** Holds nothing but what `exact` accepts, and little less. */
  readonly certain: (amount: number) => Range
  /** Holds whatever `exact` accepts, and little more. */
  readonly rough: (amount: number) => Range
  readonly exact: (amount: number) => Range
}

const most = BigInt(Number.MAX_SAFE_INTEGER)

/** `scale`: the digits behind the point that one unit stands for. */
export const make = (tolerance: Tolerance, scale: number): Acceptance => {
  const absolute = Number(tolerance.absolute) * 10 ** scale
  const relative = Number(tolerance.relative)
  const digits = Math.max(Amount.scale(tolerance.absolute) - scale, 0)
  const finer = 10n ** BigInt(digits)
  const share = Number(tolerance.maxShare)
  return {
    certain: (amount) => {
      const ofRelative = amount * relative / (1 + relative)
      const ofAbsolute = Math.min(absolute, amount * share / (1 + share))
      const apart = Math.max(0, Math.max(ofRelative, ofAbsolute) * (1 - 1e-9) - 2)
      return { low: amount - apart, high: amount + apart }
    },
    rough: (amount) => {
      const above = relative >= 1 ? Number.POSITIVE_INFINITY : amount / (1 - relative)
      return {
        low: (amount - absolute - amount * relative) * (1 - 1e-9) - 2,
        high: (above + absolute) * (1 + 1e-9) + 2
      }
    },
    exact: (amount) => {
      const expected = AmountRule.expectations(BigInt(amount) * finer, [], scale + digits)
      const [range = { low: 1n, high: 0n }] = AmountRule.intervals(
        AmountRule.bounded(expected, tolerance, scale + digits)
      )
      const high = range.high === undefined ? most : range.high / finer
      return { low: Number((range.low + finer - 1n) / finer), high: Number(high < most ? high : most) }
    }
  }
}
