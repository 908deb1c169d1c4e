/** Judges the unread times that could explain an open entry without a counterpart. */
import type * as Entry from "../../../Entry.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as NearInTime from "../candidates/NearInTime.ts"
import * as Finality from "../finality/Finality.ts"
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { opposite } from "../ledger/Side.ts"
import type { Workbench } from "../Workbench.ts"

export interface Unread {
  /**
   * Judges the times that have to be read before it is known whether the entry belongs to another open one, and returns that
   * one as a candidate.
   */
  readonly partner: (side: Entry.Side, index: number) => Finality.Judgement & {
    readonly candidates: ReadonlyArray<Candidate>
  }
  /** Judges the entries beside a missing entry that are decided together with it. */
  readonly beside: (side: Entry.Side, index: number) => Finality.Judgement
}

/**
 * Makes the judgements, after the tiers and rules. Some of the entries that they left open are open only because something was
 * not read.
 */
export const make = ({ finality, ledger }: Workbench): Unread => {
  const { deposits, transfers } = ledger
  /** Finds the nearest entry of the other side in the window that `isOne` accepts, whatever its amount. */
  const nearest = (
    side: Ledger.Side,
    isOne: (side: Ledger.Side, index: number) => boolean,
    accept?: (deposit: number, transfer: number) => boolean
  ) => {
    const { other } = side
    const found = new Set(Array.from(other.entries.keys()).filter((index) => isOne(other, index)))
    return NearInTime.make(ledger, side, "group", (index) => found.has(index), "window", accept)
  }
  const isOfOneAccount = (deposit: number, transfer: number): boolean =>
    at(deposits.account, deposit) >= 0 && deposits.account[deposit] === transfers.account[transfer] &&
    ledger.compatible(deposit, transfer)
  const ofSide = (side: Ledger.Side) => ({
    ofOneAccount: nearest(
      side,
      (side, index) => Ledger.isFree(side, index) && Finality.isLeftOut(finality.windows(side.side, index)),
      isOfOneAccount
    ),
    any: nearest(side, ({ side }, index) => finality.chain(side, index).state !== "complete")
  })
  const nearby = { deposit: ofSide(deposits), transfer: ofSide(transfers) }

  return {
    partner: (side, index) => {
      const postponement = finality.awaited(side, index)
      const [one] = postponement.state === "complete" ? nearby[side].ofOneAccount(index, 1) : []
      if (one === undefined) return { ...postponement, candidates: [] }
      const other = opposite[side]
      const { id } = item(ledger[`${other}s`].entries, one)
      return {
        ...finality.windows(other, one),
        candidates: [{ side: other, id, because: { code: "open-of-same-account" } }]
      }
    },
    beside: (side, index) => {
      const other = opposite[side]
      return Finality.worst([
        finality.chain(side, index),
        ...nearby[side].any(index, 1).map((one) => finality.chain(other, one))
      ])
    }
  }
}
