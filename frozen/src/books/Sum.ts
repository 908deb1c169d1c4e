/** Exact arithmetic with amounts. */
import * as Amount from "@tallystick/core/Amount"

const scaleOf = (amounts: ReadonlyArray<string>): number => Math.max(4, ...amounts.map(Amount.scale))

export const of = (amounts: ReadonlyArray<string>): string => {
  const scale = scaleOf(amounts)
  return Amount.format(amounts.reduce((sum, one) => sum + Amount.units(one, scale), 0n), scale)
}

/** `amount − by`, or the amount where nothing would be left. */
export const less = (amount: string, by: string): string => {
  const scale = scaleOf([amount, by])
  const rest = Amount.units(amount, scale) - Amount.units(by, scale)
  return rest > 0n ? Amount.format(rest, scale) : amount
}

/** So many thousandths of an amount, rounded down to its digits; the amount where nothing would be left. */
export const share = (amount: string, thousandths: number): string => {
  const scale = scaleOf([amount])
  const part = Amount.units(amount, scale) * BigInt(thousandths) / 1000n
  return part > 0n ? Amount.format(part, scale) : amount
}

/** At most `count` amounts, mostly unlike each other, that sum to `amount`. */
export const parts = (amount: string, count: number): ReadonlyArray<string> => {
  const scale = scaleOf([amount])
  const whole = Amount.units(amount, scale)
  const weights = Array.from({ length: count }, (_, index) => BigInt(2 * index + 3))
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  const shares = weights.slice(1).map((weight) => whole * weight / all)
  return [whole - shares.reduce((sum, one) => sum + one, 0n), ...shares]
    .filter((one) => one > 0n)
    .map((one) => Amount.format(one, scale))
}
