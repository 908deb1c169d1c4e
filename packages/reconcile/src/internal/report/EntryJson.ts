/**
 * Writes entries into reports, and reads them back. A field that the service's own record has is not written a second time
 * beside `record`, and neither is the side, because the list that holds the entry tells it. Reading restores both, and leaves out
 * whether the entry lies in the range, which the range of the report and the time of the entry tell.
 */
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import * as Entry from "../../Entry.ts"

export const Written = Entry.Entry.mapFields((fields) => {
  const { amount, asset, at, id, status, ...rest } = Struct.omit(fields, ["side"])
  return {
    id,
    asset,
    amount,
    at,
    status,
    /**
     * Whether its time lies in the range of the report; true in a report without a range. It then counts in the totals of the report,
     * and else in those of another day. Absent where the range is not known: in news of outcomes, in a table of outcomes, and in
     * reports of version 1.
     */
    inRange: Schema.optionalKey(Schema.Boolean).annotateKey({
      description:
        "Whether its time lies in the range of the report; true in a report without a range. It then counts in the totals of " +
        "the report, and else in those of another day. Absent where the range is not known: in news of outcomes, in a table " +
        "of outcomes, and in reports of version 1."
    }),
    ...rest
  }
}).annotate({ identifier: "Entry" })
type Written = typeof Written.Type

const places = ["network", "address", "memo", "from", "to", "fromType", "toType"] as const
type Places = Pick<Entry.Entry, typeof places[number]>

const isDeposit = Schema.is(SubAccountDeposit.SubAccountDeposit)
const isTransfer = Schema.is(UniversalTransfer.UniversalTransfer)

const toldPlaces = (record: unknown): Places => {
  if (isDeposit(record)) return { network: record.network, ...SubAccountDeposit.arrivedAt(record) }
  if (!isTransfer(record)) return {}
  const { fromAccount, fromAccountType, toAccount, toAccountType } = record
  return { from: fromAccount, to: toAccount, fromType: fromAccountType, toType: toAccountType }
}

/** Reads the places of an entry from its record. A record may be anything, and may throw when it is read. */
const placesOf = (record: unknown): Places => Result.getOrElse(Result.try(() => toldPlaces(record)), (): Places => ({}))

type Draft = { -readonly [Key in keyof Written]: Written[Key] }

/** Returns the entry as it is written, in the order of the schema. `inRange`: whether it lies in the range, where that is known. */
export const write = (entry: Entry.Entry, inRange?: boolean): Written => {
  const { account, amount, asset, at, id, past, record, reference, status } = entry
  const written: Draft = { id, asset, amount, at, status }
  if (inRange !== undefined) written.inRange = inRange
  if (account !== undefined) written.account = account
  if (reference !== undefined) written.reference = reference
  const known: Places = record === undefined ? {} : placesOf(record)
  for (const place of places) {
    const value = entry[place]
    if (value !== undefined && value !== known[place]) written[place] = value
  }
  if (past !== undefined) written.past = past
  if (record !== undefined) written.record = record
  return written
}

/** The schema of the entries of one side. */
export const entries = (side: Entry.Side) =>
  Schema.Array(
    Written.pipe(
      Schema.decodeTo(
        Schema.toType(Entry.Entry),
        SchemaTransformation.transform<Entry.Entry, Written>({
          decode: (written) => ({ side, ...placesOf(written.record), ...Struct.omit(written, ["inRange"]) }),
          encode: (entry) => write(entry)
        })
      )
    )
  )
