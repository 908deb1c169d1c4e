/** Items are counted and added up as they are read. */
import * as Amount from "@tallystick/core/Amount"
import type * as ItemSummary from "../../ItemSummary.ts"
import * as Tally from "../books/Tally.ts"
import * as StoredText from "../sql/StoredText.ts"
import type * as ItemRow from "./ItemRow.ts"

/** A summary is made of these columns. */
export const COLUMNS = ["key", "state", "code", "account", "at", "difference_asset", "missing", "excess", "worth"]
  .concat("decided")

export type Row = Pick<
  ItemRow.ItemRow,
  "account" | "at" | "code" | "decided" | "difference_asset" | "excess" | "key" | "missing" | "state" | "worth"
>

/** So many accounts are told, those with the most items. */
const ACCOUNTS = 100

interface Counts<A> {
  readonly add: (value: A) => void
  readonly size: () => number
  /** Those with the most items come first. */
  readonly all: () => ReadonlyArray<readonly [value: A, items: number]>
}

const counts = <A>(): Counts<A> => {
  const found = new Map<A, number>()
  return {
    add: (value) => void found.set(value, (found.get(value) ?? 0) + 1),
    size: () => found.size,
    all: () => Array.from(found).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  }
}

interface Sums {
  readonly add: (row: Row) => void
  readonly told: () => ItemSummary.Sums
}

/** Adds up what is missing and too much, by asset, and what it is worth. */
const sums = (): Sums => {
  const missing = Tally.make()
  const excess = Tally.make()
  const worth = Tally.make()
  const assets = counts<string>()
  let [items, unpriced] = [0, 0]
  return {
    add: (row) => {
      items++
      if (row.worth === null) unpriced++
      else worth.add("", row.worth, 1, 1)
      const { difference_asset: asset } = row
      if (asset === null) return
      assets.add(asset)
      missing.add(asset, row.missing ?? "0", 1, 1)
      excess.add(asset, row.excess ?? "0", 1, 1)
    },
    told: () => ({
      items,
      worth: worth.line("").sum,
      unpriced,
      differences: assets.all().map(([asset, items]) => {
        const [left, over] = [missing.line(asset).sum, excess.line(asset).sum]
        return {
          asset: StoredText.decode(asset),
          items,
          missing: left,
          excess: over,
          size: Amount.sum([left, over])
        }
      })
    })
  }
}

interface Summing {
  readonly add: (row: Row) => void
  readonly told: () => Omit<ItemSummary.ItemSummary, "withoutEntries">
}

/** `at` is the moment from which ages count backwards, `bounds` are ages in ascending order, both in ms. */
export const make = (at: number, bounds: ReadonlyArray<number>): Summing => {
  const all = sums()
  const ages = Array.from({ length: bounds.length + 1 }, sums)
  const states = counts<Row["state"]>()
  const codes = counts<Row["code"]>()
  const decided = counts<Row["decided"]>()
  const accounts = counts<string>()
  let oldest: number | undefined
  return {
    add: (row) => {
      all.add(row)
      const place = bounds.findIndex((bound) => at - row.at < bound)
      ages.at(place)?.add(row)
      states.add(row.state)
      codes.add(row.code)
      decided.add(row.decided)
      accounts.add(row.account)
      if (oldest === undefined || row.at < oldest) oldest = row.at
    },
    told: () => ({
      at,
      ...all.told(),
      ...(oldest === undefined ? {} : { oldest }),
      ages: ages.map((age, place) => {
        const { [place]: before } = bounds
        return Object.assign(
          { from: bounds[place - 1] ?? 0 },
          before === undefined ? undefined : { before },
          age.told()
        )
      }),
      states: states.all().map(([state, items]) => ({ state, items })),
      codes: codes.all().map(([code, items]) => ({ code, items })),
      decided: decided.all().map(([decided, items]) => ({ decided, items })),
      accounts: accounts.size(),
      largest: accounts.all().slice(0, ACCOUNTS).map(([account, items]) =>
        Object.assign({ items }, account === "" ? undefined : { account: StoredText.decode(account) })
      )
    })
  }
}
