/** Remembers entries that a rule could not judge, because something that they depend on was not read. */
import type * as Entry from "../../../Entry.ts"
import type { Members } from "../ledger/Side.ts"
import * as Timeline from "./Timeline.ts"

export interface Postponed {
  /** Whether everything that these judgements are about was read. If not, every member is noted as waiting for it. */
  readonly isRead: (members: Members, judgements: Iterable<Timeline.Judgement>) => boolean
  /** Returns the judgement that the entry waits for; complete if it waits for nothing. */
  readonly of: (side: Entry.Side, index: number) => Timeline.Judgement
}

export const make = (): Postponed => {
  const known = { deposit: new Map<number, Timeline.Judgement>(), transfer: new Map<number, Timeline.Judgement>() }
  const of: Postponed["of"] = (side, index) => known[side].get(index) ?? Timeline.complete
  return {
    of,
    isRead: ({ deposits, transfers }, judgements) => {
      const worst = Timeline.worst(judgements)
      if (worst.state === "complete") return true
      for (const deposit of deposits) known.deposit.set(deposit, Timeline.worst([of("deposit", deposit), worst]))
      for (const transfer of transfers) known.transfer.set(transfer, Timeline.worst([of("transfer", transfer), worst]))
      return false
    }
  }
}
