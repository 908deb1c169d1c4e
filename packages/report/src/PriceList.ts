/** Prices as a file writes them. */
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"

const expected =
  "a price above zero as decimal text, such as \"65000.12\", at most 64 digits on either side of the point"

/** What one unit of an asset is worth: exact decimal text above zero, as text. */
export const Price = Amount.Amount.annotate({ expected }).check(
  Schema.makeFilter((text) => !Amount.isZero(text), { expected })
)

/** `{ "BTC": "65000.12" }` */
export const PriceList = Schema.Record(Schema.NonEmptyString, Price)
export type PriceList = typeof PriceList.Type

/** A row with the price of one asset. */
export const PriceRow = Schema.Struct({ asset: Schema.NonEmptyString, price: Price })
export type PriceRow = typeof PriceRow.Type
