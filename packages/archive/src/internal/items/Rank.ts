/** The rank of an amount is text that sorts as the amount does, byte by byte: a database compares it without knowing any decimal. */
import * as Amount from "@tallystick/core/Amount"

/** The rank of an amount that nobody knows comes before all others. */
export const UNKNOWN = ""

/** The digits before the point are counted in so many digits: even the worth of a sum has fewer than a thousand. */
const WIDTH = 3

/**
 * Gives the rank of a decimal that is not negative: the number of its digits before the point, these digits, and the fraction without
 * zeros at its end. Of texts with as many digits before the point the lesser one is the lesser number.
 */
export const of = (decimal: string): string => {
  const [digits = "", fraction] = Amount.canonical(decimal).split(".")
  const whole = digits === "0" ? "" : digits
  return String(whole.length).padStart(WIDTH, "0") + whole + (fraction === undefined ? "" : `.${fraction}`)
}
