/** The two kinds of records that an archive keeps: how each is read from files, and where it is kept. */
import type * as Archive from "@tallystick/archive/Archive"
import * as Page from "@tallystick/core/Page"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as RecordShape from "@tallystick/reconcile/rows/RecordShape"
import type * as Result from "effect/Result"

export interface RecordKind<Record> extends RecordShape.RecordShape<keyof Record & string> {
  readonly decode: (input: unknown) => Result.Result<Record, Page.Problem>
  /** Unix ms. */
  readonly at: (record: Record) => number
  readonly history: (archive: Archive.Service) => Archive.History<Record>
}

export const deposits: RecordKind<SubAccountDeposit.SubAccountDeposit> = {
  ...RecordShape.deposit,
  decode: Page.decodeDeposit,
  at: ({ insertTime }) => insertTime,
  history: ({ deposits }) => deposits
}

export const transfers: RecordKind<UniversalTransfer.UniversalTransfer> = {
  ...RecordShape.transfer,
  decode: Page.decodeTransfer,
  at: ({ timestamp }) => timestamp,
  history: ({ transfers }) => transfers
}
