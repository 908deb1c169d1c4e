/** One side of the books: what the simulation must know to play it, and the judge to read it. */
import type * as Archive from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"

export type Deposit = SubAccountDeposit.SubAccountDeposit
export type Transfer = UniversalTransfer.UniversalTransfer

export interface Side<Record extends { readonly status: string | number }> {
  readonly operation: Coverage.Coverage["operation"]
  /** Its own time, Unix ms. */
  readonly at: (record: Record) => number
  readonly identity: (record: Record) => string
  /** A status that may still change, and the two that it ends in. */
  readonly open: Record["status"]
  readonly settled: Record["status"]
  readonly failed: Record["status"]
  /** Whether coverage speaks of the record. */
  readonly isAsked: (query: Coverage.TransferQuery | undefined, record: Record) => boolean
  readonly history: (archive: Archive.Service) => Archive.History<Record>
}

export const deposits: Side<Deposit> = {
  operation: "deposits",
  at: ({ insertTime }) => insertTime,
  identity: SubAccountDeposit.identity,
  open: 4,
  settled: 5,
  failed: 7,
  isAsked: () => true,
  history: (archive) => archive.deposits
}

export const transfers: Side<Transfer> = {
  operation: "transfers",
  at: ({ timestamp }) => timestamp,
  identity: UniversalTransfer.identity,
  open: "WAIT",
  settled: "SUCCESS",
  failed: "FAILED",
  isAsked: (query, { fromAccount }) => query === undefined || query.fromAccount === fromAccount,
  history: (archive) => archive.transfers
}
