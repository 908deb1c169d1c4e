/**
 * The statements of a page. Items are read along the index of their order, and those that the filter leaves out are passed over; where a
 * condition holds for few items only, these are looked up and sorted.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type * as ItemFilter from "../../ItemFilter.ts"
import type * as Cursor from "./Cursor.ts"
import * as ItemRow from "./ItemRow.ts"
import * as Rank from "./Rank.ts"
import * as Summing from "./Summing.ts"
import * as Terms from "./Terms.ts"

/** So many items are few. */
const FEW = 5000

type Column = "account" | "at" | "code" | "since" | "size_rank" | "worth_rank"

const columns: Readonly<Record<ItemFilter.By, Column>> = {
  worth: "worth_rank",
  difference: "size_rank",
  age: "at",
  since: "since",
  account: "account",
  code: "code"
}

/** By these the greatest comes first. */
const GREATEST_FIRST: ReadonlySet<ItemFilter.By> = new Set(["worth", "difference"])

/** Gives the value by which a row is sorted. */
export const valueOf = (row: ItemRow.ItemRow, by: ItemFilter.By): string | number => row[columns[by]]

/** Tells whether a value can be one of those by which items are sorted so. */
export const isValue = (value: string | number, by: ItemFilter.By): boolean =>
  typeof value === (by === "age" || by === "since" ? "number" : "string")

/** What a filter asks of a row `i`, and the keys of all items for which it holds, where an index has them. */
interface Condition {
  readonly holds: Fragment
  readonly items?: ReadonlyArray<Fragment>
}

export interface Asked {
  readonly filter: ItemFilter.ItemFilter
  readonly by: ItemFilter.By
  readonly reversed: boolean
  readonly limit: number
  readonly after?: Pick<Cursor.BehindItem, "key" | "value"> | undefined
}

