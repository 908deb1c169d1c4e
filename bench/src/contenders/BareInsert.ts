import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite"
import * as Rows from "../archive/Rows.ts"
import type { Inserter, Save, Side } from "../inserting/Inserter.ts"

type Row = Readonly<Record<string, SQLOutputValue>>

const isDeposit = (row: Row, deposit: SubAccountDeposit.SubAccountDeposit): boolean =>
  row["at"] === deposit.insertTime && row["tx_id"] === deposit.txId && row["address"] === deposit.address &&
  row["memo"] === deposit.memo && row["coin"] === deposit.coin && row["network"] === deposit.network &&
  row["amount"] === deposit.amount && row["status"] === deposit.status &&
  row["confirm_times"] === deposit.confirmTimes && row["unlock_confirm"] === deposit.unlockConfirm

const isTransfer = (row: Row, transfer: UniversalTransfer.UniversalTransfer): boolean =>
  row["at"] === transfer.timestamp && row["id"] === transfer.tranId && row["asset"] === transfer.asset &&
  row["amount"] === transfer.amount && row["from_account"] === transfer.fromAccount &&
  row["to_account"] === transfer.toAccount && row["client_tran_id"] === transfer.clientTranId &&
  row["from_account_type"] === transfer.fromAccountType && row["to_account_type"] === transfer.toAccountType &&
  row["from_symbol"] === transfer.fromSymbol && row["to_symbol"] === transfer.toSymbol &&
  row["status"] === transfer.status

interface Kind<Record> {
  readonly side: Side
  readonly column: "at" | "id"
  readonly key: (record: Record) => SQLInputValue
  readonly is: (row: Row, record: Record) => boolean
  readonly row: Rows.Row<Record>
}

/** By hand: the archive's statements, prepared once, and a comparison with the rows that they find. */
const saving = <Record>(db: DatabaseSync, { column, is, key, row, side }: Kind<Record>): Save<Record> => {
  const begin = db.prepare("BEGIN IMMEDIATE")
  const commit = db.prepare("COMMIT")
  const queries = db.prepare("SELECT id, from_account, to_account, from_account_type, to_account_type FROM queries")
  const find = db.prepare(`SELECT * FROM ${side} WHERE ${column} IN (SELECT value FROM json_each(?))`)
  const insert = Rows.inserting(db, side, row, () => 0)
  return (pages, readAt) => {
    let added = 0
    for (const page of pages) {
      begin.run()
      if (side === "transfers") queries.all()
      const known = new Map<unknown, Array<Row>>()
      for (const row of find.all(JSON.stringify(page.map(key)))) {
        const together = known.get(row[column])
        if (together === undefined) known.set(row[column], [row])
        else together.push(row)
      }
      const fresh = page.filter((record) => !(known.get(key(record))?.some((row) => is(row, record)) ?? false))
      insert(fresh, () => 1, readAt)
      commit.run()
      added += fresh.length
    }
    return added
  }
}

export const bareInsert: Inserter = {
  prepare: (file) => {
    const db = new DatabaseSync(file)
    db.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    return {
      deposits: saving(db, {
        side: "deposits",
        column: "at",
        key: ({ insertTime }) => insertTime,
        is: isDeposit,
        row: Rows.deposit
      }),
      transfers: saving(db, {
        side: "transfers",
        column: "id",
        key: ({ tranId }) => tranId,
        is: isTransfer,
        row: Rows.transfer
      })
    }
  }
}
