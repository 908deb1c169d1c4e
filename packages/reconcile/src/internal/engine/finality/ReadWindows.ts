/** Judges whether the times were read in which something about an entry could be found. */
import type * as Entry from "../../../Entry.ts"
import { at, item } from "../ledger/Column.ts"
import { MASTER } from "../ledger/Direction.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import type { Terms } from "../ledger/Terms.ts"
import * as Window from "../ledger/Window.ts"
import * as ReadScopes from "./ReadScopes.ts"
import * as Timeline from "./Timeline.ts"

export interface ReadWindows {
  /** Judges the interval in which the counterparts of the deposit would be. With `margin`, late and early ones are included. */
  readonly deposit: (deposit: number, margin?: "late") => Timeline.Judgement
  /** Judges the interval in which the counterparts of the transfer would be. */
  readonly transfer: (transfer: number, margin?: "late") => Timeline.Judgement
  /** Judges the window of a deposit for transfers in the flows of every account that is on the list or was asked for. */
  readonly everyone: (deposit: number) => Timeline.Judgement
  /** Judges the window of a deposit for transfers against the flows. If nobody asks for such transfers, none is expected. */
  readonly backwards: (deposit: number) => Timeline.Judgement
  /** Judges the time in which a transfer against the flows may cancel this one. */
  readonly cancelling: (transfer: number) => Timeline.Judgement
  /** Judges the time in which this transfer against the flows may find one that it cancels. */
  readonly cancelled: (transfer: number) => Timeline.Judgement
  /** Judges the time between a transfer and the one that cancels it, in both directions. */
  readonly between: (transfer: number, back: number) => Timeline.Judgement
  /** Judges the entry's own moment, on its own side. */
  readonly own: (side: Entry.Side, index: number) => Timeline.Judgement
  /** Judges the time in which a twin of the entry would be, on its own side. */
  readonly twins: (side: Entry.Side, index: number) => Timeline.Judgement
}

export const make = (
  ledger: Ledger.Ledger,
  direction: Terms["direction"],
  scopes: ReadScopes.ReadScopes
): ReadWindows => {
  const { deposits, transfers } = ledger
  const nameOf = (side: Ledger.Side, index: number): string | undefined => {
    const account = at(side.account, index)
    return account < 0 ? undefined : item(ledger.accounts, account)
  }
  const endsOf = (transfer: number) => ReadScopes.endsOf(direction, item(transfers.entries, transfer))
  const ownOf = (transfer: number): Timeline.Timeline =>
    scopes.around(item(transfers.entries, transfer), nameOf(transfers, transfer))
  const around = (side: Entry.Side, index: number, reach: number): Timeline.Judgement => {
    const time = at(ledger[`${side}s`].at, index)
    return Timeline.judge(side === "deposit" ? scopes.deposits : ownOf(index), time - reach, time + reach)
  }
  return {
    deposit: (deposit, margin) =>
      scopes.transfersOf(
        nameOf(deposits, deposit),
        ...(margin === "late"
          ? deposits.horizonOf(deposit)
          : Window.around(at(deposits.at, deposit), Window.span(ledger, deposit)))
      ),
    transfer: (transfer, margin) =>
      Timeline.judge(
        scopes.deposits,
        ...(margin === "late" ? transfers.horizonOf(transfer) : transfers.windowOf(transfer))
      ),
    everyone: (deposit) => scopes.everyone(...deposits.windowOf(deposit)),
    backwards: (deposit) => scopes.against(nameOf(deposits, deposit), ...deposits.windowOf(deposit)),
    cancelling: (transfer) => {
      const ends = endsOf(transfer)
      if (ends === undefined || ends.to !== MASTER) return Timeline.complete
      const time = at(transfers.at, transfer)
      return scopes.backTo(ends.from, time, time + Window.reversal(ledger, transfer))
    },
    cancelled: (transfer) => {
      const ends = endsOf(transfer)
      if (ends === undefined || ends.from !== MASTER) return Timeline.complete
      const time = at(transfers.at, transfer)
      return scopes.transfersOf(ends.to, time - Window.reversal(ledger, transfer), time)
    },
    between: (transfer, back) => {
      const [from, to] = [at(transfers.at, transfer), at(transfers.at, back)]
      return Timeline.worst([Timeline.judge(ownOf(transfer), from, to), Timeline.judge(ownOf(back), from, to)])
    },
    own: (side, index) => around(side, index, 0),
    twins: (side, index) => around(side, index, ledger[`${side}s`].twinsWithin(index))
  }
}
