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

/**
 * Rounds an exact amount to two decimals and groups its digits: `65,000.12`. It is for a glance: exact amounts stand elsewhere. A bound is never
 * rounded past itself: `at most` goes up, `at least` down; else half of a cent goes up.
 */
export const rounded = (amount: string, bound: Figures.Worth["bound"] = "exact"): string => {
  const scale = Math.max(Amount.scale(amount), 3)
  const cent = 10n ** BigInt(scale - 2)
  const added = bound === "at most" ? cent - 1n : bound === "at least" ? 0n : cent / 2n
  const cents = (Amount.units(amount, scale) + added) / cent
  const [whole = "0", fraction = ""] = Amount.format(cents, 2).split(".")
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${fraction.padEnd(2, "0")}`
}

const named = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, NAMED)
  return Text.listed(names.length > NAMED ? [...shown, `${Text.count(names.length - NAMED)} more`] : shown)
}

const bounded = (bound: Figures.Worth["bound"], text: string): string => (bound === "exact" ? text : `${bound} ${text}`)

/** What stands in place of an amount that is not zero, and less than a cent. */
const small: Readonly<Record<Figures.Worth["bound"], string>> = {
  exact: "less than 0.01",
  about: "about 0.01",
  "at least": "more than 0.00",
  "at most": "at most 0.01"
}

/** Writes a worth for a glance, with its bound. What is not zero is never `0.00`. */
export const glance = (worth: string, bound: Figures.Worth["bound"]): string => {
  const text = rounded(worth, bound)
  return text === "0.00" && !Amount.isZero(worth) ? small[bound] : bounded(bound, text)
}

const unknownIn = (unknown: number): string => `nobody knows how much is missing in ${Text.counted(unknown, "item")}`

const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("; ")

const sizesIn = ({ sizes, unknown }: Figures.Money): string =>
  joined(
    sizes.length > 0
      ? named(sizes.map(({ asset, bound, size }) => bounded(bound, `${size} ${asset}`)))
      : unknown > 0
      ? ""
      : "no difference in amount",
    unknown === 0 ? "" : unknownIn(unknown)
  )

/** What the items of which a worth is told are of: so many, and what the others lack. */
const extent = ({ items, lacking }: Figures.Worth, unknown: number, of: number): string =>
  joined(
    lacking.length === 0 && unknown === 0
      ? `of ${Text.counted(of, "item")}`
      : `${Text.count(items)} of ${Text.counted(of, "item")}`,
    lacking.length === 0 ? "" : `no worth of ${named(lacking)}`,
    unknown === 0 ? "" : unknownIn(unknown)
  )

const inCurrency = (text: string, currency: string | undefined): string =>
  currency === undefined ? text : `${text} ${currency}`

/** Says what is open in breaks of other days. */
const ofOtherDays = (
  { moneyOfOtherDays, openOfOtherDays }: Figures.Figures,
  currency: string | undefined
): string => {
  const { unknown, worth } = moneyOfOtherDays
  if (openOfOtherDays === 0) return ""
  if (worth === null) return `${OtherDays.SEVERAL}: ${sizesIn(moneyOfOtherDays)}`
  const value = worth.items === 0 ? "not known" : inCurrency(glance(worth.sum, worth.bound), currency)
  return `${OtherDays.SEVERAL}: ${value}, ${extent(worth, unknown, openOfOtherDays)}`
}

const worth = (figures: Figures.Figures, currency: string | undefined): Omit<FigureText, "name"> => {
  const label = "Worth"
  const { open, openOfOtherDays, unknown, worth } = figures
  const others = ofOtherDays(figures, currency)
  if (open === 0) {
    return { label, value: "0.00", note: openOfOtherDays === 0 ? "nothing is open" : `nothing of the range; ${others}` }
  }
  if (worth === null) {
    return { label, value: "not known", note: joined("no prices are given", sizesIn(figures), others) }
  }
  const note = extent(worth, unknown, open)
  if (worth.items === 0) return { label, value: "not known", note: joined(note, others) }
  return {
    label,
    value: inCurrency(glance(worth.sum, worth.bound), currency),
    note: joined(note, currency === undefined ? "in the currency of the prices" : "", others)
  }
}

type Unread = NonNullable<Figures.Figures["unread"]>[number]

/** Time that does not end has no length. */
const unreadIn = (
  { bounded: { intervals, ms }, operation, since, until, whole }: Unread,
  times: Times.Times
): string => {
  if (whole) return `no ${operation} were read completely`
  const parts = [
    ...(until === null ? [] : [`the time up to ${times.bound(until)}`]),
    ...(since === null ? [] : [`the time from ${times.bound(since)} on`]),
    ...(intervals === 0 ? [] : [`${Times.duration(ms)} in ${Text.counted(intervals, "interval")}`])
  ]
  return `of the ${operation}, ${Text.listed(parts)} ${
    parts.length === 1 && intervals === 0 ? "was" : "were"
  } not read completely`
}

const read = (unread: Figures.Figures["unread"], times: Times.Times): Omit<FigureText, "name"> => {
  const label = "Completeness"
  if (unread === null) return { label, value: "complete", note: "all of the range was read" }
  return {
    label,
    value: "not complete",
    note: unread.map((one) => unreadIn(one, times)).join("; ")
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
      note: openOfOtherDays === 0 ? "" : `${Text.count(openOfOtherDays)} more ${OtherDays.SEVERAL}`
    },
    { name: "worth", ...worth(figures, currency) },
    {
      name: "matched",
      label: "Match rate",
      value: Text.percent(matched),
      note: `${Text.count(matched.matched)} of ${Text.counted(matched.of, "entry", "entries")}`
    },
    {
      name: "oldest",
      label: "Oldest item",
      value: oldest === null ? "none" : Times.duration(oldest.ageMs),
      note: oldest === null ? "" : `since ${times.bound(oldest.at)}`
    },
    { name: "read", ...read(unread, times) }
  ]
}
