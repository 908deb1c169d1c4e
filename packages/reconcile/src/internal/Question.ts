/** What the matcher is asked, and what it answers. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../Accounts.ts"
import type * as AddressBook from "../AddressBook.ts"
import type * as Entry from "../Entry.ts"
import type * as Outcome from "../Outcome.ts"
import type * as Policy from "../Policy.ts"

/** Everything that is decided at once: both sides, and what is known about them. */
export interface Input {
  /** The deposits, in any order. */
  readonly deposits: ReadonlyArray<Entry.Entry>
  /** The transfers, in any order. */
  readonly transfers: ReadonlyArray<Entry.Entry>
  /** The records that could not be read. */
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** The coverage: which intervals were read completely. One without a `query` speaks about all records of its operation. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** The policy, with its defaults filled in. */
  readonly policy: Policy.Resolved
  /** The accounts that the entries are about. */
  readonly accounts: Accounts.Accounts
  /** The deposit addresses whose sub-accounts are known. */
  readonly addresses?: AddressBook.AddressBook
  /** The range `[from, to)`, Unix ms. Entries outside serve as candidates; outcomes without an entry inside are left out. */
  readonly range?: Coverage.Interval
}

/** Everything that was decided. */
export interface Output {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  /** What a reader should know, in sentences. */
  readonly warnings: ReadonlyArray<string>
}
