/** Which entries hang together through candidates of any tier, and whether an entry yet unread could join them. */
import type * as Entry from "../../../Entry.ts"
import * as DisjointSets from "../../kernel/DisjointSets.ts"
import { at } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as TimeIndex from "../ledger/TimeIndex.ts"
import * as HorizonRead from "./HorizonRead.ts"
import * as LookAlikes from "./LookAlikes.ts"
import type { ReadWindows } from "./ReadWindows.ts"
import * as ReferenceHolds from "./ReferenceHolds.ts"
import type { Ties } from "./Ties.ts"
import { complete, type Judgement, worst } from "./Timeline.ts"

/** What a reading makes of everything that hangs together. */
interface Verdict {
  /** The worst that is known about the windows of everything that hangs together with the entry. */
  readonly ofDeposit: (deposit: number) => Judgement
  readonly ofTransfer: (transfer: number) => Judgement
  /**
   * Whether nothing unread can change what the tiers make of the entry: the windows of everything that hangs together with
   * it are read, and so is what could take an entry away, which is looked for farther than a counterpart is: a late bearer
   * of the same reference, and a transfer that cancels.
   */
  readonly isAtRest: (side: Entry.Side, index: number) => boolean
  /** Whether nothing unread can change what becomes of an entry that no tier matched, late or in any other way. */
  readonly isSettled: (side: Entry.Side, index: number) => boolean
}

export interface Component extends Verdict {
  /** Notes that the two could have been matched, whatever became of them. */
  readonly join: (deposit: number, transfer: number) => void
  /** The same for what the pairs left: what is in a pair now may still be released and join them. */
  readonly joinUnlike: (deposit: number, transfer: number) => void
  /** Notes entries that a reference or a reversal holds: they may be released once more is read. */
  readonly hold: ReferenceHolds.ReferenceHolds["hold"]
  /** Notes that the second transfer cancels the first. */
  readonly cancel: (transfer: number, back: number) => void
  /** Notes entries that no tier took: what becomes of them is decided with a look at each other. */
  readonly leave: (deposits: ReadonlyArray<number>, transfers: ReadonlyArray<number>) => void
  /** One number for all that the entry was left with; nothing for what a tier took. */
  readonly leftWith: (side: Entry.Side, index: number) => number | undefined
  /** Notes that one that is not settled yet may change what becomes of the entry. */
  readonly wait: (side: Entry.Side, index: number) => void
  /** The same entries, judged by another reading, as if what is not settled yet stayed so. */
  readonly under: (reading: ReadWindows) => Verdict
}

interface Joined {
  readonly sets: DisjointSets.DisjointSets
  /** By deposit, then by transfer: 1 if it was joined with an amount that differs, as in a group. */
  readonly unlike: Uint8Array
  readonly held: ReferenceHolds.ReferenceHolds
  /** By the transfer that is cancelled, the one that cancels it. */
  readonly cancelled: Map<number, number>
  /** By the transfer that cancels, the one that it cancels. */
  readonly cancelling: Map<number, number>
  readonly left: Left
}

/** What no tier took: by deposit, then by transfer. */
interface Left {
  readonly marks: Uint8Array
  /** Which of them are decided with a look at each other. */
  readonly sets: DisjointSets.DisjointSets
}

/** How an entry is judged on its own. */
type Own = (side: Entry.Side, index: number) => Judgement

interface Level extends Pick<Verdict, "ofDeposit" | "ofTransfer"> {
  readonly settled: HorizonRead.HorizonRead
}

/** Judgements are made when first asked for, after the tiers have noted all their candidates. */
const level = (
  ledger: Ledger,
  { held, sets, unlike }: Joined,
  own: Own,
  lookAlikes: LookAlikes.LookAlikes | undefined
): Level => {
  const { deposits, transfers } = ledger
  const size = deposits.entries.length
  const total = size + transfers.entries.length

  /** Only what is not complete is kept, by root. */
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
      for (let index = 0; index < size; index++) {
        if (deposits.eligible[index] === 1) worsen(equal, index, own("deposit", index))
      }
      for (let index = 0; index < total - size; index++) {
        if (transfers.eligible[index] === 1) worsen(equal, size + index, own("transfer", index))
      }
      const known = equal
      const nodeOf = (side: Entry.Side, index: number): number => side === "deposit" ? index : size + index
      held.releasable(
        (side, index) => known.get(sets.find(nodeOf(side, index))) ?? complete,
        (side, index, judgement) => worsen(known, nodeOf(side, index), judgement)
      )
    }
    return equal.get(sets.find(node)) ?? complete
  }
  const settled = HorizonRead.make(ledger, {
    deposit: (deposit) => ofEqual(deposit).state === "complete",
    transfer: (transfer) => ofEqual(size + transfer).state === "complete"
  }, lookAlikes)

  let all: Judgements | undefined
  const of = (node: number): Judgement => {
    if (all === undefined) {
      all = new Map()
      for (let index = 0; index < total; index++) {
        if (at(unlike, index) === 0) continue
        const isQuiet = index < size ? settled.isQuiet("deposit", index) : settled.isQuiet("transfer", index - size)
        if (!isQuiet) worsen(all, index, { state: "open", missing: undefined })
      }
    }
    const judgement = ofEqual(node)
    return judgement.state === "complete" ? all.get(sets.find(node)) ?? complete : judgement
  }
  // What may be released to unlike entries counts as well, once it is known.
  const released = HorizonRead.make(
    ledger,
    {
      deposit: (deposit) => of(deposit).state === "complete",
      transfer: (transfer) => of(size + transfer).state === "complete"
    },
    lookAlikes
  )
  return { ofDeposit: of, ofTransfer: (transfer) => of(size + transfer), settled: released }
}

