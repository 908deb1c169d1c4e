/** Items are counted and added up as they are read. */
import * as Amount from "@tallystick/core/Amount"
import type * as ItemSummary from "../../ItemSummary.ts"
import * as Tally from "../books/Tally.ts"
import * as StoredText from "../sql/StoredText.ts"
import type * as ItemRow from "./ItemRow.ts"

/** A summary is made of these columns. */
export const COLUMNS = ["key", "state", "code", "account", "at", "difference_asset", "missing", "excess", "bound"]
  .concat("other_asset", "other_excess", "worth", "decided")

export type Row = Pick<
  ItemRow.ItemRow,
  | "account"
  | "at"
  | "bound"
  | "code"
  | "decided"
  | "difference_asset"
  | "excess"
  | "key"
  | "missing"
  | "other_asset"
  | "other_excess"
  | "state"
  | "worth"
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

/** Gives how exactly a sum is known, of those of its parts that are not known exactly. */
const together = (bounds: ReadonlySet<ItemSummary.Sums["worthBound"]>): ItemSummary.Sums["worthBound"] => {
  const [bound = "exact", other] = bounds
  return other === undefined ? bound : "mixed"
}

const lineOf = (line: string) => {
  const asset = StoredText.decode(line.slice(line.indexOf(":") + 1))
  const bound = (["at least", "at most"] as const).find((one) => line.startsWith(`${one}:`))
  return { asset, bound: bound ?? ("exact" as const) }
}

/** Adds up what is missing and too much, by asset, and what it is worth. */
const sums = (): Sums => {
  const missing = Tally.make()
  const excess = Tally.make()
  const worth = Tally.make()
  const assets = counts<string>()
  const bounds = new Set<ItemSummary.Sums["worthBound"]>()
  let [items, unpriced] = [0, 0]
  const addTo = (line: string, left: string | null, over: string | null): void => {
    assets.add(line)
    missing.add(line, left ?? "0", 1, 1)
    excess.add(line, over ?? "0", 1, 1)
  }
  return {
    add: (row) => {
      items++
      if (row.worth === null) unpriced++
      else worth.add("", row.worth, 1, 1)
      const { bound, difference_asset: asset, other_asset: other } = row
      if (asset === null || bound === null) return
      if (row.worth !== null && bound !== "exact") bounds.add(bound)
      addTo(`${bound}:${asset}`, row.missing, row.excess)
      if (other !== null) addTo(`${bound}:${other}`, null, row.other_excess)
    },
    told: () => ({
      items,
      worth: worth.line("").sum,
      worthBound: together(bounds),
      unpriced,
      differences: assets.all().map(([line, items]) => {
        const { asset, bound } = lineOf(line)
        const [left, over] = [missing.line(line).sum, excess.line(line).sum]
        return {
          asset,
          bound,
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
