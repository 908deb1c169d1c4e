/** Records as the archive's own tables have them, for what is written past it. */
import * as ClientTranId from "@tallystick/core/ClientTranId"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import { hash } from "node:crypto"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"

/** Rows of the longest statement, as the archive has it. */
const ROWS = 250

const common = ["query", "seen_at", "last_seen", "imported", "vanished_at", "history", "checksum"]

const deposits = "at id coin network tx_id address memo amount status unlock_confirm confirm_times"
const transfers = "at id from_account to_account client_tran_id asset amount from_account_type to_account_type " +
  "from_symbol to_symbol status"

export const columns = {
  deposits: deposits.split(" ").concat(common),
  transfers: transfers.split(" ").concat(common)
} as const

type Side = keyof typeof columns

const text = (side: Side, count: number): string => {
  const row = `(${columns[side].map(() => "?").join(", ")})`
  return `INSERT INTO ${side} (${columns[side].join(", ")}) VALUES ${
    Array.from({ length: count }, () => row).join(", ")
  }`
}

type Values = ReadonlyArray<SQLInputValue>

/** The values of a row, but for its checksum. */
export type Row<Record> = (record: Record, query: number, seenAt: number) => Values

export const deposit: Row<SubAccountDeposit.SubAccountDeposit> = (deposit, query, seenAt) => {
  const id = ClientTranId.fromSha256(hash("sha256", ClientTranId.canonicalText(deposit, 1)))
  const { address, amount, coin, confirmTimes, insertTime, memo, network, status, txId, unlockConfirm } = deposit
  const own = [insertTime, id, coin, network, txId, address, memo, amount, status, unlockConfirm, confirmTimes]
  return [...own, query, seenAt, null, 0, null, 0]
}

export const transfer: Row<UniversalTransfer.UniversalTransfer> = (transfer, query, seenAt) => {
  const { amount, asset, clientTranId, fromAccount, fromAccountType, fromSymbol, status } = transfer
  const { timestamp, toAccount, toAccountType, toSymbol, tranId } = transfer
  const own = [timestamp, tranId, fromAccount, toAccount, clientTranId, asset, amount, fromAccountType, toAccountType]
  return [...own, fromSymbol, toSymbol, status, query, seenAt, null, 0, null, 0]
}

/** Inserts as many rows as come, in long statements. */
export const inserting = <Record>(
  db: DatabaseSync,
  side: Side,
  row: Row<Record>,
  checksum: (values: Values) => number
) => {
  const full = db.prepare(text(side, ROWS))
  return (records: ReadonlyArray<Record>, query: (record: Record) => number, seenAt: number): void => {
    for (let from = 0; from < records.length; from += ROWS) {
      const all: Array<SQLInputValue> = []
      const to = Math.min(from + ROWS, records.length)
      for (const record of records.slice(from, to)) {
        const values = row(record, query(record), seenAt)
        for (const value of values) all.push(value)
        all.push(checksum(values))
      }
      const statement = to - from === ROWS ? full : db.prepare(text(side, to - from))
      statement.run(...all)
    }
  }
}
