/** Reads one page of a list operation, and keeps the records that cannot be read beside the others. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as BadRecord from "./BadRecord.ts"
import * as Issue from "./internal/decoding/Issue.ts"
import * as RawParts from "./internal/decoding/RawParts.ts"
import * as JsonShape from "./JsonShape.ts"
import * as SubAccountDeposit from "./SubAccountDeposit.ts"
import * as UniversalTransfer from "./UniversalTransfer.ts"

/** The records of one response. A short page proves nothing about the end of the list. */
export interface Page<out Record> {
  /** The records of the page, in the order in which they came. */
  readonly records: ReadonlyArray<Record>
  /** The records of the page that could not be read. */
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** The number of records that the service claims, where it does. It is never trusted, only checked. */
  readonly totalCount?: number
}

/** Counts the records in a response, readable or not. */
export const length = (page: Page<unknown>): number => page.records.length + page.bad.length

const Listing = Schema.Union([
  Schema.Array(Schema.Unknown),
  Schema.Struct({ result: Schema.Array(Schema.Unknown), totalCount: Schema.optionalKey(Schema.Unknown) })
])
const decodeListing = Schema.decodeUnknownOption(Listing)

type Fields = Readonly<Record<string, unknown>>

/** No page of the service has more records. A longer list is not read, because decoding it would block the program. */
const MOST_RECORDS = 200_000