const isComplete = ({ state }: Judgement): boolean => state === "complete"

/** Judges everything that hangs together, and everything that was left. */
const judge = (
  ledger: Ledger,
  joined: Joined,
  reading: ReadWindows,
  lookAlikes: LookAlikes.LookAlikes | undefined
): Verdict => {
  const { deposits, policy, transfers } = ledger
  const { cancelled, cancelling, left } = joined
  const size = deposits.entries.length
  const ofWindow: Own = (side, index) => {
    if (side === "deposit") return reading.deposit(index)
    const back = cancelled.get(index)
    return back === undefined ? reading.transfer(index) : reading.between(index, back)
  }
  const usesReferences = policy.reference !== "ignore"
  /** What could take the entry away from its counterpart. */
  const ofRest: Own = (side, index) => {
    const judgement = ofWindow(side, index)
    if (!isComplete(judgement)) return judgement
    const isBearer = usesReferences && at((side === "deposit" ? deposits : transfers).reference, index) >= 0
    if (side === "deposit") return isBearer ? reading.deposit(index, "late") : judgement
    if (cancelled.has(index)) return judgement
    const late = isBearer ? reading.transfer(index, "late") : judgement
    return isComplete(late) ? reading.cancelling(index) : late
  }
  const windows = level(ledger, joined, ofWindow, lookAlikes)
  const looksFar = (usesReferences && ledger.references > 0) || transfers.entries.some(({ to }) => to !== undefined)
  const rest = looksFar ? level(ledger, joined, ofRest, lookAlikes) : windows
  // What lies in a gap of its own side may be told otherwise itself.
  const isAtRest: Verdict["isAtRest"] = (side, index) =>
    isComplete(reading.own(side, index)) &&
    isComplete(side === "deposit" ? rest.ofDeposit(index) : rest.ofTransfer(index))

  /** Of a transfer against the flows, which takes no part in the tiers. */
  const isBackSettled = (transfer: number): boolean => {
    const forth = cancelling.get(transfer)
    if (forth !== undefined) return isComplete(reading.between(forth, transfer))
    return isComplete(reading.transfer(transfer, "late")) && isComplete(reading.cancelled(transfer)) &&
      rest.settled.isSettled("transfer", transfer)
  }
  const isAlone = (side: Entry.Side, index: number): boolean =>
    isAtRest(side, index) && rest.settled.isSettled(side, index) &&
    isComplete(side === "deposit" ? reading.deposit(index, "late") : reading.transfer(index, "late"))
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
  /** Whether anything that the entry was left with is not settled yet. */
  const isRestless = (node: number): boolean => {
    if (restless === undefined) {
      restless = new Set()
      for (let other = 0; other < left.marks.length; other++) {
        if (left.marks[other] !== 1 || restless.has(left.sets.find(other))) continue
        if (!(other < size ? isLeftAlone("deposit", other) : isLeftAlone("transfer", other - size))) {
          restless.add(left.sets.find(other))
        }
      }
    }
    return restless.has(left.sets.find(node))
  }
  let nearness: TimeIndex.TimeIndex | undefined
  /** Whether that, and all that was left near it in time, is settled. */
  const isLeftSettled = (side: Entry.Side, index: number): boolean => {
    const nodeOf = (side: Entry.Side, index: number): number => side === "deposit" ? index : size + index
    nearness ??= TimeIndex.make(ledger, (side, index) => {
      const node = nodeOf(side, index)
      return left.marks[node] === 1 && isRestless(node)
    }, "group")
    return !isRestless(nodeOf(side, index)) && !nearness(side, index)
  }
  return {
    ofDeposit: windows.ofDeposit,
    ofTransfer: windows.ofTransfer,
    isAtRest,
    isSettled: (side, index) => {
      const node = side === "deposit" ? index : size + index
      return left.marks[node] === 1 ? isLeftSettled(side, index) : isAlone(side, index)
    }
  }
}

export const make = (ledger: Ledger, reading: ReadWindows, ties: Ties): Component => {
  const size = ledger.deposits.entries.length
  const total = size + ledger.transfers.entries.length
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
    joined.sets.join(deposit, size + transfer)
    ties.across(deposit, transfer)
  }
  const verdict = judge(ledger, joined, reading, lookAlikes)
  /** Whether that was noted of anything that the entry was left with. */
  const isWaiting = (side: Entry.Side, index: number): boolean => {
    waitingRoots ??= new Set(waiting.map((node) => joined.left.sets.find(node)))
    return waitingRoots.has(joined.left.sets.find(side === "deposit" ? index : size + index))
  }
  return {
    ...verdict,
    isSettled: (side, index) => verdict.isSettled(side, index) && !isWaiting(side, index),
    join,
    joinUnlike: (deposit, transfer) => {
      joined.unlike[deposit] = 1
      joined.unlike[size + transfer] = 1
      join(deposit, transfer)
    },
    hold: joined.held.hold,
    cancel: (transfer, back) => {
      joined.cancelled.set(transfer, back)
      joined.cancelling.set(back, transfer)
      joined.held.hold([], [transfer])
      ties.transfers(transfer, back)
    },
    leave: (lefts, rights) => {
      const nodes = [...lefts, ...rights.map((transfer) => size + transfer)]
      for (const node of nodes) {
        joined.left.marks[node] = 1
        joined.left.sets.join(node, nodes[0] ?? node)
        ties.nodes(node, nodes[0] ?? node)
      }
    },
    leftWith: (side, index) => {
      const node = side === "deposit" ? index : size + index
      return joined.left.marks[node] === 1 ? joined.left.sets.find(node) : undefined
    },
    wait: (side, index) => {
      waiting.push(side === "deposit" ? index : size + index)
    },
    under: (other) => judge(ledger, joined, other, lookAlikes)
  }
}
