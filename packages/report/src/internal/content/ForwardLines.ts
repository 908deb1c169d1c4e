/** Writes the roll-forward of the books line by line, as spreadsheets want it. */
import type * as Report from "@tallystick/reconcile/Report"
import * as WorthRows from "./WorthRows.ts"

type Forward = Report.Books["rollForward"][number]

export interface ForwardLine extends Pick<Forward, "asset" | "side" | "state"> {
  readonly name: typeof WorthRows.lines[number][0]
  readonly label: string
  /** How many entries, and their sum; of the revaluation none. */
  readonly count: number
  readonly sum: string
  /** The price, and the worth; undefined where the books do not state them. */
  readonly price: string | undefined
  readonly worth: string | undefined
}

const keyOf = ({ asset, side, state }: Pick<Forward, "asset" | "side" | "state">): string =>
  JSON.stringify([side, asset, state])

/** Returns every line that is not zero. */
export const of = ({ rollForward, worth }: Report.Books): ReadonlyArray<ForwardLine> => {
  const worths = new Map(worth?.lines.map((line) => [keyOf(line), line]))
  return rollForward.flatMap((forward) =>
    WorthRows.lines.flatMap(([name, label]): ReadonlyArray<ForwardLine> => {
      const ofWorth = worths.get(keyOf(forward))
      const { count, sum } = name === "revaluation" ? { count: 0, sum: "0" } : forward[name]
      if (count === 0 && sum === "0" && (ofWorth?.[name] ?? "0") === "0") return []
      const { asset, side, state } = forward
      const price = ofWorth === undefined ? undefined : WorthRows.priceOf(ofWorth, name)
      return [{ asset, side, state, name, label, count, sum, price, worth: ofWorth?.[name] }]
    })
  )
}
