/**
 * The engine for entries that come in order of time, as much at once as one likes: gives each outcome away as soon as
 * nothing that is still to come can change it, and keeps no entry longer than others need it.
 *
 * Every step decides all entries that are kept together with the new ones. What is told stays told; its entries are kept as
 * long as an undecided one may be compared with them.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import * as Asides from "./Asides.ts"
import { item } from "./Column.ts"
import * as Decision from "./Decision.ts"
import type { Draft } from "./Drafts.ts"
import * as Finish from "./Finish.ts"
import * as Nearness from "./Nearness.ts"
import * as Progress from "./Progress.ts"
import type * as Told from "./Told.ts"

export interface Options extends Pick<Decision.Question, "policy" | "accounts" | "addresses"> {
  /** Unix ms, `[from, to)`; entries outside serve as candidates only. */
  readonly range?: Coverage.Interval | undefined
}

/** What has come since the last time. */
export interface Step {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** Nothing before them is still to come; infinite when a side has ended. */
  readonly watermarks: Progress.Watermarks
}

export interface Incremental {
  /** Takes what has come, and gives the outcomes that are decided by it, ordered by (earliest time, id). */
  readonly advance: (step: Step) => ReadonlyArray<Outcome.Outcome>
  /** How many entries are kept. */
  readonly kept: () => number
  /** How many entries came again with the same content, and how many records could not be used. */
  readonly counts: () => { readonly repeated: Readonly<Record<Entry.Side, number>>; readonly bad: number }
}

const sides = ["deposit", "transfer"] as const

/** A mark for every entry of a side. */
type Marks = Readonly<Record<Entry.Side, Uint8Array>>

const rootOf = ({ run: { ties } }: Decision.Decision, side: Entry.Side, index: number): number =>
  side === "deposit" ? ties.ofDeposit(index) : ties.ofTransfer(index)

type Member = readonly [side: Entry.Side, index: number]

const membersOf = ({ deposits, transfers }: Draft): ReadonlyArray<Member> => [
  ...deposits.map((index) => ["deposit", index] as const),
  ...transfers.map((index) => ["transfer", index] as const)
]

/** Ties what has one outcome, now or when it was told. */
const tieOutcomes = ({ drafts, run: { ledger, ties } }: Decision.Decision, told: Told.ById): void => {
  const tie = (one: Member | undefined, [side, index]: Member): void => {
    if (one === undefined) return
    if (one[0] !== side) ties.across(...(side === "deposit" ? [index, one[1]] as const : [one[1], index] as const))
    else if (side === "deposit") ties.deposits(one[1], index)
    else ties.transfers(one[1], index)
  }
  for (const draft of drafts) {
    const members = membersOf(draft)
    for (const member of members) tie(members[0], member)
  }
  const first = new Map<Told.Once, Member>()
  for (const side of sides) {
    if (told[side].size === 0) continue
    ledger[`${side}s`].entries.forEach(({ id }, index) => {
      const once = told[side].get(id)
      if (once === undefined) return
      tie(first.get(once), [side, index])
      if (!first.has(once)) first.set(once, [side, index])
    })
  }
}

/** Marks every entry that is tied to one for which `isMarked` holds. */
const spread = (decision: Decision.Decision, isMarked: (side: Entry.Side, index: number) => boolean): Marks => {
  const { ledger } = decision.run
  const roots = new Set<number>()
  for (const side of sides) {
    ledger[`${side}s`].entries.forEach((_, index) => {
      if (isMarked(side, index)) roots.add(rootOf(decision, side, index))
    })
  }
  const marks = (side: Entry.Side): Uint8Array =>
    Uint8Array.from(ledger[`${side}s`].entries, (_, index) => (roots.has(rootOf(decision, side, index)) ? 1 : 0))
  return { deposit: marks("deposit"), transfer: marks("transfer") }
}

/** Marks the members of the drafts that `isMarked` accepts. */
const mark = ({ drafts, run: { ledger } }: Decision.Decision, isMarked: (draft: Draft) => boolean): Marks => {
  const marks = {
    deposit: new Uint8Array(ledger.deposits.entries.length),
    transfer: new Uint8Array(ledger.transfers.entries.length)
  }
  for (const draft of drafts) {
    if (isMarked(draft)) { for (const [side, index] of membersOf(draft)) marks[side][index] = 1 }
  }
  return marks
}

/** The ids that the policy's links name: their entries wait for each other, however far apart. */
const linkedIds = ({ links }: Options["policy"]) => ({
  deposit: new Set(links.flatMap(({ deposits }) => deposits)),
  transfer: new Set(links.flatMap(({ transfers }) => transfers))
})

