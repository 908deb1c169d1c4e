/** Holds the tools that every tier and rule is given. */
import type { Doubts } from "./candidates/Doubts.ts"
import type { Finality } from "./finality/Finality.ts"
import type { GroupTargets } from "./groups/GroupTargets.ts"
import type { Settle } from "./ledger/Draft.ts"
import type { Ledger } from "./ledger/Ledger.ts"
import type { PendingDeposits } from "./ledger/PendingDeposits.ts"

export interface Workbench {
  readonly ledger: Ledger
  readonly finality: Finality
  readonly doubts: Doubts
  readonly settle: Settle
  readonly groupTargets: GroupTargets
  /** The deposits of the run that are not settled yet, also those that are decided elsewhere. */
  readonly pendingDeposits: PendingDeposits
}
