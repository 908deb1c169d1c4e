/** The columns of the list: words first, then what they are about. */
import type { ComponentChildren } from "preact"
import * as FigureText from "../../../src/internal/content/FigureText.ts"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import { duration, type Times } from "../../../src/text/Times.ts"
import * as Titles from "../../../src/Titles.ts"
import type { Book, Line } from "../Book.ts"
import { brief } from "../Clock.ts"
import { AmountText, type Fraction, room, widest } from "../components/AmountText.tsx"
import { BoundText } from "../components/BoundText.tsx"
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
    width: isShort ? `max(7.5rem, calc(${before} + ${room(align)} + 1.5rem))` : `${LONGEST}ch`,
    align: isShort ? align : undefined
  }
}

/** What is missing and what is too much, each with the words that say so. */
const Difference = ({ align, line: { difference } }: { readonly line: Line; readonly align: Fraction | undefined }) => {
  if (difference === null) return null
  const { other } = difference
  const parts = [
    [difference.missing, "missing"],
    [difference.excess, "too much"],
    [other?.excess ?? "0", `too much of ${Text.plain(other?.asset ?? "")}`]
  ] as const
  const found = parts.filter(([amount]) => amount !== "0")
  if (found.length === 0) return <span class="nothing">no difference</span>
  return (
    <>
      {found.map(([amount, words]) => (
        <span key={words} class="part">
          <AmountText amount={amount} align={align} />
          <small>{difference.bound === "exact" ? words : `${difference.bound}, ${words}`}</small>
        </span>
      ))}
    </>
  )
}

const names = (accounts: ReadonlyArray<string>): string =>
  accounts.length === 0
    ? ""
    : Text.plain(accounts.length === 1 ? accounts[0] ?? "" : `${accounts[0]} +${accounts.length - 1}`)

const states: Readonly<Record<Line["kind"], string>> = {
  discrepancy: "open",
  undetermined: "not decidable",
  pending: "pending",
  "set-aside": "set aside",
  matched: "matched"
}

const State = ({ item: { line, type } }: { readonly item: Item }) => (
  <>
    {line.isAccepted ? "accepted" : states[line.kind]}
    {type === "fold" ? null : <small>{line.finality}</small>}
  </>
)

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
  const differences = amountColumn(
    lines.flatMap(({ difference }) => difference === null ? [] : [difference.missing, difference.excess])
  )
  const worthDigits = lines.reduce((most, { worth }) => Math.max(most, worth?.split(".")[0]?.length ?? 0), 6) * 1.25 + 3
  const decided = lines.some(({ isAccepted }) => isAccepted)
  return [
    { name: "what", title: "Break", sort: "code", width: "minmax(18rem, 1fr)", cell: (item) => <What item={item} /> },
    {
      name: "difference",
      title: "Difference",
      sort: "difference",
      numeric: true,
      width: differences.width,
      cell: ({ line }) => <Difference line={line} align={differences.align} />
    },
    ...(facts.prices === null ? [] : [{
      name: "worth",
      title: facts.currency === null ? "Worth" : `Worth (${Text.plain(facts.currency)})`,
      sort: "worth" as const,
      numeric: true,
      width: `max(8.5rem, calc(${worthDigits}ch + 1.5rem))`,
      cell: ({ line: { difference, worth } }: Item) =>
        worth === null
          ? (difference === null ? "" : "no price")
          : <BoundText text={FigureText.glance(worth, difference?.bound ?? "exact")} />
    }]),
    {
      name: "age",
      title: "Age",
      sort: "at",
      width: "6.5rem",
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
    { name: "state", title: "State", width: "7.5rem", cell: (item) => <State item={item} /> },
    ...(decided
      ? [{
        name: "decision",
        title: "Decision",
        width: "9rem",
        cell: ({ line: { accepted } }: Item) =>
          accepted === null ? "" : `accepted by ${Text.plain(accepted.by)}: ${Text.plain(accepted.reason)}`
      }]
      : [])
  ]
}
