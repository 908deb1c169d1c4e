/** This table keeps deposits. */
import * as ClientTranId from "@tallystick/core/ClientTranId"
import * as Coverage from "@tallystick/core/Coverage"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Schema from "effect/Schema"
import { hash } from "node:crypto"
import * as StoredText from "../sql/StoredText.ts"
import * as RawTime from "./RawTime.ts"
import type * as RecordTable from "./RecordTable.ts"

type Deposit = SubAccountDeposit.SubAccountDeposit

const { failed, settled } = Policy.defaults.statuses.deposit

/** The service itself says that these statuses no longer change. */
const ended = new Set([...settled, ...failed])

const content = Schema.fromJsonString(SubAccountDeposit.SubAccountDeposit)

export interface Row extends RecordTable.Common {
  readonly coin: string
  readonly network: string
  readonly tx_id: string
  readonly address: string
  readonly memo: string
  readonly amount: string
  readonly status: number
  readonly unlock_confirm: string
  readonly confirm_times: string
}

const { decode, encode } = StoredText

export const table: RecordTable.RecordTable<Deposit, Row> = {
  operation: "deposits",
  at: ({ insertTime }) => insertTime,
  // The id is made of this text: two identities never share an id.
  identity: (deposit) => ClientTranId.canonicalText(deposit),
  twins: "several",
  isSameMovement: () => true,
  statusOf: ({ status }) => status,
  hasEnded: ({ status }) => ended.has(status),
  equals: (a, b) =>
    a.status === b.status && a.confirmTimes === b.confirmTimes && a.unlockConfirm === b.unlockConfirm &&
    a.insertTime === b.insertTime && a.amount === b.amount && a.txId === b.txId && a.address === b.address &&
    a.memo === b.memo && a.coin === b.coin && a.network === b.network,
  shownBy: () => [Coverage.keyOf(undefined)],
  columns: ["coin", "network", "tx_id", "address", "memo", "amount", "status", "unlock_confirm", "confirm_times"],
  values: (deposit) => [
    encode(deposit.coin),
    encode(deposit.network),
    encode(deposit.txId),
    encode(deposit.address),
    encode(deposit.memo),
    deposit.amount,
    deposit.status,
    encode(deposit.unlockConfirm),
    encode(deposit.confirmTimes)
  ],
  record: (row) => ({
    amount: row.amount,
    coin: decode(row.coin),
    network: decode(row.network),
    status: row.status,
    address: decode(row.address),
    txId: decode(row.tx_id),
    unlockConfirm: decode(row.unlock_confirm),
    confirmTimes: decode(row.confirm_times),
    insertTime: row.at,
    memo: decode(row.memo)
  }),
  content: Schema.encodeSync(content),
  parse: Schema.decodeSync(content),
  id: ({ ordinal, record }) => ClientTranId.fromSha256(hash("sha256", ClientTranId.canonicalText(record, ordinal))),
  key: { column: "at", of: ({ insertTime }) => insertTime },
  name: "tx_id",
  asset: { column: "coin", of: ({ coin }) => coin },
  badTime: RawTime.of("insertTime")
}