/** Where no more than `few` items have what a condition asks for, these are looked up. */
export const make = (sql: SqlClient.SqlClient, few = FEW) => {
  const all = sql.literal(ItemRow.COLUMNS.map((column) => `i.${column}`).join(", "))

  const summed = sql.literal(Summing.COLUMNS.map((column) => `i.${column}`).join(", "))

  const inRange = (range: Terms.Range): Fragment =>
    "is" in range ? sql`t.term = ${range.is}` : sql`t.term >= ${range.from} AND t.term < ${range.before}`

  const ofTerms = (ranges: ReadonlyArray<Terms.Range>): Condition => ({
    holds: sql`EXISTS (SELECT 1 FROM item_terms t WHERE t.item = i.number AND ${sql.or(ranges.map(inRange))})`,
    items: ranges.map((range) => sql`SELECT t.item AS item FROM item_terms t WHERE ${inRange(range)}`)
  })

  const indexed = (holds: Fragment): Condition => ({
    holds,
    items: [sql`SELECT i.number AS item FROM items i WHERE ${holds}`]
  })

  const given = <A>(value: A | undefined, make: (value: A) => Condition | ReadonlyArray<Condition>) =>
    value === undefined ? [] : make(value)

  const conditions = (filter: ItemFilter.ItemFilter): ReadonlyArray<Condition> =>
    [
      given(filter.states, (states) => ({ holds: sql.in("i.state", states) })),
      given(filter.codes, (codes) => indexed(sql.in("i.code", codes))),
      given(filter.asset, (asset) => ofTerms([Terms.ofAsset(asset)])),
      given(filter.account, (account) => ofTerms([Terms.ofAccount(account)])),
      given(
        filter.side,
        (side) => ({ holds: sql`${sql.literal(side === "deposit" ? "i.deposits" : "i.transfers")} > 0` })
      ),
      given(filter.before, (before) => indexed(sql`i.at < ${before}`)),
      given(filter.from, (from) => indexed(sql`i.at >= ${from}`)),
      given(filter.leastDifference, (least) => indexed(sql`i.size_rank >= ${Rank.of(least)}`)),
      given(filter.leastWorth, (least) => indexed(sql`i.worth_rank >= ${Rank.of(least)}`)),
      given(filter.decided, (decided) =>
        decided.includes("none")
          ? { holds: sql.in("i.decided", decided) }
          : indexed(sql`i.decided <> 'none' AND ${sql.in("i.decided", decided)}`)),
      given(filter.text, (text) => Terms.ofText(text).map(ofTerms))
    ].flat()

  /** Counts the items of a condition, as far as they are few. */
  const countOf = (items: ReadonlyArray<Fragment>) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT CAST(COUNT(*) AS INTEGER) AS count
        FROM (SELECT item FROM (${sql.join(" UNION ALL ", false)(items)}) AS found LIMIT ${few + 1}) AS counted`,
      ([row]) => row?.count ?? 0
    )

  /** Finds the condition that holds for the fewest items, if these are few. */
  const fewest = Effect.fnUntraced(function*(conditions: ReadonlyArray<Condition>) {
    let [found, least]: [ReadonlyArray<Fragment> | undefined, number] = [undefined, few + 1]
    for (const { items } of conditions) {
      if (items === undefined) continue
      const count = yield* countOf(items)
      if (count < least) [found, least] = [items, count]
    }
    return found
  })

  /** SQLite knows not how many rows a condition holds for, and would sort nearly all of them; PostgreSQL keeps count. */
  const along = (index: string): Fragment =>
    sql.onDialectOrElse({ sqlite: () => sql.literal(` INDEXED BY ${index}`), orElse: () => sql.literal("") })

  /** Reads rows for which conditions hold, in an order that an index has. */
  const rows = Effect.fnUntraced(function*<Row extends object>(
    filter: ItemFilter.ItemFilter,
    { columns, index, limit, position, sorted }: {
      readonly columns: Fragment
      readonly index: string
      readonly position: Fragment
      readonly sorted: Fragment
      readonly limit: number
    }
  ): Effect.fn.Return<ReadonlyArray<Row>, SqlError> {
    const asked = conditions(filter)
    const chosen = yield* fewest(asked)
    const holds = sql.and([position, ...asked.map(({ holds }) => holds)])
    return yield* chosen === undefined
      ? sql<Row>`SELECT ${columns} FROM items i${along(index)} WHERE ${holds} ORDER BY ${sorted} LIMIT ${limit}`
      : sql<Row>`WITH chosen AS MATERIALIZED (SELECT DISTINCT item FROM (${
        sql.join(" UNION ALL ", false)(chosen)
      }) AS found)
          SELECT ${columns} FROM chosen CROSS JOIN items i WHERE i.number = chosen.item AND ${holds}
          ORDER BY ${sorted} LIMIT ${limit}`
  })

  /** Reads the rows of a page. */
  const page = ({ after, by, filter, limit, reversed }: Asked) => {
    const { [by]: name } = columns
    const column = sql.literal(`i.${name}`)
    const isDown = GREATEST_FIRST.has(by) !== reversed
    const direction = sql.literal(isDown ? "DESC" : "ASC")
    return rows<ItemRow.ItemRow>(filter, {
      columns: all,
      index: `items_${name}`,
      position: after === undefined
        ? sql`1 = 1`
        : sql`(${column}, i.key) ${sql.literal(isDown ? "<" : ">")} (${after.value}, ${after.key})`,
      sorted: sql`${column} ${direction}, i.key ${direction}`,
      limit
    })
  }

  /** Reads what a summary needs of items, the oldest first. */
  const step = (filter: ItemFilter.ItemFilter, limit: number, after: Pick<ItemRow.ItemRow, "at" | "key"> | undefined) =>
    rows<Summing.Row>(filter, {
      columns: summed,
      index: "items_at",
      position: after === undefined ? sql`1 = 1` : sql`(i.at, i.key) > (${after.at}, ${after.key})`,
      sorted: sql`i.at, i.key`,
      limit
    })

  return { page, step }
}
