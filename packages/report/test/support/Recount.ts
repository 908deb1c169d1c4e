/**
 * The numbers of a report, counted again from its outcomes alone, as `docs/reports.md` defines them. Nothing here is shared
 * with what makes the report.
 */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as BigDecimal from "effect/BigDecimal"

type Facts = Pick<Report.Report, "outcomes" | "range" | "coverage" | "asOf" | "policy">

const zero = BigDecimal.fromBigInt(0n)

/** Plain digits: `BigDecimal.format` writes exponents from some length on. */
const digits = (decimal: BigDecimal.BigDecimal): string => {
  const { scale, value } = BigDecimal.normalize(decimal)
  const sign = value < 0n ? "-" : ""
  const whole = String(value < 0n ? -value : value)
  if (scale <= 0) return value === 0n ? "0" : `${sign}${whole}${"0".repeat(-scale)}`
  const padded = whole.padStart(scale + 1, "0")
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
}

const decimal = (text: string): BigDecimal.BigDecimal => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigDecimal.make(BigInt(whole + fraction), fraction.length)
}

const sum = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): BigDecimal.BigDecimal =>
  amounts.reduce(BigDecimal.sum, zero)

/** What the amounts come to, exact and without superfluous zeros. */
export const total = (amounts: ReadonlyArray<string>): string => digits(sum(amounts.map(decimal)))

/** Whether one amount is less than another. */
export const isLess = (a: string, b: string): boolean => BigDecimal.isLessThan(decimal(a), decimal(b))

const partOf = {
  matched: "matched",
  discrepancy: "open",
  pending: "pending",
  undetermined: "undetermined",
  "set-aside": "setAside"
} as const
type Part = typeof partOf[keyof typeof partOf]

interface Placed {
  readonly entry: Entry.Entry
  readonly part: Part
}

/** Whether a time lies in the range of the report. */
const isInside = ({ range }: Pick<Facts, "range">) => (at: number): boolean =>
  range === null || (at >= range.from && at < range.to)

/** Whether the first deposit, or without one the first transfer, lies in the range; a record that could not be read has no time. */
export const isOwn = (facts: Pick<Facts, "range">) => ({ deposits, transfers }: Outcome.Outcome): boolean => {
  const times = (deposits.length > 0 ? deposits : transfers).map(({ at }) => at)
  return times.length === 0 || isInside(facts)(Math.min(...times))
}

/** Each entry and the line of the totals it counts in. */
const placed = (outcome: Outcome.Outcome): ReadonlyArray<Placed> =>
  [outcome.deposits, outcome.transfers].flatMap((entries) =>
    entries.map((entry, index): Placed => {
      // So many of each side of a class are matched, whichever they are: all amounts are equal.
      if (outcome.code !== "ambiguous" && index < (outcome.matchedCount ?? 0)) return { entry, part: "matched" }
      // What failed moved nothing.
      if (outcome.code === "failed-attempt" && entry.status === "failed") return { entry, part: "setAside" }
      return { entry, part: partOf[outcome.outcome] }
    })
  )

const sideOf = (entries: ReadonlyArray<Placed>): Report.Total["deposits"] => {
  const line = (matches: (placed: Placed) => boolean) => {
    const held = entries.filter(matches)
    return { count: held.length, sum: total(held.map(({ entry }) => entry.amount)) }
  }
  return {
    in: line(() => true),
    matched: line(({ part }) => part === "matched"),
    open: line(({ part }) => part === "open"),
    pending: line(({ part }) => part === "pending"),
    undetermined: line(({ part }) => part === "undetermined"),
    setAside: line(({ part }) => part === "setAside")
  }
}

