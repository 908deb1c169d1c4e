/** The rows of the list: a break each, but for undetermined ones of one cause, which fold into one row that opens. */
import * as Amount from "@tallystick/core/Amount"
import * as Gaps from "../../../src/internal/content/Gaps.ts"
import type { Times } from "../../../src/text/Times.ts"
import type { Book, Line } from "../Book.ts"

interface Break {
  readonly type: "break"
  readonly key: string
  readonly line: Line
  /** 2 inside of a fold. */
  readonly level: 1 | 2
}

interface Fold {
  readonly type: "fold"
  readonly key: string
  /** All of them together, as if they were one. */
  readonly line: Line
  readonly lines: ReadonlyArray<Line>
  readonly level: 1
}

export type Item = Break | Fold

const breakOf = (line: Line, level: 1 | 2): Break => ({ type: "break", key: line.id, line, level })

const soleOf = (texts: ReadonlyArray<string>): string => {
  const [first = "", ...others] = new Set(texts)
  return others.length === 0 ? first : ""
}

/** What may be missing or too much of all of them. Nobody can say it of several assets, nor of amounts that are bounded from below. */
const differenceOf = (lines: ReadonlyArray<Line>, asset: string): Line["difference"] => {
  const all = lines.flatMap(({ difference }) => difference ?? [])
  if (asset === "" || all.length < lines.length || all.some(({ bound }) => bound === "at least")) return null
  const [missing, excess] = [Amount.sum(all.map(({ missing }) => missing)), Amount.sum(all.map(({ excess }) => excess))]
  return {
    missing,
    excess,
    amount: Amount.sum(all.map(({ amount }) => amount)),
    size: Amount.sum([missing, excess]),
    bound: all.every(({ bound }) => bound === "exact") ? "exact" : "at most"
  }
}

const earliest = (times: ReadonlyArray<number | null>): number | null =>
  times.reduce((first, at) => first === null || (at !== null && at < first) ? at : first, null)

/** Several lines as one. It has a difference where all are of one asset, and a worth where all have one. */
const together = (first: Line, lines: ReadonlyArray<Line>, book: Book, times: Times): Line => {
  const asset = soleOf(lines.map((line) => line.asset))
  const worths = lines.flatMap(({ worth }) => worth === null ? [] : [worth])
  const [gap] = Gaps.of(lines.map((line) => book.reader.outcome(book.row(line))))
  return {
    ...first,
    id: `fold-${first.id}`,
    asset,
    difference: differenceOf(lines, asset),
    worth: worths.length < lines.length ? null : Amount.sum(worths),
    at: earliest(lines.map(({ at }) => at)),
    accounts: Array.from(new Set(lines.flatMap(({ accounts }) => accounts))),
    explanation: gap === undefined ? first.explanation : `${Gaps.sentence(gap, times, book.range)}.`
  }
}

/** Folds lines. A fold stands where its first line stands; what is in it follows while it is open. */
export const folding = (book: Book, times: Times) => {
  const fold = (lines: ReadonlyArray<Line>): ReadonlyArray<Item> => {
    const causes = Map.groupBy(lines.filter(({ cause }) => cause !== null), ({ cause }) => cause)
    const told = new Set<string>()
    return lines.flatMap((line): ReadonlyArray<Item> => {
      const alike = line.cause === null ? undefined : causes.get(line.cause)
      if (line.cause === null || alike === undefined || alike.length < 2) return [breakOf(line, 1)]
      if (told.has(line.cause)) return []
      told.add(line.cause)
      return [{
        type: "fold",
        key: `cause ${line.cause}`,
        line: together(line, alike, book, times),
        lines: alike,
        level: 1
      }]
    })
  }
  return {
    fold,
    /** The rows that are shown while these folds are open. */
    unfolded: (items: ReadonlyArray<Item>, open: ReadonlySet<string>): ReadonlyArray<Item> =>
      open.size === 0 ?
        items :
        items.flatMap((item) =>
          item.type === "fold" && open.has(item.key) ? [item, ...item.lines.map((line) => breakOf(line, 2))] : [item]
        )
  }
}
