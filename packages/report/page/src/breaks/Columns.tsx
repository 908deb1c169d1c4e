/** The columns of the list. */
import type { ComponentChildren } from "preact"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import { duration, type Times } from "../../../src/text/Times.ts"
import * as Titles from "../../../src/Titles.ts"
import { AmountText, room, widest } from "../AmountText.tsx"
import type { Book, Line } from "../Book.ts"
import type { Key } from "./Sorting.ts"

export interface Column {
  readonly name: string
  readonly title: string
  /** What a click on the title sorts by. */
  readonly sort?: Key
  readonly width: string
  readonly numeric?: boolean
  readonly cell: (line: Line) => ComponentChildren
}

/** Wide enough for every amount of a column. */
const amountColumn = (amounts: ReadonlyArray<string>) => {
  const align = widest(amounts)
  const digits = amounts.reduce((most, amount) => Math.max(most, amount.split(".")[0]?.length ?? 0), 1)
  const before = `calc(${digits}ch + ${Math.ceil(digits / 3)} * var(--gap))`
  return {
    width: `max(8rem, calc(${before} + ${room(align)} + 1.5rem))`,
    cell: (amount: string | null) => (amount === null ? "" : <AmountText amount={amount} align={align} />)
  }
}

const names = (accounts: ReadonlyArray<string>): string =>
  accounts.length === 0
    ? ""
    : Text.plain(accounts.length === 1 ? accounts[0] ?? "" : `${accounts[0]} +${accounts.length - 1}`)

export const make = ({ facts, lines }: Book, times: Times): ReadonlyArray<Column> => {
  const { asOf } = facts.summary
  const amounts = amountColumn(lines.map(({ amount }) => amount))
  const worths = amountColumn(lines.flatMap(({ worth }) => (worth === null ? [] : [worth])))
  return [
    {
      name: "what",
      title: "What",
      sort: "code",
      width: "19rem",
      cell: ({ code, isOfRange, kind }) => (
        <>
          <span class={`dot ${kind}`} aria-hidden="true" />
          {isOfRange ? "" : `${OtherDays.ONE}: `}
          {Titles.title(code, 1)}
        </>
      )
    },
    { name: "asset", title: "Asset", sort: "asset", width: "6.5rem", cell: ({ asset }) => Text.plain(asset) },
    {
      name: "amount",
      title: "Amount",
      sort: "amount",
      numeric: true,
      width: amounts.width,
      cell: (line) => (line.deposits + line.transfers === 0 ? "" : amounts.cell(line.amount))
    },
    ...(facts.prices === null ? [] : [{
      name: "worth",
      title: "Worth",
      sort: "worth" as const,
      numeric: true,
      width: worths.width,
      cell: ({ worth }: Line) => worths.cell(worth)
    }]),
    { name: "account", title: "Account", sort: "account", width: "9rem", cell: ({ accounts }) => names(accounts) },
    {
      name: "time",
      title: `Time (${times.zone})`,
      sort: "at",
      width: `calc(${times.instant(0).length}ch + 24px)`,
      cell: ({ at }) => (at === null ? "" : times.instant(at))
    },
    {
      name: "age",
      title: "Age",
      width: "8rem",
      cell: ({ at }) => (at === null || asOf === null ? "" : duration(Math.max(0, asOf - at)))
    },
    {
      name: "explanation",
      title: "Explanation",
      sort: "explanation",
      width: "minmax(16rem, 1fr)",
      cell: ({ explanation }) => Text.plain(explanation)
    }
  ]
}
