/** This table keeps universal transfers. */
import * as Amount from "@tallystick/core/Amount"
import * as Coverage from "@tallystick/core/Coverage"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Schema from "effect/Schema"
import * as StoredText from "../sql/StoredText.ts"
import * as RawTime from "./RawTime.ts"
import type * as RecordTable from "./RecordTable.ts"

type Transfer = UniversalTransfer.UniversalTransfer

const { failed, settled } = Policy.defaults.statuses.transfer

/** The service itself says that these statuses no longer change. */
const ended = new Set([...settled, ...failed])

const content = Schema.fromJsonString(UniversalTransfer.UniversalTransfer)

export interface Row extends RecordTable.Common {
  readonly from_account: string
  readonly to_account: string
  readonly client_tran_id: string
  readonly asset: string
  readonly amount: string
  readonly from_account_type: string
  readonly to_account_type: string
  readonly from_symbol: string
  readonly to_symbol: string
  readonly status: string
}

const { decode, encode } = StoredText

/** Compares everything except the status. */
const isSameMovement = (a: Transfer, b: Transfer): boolean =>
  a.timestamp === b.timestamp && a.asset === b.asset && Amount.canonical(a.amount) === Amount.canonical(b.amount) &&
  a.fromAccount === b.fromAccount && a.toAccount === b.toAccount && a.clientTranId === b.clientTranId &&
  a.fromAccountType === b.fromAccountType && a.toAccountType === b.toAccountType && a.fromSymbol === b.fromSymbol &&
  a.toSymbol === b.toSymbol

/** A query without an account means the master account, whose name in a record is not known. */
const shownBy = (transfer: Transfer): ReadonlyArray<string> => {
  const { fromAccount, fromAccountType, toAccount, toAccountType } = transfer
  const types = { fromAccountType, toAccountType }
  return [undefined, types, { ...types, fromAccount }, { ...types, toAccount }, { ...types, fromAccount, toAccount }]
    .map(Coverage.keyOf)
}

export const table: RecordTable.RecordTable<Transfer, Row> = {
  operation: "transfers",
  at: ({ timestamp }) => timestamp,
  identity: UniversalTransfer.identity,
  twins: "same",
  isSameMovement,
  statusOf: ({ status }) => status,
  hasEnded: ({ status }) => ended.has(status),
  equals: (a, b) => a.status === b.status && a.amount === b.amount && isSameMovement(a, b),
  shownBy,
  columns: [
    "from_account",
    "to_account",
    "client_tran_id",
    "asset",
    "amount",
    "from_account_type",
    "to_account_type",
    "from_symbol",
    "to_symbol",
    "status"
  ],
  values: (transfer) => [
    encode(transfer.fromAccount),
    encode(transfer.toAccount),
    encode(transfer.clientTranId),
    encode(transfer.asset),
    transfer.amount,
    encode(transfer.fromAccountType),
    encode(transfer.toAccountType),
    encode(transfer.fromSymbol),
    encode(transfer.toSymbol),
    encode(transfer.status)
  ],
  record: (row) => ({
    tranId: decode(row.id),
    fromAccount: decode(row.from_account),
    toAccount: decode(row.to_account),
    clientTranId: decode(row.client_tran_id),
    asset: decode(row.asset),
    amount: row.amount,
    fromAccountType: decode(row.from_account_type),
    toAccountType: decode(row.to_account_type),
    fromSymbol: decode(row.from_symbol),
    toSymbol: decode(row.to_symbol),
    status: decode(row.status),
    timestamp: row.at
  }),
  content: Schema.encodeSync(content),
  parse: Schema.decodeSync(content),
  id: ({ id }) => id,
  key: { column: "id", of: ({ tranId }) => encode(tranId) },
  name: "id",
  asset: { column: "asset", of: ({ asset }) => asset },
  badTime: RawTime.of("timestamp")
}