const isTooLong = (json: unknown): boolean => {
  const list = isFields(json) ? json["result"] : json
  return Array.isArray(list) && list.length > MOST_RECORDS
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const numberAsText = (value: unknown): unknown => Number.isSafeInteger(value) ? String(value) : value

/** Reads spellings of transfers that were seen elsewhere: ids as numbers, parts that are absent or null. */
const respellTransfer = (fields: Fields): Fields => ({
  ...fields,
  tranId: numberAsText(fields["tranId"]),
  clientTranId: fields["clientTranId"] ?? "",
  fromAccount: fields["fromAccount"] ?? "",
  toAccount: fields["toAccount"] ?? "",
  fromAccountType: fields["fromAccountType"] ?? "",
  toAccountType: fields["toAccountType"] ?? "",
  fromSymbol: fields["fromSymbol"] ?? "",
  toSymbol: fields["toSymbol"] ?? ""
})

/**
 * Rejects a record without either end. One absent end is the master account, but a record that has neither names its ends by
 * fields that are not known.
 */
const withoutEnds = (fields: Fields): Problem | undefined =>
  fields["fromAccount"] === undefined && fields["toAccount"] === undefined
    ? { path: "fromAccount", reason: "neither fromAccount nor toAccount is in it: between whom it was is not known" }
    : undefined

/** Reads spellings of deposits that were seen elsewhere: `netWork`, confirmations as numbers, no memo. */
const respellDeposit = (fields: Fields): Fields => ({
  ...fields,
  network: fields["network"] ?? fields["netWork"] ?? "",
  address: fields["address"] ?? "",
  memo: fields["memo"] ?? "",
  unlockConfirm: numberAsText(fields["unlockConfirm"] ?? ""),
  confirmTimes: numberAsText(fields["confirmTimes"] ?? "")
})

interface Reader<Record> {
  readonly side: BadRecord.BadRecord["side"]
  readonly decodeAll: (input: unknown) => Option.Option<ReadonlyArray<Record>>
  readonly decode: (input: unknown) => Result.Result<Record, Schema.SchemaError>
  readonly respell: (fields: Fields) => Fields
  /** Returns the reason why an item is no record although every field can be read. */
  readonly lacking?: (fields: Fields) => Problem | undefined
}

/** The field that is wrong, and the reason. */
export type Problem = Issue.Problem

/** The longest reason that is told, in characters. The raw text holds the rest. */
const LONGEST_REASON = 200

const problem = (error: Schema.SchemaError): Problem => {
  const { path, reason } = Issue.first(error)
  return { path, reason: reason.slice(0, LONGEST_REASON) }
}

const decode = <Record>(reader: Reader<Record>, item: unknown): Result.Result<Record, Problem> => {
  if (!isFields(item)) return Result.mapError(reader.decode(item), problem)
  const decoded = Result.mapError(reader.decode(reader.respell(item)), problem)
  const lacking = Result.isSuccess(decoded) ? reader.lacking?.(item) : undefined
  return lacking === undefined ? decoded : Result.fail(lacking)
}

/** Returns why an item is no record although it could be read: nobody knows which of two values of a key counts. */
const doubled = (text: string, item: unknown): Problem | undefined => {
  const repeated = JsonShape.mayRepeat(text, item) ? JsonShape.repeated(text) : undefined
  return repeated === undefined ? undefined : {
    path: "",
    reason: `${JSON.stringify(repeated.key).slice(0, LONGEST_REASON / 2)} stands in it twice`
  }
}

/** Whether the list itself, or its length, stands there twice. One of the two would be passed over then. */
const isDoubled = (text: string): boolean => RawParts.occurrences(text, ["result", "totalCount"]).some((n) => n > 1)

/** Reads the number of records that the service claims, given as a number or as digits. */
const claimed = (totalCount: unknown): number =>
  typeof totalCount === "number" || (typeof totalCount === "string" && /^\d+$/.test(totalCount))
    ? Number(totalCount)
    : Number.NaN

/**
 * Reads a page. There is none where the JSON is no list, two lists, or a list of more than 200,000 records. `number` is the
 * page's number, for the address of bad records.
 */
const read =
  <Record>(reader: Reader<Record>) => (json: unknown, text: string, number: number): Option.Option<Page<Record>> =>
    Option.flatMap(isTooLong(json) ? Option.none() : decodeListing(json), (listing) => {
      const mayRepeat = JsonShape.mayRepeat(text, json)
      if (mayRepeat && isDoubled(text)) return Option.none()
      const items = "result" in listing ? listing.result : listing
      const totalCount = "result" in listing ? claimed(listing.totalCount) : Number.NaN
      const count = Number.isSafeInteger(totalCount) ? { totalCount } : {}
      let asWritten = mayRepeat ? RawParts.items(text, "result") : undefined
      const problems = asWritten?.map((text, index) => doubled(text, items[index])) ?? []
      const all = problems.every((problem) => problem === undefined) ? reader.decodeAll(items) : Option.none()
      if (Option.isSome(all)) return Option.some({ records: all.value, bad: [], ...count })
      const records: Array<Record> = []
      const bad: Array<BadRecord.BadRecord> = []
      for (const [index, item] of items.entries()) {
        const problem = problems[index]
        const decoded = problem === undefined ? decode(reader, item) : Result.fail(problem)
        if (Result.isSuccess(decoded)) records.push(decoded.success)
        else {
          asWritten ??= RawParts.items(text, "result")
          bad.push({
            side: reader.side,
            source: `page ${number}, record ${index + 1}`,
            ...decoded.failure,
            raw: asWritten[index] ?? ""
          })
        }
      }
      return Option.some({ records, bad, ...count })
    })

const transfers: Reader<UniversalTransfer.UniversalTransfer> = {
  side: "transfer",
  decodeAll: Schema.decodeUnknownOption(Schema.Array(UniversalTransfer.UniversalTransfer)),
  decode: Schema.decodeUnknownResult(UniversalTransfer.UniversalTransfer, { reportInput: true }),
  respell: respellTransfer,
  lacking: withoutEnds
}

const deposits: Reader<SubAccountDeposit.SubAccountDeposit> = {
  side: "deposit",
  decodeAll: Schema.decodeUnknownOption(Schema.Array(SubAccountDeposit.SubAccountDeposit)),
  decode: Schema.decodeUnknownResult(SubAccountDeposit.SubAccountDeposit, { reportInput: true }),
  respell: respellDeposit
}

/** Reads the JSON of a transfers response: a bare array or `{result, totalCount}`. */
export const readTransfers = read(transfers)

/** Reads the JSON of a deposits response, in the same two forms. */
export const readDeposits = read(deposits)

/** Reads one transfer record, in any spelling that has been seen. */
export const decodeTransfer = (input: unknown): Result.Result<UniversalTransfer.UniversalTransfer, Problem> =>
  decode(transfers, input)

/** Reads one deposit record, in any spelling that has been seen. */
export const decodeDeposit = (input: unknown): Result.Result<SubAccountDeposit.SubAccountDeposit, Problem> =>
  decode(deposits, input)