const linesOf = (own: ReadonlyArray<Placed>): Pick<Report.Total, "deposits" | "transfers" | "net"> => {
  const deposits = own.filter(({ entry }) => entry.side === "deposit")
  const transfers = own.filter(({ entry }) => entry.side === "transfer")
  const net = (matches: (placed: Placed) => boolean): string => {
    const of = (side: ReadonlyArray<Placed>) => sum(side.filter(matches).map(({ entry }) => decimal(entry.amount)))
    return digits(BigDecimal.subtract(of(deposits), of(transfers)))
  }
  return {
    deposits: sideOf(deposits),
    transfers: sideOf(transfers),
    net: {
      total: net(() => true),
      residual: net(({ part }) => part === "matched"),
      open: net(({ part }) => part === "open"),
      pending: net(({ part }) => part === "pending"),
      undetermined: net(({ part }) => part === "undetermined"),
      setAside: net(({ part }) => part === "setAside")
    }
  }
}

const totals = (facts: Facts): ReadonlyArray<Report.Total> => {
  const { outcomes, policy } = facts
  const all = outcomes.flatMap(placed)
  const nameOf = (asset: string): string => policy.assets.aliases.find((names) => names.includes(asset))?.[0] ?? asset
  const names = Array.from(new Set(all.map(({ entry }) => nameOf(entry.asset)))).toSorted()
  return names.map((asset) => {
    const own = all.filter(({ entry }) => nameOf(entry.asset) === asset)
    const inside = own.filter(({ entry }) => isInside(facts)(entry.at))
    const outside = own.filter(({ entry }) => !isInside(facts)(entry.at))
    return Object.assign(
      { asset, assets: Array.from(new Set(own.map(({ entry }) => entry.asset))).toSorted() },
      linesOf(inside),
      outside.length === 0 ? {} : { ofOtherDays: linesOf(outside) }
    )
  })
}

const matchRate = (facts: Facts): Report.Report["matchRate"] => {
  const all = facts.outcomes.flatMap(placed).filter(({ entry }) => isInside(facts)(entry.at))
  const rate = (side: Entry.Side) => {
    const counted = all.filter(({ entry, part }) => entry.side === side && part !== "setAside")
    return { matched: counted.filter(({ part }) => part === "matched").length, of: counted.length }
  }
  return { deposits: rate("deposit"), transfers: rate("transfer") }
}

/** By code; the report has them in an order of its own. */
const counts = (facts: Facts): Readonly<Record<string, Report.Count>> =>
  Object.fromEntries(
    facts.outcomes.map(({ code, outcome }) => {
      const same = facts.outcomes.filter((one) => one.code === code)
      const times = (side: "deposits" | "transfers") => same.flatMap((one) => one[side].map(({ at }) => at))
      const numbers = (matches: (is: boolean) => boolean) => ({
        outcomes: same.filter((one) => matches(isOwn(facts)(one))).length,
        deposits: times("deposits").filter((at) => matches(isInside(facts)(at))).length,
        transfers: times("transfers").filter((at) => matches(isInside(facts)(at))).length
      })
      const ofOtherDays = numbers((is) => !is)
      const hasOthers = Object.values(ofOtherDays).some((number) => number > 0)
      return [code, { outcome, code, ...numbers((is) => is), ...(hasOthers ? { ofOtherDays } : {}) }]
    })
  )

/** Nearest rank: the smallest lag that so large a share does not exceed. */
const lags = (facts: Facts): Report.Report["lags"] => {
  const stated = facts.outcomes.filter(isOwn(facts)).flatMap(({ code, lagMs, outcome, pairs }) => {
    if (outcome !== "matched" || code === "class-balanced") return []
    return lagMs === null ? (pairs ?? []).map((pair) => pair.lagMs) : [lagMs]
  }).toSorted((a, b) => a - b)
  const [min] = stated
  const max = stated.at(-1)
  if (min === undefined || max === undefined) return null
  const rank = (percent: number): number =>
    stated.find((lag) => stated.filter((one) => one <= lag).length * 100 >= percent * stated.length) ?? max
  return { count: stated.length, min, p50: rank(50), p90: rank(90), p99: rank(99), max }
}

