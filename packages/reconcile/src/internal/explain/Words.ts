/** Writes numbers and entries in the words of the explanations. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import type * as Because from "./Because.ts"
import type { Moments } from "./Moments.ts"

const units = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], [1000, "s"], [1, "ms"]] as const

/** Returns the first item of a list that has one. */
export const only = <A>(list: ReadonlyArray<A>): A => {
  const [one] = list
  if (one === undefined) throw new RangeError("an outcome lacks the entry that its facts speak of")
  return one
}

/** Takes a length of time apart into its units, the largest first, without its sign and without what is zero. */
const parts = (ms: number): ReadonlyArray<string> => {
  let rest = Math.abs(ms)
  return units.flatMap(([size, name]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count} ${name}`]
  })
}

const MINUTE = 60_000

/** Writes the two largest parts of a length of time: `1 h 2 min`, `450 ms`. It cuts smaller parts, and milliseconds beside minutes: the facts have all. */
export const duration = (ms: number): string => {
  const size = Math.abs(ms)
  return parts(size < MINUTE ? size : size - (size % 1000)).slice(0, 2).join(" ") || "0 s"
}

/** Writes two lengths of time that are compared, to the millisecond where they would look alike. */
export const durations = (ms: number, other: number): readonly [string, string] => {
  const short = [duration(ms), duration(other)] as const
  return short[0] === short[1] ? [parts(ms).join(" ") || "0 s", parts(other).join(" ") || "0 s"] : short
}

/** Says how an entry lies in time to one that it is compared with: `3 min later`. */
export const apart = (ms: number): string =>
  ms === 0 ? "at the same moment" : `${duration(ms)} ${ms < 0 ? "earlier" : "later"}`

export const money = ({ amount, asset }: Pick<Entry.Entry, "amount" | "asset">): string => `${amount} ${asset}`

/** Names an end of a transfer. An empty name is the master account. */
export const account = (name: string): string => name || "master"

/** Writes a number with its noun: `1 deposit`, `3 deposits`. */
export const count = (number: number, noun: string, several = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : several}`

/** Says from where to where a transfer went, as far as that is known: ` from sub1 to master`. */
export const route = ({ account: own, from, to }: Entry.Entry): string => {
  if (from === undefined && to === undefined) return own === undefined || own === "" ? "" : ` for ${own}`
  return `${from === undefined ? "" : ` from ${account(from)}`}${to === undefined ? "" : ` to ${account(to)}`}`
}

const where = (entry: Entry.Entry): string =>
  entry.side === "transfer"
    ? route(entry)
    : entry.account === undefined || entry.account === ""
    ? ""
    : ` in ${entry.account}`

/** Says what an entry did, without its amount: `arrived in sub1 on 22 Nov 07:47`. */
const did = (entry: Entry.Entry, moments: Moments): string =>
  `${entry.side === "deposit" ? "arrived" : "was moved"}${where(entry)} on ${moments.at(entry.at)}`

/** Says what an entry did, as a clause: `5 USDT arrived in sub1 on 22 Nov 07:47`. */
export const happened = (entry: Entry.Entry, moments: Moments): string => `${money(entry)} ${did(entry, moments)}`

/** Names an entry as the subject of a sentence: `the deposit of 5 USDT in sub1 on 22 Nov 07:47`. */
export const the = (entry: Entry.Entry, moments: Moments): string =>
  `the ${entry.side} of ${money(entry)}${where(entry)} on ${moments.at(entry.at)}`

/** Returns the account that all entries are of; nothing where one is of no known account, or of another one. */
const accountOfAll = (entries: ReadonlyArray<Entry.Entry>): string => {
  const names = new Set(entries.map(({ account }) => account))
  const [name = ""] = names
  return names.size === 1 ? name : ""
}

/** Says where and when several entries happened: ` of sub1 between 22 Nov 07:47 and 08:10`. */
export const spread = (entries: ReadonlyArray<Entry.Entry>, moments: Moments): string => {
  const from = entries.reduce((first, { at }) => Math.min(first, at), Infinity)
  const to = entries.reduce((last, { at }) => Math.max(last, at), -Infinity)
  const name = accountOfAll(entries)
  return `${name === "" ? "" : ` of ${name}`} ${
    Math.floor(from / MINUTE) === Math.floor(to / MINUTE) ? `on ${moments.at(from)}` : moments.between(from, to)
  }`
}

/** Begins a sentence with this text. */
export const begin = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Names what twins of a side have in common. Time and reference may differ, and so may the network of a deposit. */
export const twinFields: Readonly<Record<Entry.Side, string>> = {
  deposit: "amount, account, address and memo",
  transfer: "amount, account, ends and account types"
}

/** Returns the objection to an entry, for a sentence about the entry. */
export const objectedOf = (
  objection: Because.Objected["objection"],
  { past, status }: Entry.Entry
): Because.Objected => {
  const earlier = past?.statuses ?? []
  const was = earlier.findLast((one) => one.status === "settled") ?? earlier.findLast((one) => one.status === "failed")
  return {
    objection,
    status,
    ...(was === undefined ? {} : { was: was.status, wasSeenAt: was.seenAt }),
    ...(past?.vanishedAt === undefined ? {} : { vanishedAt: past.vanishedAt })
  }
}

/** Writes the objection to an entry, to be put after its name: `went back from settled (seen …) to pending`. */
export const objected = (
  { objection, status, vanishedAt, was, wasSeenAt }: Because.Objected,
  moments: Moments
): string => {
  if (objection === "source-conflict") return "was given by the source in several versions"
  if (objection === "vanished") {
    return vanishedAt === undefined
      ? "is no longer shown by the source"
      : `is no longer shown by the source: a complete reading on ${moments.at(vanishedAt)} did not have it`
  }
  const seen = wasSeenAt === undefined ? "" : ` (seen on ${moments.at(wasSeenAt)})`
  return `went back from ${was ?? "another status"}${seen} to ${
    status === "unknown" ? "a status that the policy does not know" : status
  }`
}

/** Writes the objection to a member of an outcome with this code. */
export const objection = (code: Outcome.Code, entry: Entry.Entry, moments: Moments): string =>
  objected(objectedOf(code === "vanished" || code === "status-regressed" ? code : "source-conflict", entry), moments)

/** Says who linked entries, and why: `linked by hand (why)`. */
export const linked = ({ by, reason }: { readonly by?: string; readonly reason?: string }): string =>
  `linked ${by === undefined || by === "" ? "by hand" : `by ${by}`}${
    reason === undefined || reason === "" ? "" : ` (${reason})`
  }`

/** Names the records of a gap: `transfers from sub1 to master between … and …`. */
const records = ({ from, operation, query, to }: Coverage.Coverage, moments: Moments): string => {
  const route = query === undefined
    ? ""
    : ` from ${query.fromAccount ?? "master"} to ${query.toAccount ?? "master"}` +
      (query.fromAccountType === "" ? "" : ` (${query.fromAccountType} to ${query.toAccountType})`)
  return `${operation}${route} ${moments.between(from, to)}`
}

/** Says which records were not read, as the end of a sentence: `transfers between … and … were not all read: …`. */
export const unread = (missing: Coverage.Coverage | undefined, moments: Moments): string =>
  missing === undefined
    ? "some of the records were not read"
    : `${records(missing, moments)} were not all read${missing.gap === undefined ? "" : `: ${missing.gap.detail}`}`

/** Writes the warnings of a run about entries that came again and records that could not be used. */
export const warnings = (repeated: Readonly<Record<Entry.Side, number>>, bad: number): ReadonlyArray<string> => [
  ...(["deposit", "transfer"] as const).flatMap((side) =>
    repeated[side] === 0
      ? []
      : [`${count(repeated[side], side)} came again with the same id and content; each counts once.`]
  ),
  ...(bad === 0 ? [] : [`${count(bad, "record")} could not be used; what is called unmatched may be among them.`])
]

/** Writes the warning of a run about an exclusion that found nothing. */
export const notExcluded = (id: string, side: Entry.Side | undefined): string =>
  `The policy excludes ${side ?? "entry"} "${id}", which is not among the entries.`

/** Writes the warning of a run about accounts, sorted, that are not on a list which somebody vouches for. */
export const unlisted = (entries: number, names: ReadonlyArray<string>): string => {
  const some = names.slice(0, 3).map((name) => `account ${name}`)
  return `Somebody vouched that the list of accounts names all, but ${count(entries, "entry", "entries")} ${
    entries === 1 ? "is" : "are"
  } of ${count(names.length, "account")} that it lacks: ${some.join(", ")}${
    names.length > some.length ? `, and ${names.length - some.length} more` : ""
  }. Their transfers do not count; correct the list, or do not vouch for it.`
}

/**
 * Writes the warning of a run about a side whose entries all lie outside the range: somebody may have asked for the wrong day.
 */
export const outside = (side: Entry.Side, entries: number): string =>
  `None of the ${entries} ${side}s that were read lies in the range.`