export const make = (options: Options): Incremental => {
  const { policy, range } = options
  const linked = linkedIds(policy)
  const kept: Record<Entry.Side, Array<Entry.Entry>> = { deposit: [], transfer: [] }
  let told: Record<Entry.Side, Map<string, Told.Once>> = { deposit: new Map(), transfer: new Map() }
  let coverage: ReadonlyArray<Coverage.Coverage> = []
  const repeated = { deposit: 0, transfer: 0 }
  const unusable = { deposit: 0, transfer: 0 }
  const badOutcome = Asides.numbering()

  const isInside = ({ at }: Entry.Entry): boolean => range === undefined || (at >= range.from && at < range.to)

  const advance = (step: Step): ReadonlyArray<Outcome.Outcome> => {
    coverage = Coverage.merge([...coverage, ...step.coverage])
    const decision = Decision.decide({
      ...options,
      deposits: [...kept.deposit, ...step.deposits],
      transfers: [...kept.transfer, ...step.transfers],
      coverage,
      told
    })
    const { conflicts, drafts, run } = decision
    const { ledger } = run
    const bad = [...step.bad, ...decision.bad]
    for (const side of sides) {
      repeated[side] += decision.repeated[side]
      unusable[side] += bad.filter((record) => record.side === side).length
    }

    const { watermarks } = step
    const isOver = watermarks.deposit === Number.POSITIVE_INFINITY && watermarks.transfer === Number.POSITIVE_INFINITY
    const isDecided = Progress.make(decision, watermarks)
    const isLinked = ({ deposits, transfers }: Draft): boolean =>
      deposits.some((index) => linked.deposit.has(item(ledger.deposits.entries, index).id)) ||
      transfers.some((index) => linked.transfer.has(item(ledger.transfers.entries, index).id))
    tieOutcomes(decision, told)
    const held = mark(
      decision,
      (draft) => !isOver && (!isDecided(draft) || (draft.code !== "linked" && isLinked(draft)))
    )
    const undecided = spread(decision, (side, index) => held[side][index] === 1)
    const matched = mark(decision, ({ code }) => Finish.kindOf(code) === "matched")
    // Beside a gap a match is never final, and what it is compared with is not final either.
    const final = mark(decision, (draft) => Finish.isFinal(run, draft))
    const isUndecided = (side: Entry.Side, index: number): boolean => undecided[side][index] === 1
    const isNear = Nearness.make(ledger, isUndecided)
    const isInHorizon = Nearness.make(ledger, isUndecided, Progress.widest(decision))
    const needed = spread(decision, (side, index) => {
      if (isUndecided(side, index)) return true
      return (matched[side][index] === 0 && isNear(side, index)) ||
        (final[side][index] === 0 && isInHorizon(side, index))
    })

    const found: Array<Outcome.Outcome> = []
    const next: Record<Entry.Side, Map<string, Told.Once>> = { deposit: new Map(), transfer: new Map() }
    const idOf = ([side, index]: Member): string => item(ledger[`${side}s`].entries, index).id
    for (const draft of drafts) {
      const members = membersOf(draft)
      if (members.some(([side, index]) => undecided[side][index] === 1)) continue
      if (!members.some((member) => told[member[0]].has(idOf(member)))) {
        found.push(Asides.besideBad(unusable, Finish.finish(run, draft)))
      }
      const once: Told.Once = { code: draft.code, size: members.length }
      for (const member of members) {
        const [side, index] = member
        if (needed[side][index] === 1) next[side].set(idOf(member), told[side].get(idOf(member)) ?? once)
      }
    }
    const behind = Math.min(watermarks.deposit, watermarks.transfer)
    for (const side of sides) {
      const { entries } = ledger[`${side}s`]
      const keep = entries.filter((_, index) => needed[side][index] === 1)
      for (const { id } of keep) {
        const once = told[side].get(id)
        if (once !== undefined) next[side].set(id, once)
      }
      for (const versions of conflicts[side]) {
        const last = Math.max(...versions.map((version) => version.at))
        const isStill = !isOver && behind <= last + Progress.widest(decision)
        if (isStill) keep.push(...versions)
        else found.push(Asides.conflict(side, versions))
      }
      kept[side] = keep
    }
    told = next
    const inside = found.filter(({ deposits, transfers }) => deposits.some(isInside) || transfers.some(isInside))
    return Finish.sort([...inside, ...bad.map(badOutcome)])
  }

  return {
    advance,
    kept: () => kept.deposit.length + kept.transfer.length,
    counts: () => ({ repeated, bad: unusable.deposit + unusable.transfer })
  }
}
