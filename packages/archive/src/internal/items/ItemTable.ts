/** The tables `items`, what waits as a list tells it, and `item_terms`, what each item is found by. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as BookState from "../../BookState.ts"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as ItemRow from "./ItemRow.ts"

/** A row, with the terms of its item. */
export interface Written {
  readonly row: ItemRow.ItemRow
  readonly terms: ReadonlySet<string>
}

/** So many rows are read at once. */
const PAGE = 1000

/** A row as it is kept; its number is by which its terms are kept, and may be another one whenever it is written anew. */
export interface Kept extends ItemRow.ItemRow {
  readonly number: number
}

const COLUMNS = ["number", ...ItemRow.COLUMNS] as const

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(COLUMNS.join(", "))
  const intoItems = Insert.into(sql, "items", COLUMNS, ["number"])
  const intoTerms = Insert.into(sql, "item_terms", ["item", "term"])

  const write = Effect.fnUntraced(function*(written: ReadonlyArray<Written>): Effect.fn.Return<void, SqlError> {
    const [last] = yield* sql<{ readonly number: number | null }>`SELECT MAX(number) AS number FROM items`
    const first = (last?.number ?? 0) + 1
    yield* intoItems(written.map(({ row }, index) => [first + index, ...ItemRow.valuesOf(row)]))
    yield* intoTerms(written.flatMap(({ terms }, index) => Array.from(terms, (term) => [first + index, term])))
  })

  /** Reads all rows, a page at a time, in the order of their keys. */
  const rows = Stream.paginate(
    "",
    (after: string) =>
      Effect.map(
        sql<Kept>`SELECT ${columns} FROM items WHERE key > ${after} ORDER BY key LIMIT ${PAGE}`,
        (rows) => [rows, rows.length < PAGE ? Option.none() : Option.fromUndefinedOr(rows.at(-1)?.key)] as const
      )
  )

  /** Reads all terms, each with the key of its item; null where there is no such item. */
  const terms = sql<{ readonly key: string | null; readonly term: string }>`SELECT i.key AS key, t.term AS term
    FROM item_terms t LEFT JOIN items i ON i.number = t.item ORDER BY t.item`.stream

  return {
    write,
    /** Writes rows anew whose items have the same terms as before. */
    rewrite: (rows: ReadonlyArray<Kept>) => intoItems(rows.map((row) => [row.number, ...ItemRow.valuesOf(row)])),
    rows,
    terms,
    /** Removes the items of these outcomes. */
    remove: (outcomes: ReadonlyArray<string>) => {
      const keys = outcomes.flatMap((outcome) =>
        BookState.Waiting.literals.map((state) => ItemRow.keyOf({ state, outcome }))
      )
      return Effect.andThen(
        sql`DELETE FROM item_terms WHERE item IN (SELECT number FROM items WHERE ${InList.of(sql, "key", keys)})`,
        sql`DELETE FROM items WHERE ${InList.of(sql, "key", keys)}`
      )
    },
    clear: Effect.andThen(sql`DELETE FROM item_terms`, sql`DELETE FROM items`)
  }
}
