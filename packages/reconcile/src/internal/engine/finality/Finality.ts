/** Judges which outcomes may still change. Other rooms import only this module of the room. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import type { Draft } from "../ledger/Draft.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { OpenPairs } from "../ledger/OpenPairs.ts"
import type { Members } from "../ledger/Side.ts"
import type { Terms } from "../ledger/Terms.ts"
import * as Component from "./Component.ts"
import * as FinalFrom from "./FinalFrom.ts"
import * as Postponed from "./Postponed.ts"
import type { ReadScopes } from "./ReadScopes.ts"
import * as ReadWindows from "./ReadWindows.ts"
import * as Remainder from "./Remainder.ts"
import * as Ties from "./Ties.ts"
import type { Judgement } from "./Timeline.ts"

export { make as readScopes, type ReadScopes } from "./ReadScopes.ts"
export { isLeftOut, judge, type Judgement, worst } from "./Timeline.ts"

/**
 * The place where a rule looks besides the windows of its members: at transfers of other accounts, or at those in the wrong
 * direction.
 */
type Beyond = "other-accounts" | "wrong-direction"

export interface Unread {
  /** The number of members whose windows were not read to their end. */
  readonly count: number
  /** The first gap in these windows. */
  readonly missing: Coverage.Coverage | undefined
}

/**
 * Lets a rule note what it compared, and answers whether its outcome is final.
 *
 * 1. The rule calls `look` or `lookAmong` with all entries that it compared, whatever came of it. A tier that pairs entries
 *    calls `join`.
 * 2. Before the rule states an outcome, it asks `postpones(members)`. The answer is true if something that they depend on was
 *    not read. The rule then leaves them open, and they are told as in flight or as a coverage gap. `beyond` says where else
 *    the rule looked.
 * 3. The rule settles with `finality: "horizon"`: the outcome becomes final once nothing unread can change it. It settles with
 *    `"never"` if the source has to say more of the entries first, and with `"always"` if nothing can change it but another version
 *    of an entry.
 * 4. If an entry that is not settled yet may explain others, the rule calls `wait` with them. Their outcomes are not final
 *    then.
 * 5. If only time or amount gave the candidate of an entry to another one, the rule calls `doubt`. The entry is then not
 *    called missing.
 */
export interface Finality extends Component.Verdict, Remainder.Remainder {
  /** Notes that the outcome of one was decided with a look at the other. */
  readonly look: (deposit: number, transfer: number) => void
  /** Notes that the outcome of each member was decided with a look at the others. */
  readonly lookAmong: (members: Members) => void
  /**
   * Notes that the two could have been matched, whatever became of them. A sum passes `"unlike"`: entries of any amount in the
   * window may join it.
   */
  readonly join: (deposit: number, transfer: number, amounts?: "unlike") => void
  /** Notes the same of all members. */
  readonly joinAmong: (members: Members, amounts?: "unlike") => void
  /** Notes that a reference holds the members together. Something unread that fits better may release them. */
  readonly hold: (members: Members) => void
  /** Notes that the second transfer cancels the first. Returns whether the time between them was read. */
  readonly cancel: (transfer: number, back: number) => boolean
  /** Notes that no tier took the members, and that the outcome of one is decided with a look at the others. */
  readonly leave: (members: Members) => void
  /** Notes that an entry which is not settled may change the outcomes of the members. */
  readonly wait: (members: Members) => void
  /** Notes that a candidate of the entry went to another one on weak evidence. */
  readonly doubt: (side: Entry.Side, index: number) => void

  /** Whether a doubt was noted of the entry. */
  readonly isDoubtful: (side: Entry.Side, index: number) => boolean
  /** Whether something is unread that the members depend on. If so, it is noted that they wait for it. */
  readonly postpones: (members: Members, beyond?: Beyond) => boolean
  /** Whether the windows of everything that hangs together with the members were read. Nothing is noted. */
  readonly isRead: (members: Members) => boolean
  /** Judges the window of the entry alone. */
  readonly window: (side: Entry.Side, index: number) => Judgement
  /** Counts the members whose windows were not read to their end. */
  readonly unread: (members: Members) => Unread
  /** Tells whether the windows of everything that hangs together with an entry so far were read. Later joins do not count. */
  readonly closedNow: () => (side: Entry.Side, index: number) => boolean
  /** Whether nothing unread can change the outcome. */
  readonly isFinal: (draft: Draft) => boolean
  /**
   * Returns the earliest moment at which the entries can have a final outcome, unless they are matched or reversed, Unix ms. It returns nothing
   * where that is no matter of time alone.
   */
  readonly finalFrom: (draft: Draft) => number | undefined
  /** Judges the same entries as if this had been read. */
  readonly under: (read: ReadScopes) => Component.Verdict
  /** One number for all entries whose outcomes were decided with a look at each other. */
  readonly tied: (side: Entry.Side, index: number) => number
}

