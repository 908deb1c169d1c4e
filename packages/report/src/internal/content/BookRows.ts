/**
 * Writes what a report says of the books: the roll-forward as rows, and the rest in sentences. An asset in a state is a block of rows, in
 * which both sides stand beside each other.
 */
import type * as Report from "@tallystick/reconcile/Report"
import * as Text from "../../text/Text.ts"
import * as Times from "../../text/Times.ts"

type Line = typeof Report.RollForwardLine.Type

type Forward = typeof Report.RollForward.Type

type Item = Report.Books["carried"]["oldest"][number]

type Member = Item["entries"][number]

interface Row {
  readonly label: string
  readonly deposits: Line
  readonly transfers: Line
}

export interface Block extends Pick<Forward, "asset" | "state"> {
  readonly rows: ReadonlyArray<Row>
}

/** The lines of a roll-forward in their order; those with `less` are taken away. */
export const lines = [
  ["broughtForward", "brought forward"],
  ["new", "new"],
  ["reopened", "reopened"],
  ["restated", "restated"],
  ["moved", "moved"],
  ["matched", "less matched"],
  ["decided", "less decided"],
  ["setOut", "less set out"],
  ["carriedForward", "carried forward"]
] as const

/** Names a line as a program reads it: `brought-forward`. */
export const slug = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const NOTHING: Line = { count: 0, sum: "0" }

const isNothing = ({ count, sum }: Line): boolean => count === 0 && sum === "0"

/** Whether a line is one of both ends, which are shown also where they are zero. */
export const isEnd = (name: string): boolean => name === "broughtForward" || name === "carriedForward"

/** Stands for both ends of a roll-forward that nothing lies between. */
const UNCHANGED = "carried, unchanged"

/** Makes one row of both ends where nothing lies between them. */
export const shortened = <R extends { readonly label: string }>(rows: ReadonlyArray<R>): ReadonlyArray<R> => {
  const carried = rows.at(-1)
  return carried !== undefined && rows.length === 2 ? [{ ...carried, label: UNCHANGED }] : rows
}

/** Returns the blocks in the order of the report; what nothing changed has one row. */
export const blocks = ({ rollForward }: Report.Books): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(rollForward, ({ asset, state }) => JSON.stringify([asset, state])).values()).flatMap(
    (sides) => {
      const [first] = sides
      if (first === undefined) return []
      const of = (side: Forward["side"], name: typeof lines[number][0]): Line =>
        sides.find((one) => one.side === side)?.[name] ?? NOTHING
      const rows = lines.flatMap(([name, label]): ReadonlyArray<Row> => {
        const [deposits, transfers] = [of("deposit", name), of("transfer", name)]
        return isEnd(name) || !isNothing(deposits) || !isNothing(transfers) ? [{ label, deposits, transfers }] : []
      })
      return [{ asset: first.asset, state: first.state, rows: shortened(rows) }]
    }
  )

/** Says what the rows mean. */
export const LEGEND =
  "The books are of all days. Carried forward is what was brought forward and came to wait, less what was settled; moved: in another state before."

const entries = (count: number): string => Text.counted(count, "entry", "entries")

const closedBy = ({ code, count, state }: Report.Books["closed"][number]): string =>
  `${Text.count(count)} ${state} (${code})`

/** Tells apart what is new, what was settled and by what, and what waits on, in a sentence each. */
export const sentences = ({ carried, closed, new: fresh }: Report.Books): ReadonlyArray<string> => {
  const settled = closed.reduce((sum, { count }) => sum + count, 0)
  return [
    fresh === 0
      ? "No entry came to wait."
      : `${entries(fresh)} ${fresh === 1 ? "waits that did not wait" : "wait that did not wait"} before.`,
    settled === 0
      ? "Nothing that waited was settled."
      : `${entries(settled)} that waited ${settled === 1 ? "is" : "are"} settled: ${
        Text.listed(closed.map(closedBy))
      }.`,
    carried.entries === 0
      ? "Nothing else waits."
      : `${entries(carried.entries)} in ${Text.counted(carried.items, "item")} ${
        carried.entries === 1 ? "goes" : "go"
      } on waiting.`
  ]
}

/** Names the execution, and the end of the ledger, by which somebody can tell later whether anything before it was changed. */
export const execution = ({ execution: { id, number } }: Report.Books): string =>
  `Execution ${number} brought the books forward, and the ledger ends with it: ${number}@${id}.`

/** Writes how long an item waits, up to the last reading. */
export const age = ({ at }: Item, asOf: number | null): string =>
  asOf === null ? "" : Times.duration(Math.max(asOf - at, 0))

/** Writes the code, with the state where it is no break. */
export const code = ({ code, state }: Item): string => state === "open" ? code : `${code} (${state})`

const member = ({ account, amount, asset, id, side }: Member): string =>
  `${side} ${amount} ${asset}${account === undefined ? "" : ` ${account}`} ${
    id.length > 28 ? `${id.slice(0, 8)}…${id.slice(-8)}` : id
  }`

/** Names the first entries of an item; it may hold strangers' names. */
export const members = ({ count, entries }: Item): string =>
  `${entries.map(member).join(" + ")}${count > entries.length ? ` and ${Text.count(count - entries.length)} more` : ""}`

/** Says how many items are not shown; nothing where all are. */
export const more = ({ carried }: Report.Books, shown: number): string | undefined =>
  carried.items > shown
    ? `… and ${Text.counted(carried.items - shown, "more item")} that ${
      carried.items - shown === 1 ? "goes" : "go"
    } on waiting; tallystick open lists all`
    : undefined
