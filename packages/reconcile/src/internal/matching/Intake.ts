/** What of the input can take part at all: well-formed entries, each identity once. */
import * as Amount from "@tallystick/core/Amount"
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Entry from "../../Entry.ts"
import * as Past from "../../Past.ts"

export interface Intake {
  /** Ordered by (at, id), one an identity. */
  readonly entries: ReadonlyArray<Entry.Entry>
  /** One identity with several contents, ordered by (at, id). */
  readonly conflicts: ReadonlyArray<ReadonlyArray<Entry.Entry>>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** How many entries came again with the same content. */
  readonly repeated: number
}

/** Why an entry cannot be used, if it cannot: where, and what was wanted. */
export const problem = (
  { amount, asset, at, id }: Entry.Entry
): readonly [path: string, reason: string] | undefined => {
  if (id === "") return ["id", "an entry needs an id"]
  if (asset === "") return ["asset", "an entry needs an asset"]
  if (!Amount.isAmount(amount)) return ["amount", `a plain decimal was wanted, "${amount}" came`]
  if (Amount.isZero(amount)) return ["amount", `an amount is above zero, "${amount}" came`]
  return Number.isSafeInteger(at) ? undefined : ["at", `a time in whole Unix ms was wanted, ${at} came`]
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

/** Equal for entries that say the same, however their amounts are written. */
const meaning = (entry: Entry.Entry): string => content({ ...entry, amount: Amount.canonical(entry.amount) })

/** The gravest first, so that of two equal contents with different pasts the one that claims less is taken. */
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

/** A whole order, so that the result does not depend on the order of the input. */
const compareAll = (a: Entry.Entry, b: Entry.Entry): number =>
  Entry.compare(a, b) || compareTexts(content(a), content(b)) || comparePasts(a, b)

/** Sorts the entries of one side and takes apart what cannot be used. */
export const read = (side: Entry.Side, input: ReadonlyArray<Entry.Entry>): Intake => {
  const bad: Array<BadRecord.BadRecord> = []
  const byId = new Map<string, Entry.Entry>()
  const versions = new Map<string, Map<string, Entry.Entry>>()
  let repeated = 0
  for (const entry of input) {
    const wrong = problem(entry)
    if (wrong !== undefined) {
      const { record: _, ...raw } = entry
      bad.push({ side, source: `entry ${entry.id}`, path: wrong[0], reason: wrong[1], raw: JSON.stringify(raw) })
      continue
    }
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
    bad,
    repeated
  }
}