interface Input {
  readonly ledger: Ledger
  readonly read: ReadScopes
  readonly direction: Terms["direction"]
  /** The pairs that were decided elsewhere and may still change. */
  readonly openPairs?: OpenPairs | undefined
}

/** Calls `visit` with pairs that connect all members, if both sides have some. */
const eachPair = ({ deposits, transfers }: Members, visit: (deposit: number, transfer: number) => void): void => {
  const [deposit, transfer] = [deposits[0], transfers[0]]
  if (deposit === undefined || transfer === undefined) return
  for (const other of deposits) visit(other, transfer)
  for (const other of transfers) visit(deposit, other)
}

const isComplete = ({ state }: Judgement): boolean => state === "complete"

export const make = ({ direction, ledger, openPairs, read }: Input): Finality => {
  const reading = ReadWindows.make(ledger, direction, read)
  const ties = Ties.make(ledger)
  const component = Component.make(ledger, reading, ties, openPairs)
  const postponed = Postponed.make()
  const doubtful = { deposit: new Set<number>(), transfer: new Set<number>() }
  const { isAtRest, isSettled, windows } = component

  const join: Finality["join"] = (deposit, transfer, amounts) =>
    amounts === "unlike" ? component.joinUnlike(deposit, transfer) : component.join(deposit, transfer)
  const dependsOn = ({ deposits, transfers }: Members, beyond: Beyond | undefined): ReadonlyArray<Judgement> => {
    const ofDeposits = deposits.map((deposit) => windows("deposit", deposit))
    // A transfer in the wrong direction is in no component. It has a window of its own, and may cancel another transfer.
    if (beyond === "wrong-direction") {
      return [
        ...ofDeposits,
        ...deposits.map(reading.backwards),
        ...transfers.flatMap((transfer) => [reading.transfer(transfer), reading.cancelled(transfer)])
      ]
    }
    const ofTransfers = transfers.map((transfer) => windows("transfer", transfer))
    return [...ofDeposits, ...ofTransfers, ...(beyond === undefined ? [] : deposits.map(reading.everyone))]
  }

  return {
    windows,
    isAtRest,
    isSettled,
    ...Remainder.make(ledger, reading, component, postponed.of),
    look: ties.across,
    lookAmong: ({ deposits, transfers }) => {
      const nodes = [...deposits.map(ledger.deposits.node), ...transfers.map(ledger.transfers.node)]
      for (const node of nodes) ties.nodes(node, nodes[0] ?? node)
    },
    join,
    joinAmong: (members, amounts) => eachPair(members, (deposit, transfer) => join(deposit, transfer, amounts)),
    hold: component.hold,
    cancel: (transfer, back) => {
      component.cancel(transfer, back)
      return isComplete(reading.between(transfer, back))
    },
    leave: component.leave,
    wait: ({ deposits, transfers }) => {
      for (const deposit of deposits) component.wait("deposit", deposit)
      for (const transfer of transfers) component.wait("transfer", transfer)
    },
    doubt: (side, index) => doubtful[side].add(index),
    isDoubtful: (side, index) => doubtful[side].has(index),
    postpones: (members, beyond) => !postponed.isRead(members, dependsOn(members, beyond)),
    isRead: ({ deposits, transfers }) =>
      deposits.every((deposit) => isComplete(windows("deposit", deposit))) &&
      transfers.every((transfer) => isComplete(windows("transfer", transfer))),
    window: (side, index) => reading[side](index),
    unread: ({ deposits, transfers }) => {
      const open = [...deposits.map((one) => reading.deposit(one)), ...transfers.map((one) => reading.transfer(one))]
        .filter((judgement) => !isComplete(judgement))
      return { count: open.length, missing: open.find(({ missing }) => missing !== undefined)?.missing }
    },
    closedNow: () => {
      const now = component.under(reading)
      return (side, index) => isComplete(now.windows(side, index))
    },
    isFinal: ({ deposits, finality, transfers }) => {
      if (finality === "never") return false
      // Another version of an entry may lie at its own moment, and entries of several versions come before all rules.
      const isOwnRead = (side: Entry.Side, index: number): boolean => isComplete(reading.own(side, index))
      const is = { always: isOwnRead, closed: isAtRest, horizon: isSettled }[finality]
      return deposits.every((deposit) => is("deposit", deposit)) &&
        transfers.every((transfer) => is("transfer", transfer))
    },
    finalFrom: FinalFrom.make(ledger, direction, { read, reading, component }),
    under: (other) => component.under(ReadWindows.make(ledger, direction, other)),
    tied: (side, index) => ties.of(ledger[`${side}s`].node(index))
  }
}
