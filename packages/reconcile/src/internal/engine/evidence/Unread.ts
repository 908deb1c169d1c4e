/** What was not read, and could explain an open entry that has no counterpart among what was. */
import type * as Entry from "../../../Entry.ts"
import type { Candidate } from "../../explain/Told.ts"
import * as NearInTime from "../candidates/NearInTime.ts"
import * as Finality from "../finality/Finality.ts"
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { opposite } from "../ledger/Side.ts"
import type { Workbench } from "../Workbench.ts"

export interface Unread {
  /** Judges what has to be read before it is known whether the entry belongs to another open one; these are the candidates. */
  readonly partner: (side: Entry.Side, index: number) => Finality.Judgement & {
    readonly candidates: ReadonlyArray<Candidate>
  }
  /** Judges what is open beside a missing entry and is looked at together with it. */
  readonly beside: (side: Entry.Side, index: number) => Finality.Judgement
}

/** What the tiers and rules left is open; some of it for want of reading. */
export const make = ({ finality, ledger }: Workbench): Unread => {
  const { deposits, transfers } = ledger
  /** The nearest of the other side in the window, of whatever amount, that `isOne` accepts. */
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
      (side, index) => Ledger.isFree(side, index) && finality.windows(side.side, index).state === "gap",
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
