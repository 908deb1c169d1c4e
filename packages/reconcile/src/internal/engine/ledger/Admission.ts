/**
 * Checks the input: an entry takes part only if it is what its type promises. JavaScript does not hold types, so any other
 * value becomes a bad record, and malformed coverage claims nothing.
 */
import * as Amount from "@tallystick/core/Amount"
import * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import * as InvalidRange from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Entry from "../../../Entry.ts"
import { Past } from "../../Past.ts"
import type { Input } from "../../Question.ts"
import * as Steps from "../../Steps.ts"

/** The number of entries that are checked in a step. */
const AT_ONCE = 4096

/** A value that should have this type, and may be anything. */
type Loose<A> = { readonly [Key in keyof A]?: unknown } | null | undefined

const isStatus = Schema.is(Entry.Status)
const isPast = Schema.is(Past)
const isBadRecord = Schema.is(BadRecord.BadRecord)

const texts = ["account", "reference", "network", "address", "memo", "from", "to", "fromType", "toType"] as const

const NAME = "a text that is not empty"

const isTime = (value: unknown): value is number =>
  typeof value === "number" && value >= InvalidRange.EARLIEST && value < InvalidRange.LATEST

const isName = (value: unknown): value is string => typeof value === "string" && value !== ""

const unlike = (path: string, wanted: string, came: unknown): BadRecord.Unlike => ({ path, wanted, came })

type Copy = { -readonly [Key in keyof Entry.Entry]: Entry.Entry[Key] }

/**
 * Copies the entry and reads each field once, because an object with getters may answer differently the next time. If a field
 * is not what its type promises, the result is the first such field.
 */
const read = (side: Entry.Side, entry: Loose<Entry.Entry>): Result.Result<Entry.Entry, BadRecord.Unlike> => {
  const refuse = (path: string, wanted: string, came: unknown) => Result.fail(unlike(path, wanted, came))
  if (typeof entry !== "object" || entry === null) return refuse("", "an entry", entry)
  const { amount, asset, at, id, past, record, side: own, status } = entry
  if (!isName(id)) return refuse("id", NAME, id)
  if (own !== side) return refuse("side", `"${side}"`, own)
  if (!isName(asset)) return refuse("asset", NAME, asset)
  if (typeof amount !== "string" || !Amount.isAmount(amount)) return refuse("amount", "a plain decimal", amount)
  if (Amount.isZero(amount)) return refuse("amount", "an amount above zero", amount)
  if (!Number.isSafeInteger(at)) return refuse("at", "a time in whole Unix ms", at)
  if (!isTime(at)) return refuse("at", "a time in Unix ms from 2010 to 2099", at)
  if (status !== "settled" && !isStatus(status)) return refuse("status", "settled, pending, failed or unknown", status)
  const copy: Copy = { side, id, asset, amount, at, status }
  for (const key of texts) {
    const value = entry[key]
    if (typeof value === "string") copy[key] = value
    // A field that is present with the value undefined counts as absent.
    else if (value !== undefined) return refuse(key, "a text", value)
  }
  if (isPast(past)) copy.past = past
  else if (past !== undefined) return refuse("past", "what an archive knows of an entry", past)
  if (record !== undefined) copy.record = record
  return Result.succeed(copy)
}

/** Reads an entry that may throw when it is looked at. */
const admit = (side: Entry.Side, entry: Loose<Entry.Entry>): Result.Result<Entry.Entry, BadRecord.Unlike> =>
  Result.getOrElse(
    Result.try(() => read(side, entry)),
    () => Result.fail(unlike("", "an entry that can be read", entry))
  )

export interface Admitted {
  readonly entries: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
}

const inSteps = function*(side: Entry.Side, given: ReadonlyArray<Entry.Entry>): Steps.Steps<Admitted> {
  const bad: Array<BadRecord.BadRecord> = []
  const admitted: Array<Entry.Entry> = []
  yield* Steps.forEach(given, (entry) => {
    const result = admit(side, entry)
    if (Result.isSuccess(result)) admitted.push(result.success)
    else bad.push(BadRecord.ofEntry(side, entry, result.failure))
  }, AT_ONCE)
  return { entries: admitted, bad }
}

/** Separates the entries of a side that can take part from bad records. Both keep their order. */
export const entries = (side: Entry.Side, given: ReadonlyArray<Entry.Entry>): Admitted =>
  Steps.run(inSteps(side, given))

/** Returns the bad records. A value among them that is no bad record becomes one. */
const badRecords = (
  side: Entry.Side,
  given: ReadonlyArray<BadRecord.BadRecord>
): ReadonlyArray<BadRecord.BadRecord> =>
  Array.from(given, (one) =>
    Result.getOrElse(Result.try(() => isBadRecord(one)), () => false)
      ? one
      : BadRecord.ofEntry(side, one, unlike("", "a bad record", one)))

/** Makes coverage incomplete. If the records came as no list, nobody knows how many there were, so nothing is vouched for. */
const disbelieved = (coverage: Coverage.Coverage): Coverage.Coverage => ({
  ...coverage,
  state: "incomplete",
  gap: { code: "not-read", detail: "its records came as something that is no list" }
})

// Checks a slice in all its parts. Coverage outside its interval is not believed, nor what a side claims of the other one.
export const slice = function*(
  side: Entry.Side,
  given: Slice.Slice<Entry.Entry>
): Steps.Steps<Slice.Slice<Entry.Entry>> {
  const { bad, coverage, from, records, to } = given
  const known = Coverage.clip(Coverage.believed(coverage, `${side}s`), { from, to })
    .filter(({ operation }) => operation === `${side}s`)
  const admitted = yield* inSteps(side, Array.isArray(records) ? records : [])
  const lists = [["records", records], ["bad", bad]] as const
  const lost = lists.flatMap(([path, list]) =>
    Array.isArray(list) ? [] : [BadRecord.ofEntry(side, given, unlike(path, "a list", list))]
  )
  return {
    from,
    to,
    records: admitted.entries,
    bad: [...badRecords(side, Array.isArray(bad) ? bad : []), ...admitted.bad, ...lost],
    coverage: lost.length === 0 ? known : known.map(disbelieved)
  }
}

/** Checks the input of a match in all its parts. */
export const input = (given: Input): Input => {
  const deposits = entries("deposit", given.deposits)
  const transfers = entries("transfer", given.transfers)
  return {
    ...given,
    deposits: deposits.entries,
    transfers: transfers.entries,
    bad: [...badRecords("deposit", given.bad), ...deposits.bad, ...transfers.bad],
    coverage: Coverage.believed(given.coverage, "deposits")
  }
}
