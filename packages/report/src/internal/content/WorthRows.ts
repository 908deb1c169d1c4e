/**
 * Writes what the roll-forward of the books is worth, as rows: an asset in a state is a block, in which both sides stand beside each
 * other. All assets together come first, where there are several.
 */
import type * as Report from "@tallystick/reconcile/Report"
import * as Text from "../../text/Text.ts"
import * as BookRows from "./BookRows.ts"

type Line = Report.RollForwardWorth["lines"][number]

type Total = Report.RollForwardWorth["totals"][number]

type Name = keyof Omit<Total, "side" | "state">

interface Row {
  readonly label: string
  readonly deposits: string
  readonly transfers: string
}

export interface Block extends Pick<Total, "state"> {
  /** Undefined where the block is of all assets. */
  readonly asset: string | undefined
  readonly rows: ReadonlyArray<Row>
}

/** The lines in their order; those with `less` are taken away. */
export const lines: ReadonlyArray<readonly [name: Name, label: string]> = BookRows.lines.flatMap(
  ([name, label]): ReadonlyArray<readonly [Name, string]> =>
    name === "broughtForward" ? [[name, label], ["revaluation", "revaluation"]] : [[name, label]]
)

const blockOf = (asset: string | undefined, sides: ReadonlyArray<Total>): ReadonlyArray<Block> => {
  const [first] = sides
  if (first === undefined) return []
  const of = (side: Total["side"], name: Name): string => sides.find((one) => one.side === side)?.[name] ?? "0"
  const rows = lines.flatMap(([name, label]): ReadonlyArray<Row> => {
    const [deposits, transfers] = [of("deposit", name), of("transfer", name)]
    return BookRows.isEnd(name) || deposits !== "0" || transfers !== "0" ? [{ label, deposits, transfers }] : []
  })
  return [{ asset, state: first.state, rows: BookRows.shortened(rows) }]
}

const grouped = <T extends Total>(rows: ReadonlyArray<T>, keyOf: (row: T) => string): ReadonlyArray<ReadonlyArray<T>> =>
  Array.from(Map.groupBy(rows, keyOf).values())

/** Returns the blocks in the order of the report; what nothing changed has one row. */
export const blocks = ({ worth }: Report.Books): ReadonlyArray<Block> => {
  if (worth === undefined) return []
  const isOfSeveral = new Set(worth.lines.map(({ asset }) => asset)).size > 1
  return [
    ...(isOfSeveral ? grouped(worth.totals, ({ state }) => state).flatMap((sides) => blockOf(undefined, sides)) : []),
    ...grouped(worth.lines, ({ asset, state }) => JSON.stringify([asset, state])).flatMap((sides) =>
      blockOf(sides[0]?.asset, sides)
    )
  ]
}

/** Names a block; `written` makes text of a name that a stranger chose. */
export const title = ({ asset, state }: Block, written: (name: string) => string): string =>
  `${asset === undefined ? "all assets with prices" : written(asset)}, ${state}`

/** Stands behind the word worth: ` in USD`; nothing where nobody said which currency it is. */
export const inCurrency = ({ currency }: Report.RollForwardWorth): string =>
  currency === undefined ? "" : ` in ${currency}`

/** Says what the rows mean. */
export const LEGEND =
  "Worth is at the prices of this execution; what was brought forward is at those of the execution before, and the revaluation is the difference."

/** So many assets are named; of more, the number is told. */
const NAMED = 20

/** Says of which assets no worth is stated, and why; nothing where it is stated of all. */
export const lacking = (
  worth: Report.RollForwardWorth,
  written: (name: string) => string
): string | undefined => {
  const { lacking } = worth
  if (lacking.length === 0) return undefined
  const names = lacking.slice(0, NAMED).map(written)
  const more = lacking.length - names.length
  const them = lacking.length === 1 ? "it" : "them"
  return `No worth is stated of ${
    Text.listed(more === 0 ? names : [...names, `${Text.count(more)} more`])
  }, and no sum ` +
    `holds ${them}: this execution has no price${
      inCurrency(worth)
    } of ${them}, or something of ${them} was brought forward ` +
    "and the execution before has none, or one in another currency."
}

/** Gives the price at which a line of an asset is taken. */
export const priceOf = ({ price, priceBefore }: Line, name: Name): string | undefined =>
  name === "revaluation" ? undefined : name === "broughtForward" ? priceBefore ?? price : price
