/**
 * An archive of many days, each of which was reconciled for the books but for the last one. Its records agree, but for the transfers that
 * `Asked.open` counts: these lack their deposits, and wait. The command itself executes the last day but one; its row of the ledger is
 * the pattern of those over the days before, which are written past the archive. Runs stand behind them in name only: nothing that is
 * measured reads one again that it does not make anew.
 */
import type * as OpenItem from "@tallystick/archive/OpenItem"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import { createHash } from "node:crypto"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"
import * as EntryStates from "../../../packages/archive/src/internal/books/EntryStates.ts"
import * as Queries from "../../../packages/archive/src/internal/coverage/Queries.ts"
import * as Chain from "../../../packages/archive/src/internal/ledger/Chain.ts"
import * as Checksum from "../../../packages/archive/src/internal/sql/Checksum.ts"
import * as Rows from "../archive/Rows.ts"
import * as Year from "../archive/Year.ts"
import * as YearFile from "../archive/YearFile.ts"

export interface Asked {
  readonly days: number
  /** So many transfers wait, spread over all days. */
  readonly open: number
  /** So many entries waited once, were settled by the next execution, and are kept in the books. */
  readonly waited: number
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const insert = (table: string, columns: ReadonlyArray<string>): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`

/** Gives the size of an archive that holds nothing but records that agree, so many on each side. */
export const records = (days: number, size: number): YearFile.Size => ({
  days,
  // One of 25 sweeps lacks a side, and is left out.
  sweeps: Math.round(size / days / 0.96),
  isWhole: true
})

/** A transfer that no deposit explains. */
const stray = ({ days, open }: Pick<Asked, "days" | "open">, index: number): UniversalTransfer.UniversalTransfer => ({
  tranId: String(9_000_000_000 + index),
  fromAccount: Year.accounts.list[index % Year.accounts.list.length] ?? "",
  toAccount: "master",
  clientTranId: "",
  asset: `A${index % 50}`,
  // No sweep moves as much.
  amount: `${7_000_000 + index}.5`,
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  fromSymbol: "",
  toSymbol: "",
  status: "SUCCESS",
  timestamp: Year.START + Math.floor((index + 0.5) * days * Year.DAY / open)
})

const strays = (asked: Pick<Asked, "days" | "open">): ReadonlyArray<UniversalTransfer.UniversalTransfer> =>
  Array.from({ length: asked.open }, (_, index) => stray(asked, index))

/** Counts a record in the control totals, as the archive does whenever it keeps one. */
const counting = (db: DatabaseSync, operation: "deposits" | "transfers") => {
  const add = db.prepare(
    "UPDATE controls SET records = records + 1, checksums = checksums + ? WHERE operation = ? AND from_ms = ?"
  )
  return (at: number, values: ReadonlyArray<SQLInputValue>): void => {
    add.run(Checksum.of(values), operation, at - at % YearFile.STRETCH)
  }
}

const LATER = Year.DAY / 8

/** Puts the transfers that wait into an archive. */
export const lack = (db: DatabaseSync, asked: Pick<Asked, "days" | "open">): void => {
  const count = counting(db, "transfers")
  const numberOf = ({ fromAccount }: UniversalTransfer.UniversalTransfer): number =>
    Queries.numberOf({
      from_account: fromAccount,
      to_account: null,
      from_account_type: "SPOT",
      to_account_type: "SPOT"
    })
  const keep = Rows.inserting(db, "transfers", Rows.transfer, Checksum.of)
  for (const transfer of strays(asked)) {
    const seenAt = transfer.timestamp + LATER
    keep([transfer], numberOf, seenAt)
    count(transfer.timestamp, Rows.transfer(transfer, numberOf(transfer), seenAt))
  }
}

const txIdOf = ({ tranId }: UniversalTransfer.UniversalTransfer): string => `0x${sha256(tranId)}`

/**
 * Puts the deposits of some of them into the archive after all, as evenly spread; nobody has reconciled since. Those that an earlier
 * call put there are taken out, but for their control totals.
 */
export const heal = (db: DatabaseSync, asked: Pick<Asked, "days" | "open">, healed: number): void => {
  const count = counting(db, "deposits")
  const keep = Rows.inserting(db, "deposits", Rows.deposit, Checksum.of)
  const all = strays(asked)
  const remove = db.prepare("DELETE FROM deposits WHERE tx_id = ?")
  for (const transfer of all) remove.run(txIdOf(transfer))
  for (let place = 0; place < healed; place++) {
    const transfer = all[Math.floor((place + 0.5) * all.length / healed)]
    if (transfer === undefined) continue
    const { amount, asset, fromAccount, timestamp } = transfer
    const network = ["BTC", "ETH", "TRX", "SOL"][Number(asset.slice(1)) % 4] ?? ""
    const address = Year.addressBook.find((one) => one.account === fromAccount && one.network === network)?.address
    const deposit: SubAccountDeposit.SubAccountDeposit = {
      amount,
      coin: asset,
      network,
      status: 5,
      address: address ?? "",
      txId: txIdOf(transfer),
      unlockConfirm: "12",
      confirmTimes: "12",
      insertTime: timestamp - 60_000,
      memo: ""
    }
    const seenAt = timestamp + 7 * Year.DAY
    keep([deposit], () => 0, seenAt)
    count(deposit.insertTime, Rows.deposit(deposit, 0, seenAt))
  }
}

/** The executions of the days before the first one of the ledger. */
const execute = (db: DatabaseSync, days: number): void => {
  const [first] = db.prepare("SELECT number, id, body FROM ledger ORDER BY number").all()
  const { number: _, previous: __, ...pattern } = JSON.parse(String(first?.["body"]))
  const append = db.prepare(insert("ledger", ["number", "id", "previous", "body"]))
  let head: Chain.Head = { number: Number(first?.["number"]), id: String(first?.["id"]) }
  for (let day = 0; day < days - 2; day++) {
    const row = Chain.next(head, {
      ...pattern,
      run: `r${sha256(String(day)).slice(0, 16)}`,
      range: { from: Year.START + day * Year.DAY, to: Year.START + (day + 1) * Year.DAY },
      outcomes: sha256(`outcomes ${day}`)
    })
    append.run(row.number, row.id, row.previous, row.body)
    head = row
  }
}

const columns = ["side", "id", "item", "asset", "amount", "at", "account", "state", "code", "outcome", "since"]
  .concat("execution")

const dayOf = (at: number): number => Math.floor((at - Year.START) / Year.DAY)

/** The number of a day's execution in the ledger: that of the last day but one stands before the others. */
const numberOf = (day: number): number => day + 2

const entryOf = (transfer: UniversalTransfer.UniversalTransfer): OpenItem.EntryState => {
  const { amount, asset, fromAccount, timestamp, tranId: id } = transfer
  const number = numberOf(dayOf(timestamp))
  return {
    side: "transfer",
    id,
    item: EntryStates.itemOf({ side: "transfer", id }),
    asset,
    amount,
    at: timestamp,
    account: fromAccount,
    state: "open",
    code: "missing-deposit",
    outcome: sha256(id).slice(0, 16),
    since: number,
    execution: number
  }
}

/** Where entries stand after the executions over the days but the last two. */
const stand = (db: DatabaseSync, asked: Asked): void => {
  const end = Year.START + (asked.days - 2) * Year.DAY
  const [states, history] = ["entry_states", "entry_history"].map((table) => db.prepare(insert(table, columns)))
  const valuesOf = (entry: OpenItem.EntryState): ReadonlyArray<SQLInputValue> => {
    const { account, amount, asset, at, code, execution, id, item, outcome, side, since, state } = entry
    return [side, id, item, asset, amount, at, account ?? null, state, code, outcome, since, execution]
  }
  for (const transfer of strays(asked)) {
    if (transfer.timestamp >= end) continue
    const entry = entryOf(transfer)
    states?.run(...valuesOf(entry))
    history?.run(...valuesOf(entry))
  }
  for (let index = 0; index < asked.waited; index++) {
    // They are settled, so that they may be any: no run is over their time but one that is made anew.
    const transfer = stray({ days: asked.days - 8, open: asked.waited }, index)
    const waiting = entryOf({ ...transfer, tranId: String(8_000_000_000 + index) })
    const settled: OpenItem.EntryState = {
      ...waiting,
      state: "matched",
      code: "exact",
      outcome: sha256(`settled ${index}`).slice(0, 16),
      execution: waiting.execution + 1
    }
    states?.run(...valuesOf(settled))
    for (const entry of [waiting, settled]) history?.run(...valuesOf(entry))
  }
}

/** Writes the books of an archive of which the command has executed the last day but one. */
export const book = (db: DatabaseSync, asked: Asked): void => {
  db.exec("BEGIN")
  execute(db, asked.days)
  stand(db, asked)
  db.exec("COMMIT")
}
