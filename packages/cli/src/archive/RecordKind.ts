/** The two kinds of records that an archive keeps: how each is read and written in files. */
import type * as Archive from "@tallystick/archive/Archive"
import * as Page from "@tallystick/core/Page"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Result from "effect/Result"

/** How a kind of record looks in a file. */
export interface Shape {
  readonly operation: "deposits" | "transfers"
  /** `deposit`, `transfer`. */
  readonly one: string
  /** The service's own names, in the order of its document. */
  readonly columns: ReadonlyArray<string>
  /** Columns whose values are numbers. */
  readonly numeric: ReadonlySet<string>
}

export interface RecordKind<Record> extends Shape {
  readonly columns: ReadonlyArray<keyof Record & string>
  readonly time: keyof Record & string
  /** Fields that no other kind has. */
  readonly marks: ReadonlyArray<string>
  readonly decode: (input: unknown) => Result.Result<Record, Page.Problem>
  /** Unix ms. */
  readonly at: (record: Record) => number
  readonly history: (archive: Archive.Service) => Archive.History<Record>
}

export const deposits: RecordKind<SubAccountDeposit.SubAccountDeposit> = {
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
  decode: Page.decodeDeposit,
  at: ({ insertTime }) => insertTime,
  history: ({ deposits }) => deposits
}

export const transfers: RecordKind<UniversalTransfer.UniversalTransfer> = {
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
  decode: Page.decodeTransfer,
  at: ({ timestamp }) => timestamp,
  history: ({ transfers }) => transfers
}

const plainFields = ["id", "asset", "amount", "at"]

/** What a row is, told by its fields: a record of the service, an entry of somebody's ledger, or neither. */
export const formOf = (fields: ReadonlyArray<string>): "deposit" | "transfer" | "entry" | undefined => {
  const has = (wanted: ReadonlyArray<string>) => wanted.every((field) => fields.includes(field))
  if (has(transfers.marks)) return "transfer"
  if (has(deposits.marks)) return "deposit"
  return has(plainFields) ? "entry" : undefined
}
