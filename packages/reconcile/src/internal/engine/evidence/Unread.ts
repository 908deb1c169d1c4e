/** What was not read, and could explain an open entry that has no counterpart among what was. */
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as NearInTime from "../candidates/NearInTime.ts"
import * as Timeline from "../finality/Timeline.ts"
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

type Judge = (side: Entry.Side, index: number) => Timeline.Judgement

export interface Unread {
  /** Judges where a counterpart of another account, or in the wrong direction, would be; only a gap counts. */
  readonly elsewhere: Judge
  /** Judges what has to be read before it is known whether the entry belongs to another open one; these are the candidates. */
  readonly partner: (side: Entry.Side, index: number) => Timeline.Judgement & {
    readonly candidates: ReadonlyArray<Outcome.Candidate>
  }
  /** Judges where something could still tell a missing entry otherwise: a late one, one of another account, a twin, a way back. */
  readonly around: Judge
  /** Judges what is open beside a missing entry and is looked at together with it. */
  readonly beside: Judge
}

const onlyGap = (judgement: Timeline.Judgement): Timeline.Judgement =>
  judgement.state === "gap" ? judgement : Timeline.complete

/** What the tiers and rules left is open; some of it for want of reading. */
export const make = ({ closure, ledger, postponed, reading }: Workbench): Unread => {
  const { deposits, transfers } = ledger
  const windows: Judge = (side, index) => side === "deposit" ? closure.ofDeposit(index) : closure.ofTransfer(index)
  const elsewhere: Judge = (side, index) =>
    side === "deposit"
      ? onlyGap(Timeline.worst([reading.everyone(index), reading.backwards(index)]))
      : Timeline.complete
  const chains = new Map<number, Timeline.Judgement>()
  for (const { entries, side } of [deposits, transfers]) {
    entries.forEach((_, index) => {
      const root = closure.leftWith(side, index)
      if (root === undefined) return
      const everyone = side === "deposit" ? reading.everyone(index) : Timeline.complete
      chains.set(root, Timeline.worst([chains.get(root) ?? Timeline.complete, windows(side, index), everyone]))
    })
  }
  /** Of all that is decided with a look at the entry. */
  const chain: Judge = (side, index) => chains.get(closure.leftWith(side, index) ?? -1) ?? Timeline.complete

  /** The nearest of the other side in the window, of whatever amount, that `isOne` accepts. */
  const nearest = (
    side: Ledger.Side,
    isOne: (side: Ledger.Side, index: number) => boolean,
    accept?: (deposit: number, transfer: number) => boolean
  ) => {
    const other = side.side === "deposit" ? transfers : deposits
    const found = new Set(Array.from(other.entries.keys()).filter((index) => isOne(other, index)))
    return NearInTime.make(ledger, side, "group", (index) => found.has(index), "window", accept)
  }
  const isOfOneAccount = (deposit: number, transfer: number): boolean =>
    at(deposits.account, deposit) >= 0 && deposits.account[deposit] === transfers.account[transfer] &&
    ledger.compatible(deposit, transfer)
  const ofSide = (side: Ledger.Side) => ({
    ofOneAccount: nearest(
      side,
      (side, index) => Ledger.isFree(side, index) && windows(side.side, index).state === "gap",
      isOfOneAccount
    ),
    any: nearest(side, ({ side }, index) => chain(side, index).state !== "complete")
  })
  const nearby = { deposit: ofSide(deposits), transfer: ofSide(transfers) }

  return {
    elsewhere,
    partner: (side, index) => {
      const postponement = postponed.of(side, index)
      const [one] = postponement.state === "complete" ? nearby[side].ofOneAccount(index, 1) : []
      if (one === undefined) return { ...postponement, candidates: [] }
      const other = side === "deposit" ? "transfer" : "deposit"
      const { id } = item(ledger[`${other}s`].entries, one)
      return {
        ...windows(other, one),
        candidates: [{ side: other, id, reason: "in the window and of the same account, and open as well" }]
      }
    },
    around: (side, index) =>
      Timeline.worst([
        ...(side === "deposit"
          ? [reading.everyone(index), reading.backwards(index), reading.deposit(index, "late")]
          : [reading.transfer(index, "late"), reading.cancelling(index)]),
        reading.twins(side, index)
      ]),
    beside: (side, index) => {
      const other = side === "deposit" ? "transfer" : "deposit"
      return Timeline.worst([chain(side, index), ...nearby[side].any(index, 1).map((one) => chain(other, one))])
    }
  }
}
