/** Puts the five figures in words: each has a name, a value that is read at a glance, and a note that says what it is of. */
import * as Amount from "@tallystick/core/Amount"
import * as OtherDays from "../../text/OtherDays.ts"
import * as Text from "../../text/Text.ts"
import * as Times from "../../text/Times.ts"
import type * as Figures from "./Figures.ts"

export interface FigureText {
  readonly name: "open" | "worth" | "matched" | "oldest" | "read"
  readonly label: string
  readonly value: string
  /** What the value is of; empty where nothing is to be said. It may hold strangers' names. */
  readonly note: string
}

/** The largest number of assets that are named. */
const NAMED = 5

/** Rounds an exact amount to two decimals, half of a cent up, and groups its digits: `65,000.12`. It is for a glance: exact amounts stand elsewhere. */
export const rounded = (amount: string): string => {
  const scale = Math.max(Amount.scale(amount), 3)
  const cent = 10n ** BigInt(scale - 2)
  const cents = (Amount.units(amount, scale) + cent / 2n) / cent
  const [whole = "0", fraction = ""] = Amount.format(cents, 2).split(".")
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${fraction.padEnd(2, "0")}`
}

/** Cuts the percentage and does not round it, so that only all is 100.0 %. */
export const percent = ({ matched, of }: Figures.Figures["matched"]): string => {
  if (of === 0) return "none"
  const tenths = Math.floor((matched * 1000) / of)
  return `${Math.floor(tenths / 10)}.${tenths % 10} %`
}

const named = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, NAMED)
  return Text.listed(names.length > NAMED ? [...shown, `${Text.count(names.length - NAMED)} more`] : shown)
}

const bounded = (bound: Figures.Worth["bound"], text: string): string => (bound === "exact" ? text : `${bound} ${text}`)

const sizesIn = (sizes: Figures.Figures["sizes"]): string =>
  sizes.length === 0
    ? "nothing is missing"
    : named(sizes.map(({ asset, bound, size }) => bounded(bound, `${size} ${asset}`)))

const worth = ({ open, sizes, worth }: Figures.Figures, currency: string | undefined): Omit<FigureText, "name"> => {
  const label = "Worth"
  if (open === 0) return { label, value: "0.00", note: "nothing is open" }
  if (worth === null) return { label, value: "not known", note: `no prices are given; ${sizesIn(sizes)}` }
  const { bound, items, lacking, sum } = worth
  const note = lacking.length === 0
    ? `of ${Text.counted(open, "item")}`
    : `${Text.count(items)} of ${Text.counted(open, "item")}; no worth of ${named(lacking)}`
  if (items === 0) return { label, value: "not known", note }
  return {
    label,
    value: bounded(bound, `${rounded(sum)}${currency === undefined ? "" : ` ${currency}`}`),
    note: currency === undefined ? `${note}; in the currency of the prices` : note
  }
}

const read = (unread: Figures.Figures["unread"]): Omit<FigureText, "name"> => {
  const label = "Completeness"
  if (unread === null) return { label, value: "complete", note: "all of the range was read" }
  return {
    label,
    value: "not complete",
    note: unread.map(({ intervals, ms, operation, whole }) =>
      whole
        ? `no ${operation} were read`
        : `of the ${operation}, ${Times.duration(ms)} in ${Text.counted(intervals, "interval")} were not read`
    ).join("; ")
  }
}

/** Returns the figures in their order. `currency` names that of the prices. */
export const of = (
  figures: Figures.Figures,
  times: Times.Times,
  currency?: string
): ReadonlyArray<FigureText> => {
  const { matched, oldest, open, openOfOtherDays, unread } = figures
  return [
    {
      name: "open",
      label: "Open items",
      value: Text.count(open),
      note: openOfOtherDays === 0 ? "" : `and ${Text.count(openOfOtherDays)} ${OtherDays.SEVERAL}`
    },
    { name: "worth", ...worth(figures, currency) },
    {
      name: "matched",
      label: "Match rate",
      value: percent(matched),
      note: `${Text.count(matched.matched)} of ${Text.counted(matched.of, "entry", "entries")}`
    },
    {
      name: "oldest",
      label: "Oldest item",
      value: oldest === null ? "none" : Times.duration(oldest.ageMs),
      note: oldest === null ? "" : `since ${times.bound(oldest.at)}`
    },
    { name: "read", ...read(unread) }
  ]
}
