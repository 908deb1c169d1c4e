/** What the matcher is asked, and what it answers. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../Accounts.ts"
import type * as AddressBook from "../AddressBook.ts"
import type * as Entry from "../Entry.ts"
import type * as Outcome from "../Outcome.ts"
import type * as Policy from "../Policy.ts"

export interface Input {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** The coverage: which intervals were read completely. One without a `query` speaks about all records of its operation. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook
  /** The range `[from, to)`, Unix ms. Entries outside serve as candidates; outcomes without an entry inside are left out. */
  readonly range?: Coverage.Interval
}

export interface Output {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly warnings: ReadonlyArray<string>
}
