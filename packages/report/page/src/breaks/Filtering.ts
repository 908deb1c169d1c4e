/** Which outcomes are shown. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Text from "../../../src/text/Text.ts"
import type { Book, Line } from "../Book.ts"

/** `attention`: breaks that nobody accepted, what is undetermined, and records that could not be read. */
export type Group = "attention" | "all" | Outcome.Kind

export interface Filter {
  readonly group: Group
  /** Empty: any. */
  readonly code: string
  readonly asset: string
  /** The name of an account, or a part of it. */
  readonly account: string
  /** The number of an age in the report's ageing; −1: any. */
  readonly age: number
  readonly search: string
}

export const everything: Filter = { group: "attention", code: "", asset: "", account: "", age: -1, search: "" }

const needsAttention = ({ code, isAccepted, kind }: Pick<Line, "code" | "isAccepted" | "kind">): boolean =>
  !isAccepted && (kind === "discrepancy" || kind === "undetermined" || code === "bad-record")

export const inGroup = (line: Pick<Line, "code" | "isAccepted" | "kind">, group: Group): boolean =>
  group === "all" || (group === "attention" ? needsAttention(line) : line.kind === group)

/** As it is shown, in small letters. */
const shown = (text: string): string => Text.plain(text).toLowerCase()

/** Tells whether a line passes. Every word of the search must occur in it, in any of its texts. */
export const filtering = (book: Book) => {
  const { ageing, asOf } = book.facts.summary
  const names = new Set(book.lines.flatMap(({ accounts }) => accounts))
  const found = new Map<number, string>()
  const textOf = (line: Line): string => {
    const known = found.get(line.place)
    if (known !== undefined) return known
    const text = shown(book.reader.searchable(book.row(line)))
    found.set(line.place, text)
    return text
  }
  return ({ account, age, asset, code, group, search }: Filter): ReadonlyArray<Line> => {
    const words = shown(search).split(/\s+/).filter((word) => word !== "")
    const part = shown(account)
    const wanted = names.has(account)
      ? new Set([account])
      : new Set(Array.from(names).filter((name) => shown(name).includes(part)))
    const isAccount = ({ accounts }: Line): boolean => accounts.some((name) => wanted.has(name))
    const bounds = ageing[age]
    const isAge = ({ at }: Line): boolean => {
      if (bounds === undefined || asOf === null) return true
      if (at === null) return false
      // What is younger than nothing stands with the youngest, as in the report.
      const old = Math.max(0, asOf - at)
      return old >= bounds.from && (bounds.to === null || old < bounds.to)
    }
    return book.lines.filter((line) =>
      inGroup(line, group) &&
      (code === "" || line.code === code) &&
      (asset === "" || line.assets.includes(asset)) &&
      (account === "" || isAccount(line)) &&
      isAge(line) &&
      words.every((word) => textOf(line).includes(word))
    )
  }
}
