/** The records of the service as files hold them: their columns, and how a row tells what it is of. */
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Entry from "../Entry.ts"

export interface RecordShape<Column extends string = string> {
  readonly operation: "deposits" | "transfers"
  readonly one: Entry.Side
  /** The service's own names, in the order of its interface description. */
  readonly columns: ReadonlyArray<Column>
  /** Columns whose values are numbers. */
  readonly numeric: ReadonlySet<string>
  readonly time: Column
  /** Columns that no other kind has. */
  readonly marks: ReadonlyArray<Column>
  /** Columns without which nothing can be matched. */
  readonly needed: ReadonlyArray<Column>
}

export const deposit: RecordShape<keyof SubAccountDeposit.SubAccountDeposit> = {
  operation: "deposits",
  one: "deposit",
  columns: [
    "amount",
    "coin",
    "network",
    "status",
    "address",
    "txId",
    "unlockConfirm",
    "confirmTimes",
    "insertTime",
    "memo"
  ],
  numeric: new Set(["insertTime", "status"]),
  time: "insertTime",
  marks: ["coin", "insertTime"],
  needed: ["coin", "amount", "insertTime", "txId"]
}

export const transfer: RecordShape<keyof UniversalTransfer.UniversalTransfer> = {
  operation: "transfers",
  one: "transfer",
  columns: [
    "tranId",
    "fromAccount",
    "toAccount",
    "clientTranId",
    "asset",
    "amount",
    "fromAccountType",
    "toAccountType",
    "fromSymbol",
    "toSymbol",
    "status",
    "timestamp"
  ],
  numeric: new Set(["timestamp"]),
  time: "timestamp",
  marks: ["tranId"],
  needed: ["tranId", "asset", "amount", "timestamp"]
}

/** The records of a side. */
export const of: Readonly<Record<Entry.Side, RecordShape>> = { deposit, transfer }

/** Columns without which a row is no entry of a ledger. */
export const entry: ReadonlyArray<string> = ["id", "asset", "amount", "at"]

/** Fields that no entry takes from a row, and that are looked at all the same: what they claim may be wrong. */
export const claims: ReadonlyArray<string> = ["past", "side"]

/** The service's records that a row with these fields is one of. */
export const ofRecord = (fields: ReadonlyArray<string>): RecordShape | undefined =>
  [transfer, deposit].find(({ marks }: RecordShape) => marks.every((field) => fields.includes(field)))

/** A row is a record of the service, an entry of a ledger, or neither; its fields tell. */
export const formOf = (fields: ReadonlyArray<string>): Entry.Side | "entry" | undefined =>
  ofRecord(fields)?.one ?? (entry.every((field) => fields.includes(field)) ? "entry" : undefined)
