/** Knows which entries hang together through candidates of any tier, and judges whether an entry yet unread could join them. */
import type * as Entry from "../../../Entry.ts"
import * as DisjointSets from "../../kernel/DisjointSets.ts"
import { at } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as LookAlikes from "../ledger/LookAlikes.ts"
import type { OpenPairs } from "../ledger/OpenPairs.ts"
import type { Members } from "../ledger/Side.ts"
import * as TimeIndex from "../ledger/TimeIndex.ts"
import * as HorizonRead from "./HorizonRead.ts"
import type { ReadWindows } from "./ReadWindows.ts"
import * as ReferenceHolds from "./ReferenceHolds.ts"
import type { Ties } from "./Ties.ts"
import { complete, isLeftOut, type Judgement, worst } from "./Timeline.ts"

/** The judgements that one reading gives of all entries. */
export interface Verdict {
  /** Returns the worst judgement among the windows of everything that hangs together with the entry. */
  readonly windows: (side: Entry.Side, index: number) => Judgement
  /**
   * Whether nothing unread can change the outcome that the tiers give the entry. The windows of everything that hangs together
   * with it have to be read, and also the times beyond its window in which something could take it away: a late bearer of its
   * reference, or a transfer that cancels it.
   */
  readonly isAtRest: (side: Entry.Side, index: number) => boolean
  /** Whether nothing unread can change the outcome of an entry that no tier matched, late or in any other way. */
  readonly isSettled: (side: Entry.Side, index: number) => boolean
}

export interface Component extends Verdict {
  /** Notes that the two could have been matched, whatever became of them. */
  readonly join: (deposit: number, transfer: number) => void
  /** Notes the same for candidates of a sum. An entry that is in a pair now may still be released and join them. */
  readonly joinUnlike: (deposit: number, transfer: number) => void
  /** Notes entries that a reference or a reversal holds. They may be released once more is read. */
  readonly hold: ReferenceHolds.ReferenceHolds["hold"]
  /** Notes that the second transfer cancels the first. */
  readonly cancel: (transfer: number, back: number) => void
  /** Notes entries that no tier took. The outcome of each is decided with a look at the others. */
  readonly leave: (members: Members) => void
  /** Returns one number for all entries that the entry was left with; nothing if a tier took it. */
  readonly leftWith: (side: Entry.Side, index: number) => number | undefined
  /** Notes that an entry which is not settled yet may change the outcome of this one. */
  readonly wait: (side: Entry.Side, index: number) => void
  /** Whether such an entry was noted for any of the entries that the entry was left with. */
  readonly isWaiting: (side: Entry.Side, index: number) => boolean
  /** Judges the same entries by another reading, as if unsettled entries stayed unsettled. */
  readonly under: (reading: ReadWindows) => Verdict
}

interface Joined {
  readonly sets: DisjointSets.DisjointSets
  /** A mark for each deposit, then for each transfer: 1 if it was joined with an amount that differs, as in a group. */
  readonly unlike: Uint8Array
  readonly held: ReferenceHolds.ReferenceHolds
  /** Gives for a cancelled transfer the one that cancels it. */
  readonly cancelled: Map<number, number>
  /** Gives for a cancelling transfer the one that it cancels. */
  readonly cancelling: Map<number, number>
  readonly left: Left
}

/** The entries that no tier took: deposits first, then transfers. */
interface Left {
  readonly marks: Uint8Array
  /** Tells which of them are decided with a look at each other. */
  readonly sets: DisjointSets.DisjointSets
}

/** Judges an entry on its own. */
type Own = (side: Entry.Side, index: number) => Judgement

interface Level extends Pick<Verdict, "windows"> {
  readonly settled: HorizonRead.HorizonRead
}

const isComplete = ({ state }: Judgement): boolean => state === "complete"

const nodes = (ledger: Ledger) => (side: Entry.Side, index: number): number => ledger[`${side}s`].node(index)

