/** Entries of which a rule would have said what they are, had everything been read that it depends on. */
import type * as Entry from "../../../Entry.ts"
import type { Members } from "../ledger/Side.ts"
import * as Timeline from "./Timeline.ts"

export interface Postponed {
  /** Whether everything was read that these judge; else it is noted of every member that it waits for that. */
  readonly isRead: (members: Members, judgements: Iterable<Timeline.Judgement>) => boolean
  /** What the entry waits for; complete where it waits for nothing. */
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
