/** A book: everything that a run is told, as plain data. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Policy from "@tallystick/reconcile/Policy"

export interface Book {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** As a person writes it. */
  readonly policy: Policy.Policy
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook
  readonly range?: Coverage.Interval
  readonly asOf?: number
}

/** When the generated books begin, Unix ms. */
export const T0 = 1_800_000_000_000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** So many minutes after the beginning. */
export const minute = (minutes: number): number => T0 + minutes * MINUTE
