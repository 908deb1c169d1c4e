/**
 * Finds the parts of a run that were asked about and not read. Books with an unknown part are not clean, however few
 * records they have.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import type * as Accounts from "../../Accounts.ts"
import type * as Policy from "../../Policy.ts"
import * as Routes from "../Routes.ts"
import { type EntryTimes, hull } from "./EntryTimes.ts"

const operations = ["deposits", "transfers"] as const
type Operation = Coverage.Coverage["operation"]

const sides = {
  deposits: { own: "deposit", other: "transfer" },
  transfers: { own: "transfer", other: "deposit" }
} as const

export interface About {
  readonly range?: Coverage.Interval | undefined
  readonly entries: EntryTimes
  readonly policy: Pick<Policy.Resolved, "window" | "per" | "flows">
  readonly accounts: Accounts.Accounts
}

/** Returns how far from an entry its counterpart may lie without being late, by the widest rule; ms. */
const widest = ({ policy }: About): number =>
  Math.max(
    ...[policy, ...policy.per].map(({ window: { after, before } }) => Math.max(Math.abs(after), Math.abs(before)))
  )

const touches = (a: Coverage.Interval, b: Coverage.Interval): boolean => a.to > b.from && a.from < b.to

const ofRange = (coverage: ReadonlyArray<Coverage.Coverage>, range: Coverage.Interval | undefined) =>
  coverage.filter((part) => part.from < part.to && (range === undefined || touches(part, range)))

/** Finds the operations of which no part of the range was read completely, not even the part that is settled by now. */
export const operationsUnread = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  range: Coverage.Interval | undefined
): ReadonlyArray<Operation> => {
  const read = ofRange(coverage, range).filter(({ state }) => state === "complete")
  return operations.filter((operation) => !read.some((one) => one.operation === operation))
}

const notRead = (about: Omit<Coverage.Coverage, "state" | "gap">, detail: string): Coverage.Coverage => ({
  ...about,
  state: "incomplete",
  gap: { code: "not-read", detail }
})

const unsettled = (part: Coverage.Coverage): Coverage.Coverage =>
  part.state === "incomplete"
    ? part
    : notRead(part, "too young to be settled: later records may still appear")

/**
 * Returns the intervals that a run without a range asks about: from the first to the last reading of an operation, the times of
 * its own entries, and the windows in which entries of the other side wait for it, up to the last entry of all. A run asks
 * about no later time: where both sides end, the last windows are open.
 */
const implied = (
  operation: Operation,
  read: ReadonlyArray<Coverage.Interval>,
  about: About
): Coverage.Interval => {
  const { all, waiting } = about.entries
  const { other, own } = sides[operation]
  const window = widest(about)
  const everything = hull([all.deposit, all.transfer])
  const over = waiting[other].filter((at) => at + window < everything.to)
    .reduce((latest, at) => Math.max(latest, at + window), Number.NEGATIVE_INFINITY)
  const known = hull([...read, all[own], { from: Number.POSITIVE_INFINITY, to: over }])
  return touches(known, everything) || everything.from >= everything.to ? known : hull([known, everything])
}

/** The coverage of one operation, and where transfers were asked for by query, that of each route which the policy names. */
const scopesOf = (
  operation: Operation,
  within: ReadonlyArray<Coverage.Coverage>,
  { accounts, policy }: About
): ReadonlyArray<Routes.Scope> =>
  operation === "transfers" && within.some(({ query }) => query !== undefined)
    ? Routes.scopes(policy, accounts, within)
    : [{ query: undefined, coverage: within }]

const ofOne = (operation: Operation, coverage: ReadonlyArray<Coverage.Coverage>, about: About) => {
  const { range } = about
  const within = ofRange(coverage, range).filter((part) => part.operation === operation)
  const read = within.filter(({ state }) => state === "complete")
  // An empty range has no part to read; and where nothing was read, nobody knows which part should have been.
  const isNone = range === undefined ? read.length === 0 : !(range.from < range.to)
  const asked = range ?? implied(operation, read, about)
  const isNamed = ({ gap }: Coverage.Coverage): boolean => gap !== undefined && gap.code !== "not-read"
  const gaps = within.filter((part) => part.state !== "complete" && (isNone || isNamed(part) || touches(part, asked)))
  const end = Math.max(...read.map(({ to }) => to))
  const detail = (hole: Coverage.Interval): string =>
    range === undefined && hole.from >= end
      ? "what was read of them ends early: there are entries behind it"
      : "nobody asked for all of it"
  const unasked = ({ coverage, query }: Routes.Scope) => {
    const holes = isNone
      ? (coverage.length === 0 || range !== undefined ? [{ from: 0, to: 0 }] : [])
      : Timeline.gaps(coverage, asked)
    return holes.map((hole) =>
      notRead({ operation, ...(query === undefined ? {} : { query }), ...hole, readAt: 0 }, detail(hole))
    )
  }
  return { gaps: gaps.map(unsettled), unasked: scopesOf(operation, within, about).flatMap(unasked) }
}

/** Finds the gaps in the intervals that are asked about, the open parts, and the parts that no coverage speaks of. */
export const make = (coverage: ReadonlyArray<Coverage.Coverage>, about: About): ReadonlyArray<Coverage.Coverage> => {
  const found = operations.map((operation) => ofOne(operation, coverage, about))
  return [...found.flatMap(({ gaps }) => gaps), ...found.flatMap(({ unasked }) => unasked)]
}