/** Of the range, and of other days. */
const unattributed = (facts: Facts): readonly [number, number] => {
  const found = facts.outcomes.filter(({ code, missing }) =>
    code === "coverage-gap" && missing?.gap?.code === "unattributed"
  )
  const own = found.filter(isOwn(facts)).length
  return [own, found.length - own]
}

const HOUR = 3_600_000

const ageing = (facts: Facts): ReadonlyArray<Report.Age> => {
  const { asOf, outcomes } = facts
  if (asOf === null) return []
  const open = outcomes.filter(({ outcome }) => outcome === "discrepancy").map((outcome) => {
    const held = placed(outcome)
    return {
      age: Math.max(0, asOf - Math.min(...held.map(({ entry }) => entry.at))),
      outcomes: isOwn(facts)(outcome) ? 1 : 0,
      entries: held.filter(({ entry, part }) => part !== "matched" && isInside(facts)(entry.at)).length
    }
  })
  const bounds = [0, 1, 6, 24, 72, 168].map((hours) => hours * HOUR)
  return bounds.map((from, index) => {
    const to = bounds[index + 1] ?? null
    const own = open.filter(({ age }) => age >= from && (to === null || age < to))
    const add = (of: (age: typeof own[number]) => number) => own.reduce((total, age) => total + of(age), 0)
    return { from, to, outcomes: add(({ outcomes }) => outcomes), entries: add(({ entries }) => entries) }
  })
}

/** Without a range: what was read, the side's own entries, and the windows that were over when the last entry came. */
const askedOf = (
  operation: "deposits" | "transfers",
  { outcomes, policy }: Facts,
  read: ReadonlyArray<{ readonly from: number; readonly to: number }>
) => {
  const other = operation === "deposits" ? "transfers" : "deposits"
  const widest = Math.max(
    ...[policy, ...policy.per].flatMap(({ window: { after, before } }) => [Math.abs(after), Math.abs(before)])
  )
  const ends = outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers].map(({ at }) => at))
  const last = Math.max(...ends)
  const waiting = outcomes.filter(({ code }) => code === "in-flight")
    .flatMap((outcome) => outcome[other].map(({ at }) => at + widest))
    .filter((end) => end <= last)
  const own = outcomes.flatMap((outcome) => outcome[operation].map(({ at }) => at))
  const froms = [...read.map(({ from }) => from), ...own]
  const tos = [...read.map(({ to }) => to), ...own.map((at) => at + 1), ...waiting]
  const apart = ends.length > 0 && (Math.max(...tos) <= Math.min(...ends) || Math.min(...froms) > last)
  return apart
    ? { from: Math.min(...froms, ...ends), to: Math.max(...tos, last + 1) }
    : { from: Math.min(...froms), to: Math.max(...tos) }
}

const isRead = (facts: Facts): boolean =>
  (["deposits", "transfers"] as const).every((operation) => {
    const own = facts.coverage.filter((one) => one.operation === operation && one.from < one.to)
    const read = own.filter(({ state }) => state === "complete")
    if (read.length === 0) return false
    const range = facts.range ?? askedOf(operation, facts, read)
    if (facts.range === null && own.some(({ gap }) => gap !== undefined && gap.code !== "not-read")) return false
    const within = own.filter(({ from, to }) => to > range.from && from < range.to)
    const edges = [range.from, ...within.map(({ to }) => to)].filter((at) => at >= range.from && at < range.to)
    return within.every(({ state }) => state === "complete") &&
      edges.every((at) => within.some(({ from, to }) => from <= at && at < to))
  })

/** All of them. */
export const of = (facts: Facts) => ({
  totals: totals(facts),
  matchRate: matchRate(facts),
  counts: counts(facts),
  lags: lags(facts),
  ageing: ageing(facts),
  unattributed: unattributed(facts),
  clean: isRead(facts) &&
    facts.outcomes.every(({ code, outcome }) =>
      outcome !== "discrepancy" && outcome !== "undetermined" && code !== "bad-record"
    )
})
