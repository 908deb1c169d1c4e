/** The columns of the list: words first, then what they are about. */
import type { ComponentChildren } from "preact"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import { duration, type Times } from "../../../src/text/Times.ts"
import * as Titles from "../../../src/Titles.ts"
import type { Book, Line } from "../Book.ts"
import { brief } from "../Clock.ts"
import { AmountText, room, widest } from "../components/AmountText.tsx"
import type { Item } from "./Folding.ts"
import type { Key } from "./Sorting.ts"

export interface Column {
  readonly name: string
  readonly title: string
  /** What a click on the title sorts by. */
  readonly sort?: Key
  readonly width: string
  readonly numeric?: boolean
  /** Empty text where there is nothing to tell. */
  readonly cell: (item: Item) => ComponentChildren
}

/** So many digits stand with their points below each other; longer amounts break into lines. */
const LONGEST = 24

/** A column that is wide enough for every amount in it, as far as that is not too much. */
const amountColumn = (amounts: ReadonlyArray<string>) => {
  const align = widest(amounts)
  const digits = amounts.reduce((most, amount) => Math.max(most, amount.split(".")[0]?.length ?? 0), 1)
  const isShort = digits + align.digits <= LONGEST
  const before = `calc(${digits}ch + ${Math.ceil(digits / 3)} * var(--gap))`
  return {
    width: isShort ? `max(7rem, calc(${before} + ${room(align)} + 1.5rem))` : `${LONGEST}ch`,
    cell: (amount: string | null) =>
      amount === null ? "" : <AmountText amount={amount} {...(isShort ? { align } : {})} />
  }
}

const names = (accounts: ReadonlyArray<string>): string =>
  accounts.length === 0
    ? ""
    : Text.plain(accounts.length === 1 ? accounts[0] ?? "" : `${accounts[0]} +${accounts.length - 1}`)

const states: Readonly<Record<Line["kind"], string>> = {
  discrepancy: "open",
  undetermined: "undetermined",
  pending: "pending",
  "set-aside": "set aside",
  matched: "matched"
}

const What = ({ item }: { readonly item: Item }) => {
  const { code, explanation, isOfRange, kind } = item.line
  return (
    <>
      <span class={`dot ${kind}`} aria-hidden="true" />
      <span class="words">
        <span class="title">
          {isOfRange ? "" : `${OtherDays.ONE}: `}
          {item.type === "fold" ? Titles.counted(code, item.lines.length) : Titles.title(code, 1)}
        </span>{" "}
        <bdi class="explanation">{Text.plain(explanation)}</bdi>
      </span>
    </>
  )
}

export const make = ({ facts, lines }: Book, times: Times): ReadonlyArray<Column> => {
  const { asOf } = facts.summary
  const amounts = amountColumn(lines.map(({ amount }) => amount))
  const worths = amountColumn(lines.flatMap(({ worth }) => (worth === null ? [] : [worth])))
  const decided = lines.some(({ isAccepted }) => isAccepted)
  return [
    { name: "what", title: "Break", sort: "code", width: "minmax(18rem, 1fr)", cell: (item) => <What item={item} /> },
    {
      name: "amount",
      title: "Amount",
      sort: "amount",
      numeric: true,
      width: amounts.width,
      cell: ({ line }) => (line.asset === "" ? "" : amounts.cell(line.amount))
    },
    ...(facts.prices === null ? [] : [{
      name: "worth",
      title: "Worth",
      sort: "worth" as const,
      numeric: true,
      width: worths.width,
      cell: ({ line }: Item) => worths.cell(line.worth)
    }]),
    {
      name: "age",
      title: "Age",
      sort: "at",
      width: "5.5rem",
      cell: ({ line: { at } }) => (at === null || asOf === null ? "" : duration(Math.max(0, asOf - at)))
    },
    { name: "asset", title: "Asset", sort: "asset", width: "6.5rem", cell: ({ line }) => Text.plain(line.asset) },
    { name: "account", title: "Account", sort: "account", width: "7.5rem", cell: ({ line }) => names(line.accounts) },
    {
      name: "time",
      title: "Time",
      sort: "at",
      width: "10rem",
      cell: ({ line: { at } }) => (at === null ? "" : brief(times, at))
    },
    { name: "state", title: "State", width: "7.5rem", cell: ({ line: { kind } }) => states[kind] },
    ...(decided
      ? [{
        name: "decision",
        title: "Decision",
        width: "6rem",
        cell: ({ line: { isAccepted } }: Item) => (isAccepted ? "accepted" : "")
      }]
      : [])
  ]
}
