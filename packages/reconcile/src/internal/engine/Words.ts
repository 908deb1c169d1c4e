/** Numbers and entries in the words of the explanations. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as DateTime from "effect/DateTime"
import type * as Entry from "../../Entry.ts"
import type { Objection } from "../Past.ts"

const units = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], [1000, "s"]] as const

/** A length of time: `1 h 2 min 3 s`, `450 ms`. */
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

/** Where a transfer lies as seen from its deposit. */
export const lag = (ms: number): string =>
  ms === 0 ? "at the same moment as" : ms > 0 ? `${duration(ms)} after` : `${duration(ms)} before`

export const money = ({ amount, asset }: Entry.Entry): string => `${amount} ${asset}`

/** An end of a transfer; an empty one is the master account. */
export const account = (name: string | undefined): string => name || "the master account"

/** `1 deposit`, `3 deposits`. */
export const count = (number: number, noun: string, several = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : several}`

const ends = 8_640_000_000_000_000

/** A time, in UTC. */
export const instant = (ms: number): string =>
  Math.abs(ms) < ends ? DateTime.formatIso(DateTime.makeUnsafe(ms)) : ms < 0 ? "the beginning" : "the end of time"

/** The side as the beginning of a sentence. */
export const side = (side: Entry.Side): string => (side === "deposit" ? "Deposit" : "Transfer")

/** What is to be objected to an entry, behind its name: `went back from settled (seen …) to pending`. */
export const objection = (objection: Objection, { past, status }: Entry.Entry): string => {
  if (objection === "source-conflict") return "was told in several ways"
  if (objection === "vanished") {
    return past?.vanishedAt === undefined
      ? "is no longer shown"
      : `is no longer shown: a complete reading on ${instant(past.vanishedAt)} did not have it`
  }
  const earlier = past?.statuses ?? []
  const was = earlier.findLast((one) => one.status === "settled") ?? earlier.findLast((one) => one.status === "failed")
  return `went back from ${was?.status ?? "another status"}${
    was === undefined ? "" : ` (seen on ${instant(was.seenAt)})`
  } to ${status === "unknown" ? "a status that the policy does not know" : status}`
}

/** What is claimed of an entry that is missing for certain. */
export const everythingRead = ", although everything in its window was read"

/** What a gap is about: `deposits from … to …`. */
export const gap = ({ from, gap, operation, query, to }: Coverage.Coverage): string => {
  const route = query === undefined
    ? ""
    : ` from ${query.fromAccount ?? "the master account"} to ${query.toAccount ?? "the master account"}` +
      (query.fromAccountType === "" ? "" : ` (${query.fromAccountType} to ${query.toAccountType})`)
  return `${operation}${route} between ${instant(from)} and ${instant(to)}` +
    (gap === undefined ? "" : `: ${gap.detail}`)
}

/** What a run says of entries that came again and of records that could not be used. */
export const warnings = (repeated: Readonly<Record<Entry.Side, number>>, bad: number): ReadonlyArray<string> => [
  ...(["deposit", "transfer"] as const).flatMap((side) =>
    repeated[side] === 0
      ? []
      : [`${count(repeated[side], side)} came again with the same id and content, and counts once.`]
  ),
  ...(bad === 0 ? [] : [`${count(bad, "record")} could not be used; what is named missing may be among them.`])
]

/** What a run says of an exclusion that found nothing. */
export const notExcluded = (id: string, side: Entry.Side | undefined): string =>
  `The policy excludes ${side ?? "entry"} "${id}", which is not among the entries.`

/** What a run says of accounts that a list lacks which somebody vouches for. */
export const unlisted = (entries: number, names: ReadonlySet<string>): string => {
  const some = Array.from(names).toSorted().slice(0, 3).map((name) => `account ${name}`)
  return `The list of accounts is vouched to name all, but ${count(entries, "entry", "entries")} ${
    entries === 1 ? "is" : "are"
  } of ${count(names.size, "account")} that it lacks: ${some.join(", ")}${
    names.size > some.length ? `, and ${names.size - some.length} more` : ""
  }. Their transfers do not count; correct the list, or do not vouch for it.`
}

/** What a run says of a side that has entries and none of them in the range: somebody may have asked for the wrong day. */
export const outside = (side: Entry.Side, entries: number): string =>
  `None of the ${entries} ${side}s that were read lies in the range.`
