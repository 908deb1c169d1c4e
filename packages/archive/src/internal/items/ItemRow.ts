/** A row of the table `items`: what a list shows of an item, and by what it is sorted. */
import * as Amount from "@tallystick/core/Amount"
import type * as Difference from "@tallystick/reconcile/Difference"
import type * as BookState from "../../BookState.ts"
import type * as Execution from "../../Execution.ts"
import type * as ListedItem from "../../ListedItem.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type { Value } from "../sql/Checksum.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as Rank from "./Rank.ts"

export interface ItemRow {
  /** It follows from the state and the outcome. */
  readonly key: string
  readonly id: string
  readonly state: BookState.Waiting
  readonly code: ListedItem.ListedItem["code"]
  readonly outcome: string
  readonly at: number
  readonly since: number
  readonly execution: number
  readonly deposits: number
  readonly transfers: number
  /** The side, id, asset, amount and account of its earliest entry; empty where no account is known. */
  readonly side: ListedItem.ListedItem["first"]["side"]
  readonly entry: string
  readonly asset: string
  readonly amount: string
  readonly account: string
  /** These four say the difference, or none of them does. */
  readonly difference_asset: string | null
  readonly missing: string | null
  readonly excess: string | null
  readonly bound: Difference.Bound | null
  /** These two say what was moved of another asset, or neither does. */
  readonly other_asset: string | null
  readonly other_excess: string | null
  /** The rank of the size of the difference. */
  readonly size_rank: string
  readonly worth: string | null
  readonly worth_rank: string
  readonly decided: ListedItem.Decided
  /** 0 where there is none. */
  readonly decision: number
}

/** The table has these columns; the key stands first. */
export const COLUMNS = [
  "key",
  "id",
  "state",
  "code",
  "outcome",
  "at",
  "since",
  "execution",
  "deposits",
  "transfers",
  "side",
  "entry",
  "asset",
  "amount",
  "account",
  "difference_asset",
  "missing",
  "excess",
  "bound",
  "other_asset",
  "other_excess",
  "size_rank",
  "worth",
  "worth_rank",
  "decided",
  "decision"
] as const satisfies ReadonlyArray<keyof ItemRow>

export const valuesOf = (row: ItemRow): ReadonlyArray<Value> => COLUMNS.map((column) => row[column])

const { decode, encode } = StoredText

/** The first letters of keys are those of the states. */
const LETTER: Readonly<Record<BookState.Waiting, string>> = { open: "o", pending: "p", undetermined: "u" }

/** Names an item among all that wait: no other one is in this state and of this outcome. */
export const keyOf = ({ outcome, state }: Pick<OpenItem.OpenItem, "outcome" | "state">): string =>
  LETTER[state] + outcome

/** Gives the keys of a state: from one on, and before another one. */
export const keysOf = (state: BookState.Waiting): { readonly from: string; readonly before: string } => {
  const { [state]: from } = LETTER
  return { from, before: String.fromCodePoint((from.codePointAt(0) ?? 0) + 1) }
}

/** Gives what one unit of each asset is worth. */
export type Prices = ReadonlyMap<string, string>

/** Gives the prices of the last execution that was made with prices. */
export const pricesOf = (executions: ReadonlyArray<Execution.Execution>): Prices =>
  new Map(
    executions.findLast(({ body }) => body.prices !== undefined)?.body.prices?.list.map((
      { asset, price }
    ) => [asset, price])
  )

const sizeOf = ({ excess, missing }: Pick<ListedItem.Difference, "excess" | "missing">): string =>
  Amount.sum([missing, excess])

/** Says what a difference is worth, and with it what was moved of another asset; nothing where either has no price. */
const worthOf = (
  difference: Pick<ListedItem.Difference, "asset" | "excess" | "missing" | "other"> | undefined,
  prices: Prices
): Pick<ItemRow, "worth" | "worth_rank"> => {
  const parts = difference === undefined ? [] : [
    { asset: difference.asset, amount: sizeOf(difference) },
    ...(difference.other === undefined ? [] : [{ asset: difference.other.asset, amount: difference.other.excess }])
  ]
  const worths = parts.flatMap(({ amount, asset }) => {
    const price = prices.get(asset)
    return price === undefined ? [] : [Amount.times(amount, price)]
  })
  if (worths.length === 0 || worths.length < parts.length) return { worth: null, worth_rank: Rank.UNKNOWN }
  const worth = Amount.sum(worths)
  return { worth, worth_rank: Rank.of(worth) }
}

/** What is told of an item that its entries do not tell. */
export interface Told extends Pick<ItemRow, "decided" | "decision"> {
  readonly difference: Difference.Difference | undefined
}

export const make = (item: OpenItem.OpenItem, { decided, decision, difference }: Told, prices: Prices): ItemRow => {
  const { at, code, entries, execution, id, outcome, since, state } = item
  const [first] = entries
  return {
    key: keyOf(item),
    id,
    state,
    code,
    outcome,
    at,
    since,
    execution,
    deposits: entries.filter(({ side }) => side === "deposit").length,
    transfers: entries.filter(({ side }) => side === "transfer").length,
    side: first.side,
    entry: encode(first.id),
    asset: encode(first.asset),
    amount: first.amount,
    account: encode(first.account ?? ""),
    difference_asset: difference === undefined ? null : encode(difference.asset),
    missing: difference?.missing ?? null,
    excess: difference?.excess ?? null,
    bound: difference?.bound ?? null,
    other_asset: difference?.other === undefined ? null : encode(difference.other.asset),
    other_excess: difference?.other?.excess ?? null,
    size_rank: difference === undefined ? Rank.UNKNOWN : Rank.of(difference.size),
    ...worthOf(difference, prices),
    decided,
    decision
  }
}

const differenceOf = (
  { bound, difference_asset: asset, excess, missing, other_asset, other_excess }: ItemRow
): ListedItem.Difference | undefined =>
  asset === null || missing === null || excess === null || bound === null ? undefined : {
    asset: decode(asset),
    missing,
    excess,
    amount: Amount.sum([missing, Amount.times(excess, "-1")]),
    size: sizeOf({ missing, excess }),
    bound,
    ...(other_asset === null || other_excess === null
      ? {}
      : { other: { asset: decode(other_asset), excess: other_excess } })
  }

/** Gives the row with what it is worth at other prices. */
export const priced = <Row extends ItemRow>(row: Row, prices: Prices): Row => ({
  ...row,
  ...worthOf(differenceOf(row), prices)
})

export const toItem = (row: ItemRow): ListedItem.ListedItem => {
  const { account, amount, at, code, decided, decision, deposits, entry, execution, id, outcome, side } = row
  const difference = differenceOf(row)
  return {
    id,
    state: row.state,
    code,
    outcome,
    at,
    since: row.since,
    execution,
    deposits,
    transfers: row.transfers,
    first: {
      side,
      id: decode(entry),
      asset: decode(row.asset),
      amount,
      ...(account === "" ? {} : { account: decode(account) })
    },
    ...(difference === undefined ? {} : { difference }),
    ...(row.worth === null ? {} : { worth: row.worth }),
    decided,
    ...(decision === 0 ? {} : { decision })
  }
}
