/**
 * Entries as reports write them: what the service's own record says stands in `record` and not a second time beside it,
 * and the side is told by the list that holds the entry. Reading puts both back.
 */
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import * as Entry from "../../Entry.ts"

const Written = Entry.Entry.mapFields(Struct.omit(["side"]))
type Written = typeof Written.Type

const places = ["network", "address", "memo", "from", "to", "fromType", "toType"] as const
type Places = Pick<Entry.Entry, typeof places[number]>

const isDeposit = Schema.is(SubAccountDeposit.SubAccountDeposit)
const isTransfer = Schema.is(UniversalTransfer.UniversalTransfer)

/** What the record of an entry says about its places. */
const placesOf = (record: unknown): Places => {
  if (isDeposit(record)) return { network: record.network, ...SubAccountDeposit.arrivedAt(record) }
  if (!isTransfer(record)) return {}
  const { fromAccount, fromAccountType, toAccount, toAccountType } = record
  return { from: fromAccount, to: toAccount, fromType: fromAccountType, toType: toAccountType }
}

const write = (entry: Entry.Entry): Written => {
  const known = placesOf(entry.record)
  const { account, amount, asset, at, id, record, reference, status } = entry
  return {
    id,
    asset,
    amount,
    at,
    ...(account === undefined ? {} : { account }),
    ...(reference === undefined ? {} : { reference }),
    status,
    ...Object.fromEntries(
      places.filter((place) => entry[place] !== undefined && entry[place] !== known[place]).map((
        place
      ) => [place, entry[place]])
    ),
    ...(record === undefined ? {} : { record })
  }
}

/** Entries of one side. */
export const entries = (side: Entry.Side) =>
  Schema.Array(
    Written.pipe(
      Schema.decodeTo(
        Schema.toType(Entry.Entry),
        SchemaTransformation.transform<Entry.Entry, Written>({
          decode: (written) => ({ side, ...placesOf(written.record), ...written }),
          encode: write
        })
      )
    )
  )
