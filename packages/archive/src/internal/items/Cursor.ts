/** A cursor names the position behind an item by what the item is sorted by, so that it stays where it is while others write. */
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ItemFilter from "../../ItemFilter.ts"

/** No row has other texts: a database that cannot hold them would fail. */
const Text = Schema.String.check(
  Schema.makeFilter((text) => text.isWellFormed() && !text.includes("\0"), { expected: "text that a database holds" })
)

const order = { by: ItemFilter.By, reversed: Schema.Boolean }

/** What the books do not know comes before all items: by its kind, its time and its id. */
const BehindUnknown = Schema.Struct({
  ...order,
  kind: Schema.Literals([0, 1]),
  at: Schema.Int,
  id: Text
})
export type BehindUnknown = typeof BehindUnknown.Type

/** Items come by the value of the column by which they are sorted, then by their keys. */
const BehindItem = Schema.Struct({
  ...order,
  value: Schema.Union([Text, Schema.Int]),
  key: Text
})
export type BehindItem = typeof BehindItem.Type

const Cursor = Schema.Union([BehindUnknown, BehindItem])
export type Cursor = typeof Cursor.Type

export const isBehindItem = Schema.is(BehindItem)

const text = Schema.StringFromBase64Url.pipe(Schema.decodeTo(Schema.fromJsonString(Cursor)))

export const encode: (cursor: Cursor) => string = Schema.encodeSync(text)

/** Gives nothing where a text is no cursor. */
export const decode: (cursor: string) => Option.Option<Cursor> = Schema.decodeOption(text)
