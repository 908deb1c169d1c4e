/** What follows from where entries stand, and is kept with it: in the same transaction it is written, and with the books it is checked. */
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import type * as EntryStates from "./EntryStates.ts"

/** What the ledger says, up to the execution or the decision of the transaction. */
export type Followed = Pick<Ledger.Read, "decisions" | "executions">

export interface Derived {
  /** Writes anew what follows from the last execution, which moved entries into these outcomes or out of them. */
  readonly executed: (
    outcomes: ReadonlyArray<string>,
    ledger: Followed
  ) => Effect.Effect<void, DatabaseError | SqlError>
  /** Says in sentences what is otherwise than it follows from all entries that wait; they stand in the order of their times. */
  readonly faults: (
    waiting: ReadonlyArray<EntryStates.EntryState>,
    ledger: Followed
  ) => Effect.Effect<ReadonlyArray<string>, DatabaseError | SqlError>
  /** Writes all of it anew, from all entries that wait. */
  readonly rebuild: (
    waiting: ReadonlyArray<EntryStates.EntryState>,
    ledger: Followed
  ) => Effect.Effect<void, DatabaseError | SqlError>
}
