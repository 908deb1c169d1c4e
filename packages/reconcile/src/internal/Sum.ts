/** The form of exact decimals that were reckoned. They may have more digits than an amount, and be negative. */
import * as Schema from "effect/Schema"

/** An exact decimal of any length. Negative values have a minus sign, and there are no superfluous zeros. */
export const Sum = Schema.String.check(
  Schema.isPattern(/^-?\d+(?:\.\d+)?$/u, { description: "an exact decimal, possibly negative" })
)