/** Judges components. It does so when first asked, after the tiers have noted all their candidates. */
const level = (
  ledger: Ledger,
  { held, sets, unlike }: Joined,
  own: Own,
  lookAlikes: LookAlikes.LookAlikes | undefined,
  openPairs?: OpenPairs
): Level => {
  const { deposits, transfers } = ledger
  const nodeOf = nodes(ledger)

  /** Judgements by root. Complete ones are not kept. */
  type Judgements = Map<number, Judgement>
  const worsen = (judgements: Judgements, node: number, judgement: Judgement): void => {
    if (judgement.state === "complete") return
    const root = sets.find(node)
    judgements.set(root, worst([judgements.get(root) ?? complete, judgement]))
  }

  let equal: Judgements | undefined
  const ofEqual = (node: number): Judgement => {
    if (equal === undefined) {
      equal = new Map()
      for (const { eligible, node, side } of [deposits, transfers]) {
        for (let index = 0; index < eligible.length; index++) {
          if (eligible[index] === 1) worsen(equal, node(index), own(side, index))
        }
      }
      const known = equal
      held.releasable(
        (side, index) => known.get(sets.find(nodeOf(side, index))) ?? complete,
        (side, index, judgement) => worsen(known, nodeOf(side, index), judgement)
      )
    }
    return equal.get(sets.find(node)) ?? complete
  }
  const settled = HorizonRead.make(
    ledger,
    {
      deposit: (deposit) => isComplete(ofEqual(deposits.node(deposit))),
      transfer: (transfer) => isComplete(ofEqual(transfers.node(transfer)))
    },
    lookAlikes,
    openPairs
  )

  /** Few parts ask for it, so it is made when one does. */
  let waited: HorizonRead.HorizonRead | undefined
  /** Whether nothing that could join the entry by another amount is unread for good. */
  const isWaitedFor: HorizonRead.HorizonRead["isQuiet"] = (side, index) => {
    waited ??= HorizonRead.make(
      ledger,
      {
        deposit: (deposit) => !isLeftOut(ofEqual(deposits.node(deposit))),
        transfer: (transfer) => !isLeftOut(ofEqual(transfers.node(transfer)))
      },
      lookAlikes
    )
    return waited.isQuiet(side, index)
  }

  let all: Judgements | undefined
  const of = (node: number): Judgement => {
    if (all === undefined) {
      all = new Map()
      for (const { entries, node, side } of [deposits, transfers]) {
        for (let index = 0; index < entries.length; index++) {
          if (at(unlike, node(index)) === 0 || settled.isQuiet(side, index)) continue
          worsen(all, node(index), { state: isWaitedFor(side, index) ? "open" : "gap", missing: undefined })
        }
      }
    }
    const judgement = ofEqual(node)
    return judgement.state === "complete" ? all.get(sets.find(node)) ?? complete : judgement
  }
  // An entry that may be released to entries of unlike amount counts as well, once that is known.
  const released = HorizonRead.make(
    ledger,
    {
      deposit: (deposit) => isComplete(of(deposits.node(deposit))),
      transfer: (transfer) => isComplete(of(transfers.node(transfer)))
    },
    lookAlikes,
    openPairs
  )
  return { windows: (side, index) => of(nodeOf(side, index)), settled: released }
}

/** Judges all entries: those that hang together through candidates, and those that no tier took. */
const judge = (
  ledger: Ledger,
  joined: Joined,
  reading: ReadWindows,
  lookAlikes: LookAlikes.LookAlikes | undefined,
  openPairs?: OpenPairs
): Verdict => {
  const { deposits, policy, transfers } = ledger
  const { cancelled, cancelling, left } = joined
  const nodeOf = nodes(ledger)
  const ofWindow: Own = (side, index) => {
    const back = side === "transfer" ? cancelled.get(index) : undefined
    return back === undefined ? reading[side](index) : reading.between(index, back)
  }
  const usesReferences = policy.reference !== "ignore"
  /** Judges also the times in which something could take the entry away from its counterpart. */
  const ofRest: Own = (side, index) => {
    const judgement = ofWindow(side, index)
    if (!isComplete(judgement)) return judgement
    const isBearer = usesReferences && at(ledger[`${side}s`].reference, index) >= 0
    if (side === "deposit") return isBearer ? reading.deposit(index, "late") : judgement
    if (cancelled.has(index)) return judgement
    const late = isBearer ? reading.transfer(index, "late") : judgement
    return isComplete(late) ? reading.cancelling(index) : late
  }
  const windows = level(ledger, joined, ofWindow, lookAlikes)
  const looksFar = (usesReferences && ledger.references > 0) || transfers.entries.some(({ to }) => to !== undefined)
  // The windows of a pair that was decided elsewhere were read. What lies beyond them was not.
  const rest = looksFar || openPairs !== undefined ? level(ledger, joined, ofRest, lookAlikes, openPairs) : windows
  // An entry that lies in a gap of its own side may itself be told otherwise.
  const isAtRest: Verdict["isAtRest"] = (side, index) =>
    isComplete(reading.own(side, index)) &&
    isComplete(rest.windows(side, index))

  /** Whether nothing unread can change a transfer against the flows, which takes no part in the tiers. */
  const isBackSettled = (transfer: number): boolean => {
    const forth = cancelling.get(transfer)
    if (forth !== undefined) return isComplete(reading.between(forth, transfer))
    return isComplete(reading.transfer(transfer, "late")) && isComplete(reading.cancelled(transfer)) &&
      rest.settled.isSettled("transfer", transfer)
  }
  const isAlone = (side: Entry.Side, index: number): boolean =>
    isAtRest(side, index) && rest.settled.isSettled(side, index) &&
    isComplete(reading[side](index, "late"))
  const isLeftAlone = (side: Entry.Side, index: number): boolean => {
    if (side === "transfer" && transfers.against[index] === 1) {
      return isComplete(reading.own(side, index)) && isBackSettled(index)
    }
    return isAlone(side, index) && rest.settled.isLeftAlone(side, index) && isComplete(reading.twins(side, index)) &&
      (side === "transfer" ||
        (isComplete(reading.backwards(index)) &&
          (at(deposits.account, index) < 0 || isComplete(reading.everyone(index)))))
  }
  let restless: Set<number> | undefined
  /** Whether any of the entries that the entry was left with may still change. */
  const isRestless = (node: number): boolean => {
    if (restless === undefined) {
      restless = new Set()
      for (const { entries, node, side } of [deposits, transfers]) {
        for (let other = 0; other < entries.length; other++) {
          if (left.marks[node(other)] !== 1) continue
          const root = left.sets.find(node(other))
          if (!restless.has(root) && !isLeftAlone(side, other)) restless.add(root)
        }
      }
    }
    return restless.has(left.sets.find(node))
  }
  let nearness: TimeIndex.TimeIndex | undefined
  /** Whether none of these may still change, nor any entry that was left near it in time. */
  const isLeftSettled = (side: Entry.Side, index: number): boolean => {
    nearness ??= TimeIndex.make(ledger, (side, index) => {
      const node = nodeOf(side, index)
      return left.marks[node] === 1 && isRestless(node)
    }, "group")
    return !isRestless(nodeOf(side, index)) && !nearness(side, index)
  }
  return {
    windows: windows.windows,
    isAtRest,
    isSettled: (side, index) =>
      left.marks[nodeOf(side, index)] === 1 ? isLeftSettled(side, index) : isAlone(side, index)
  }
}

