/** Holds the tools that every tier and rule is given. */
import type { Doubts } from "./candidates/Doubts.ts"
import type { Finality } from "./finality/Finality.ts"
import type { GroupTargets } from "./groups/GroupTargets.ts"
import type { Settle } from "./ledger/Draft.ts"
import type { Ledger } from "./ledger/Ledger.ts"

export interface Workbench {
  readonly ledger: Ledger
  readonly finality: Finality
  readonly doubts: Doubts
  readonly settle: Settle
  readonly groupTargets: GroupTargets
}
