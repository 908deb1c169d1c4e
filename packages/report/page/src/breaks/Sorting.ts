/** The order of the outcomes. Amounts are compared exactly. */
import * as Amount from "@tallystick/core/Amount"
import type { Line } from "../Book.ts"

export type Key = "place" | "code" | "asset" | "difference" | "worth" | "account" | "at" | "explanation"

export interface Order {
  readonly key: Key
  readonly descending: boolean
}

/** As the file has it: most money first, else by asset and difference. */
export const given: Order = { key: "place", descending: false }

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Integers of one scale; those without an amount come last in either direction. */
const units = (lines: ReadonlyArray<Line>, amountOf: (line: Line) => string | null): Map<Line, bigint> => {
  const scale = lines.reduce((most, line) => Math.max(most, Amount.scale(amountOf(line) ?? "0")), 0)
  const values = new Map<Line, bigint>()
  for (const line of lines) {
    const amount = amountOf(line)
    if (amount !== null) values.set(line, Amount.units(amount, scale))
  }
  return values
}

const byAmount = (
  lines: ReadonlyArray<Line>,
  amountOf: (line: Line) => string | null,
  sign: number
): (a: Line, b: Line) => number => {
  const values = units(lines, amountOf)
  return (a, b) => {
    const [left, right] = [values.get(a), values.get(b)]
    if (left === undefined || right === undefined) return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0)
    return left === right ? 0 : left < right ? -sign : sign
  }
}

const comparing = (lines: ReadonlyArray<Line>, key: Key, sign: number): (a: Line, b: Line) => number => {
  switch (key) {
    case "place":
      return () => 0
    case "difference":
      return byAmount(lines, ({ difference }) => difference?.size ?? null, sign)
    case "worth":
      return byAmount(lines, ({ worth }) => worth, sign)
    case "at":
      return (a, b) =>
        a.at === null || b.at === null ? (a.at === null ? 1 : 0) - (b.at === null ? 1 : 0) : sign * (a.at - b.at)
    case "account":
      return (a, b) => sign * byText(a.accounts[0] ?? "", b.accounts[0] ?? "")
    default:
      return (a, b) => sign * byText(a[key], b[key])
  }
}

/** What is alike stays in the order of the file. */
export const sorted = (lines: ReadonlyArray<Line>, { descending, key }: Order): ReadonlyArray<Line> => {
  const compare = comparing(lines, key, descending ? -1 : 1)
  return lines.toSorted((a, b) => compare(a, b) || a.place - b.place)
}