export const make = (
  ledger: Ledger,
  reading: ReadWindows,
  ties: Ties,
  openPairs: OpenPairs | undefined
): Component => {
  const { deposits, transfers } = ledger
  const nodeOf = nodes(ledger)
  const total = deposits.entries.length + transfers.entries.length
  const joined: Joined = {
    sets: DisjointSets.make(total),
    unlike: new Uint8Array(total),
    held: ReferenceHolds.make(ledger),
    cancelled: new Map(),
    cancelling: new Map(),
    left: { marks: new Uint8Array(total), sets: DisjointSets.make(total) }
  }
  const waiting: Array<number> = []
  let waitingRoots: ReadonlySet<number> | undefined
  const lookAlikes = LookAlikes.make(ledger)
  const join: Component["join"] = (deposit, transfer) => {
    joined.sets.join(deposits.node(deposit), transfers.node(transfer))
    ties.across(deposit, transfer)
  }
  const verdict = judge(ledger, joined, reading, lookAlikes, openPairs)
  const isWaiting: Component["isWaiting"] = (side, index) => {
    waitingRoots ??= new Set(waiting.map((node) => joined.left.sets.find(node)))
    return waitingRoots.has(joined.left.sets.find(nodeOf(side, index)))
  }
  return {
    ...verdict,
    isSettled: (side, index) => verdict.isSettled(side, index) && !isWaiting(side, index),
    join,
    joinUnlike: (deposit, transfer) => {
      joined.unlike[deposits.node(deposit)] = 1
      joined.unlike[transfers.node(transfer)] = 1
      join(deposit, transfer)
    },
    hold: joined.held.hold,
    cancel: (transfer, back) => {
      joined.cancelled.set(transfer, back)
      joined.cancelling.set(back, transfer)
      joined.held.hold(transfers.alone(transfer))
      ties.nodes(transfers.node(transfer), transfers.node(back))
    },
    leave: (members) => {
      const left = [...members.deposits.map(deposits.node), ...members.transfers.map(transfers.node)]
      for (const node of left) {
        joined.left.marks[node] = 1
        joined.left.sets.join(node, left[0] ?? node)
        ties.nodes(node, left[0] ?? node)
      }
    },
    leftWith: (side, index) => {
      const node = nodeOf(side, index)
      return joined.left.marks[node] === 1 ? joined.left.sets.find(node) : undefined
    },
    wait: (side, index) => {
      waiting.push(nodeOf(side, index))
    },
    isWaiting,
    under: (other) => judge(ledger, joined, other, lookAlikes)
  }
}
