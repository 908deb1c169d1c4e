/** A table is read page by page, in the order of a key, so that no more than a page of it is in memory. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

interface Options<Key, Row extends Key> {
  /** Every row lies behind this key. */
  readonly first: Key
  /** A page has at most so many rows. */
  readonly most: number
  /** Reads the rows that lie behind a key. */
  readonly page: (after: Key) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  /** Takes the rows of a page, and tells whether to read on. */
  readonly take: (rows: ReadonlyArray<Row>) => boolean
}

/** Reads to the end of the table, or until a page is the last one that is wanted. */
export const read = Effect.fnUntraced(function*<Key, Row extends Key>(
  { first, most, page, take }: Options<Key, Row>
): Effect.fn.Return<void, SqlError> {
  let after = first
  for (;;) {
    const rows: ReadonlyArray<Row> = yield* page(after)
    const last = rows.at(-1)
    if (!take(rows) || last === undefined || rows.length < most) return
    after = last
  }
})
