/** Works out the worth of an amount at a price. No code here needs a runtime, because the page of the HTML report uses it too. */
import * as Amount from "@tallystick/core/Amount"

/** Returns `amount × price`, exact. */
export const worth = (amount: string, price: string): string => {
  const [digits, more] = [Amount.scale(amount), Amount.scale(price)]
  return Amount.format(Amount.units(amount, digits) * Amount.units(price, more), digits + more)
}
