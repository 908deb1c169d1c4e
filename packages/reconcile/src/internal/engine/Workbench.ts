/** What every tier works with. */
import type { Component } from "./finality/Component.ts"
import type { Doubts } from "./finality/Doubts.ts"
import type { Postponed } from "./finality/Postponed.ts"
import type { ReadWindows } from "./finality/ReadWindows.ts"
import type { Ties } from "./finality/Ties.ts"
import type { GroupTargets } from "./groups/GroupTargets.ts"
import type { Settle } from "./ledger/Draft.ts"
import type { Ledger } from "./ledger/Ledger.ts"
import type { Told } from "./ledger/Told.ts"

export interface Workbench {
  readonly ledger: Ledger
  readonly reading: ReadWindows
  readonly closure: Component
  readonly doubts: Doubts
  readonly postponed: Postponed
  readonly settle: Settle
  readonly ties: Ties
  readonly groupTargets: GroupTargets
  readonly told: Told
}
