/** Sorts the entries of a side, and keeps each identity once. */
import * as Amount from "@tallystick/core/Amount"
import * as Entry from "../../../Entry.ts"
import * as Past from "../../Past.ts"

export interface Validation {
  /** Entries ordered by (at, id), one for each identity. */
  readonly entries: ReadonlyArray<Entry.Entry>
  /** The contents of each identity that has several, ordered by (at, id). */
  readonly conflicts: ReadonlyArray<ReadonlyArray<Entry.Entry>>
  /** The number of entries that came again with the same content. */
  readonly repeated: number
}

const compared = [
  "asset",
  "at",
  "status",
  "account",
  "reference",
  "network",
  "address",
  "memo",
  "from",
  "to",
  "fromType",
  "toType"
] as const

const content = (entry: Entry.Entry): string => JSON.stringify([entry.amount, ...compared.map((key) => entry[key])])

/** Returns a text that is equal for entries that say the same, however their amounts are written. */
const meaning = (entry: Entry.Entry): string => content({ ...entry, amount: Amount.canonical(entry.amount) })

/** The gravest objection comes first, so that of two equal contents with different pasts the one that claims less is taken. */
const gravity: ReadonlyArray<Past.Objection | undefined> = [
  "source-conflict",
  "vanished",
  "status-regressed",
  undefined
]

const comparePasts = (a: Entry.Entry, b: Entry.Entry): number => {
  if (a.past === undefined && b.past === undefined) return 0
  const of = ({ past, status }: Entry.Entry): number => gravity.indexOf(Past.objection(status, past))
  return of(a) - of(b) || compareTexts(JSON.stringify(a.past) ?? "", JSON.stringify(b.past) ?? "")
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Orders entries completely, so that the result does not depend on the order of the input. */
const compareAll = (a: Entry.Entry, b: Entry.Entry): number =>
  Entry.compare(a, b) || compareTexts(content(a), content(b)) || comparePasts(a, b)

/** Sorts the entries of one side, and sets aside identities that have several contents. */
export const read = (input: ReadonlyArray<Entry.Entry>): Validation => {
  const byId = new Map<string, Entry.Entry>()
  const versions = new Map<string, Map<string, Entry.Entry>>()
  let repeated = 0
  for (const entry of input) {
    const first = byId.get(entry.id)
    if (first === undefined) {
      byId.set(entry.id, entry)
      continue
    }
    const known = versions.get(entry.id) ?? new Map([[meaning(first), first]])
    versions.set(entry.id, known)
    const key = meaning(entry)
    const same = known.get(key)
    if (same !== undefined) repeated++
    if (same === undefined || compareAll(entry, same) < 0) known.set(key, entry)
  }
  for (const [id, known] of versions) {
    const [only] = known.values()
    if (known.size > 1 || only === undefined) continue
    byId.set(id, only)
    versions.delete(id)
  }
  const entries = Array.from(byId.values()).filter((entry) => !versions.has(entry.id))
  return {
    entries: entries.toSorted(Entry.compare),
    conflicts: Array.from(versions.values(), (known) => Array.from(known.values()).toSorted(compareAll)),
    repeated
  }
}
