/** Writes numbers and entries in the words of the explanations. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as DateTime from "effect/DateTime"
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import type * as Because from "./Because.ts"

const units = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], [1000, "s"]] as const

/** Returns the first item of a list that has one. */
export const only = <A>(list: ReadonlyArray<A>): A => {
  const [one] = list
  if (one === undefined) throw new RangeError("an outcome lacks the entry that its facts speak of")
  return one
}

/** Writes a length of time: `1 h 2 min 3 s`, `450 ms`. */
export const duration = (ms: number): string => {
  let rest = Math.abs(ms)
  const parts: Array<string> = []
  for (const [size, name] of units) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${name}`)
    rest -= count * size
  }
  if (rest > 0 || parts.length === 0) parts.push(`${rest} ms`)
  return parts.join(" ")
}

/** Says where a transfer lies as seen from its deposit. */
export const lag = (ms: number): string =>
  ms === 0 ? "at the same moment as" : ms > 0 ? `${duration(ms)} after` : `${duration(ms)} before`

/** Says how an entry lies in time to one that it is compared with: `3 min later`. */
export const apart = (ms: number): string =>
  ms === 0 ? "at the same moment" : `${duration(ms)} ${ms < 0 ? "earlier" : "later"}`

export const money = ({ amount, asset }: Pick<Entry.Entry, "amount" | "asset">): string => `${amount} ${asset}`

/** Names an end of a transfer. An empty name is the master account. */
export const account = (name: string | undefined): string => name || "the master account"

/** Writes a number with its noun: `1 deposit`, `3 deposits`. */
export const count = (number: number, noun: string, several = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : several}`

const ends = 8_640_000_000_000_000

/** Writes a time, in UTC. */
export const instant = (ms: number): string =>
  Math.abs(ms) < ends ? DateTime.formatIso(DateTime.makeUnsafe(ms)) : ms < 0 ? "the beginning" : "the end of time"

/** Names an entry at the beginning of a sentence: `Deposit d1`. */
export const name = ({ id, side }: Entry.Entry): string => `${side === "deposit" ? "Deposit" : "Transfer"} ${id}`

/** Names an entry with its amount: `Deposit d1 of 5 USDT`. */
export const named = (entry: Entry.Entry): string => `${name(entry)} of ${money(entry)}`

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
export const objected = ({ objection, status, vanishedAt, was, wasSeenAt }: Because.Objected): string => {
  if (objection === "source-conflict") return "was told in several ways"
  if (objection === "vanished") {
    return vanishedAt === undefined
      ? "is no longer shown"
      : `is no longer shown: a complete reading on ${instant(vanishedAt)} did not have it`
  }
  const seen = wasSeenAt === undefined ? "" : ` (seen on ${instant(wasSeenAt)})`
  return `went back from ${was ?? "another status"}${seen} to ${
    status === "unknown" ? "a status that the policy does not know" : status
  }`
}

/** Writes the objection to a member of an outcome with this code. */
export const objection = (code: Outcome.Code, entry: Entry.Entry): string =>
  objected(objectedOf(code === "vanished" || code === "status-regressed" ? code : "source-conflict", entry))

/** Says who linked entries, and why: `linked by hand (why)`. */
export const linked = ({ by, reason }: { readonly by?: string; readonly reason?: string }): string =>
  `linked ${by === undefined || by === "" ? "by hand" : `by ${by}`}${
    reason === undefined || reason === "" ? "" : ` (${reason})`
  }`

/** Says which records a gap is about: `deposits from … to …`. */
export const gap = ({ from, gap, operation, query, to }: Coverage.Coverage): string => {
  const route = query === undefined
    ? ""
    : ` from ${query.fromAccount ?? "the master account"} to ${query.toAccount ?? "the master account"}` +
      (query.fromAccountType === "" ? "" : ` (${query.fromAccountType} to ${query.toAccountType})`)
  return `${operation}${route} between ${instant(from)} and ${instant(to)}` +
    (gap === undefined ? "" : `: ${gap.detail}`)
}

/** Writes the warnings of a run about entries that came again and records that could not be used. */
export const warnings = (repeated: Readonly<Record<Entry.Side, number>>, bad: number): ReadonlyArray<string> => [
  ...(["deposit", "transfer"] as const).flatMap((side) =>
    repeated[side] === 0
      ? []
      : [`${count(repeated[side], side)} came again with the same id and content, and counts once.`]
  ),
  ...(bad === 0 ? [] : [`${count(bad, "record")} could not be used; what is named missing may be among them.`])
]

/** Writes the warning of a run about an exclusion that found nothing. */
export const notExcluded = (id: string, side: Entry.Side | undefined): string =>
  `The policy excludes ${side ?? "entry"} "${id}", which is not among the entries.`

/** Writes the warning of a run about accounts that are not on a list which somebody vouches for. */
export const unlisted = (entries: number, names: ReadonlySet<string>): string => {
  const some = Array.from(names).toSorted().slice(0, 3).map((name) => `account ${name}`)
  return `The list of accounts is vouched to name all, but ${count(entries, "entry", "entries")} ${
    entries === 1 ? "is" : "are"
  } of ${count(names.size, "account")} that it lacks: ${some.join(", ")}${
    names.size > some.length ? `, and ${names.size - some.length} more` : ""
  }. Their transfers do not count; correct the list, or do not vouch for it.`
}

/**
 * Writes the warning of a run about a side whose entries all lie outside the range: somebody may have asked for the wrong day.
 */
export const outside = (side: Entry.Side, entries: number): string =>
  `None of the ${entries} ${side}s that were read lies in the range.`
