/** Numbers of entries and exact sums, under any keys. */
import * as Amount from "@tallystick/core/Amount"

/** So many entries, and their sum; of what changed both may be below zero. */
interface Line {
  readonly count: number
  readonly sum: string
}

interface Sum {
  count: number
  units: bigint
  scale: number
}

const plus = (sum: Sum, amount: string, sign: 1 | -1): void => {
  const scale = Math.max(sum.scale, Amount.scale(amount))
  sum.units = sum.units * 10n ** BigInt(scale - sum.scale) + BigInt(sign) * Amount.units(amount, scale)
  sum.scale = scale
}

interface Tally {
  /** Adds an amount (1) or takes it away (-1), and so many entries. */
  readonly add: (key: string, amount: string, sign: 1 | -1, count: -1 | 0 | 1) => void
  readonly line: (key: string) => Line
}

export const make = (): Tally => {
  const sums = new Map<string, Sum>()
  return {
    add: (key, amount, sign, count) => {
      const sum = sums.get(key) ?? { count: 0, units: 0n, scale: 0 }
      plus(sum, amount, sign)
      sum.count += count
      sums.set(key, sum)
    },
    line: (key) => {
      const { count, scale, units } = sums.get(key) ?? { count: 0, units: 0n, scale: 0 }
      return { count, sum: Amount.format(units, scale) }
    }
  }
}
