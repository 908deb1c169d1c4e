/** Decides which entries a stream has to keep because others may still be compared with them. It lets go of all others. */
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import type { Decision } from "../Decision.ts"
import { at, item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Kind from "../ledger/Kind.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as TimeIndex from "../ledger/TimeIndex.ts"
import type * as Told from "../ledger/Told.ts"

const sides = ["deposit", "transfer"] as const

/** A mark for every entry of a side. */
type Marks = Readonly<Record<Entry.Side, Uint8Array>>

/** An entry by position. */
export type Member = readonly [side: Entry.Side, index: number]

export const membersOf = ({ deposits, transfers }: Draft): ReadonlyArray<Member> => [
  ...deposits.map((index) => ["deposit", index] as const),
  ...transfers.map((index) => ["transfer", index] as const)
]

/** Ties the entries of each outcome, whether it is decided now or was told before. */
const tieOutcomes = ({ bench: { finality, ledger }, drafts }: Decision, told: Told.ById): void => {
  for (const draft of drafts) finality.lookAmong(draft)
  const members = new Map<Told.Once, { readonly deposits: Array<number>; readonly transfers: Array<number> }>()
  for (const side of sides) {
    if (told[side].size === 0) continue
    ledger[`${side}s`].entries.forEach(({ id }, index) => {
      const once = told[side].get(id)
      if (once === undefined) return
      const known = members.get(once) ?? { deposits: [], transfers: [] }
      members.set(once, known)
      known[`${side}s`].push(index)
    })
  }
  for (const one of members.values()) finality.lookAmong(one)
}

/** Marks every entry that is tied to one for which `isMarked` holds. */
const spread = (decision: Decision, isMarked: (side: Entry.Side, index: number) => boolean): Marks => {
  const { finality, ledger } = decision.bench
  const roots = new Set<number>()
  for (const side of sides) {
    ledger[`${side}s`].entries.forEach((_, index) => {
      if (isMarked(side, index)) roots.add(finality.tied(side, index))
    })
  }
  const marks = (side: Entry.Side): Uint8Array =>
    Uint8Array.from(ledger[`${side}s`].entries, (_, index) => (roots.has(finality.tied(side, index)) ? 1 : 0))
  return { deposit: marks("deposit"), transfer: marks("transfer") }
}

/** Marks the members of the drafts that `isMarked` accepts. */
const mark = ({ drafts, bench: { ledger } }: Decision, isMarked: (draft: Draft) => boolean): Marks => {
  const marks = {
    deposit: new Uint8Array(ledger.deposits.entries.length),
    transfer: new Uint8Array(ledger.transfers.entries.length)
  }
  for (const draft of drafts) {
    if (isMarked(draft)) { for (const [side, index] of membersOf(draft)) marks[side][index] = 1 }
  }
  return marks
}

/** Finds entries of equal amount whose accounts are equal or unknown. */
const nearEqual = (ledger: Ledger, isOne: TimeIndex.TimeIndex, farthest: number): TimeIndex.TimeIndex => {
  const accountOf = (side: Entry.Side, index: number): number => at(ledger[`${side}s`].account, index)
  const any = TimeIndex.make(ledger, isOne, "amountClass", farthest)
  const unknown = TimeIndex.make(
    ledger,
    (side, index) => accountOf(side, index) < 0 && isOne(side, index),
    "amountClass",
    farthest
  )
  const own = TimeIndex.make(ledger, isOne, "account", farthest)
  return (side, index) => accountOf(side, index) < 0 ? any(side, index) : own(side, index) || unknown(side, index)
}

export interface Keeping {
  /** Entries that are undecided, and all that are tied to them. */
  readonly undecided: Marks
  /** The undecided entries, and those that they may be compared with. */
  readonly needed: Marks
}

/**
 * Makes the marks. `isHeld` says whether something that is still to come may change the outcome of a draft. No entry before
 * `watermark` (Unix ms) is still to come.
 */
export const make = (
  decision: Decision,
  told: Told.ById,
  watermark: number,
  isHeld: (draft: Draft) => boolean
): Keeping => {
  const { bench } = decision
  tieOutcomes(decision, told)
  const held = mark(decision, isHeld)
  const undecided = spread(decision, (side, index) => held[side][index] === 1)
  const isUndecided = (side: Entry.Side, index: number): boolean => undecided[side][index] === 1
  const matched = mark(decision, ({ code }) => Kind.of(code) === "matched")
  // Beside a gap a match is never final, nor is an entry that it is compared with.
  const final = mark(decision, (draft) => bench.finality.isFinal(draft))
  const horizon = Policy.horizon(bench.ledger.policy)
  const isNear = TimeIndex.make(bench.ledger, isUndecided, "group")
  const isUntold = (side: Entry.Side, index: number): boolean =>
    isUndecided(side, index) && !told[side].has(item(bench.ledger[`${side}s`].entries, index).id)
  // A pair that was decided by nearness casts doubt on late entries, as far as lateness reaches.
  const byNearness = mark(decision, ({ decidedBy }) => decidedBy === "time" || decidedBy === "amount")
  const isEqualInHorizon = nearEqual(bench.ledger, isUntold, horizon)
  const isInHorizon = TimeIndex.make(bench.ledger, isUndecided, "group", horizon)
  // The other contents of a conflict may be equal to an entry that is still to come, of any amount and asset.
  const isConflict = (side: Entry.Side, index: number): boolean => {
    const { entries, objections } = bench.ledger[`${side}s`]
    return objections.get(index) === "source-conflict" && watermark <= item(entries, index).at + horizon
  }
  const needed = spread(
    decision,
    (side, index) =>
      isUndecided(side, index) || (matched[side][index] === 0 && isNear(side, index)) ||
      (byNearness[side][index] === 1 && isEqualInHorizon(side, index)) ||
      (final[side][index] === 0 && isInHorizon(side, index)) || isConflict(side, index)
  )
  return { undecided, needed }
}
