/**
 * The statements of a page. Where a condition holds for few items only, these are looked up and sorted. Else items are read along the
 * index of their order, and those that the filter leaves out are passed over. Where that would pass over many, the items of the condition
 * that holds for the fewest are held against the index alone, so that no other row is read.
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

/** So many items are few, to be looked up or passed over. */
const FEW = 3000

/** More items than any table has. */
const ALL = 2 ** 31

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

/** The items of one condition, and what the others ask. */
interface Chosen {
  readonly items: ReadonlyArray<Fragment>
  readonly others: ReadonlyArray<Fragment>
}

/** How the items of a filter are found, however many pages of them are read. */
export interface Plan {
  /** What the filter asks. */
  readonly holds: ReadonlyArray<Fragment>
  /** The condition that holds for few items, if one does. */
  readonly rare: Chosen | undefined
  /** The condition that holds for the fewest items, also where these are many; it is looked for once, when it is needed. */
  readonly common: Effect.Effect<Chosen | undefined, SqlError>
}

/** Rows are sorted by a column, and by the key where that is the same. */
interface Sorting {
  readonly column: Column
  readonly isDown: boolean
}

type Position = Pick<Cursor.BehindItem, "key" | "value">

export interface Asked {
  readonly filter: ItemFilter.ItemFilter
  readonly by: ItemFilter.By
  readonly reversed: boolean
  readonly limit: number
  readonly after?: Position | undefined
}

