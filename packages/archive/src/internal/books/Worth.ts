/**
 * What a roll-forward is worth: what was brought forward at the prices of the execution before, everything else at those of the
 * execution. The revaluation is between them, so that the lines tie as the amounts do, and one execution carries forward what the next
 * one brings forward.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Report from "@tallystick/reconcile/Report"
import * as BookState from "../../BookState.ts"
import type * as Execution from "../../Execution.ts"
import type * as RollForward from "../../RollForward.ts"
import * as Tally from "./Tally.ts"

type Line = typeof Report.RollForwardWorth.Type["lines"][number]

type Total = typeof Report.RollForwardWorth.Type["totals"][number]

const ENDS = ["broughtForward", "revaluation"] as const

const MOVEMENTS = ["new", "reopened", "restated", "moved", "matched", "decided", "setOut", "carriedForward"] as const

/** Gives everything but what was brought forward and its revaluation, which need two prices. */
const movements = (value: (name: typeof MOVEMENTS[number]) => string) => ({
  new: value("new"),
  reopened: value("reopened"),
  restated: value("restated"),
  moved: value("moved"),
  matched: value("matched"),
  decided: value("decided"),
  setOut: value("setOut"),
  carriedForward: value("carriedForward")
})

const listed = (prices: Execution.Prices | undefined): ReadonlyMap<string, string> =>
  new Map(prices?.list.map(({ asset, price }) => [asset, price]))

/** Gives the difference of two decimals, exact. */
const minus = (a: string, b: string): string => {
  const digits = Math.max(Amount.scale(a), Amount.scale(b))
  return Amount.format(Amount.units(a, digits) - Amount.units(b, digits), digits)
}

const lineOf = (
  { asset, side, state, ...forward }: RollForward.RollForward,
  price: string,
  before: string | undefined
): Line => {
  const { broughtForward: { sum } } = forward
  return {
    side,
    asset,
    state,
    price,
    ...(before === undefined ? {} : { priceBefore: before }),
    broughtForward: Amount.times(sum, before ?? price),
    revaluation: Amount.times(sum, minus(price, before ?? price)),
    ...movements((name) => Amount.times(forward[name].sum, price))
  }
}

const SIDES = ["deposit", "transfer"] as const

const totalsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Total> =>
  BookState.Waiting.literals.flatMap((state) =>
    SIDES.flatMap((side): ReadonlyArray<Total> => {
      const own = lines.filter((line) => line.side === side && line.state === state)
      const tally = Tally.make()
      for (const line of own) for (const name of [...ENDS, ...MOVEMENTS]) tally.add(name, line[name], 1, 0)
      const sum = (name: keyof Omit<Total, "side" | "state">): string => tally.line(name).sum
      return own.length === 0 ? [] : [{
        side,
        state,
        broughtForward: sum("broughtForward"),
        revaluation: sum("revaluation"),
        ...movements(sum)
      }]
    })
  )

const isCarried = ({ broughtForward: { count, sum } }: RollForward.RollForward): boolean => count !== 0 || sum !== "0"

/**
 * `before` are the prices of the execution before. An asset of which something was brought forward needs a price on both ends, in one
 * currency; any other one needs that of the execution alone. Of an asset that lacks one nothing is stated.
 */
export const make = (
  rolled: ReadonlyArray<RollForward.RollForward>,
  now: Execution.Prices,
  before: Execution.Prices | undefined
): Report.RollForwardWorth => {
  const prices = listed(now)
  const pricesBefore = before?.currency === now.currency ? listed(before) : new Map<string, string>()
  const carried = new Set(rolled.filter(isCarried).map(({ asset }) => asset))
  const lacking = new Set<string>()
  const lines = rolled.flatMap((one): ReadonlyArray<Line> => {
    const { asset } = one
    const price = prices.get(asset)
    const priceBefore = carried.has(asset) ? pricesBefore.get(asset) : undefined
    if (price !== undefined && carried.has(asset) === (priceBefore !== undefined)) {
      return [lineOf(one, price, priceBefore)]
    }
    lacking.add(asset)
    return []
  })
  return {
    ...(now.currency === undefined ? {} : { currency: now.currency }),
    lines,
    totals: totalsOf(lines),
    lacking: Array.from(lacking)
  }
}
