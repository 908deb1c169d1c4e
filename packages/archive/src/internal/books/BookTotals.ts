/** Counts what waits in the books, and what it is worth. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as BookState from "../../BookState.ts"
import type * as Execution from "../../Execution.ts"
import type * as EntryStates from "./EntryStates.ts"
import * as Tally from "./Tally.ts"

/** The items of one state and code. */
export interface ItemCount {
  readonly state: BookState.Waiting
  readonly code: EntryStates.EntryState["code"]
  readonly items: number
  /** The time of the earliest entry of them, Unix ms. */
  readonly earliest: number
}

/** What the entries of one side and state are worth. */
export interface WorthTotal {
  readonly side: Entry.Side
  readonly state: BookState.Waiting
  /** The exact worth of those that have a price; absent where none has. */
  readonly worth?: string
  /** So many entries have no price. */
  readonly unpriced: number
}

/** What waits is worth so much at the prices of an execution. */
export interface Worth {
  /** The currency, where somebody said which it is. */
  readonly currency?: string
  readonly totals: ReadonlyArray<WorthTotal>
}

export interface BookTotals {
  /** Ordered by state and code; a state and code of which nothing waits is not among them. */
  readonly items: ReadonlyArray<ItemCount>
  /** The worth at the prices of the last execution; absent where it was made without any. */
  readonly worth?: Worth
}

/** Takes entries that wait, page by page, and gives their totals at the end. */
export const make = () => {
  const counted = new Map<string, ItemCount>()
  const seen = new Set<string>()
  const assets = new Map<string, Pick<EntryStates.Waits, "asset" | "side" | "state">>()
  const sums = Tally.make()

  const add = ({ amount, asset, at, code, outcome, side, state }: EntryStates.Waits): void => {
    const item = `${state} ${outcome}`
    const known = counted.get(`${state} ${code}`)
    const isNew = !seen.has(item)
    seen.add(item)
    counted.set(`${state} ${code}`, {
      state,
      code,
      items: (known?.items ?? 0) + (isNew ? 1 : 0),
      earliest: Math.min(known?.earliest ?? at, at)
    })
    const key = JSON.stringify([side, state, asset])
    assets.set(key, { side, state, asset })
    sums.add(key, amount, 1, 1)
  }

  const worth = ({ currency, list }: Execution.Prices): Worth => {
    const prices = new Map(list.map(({ asset, price }) => [asset, price]))
    const worths = Tally.make()
    const places = new Map<string, Pick<WorthTotal, "side" | "state"> & { unpriced: number }>()
    for (const [key, { asset, side, state }] of assets) {
      const { count, sum } = sums.line(key)
      const price = prices.get(asset)
      const place = `${side} ${state}`
      const known = places.get(place) ?? { side, state, unpriced: 0 }
      places.set(place, known)
      if (price === undefined) known.unpriced += count
      else worths.add(place, Amount.times(sum, price), 1, 1)
    }
    const totals = Array.from(places, ([place, total]): WorthTotal => {
      const { count, sum } = worths.line(place)
      return count === 0 ? total : { ...total, worth: sum }
    })
    return { ...(currency === undefined ? {} : { currency }), totals }
  }

  return {
    add: (entries: Iterable<EntryStates.Waits>): void => {
      for (const entry of entries) add(entry)
    },
    totals: (prices: Execution.Prices | undefined): BookTotals => ({
      items: Array.from(counted.entries()).toSorted(([a], [b]) => a < b ? -1 : 1).map(([, count]) => count),
      ...(prices === undefined ? {} : { worth: worth(prices) })
    })
  }
}