/** Where no more than `few` items have what a condition asks for, these are looked up; no more than `few` are passed over. */
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
      given(filter.states, (states) =>
        indexed(
          states.length === 0 ? sql`1 = 0` : sql.or(states.map((state) => {
            const { before, from } = ItemRow.keysOf(state)
            return sql`i.key >= ${from} AND i.key < ${before}`
          }))
        )),
      given(filter.codes, (codes) => indexed(sql.in("i.code", codes))),
      given(filter.asset, (asset) => ofTerms([Terms.ofAsset(asset)])),
      given(filter.account, (account) => ofTerms([Terms.ofAccount(account)])),
      given(filter.side, (side) => indexed(sql`${sql.literal(side === "deposit" ? "i.deposits" : "i.transfers")} > 0`)),
      given(filter.before, (before) => indexed(sql`i.at < ${before}`)),
      given(filter.from, (from) => indexed(sql`i.at >= ${from}`)),
      given(filter.leastDifference, (least) => indexed(sql`i.size_rank >= ${Rank.of(least)}`)),
      given(filter.leastWorth, (least) => indexed(sql`i.worth_rank >= ${Rank.of(least)}`)),
      given(filter.decided, (decided) =>
        decided.includes("none")
          ? {
            holds: sql`i.number NOT IN (SELECT d.number FROM items d
              WHERE d.decided <> 'none' AND NOT ${sql.in("d.decided", decided)})`
          }
          : indexed(sql`i.decided <> 'none' AND ${sql.in("i.decided", decided)}`)),
      given(filter.text, (text) => Terms.ofText(text).map(ofTerms))
    ].flat()

  /** Gives the numbers of a condition's items; one may come several times. */
  const numbers = (items: ReadonlyArray<Fragment>): Fragment => sql.join(" UNION ALL ", false)(items)

  /** Counts the items of a condition, as far as they are no more than so many. */
  const countOf = (items: ReadonlyArray<Fragment>, most: number) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT CAST(COUNT(*) AS INTEGER) AS count
        FROM (SELECT item FROM (${numbers(items)}) AS found LIMIT ${most + 1}) AS counted`,
      ([row]) => row?.count ?? 0
    )

  /** Finds the condition that holds for the fewest items, if these are no more than so many. */
  const fewest = Effect.fnUntraced(function*(conditions: ReadonlyArray<Condition>, most: number) {
    let [found, least]: [Chosen | undefined, number] = [undefined, most + 1]
    for (const condition of conditions) {
      const { items } = condition
      if (items === undefined) continue
      const count = yield* countOf(items, least - 1)
      if (count >= least) continue
      found = { items, others: conditions.filter((one) => one !== condition).map(({ holds }) => holds) }
      least = count
    }
    return found
  })

  /** SQLite knows not how many rows a condition holds for, and would sort nearly all of them; PostgreSQL keeps count. */
  const along = (index: string): Fragment =>
    sql.onDialectOrElse({ sqlite: () => sql.literal(` INDEXED BY ${index}`), orElse: () => sql.literal("") })

  /** Gives the condition of the rows behind a position. */
  const behind = ({ column, isDown }: Sorting, { key, value }: Position): Fragment =>
    sql`(${sql.literal(`i.${column}`)}, i.key) ${sql.literal(isDown ? "<" : ">")} (${value}, ${key})`

  /** Finds how the items of a filter are read. Items that come afterwards are among them, too. */
  const plan = Effect.fnUntraced(function*(filter: ItemFilter.ItemFilter): Effect.fn.Return<Plan, SqlError> {
    const asked = conditions(filter)
    return {
      holds: asked.map(({ holds }) => holds),
      rare: yield* fewest(asked, few),
      common: yield* Effect.cached(fewest(asked, ALL))
    }
  })

  /** Reads rows for which conditions hold, in an order that an index has. */
  const rows = Effect.fnUntraced(function*<Row extends object>(
    { common, holds, rare }: Plan,
    { after, columns, limit, sorting }: {
      readonly columns: Fragment
      readonly sorting: Sorting
      readonly after: Position | undefined
      readonly limit: number
    }
  ): Effect.fn.Return<ReadonlyArray<Row>, SqlError> {
    const { column, isDown } = sorting
    const [value, direction] = [sql.literal(`i.${column}`), sql.literal(isDown ? "DESC" : "ASC")]
    const sorted = sql`ORDER BY ${value} ${direction}, i.key ${direction}`
    const items = sql`items i${along(`items_${column}`)}`
    const start = after === undefined ? [] : [behind(sorting, after)]
    if (rare !== undefined) {
      return yield* sql<Row>`WITH chosen AS MATERIALIZED (SELECT DISTINCT item FROM (${numbers(rare.items)}) AS found)
        SELECT ${columns} FROM chosen CROSS JOIN items i
        WHERE ${sql.and([sql`i.number = chosen.item`, ...start, ...rare.others])} ${sorted} LIMIT ${limit}`
    }

    const [end] = holds.length === 0 ? [] : yield* sql<Position>`SELECT ${value} AS value, i.key AS key FROM ${items}
      WHERE ${sql.and(start)} ${sorted} LIMIT 1 OFFSET ${few}`
    const before = end === undefined ? [] : [behind({ column, isDown: !isDown }, end)]
    const near = yield* sql<Row>`SELECT ${columns} FROM ${items}
      WHERE ${sql.and([...start, ...before, ...holds])} ${sorted} LIMIT ${limit}`
    if (end === undefined || near.length === limit) return near

    const chosen = yield* common
    const isChosen = chosen === undefined ? holds : [sql`i.number IN (${numbers(chosen.items)})`, ...chosen.others]
    return yield* sql<Row>`WITH page AS MATERIALIZED (
        SELECT i.number AS number FROM ${items} WHERE ${sql.and([...start, ...isChosen])} ${sorted} LIMIT ${limit}
      ) SELECT ${columns} FROM page CROSS JOIN items i WHERE i.number = page.number ${sorted}`
  })

  /** Reads the rows of a page. */
  const page = ({ after, by, filter, limit, reversed }: Asked) =>
    Effect.flatMap(plan(filter), (plan) =>
      rows<ItemRow.ItemRow>(plan, {
        columns: all,
        sorting: { column: columns[by], isDown: GREATEST_FIRST.has(by) !== reversed },
        after,
        limit
      }))

  /** Reads what a summary needs of items, the oldest first. */
  const step = (plan: Plan, limit: number, after: Pick<ItemRow.ItemRow, "at" | "key"> | undefined) =>
    rows<Summing.Row>(plan, {
      columns: summed,
      sorting: { column: "at", isDown: false },
      after: after === undefined ? undefined : { value: after.at, key: after.key },
      limit
    })

  return { page, plan, step }
}
