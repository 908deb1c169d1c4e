/** What is left of an entry when others are put against it, exact. */
import * as Amount from "@tallystick/core/Amount"

/** The amount less the sum of the others; with a minus where they are more. */
export const difference = (amount: string, others: ReadonlyArray<string>): string => {
  const scale = Math.max(...[amount, ...others].map(Amount.scale))
  const left = others.reduce((rest, other) => rest - Amount.units(other, scale), Amount.units(amount, scale))
  return Amount.format(left, scale)
}
