/** What every tier works with. */
import type { Closure } from "./Closure.ts"
import type { Settle } from "./Drafts.ts"
import type { GroupTargets } from "./GroupTargets.ts"
import type { Ledger } from "./Ledger.ts"
import type { Notes } from "./Notes.ts"
import type { Postponed } from "./Postponed.ts"
import type { Reading } from "./Reading.ts"
import type { Ties } from "./Ties.ts"
import type { Told } from "./Told.ts"

export interface Run {
  readonly ledger: Ledger
  readonly reading: Reading
  readonly closure: Closure
  readonly notes: Notes
  readonly postponed: Postponed
  readonly settle: Settle
  readonly ties: Ties
  readonly groupTargets: GroupTargets
  readonly told: Told
}
