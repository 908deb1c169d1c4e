/**
 * Decides entries that come in order of time, in steps of any size. It gives each outcome away as soon as nothing that is
 * still to come can change it, and keeps no entry longer than others need it.
 *
 * Every step decides all kept entries together with the new ones. A told outcome does not change, and its entries are kept as
 * long as an undecided one may be compared with them.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Policy from "../../../Policy.ts"
import * as Decision from "../Decision.ts"
import { item, lowerBound } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import type * as Told from "../ledger/Told.ts"
import * as Asides from "../outcomes/Asides.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import * as Keeping from "./Keeping.ts"
import * as Progress from "./Progress.ts"
import * as Withheld from "./Withheld.ts"

export type Options = Pick<Decision.Question, "policy" | "accounts" | "addresses">

/** The entries and coverage that came since the last step. */
interface Step {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** Everything that is known so far about the time before the watermark. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** The time before which no entry is still to come, Unix ms. */
  readonly watermark: number
  /** Whether no entry at all is still to come. */
  readonly ended: boolean
}

export interface Incremental {
  /** Takes a step, and returns the outcomes that it decides, in no order. */
  readonly advance: (step: Step) => ReadonlyArray<Outcome.Outcome>
  /** Returns the number of entries that are kept. */
  readonly kept: () => number
  /** Counts the entries that came again with the same content, and the records that could not be used. */
  readonly counts: () => { readonly repeated: Readonly<Record<Entry.Side, number>>; readonly bad: number }
}

const sides = ["deposit", "transfer"] as const

/** Lists the ids that the policy's links name. Their entries wait for each other, however far apart they are. */
const linkedIds = ({ links }: Options["policy"]) => ({
  deposit: new Set(links.flatMap(({ deposits }) => deposits)),
  transfer: new Set(links.flatMap(({ transfers }) => transfers))
})

/**
 * Whether an undecided entry may be compared with an entry that is not in the ledger. The times are sorted when first asked
 * for.
 */
const nearUndecided = (
  { bench: { ledger } }: Decision.Decision,
  undecided: Keeping.Keeping["undecided"],
  horizon: number
): (entry: Entry.Entry) => boolean => {
  let times: Float64Array | undefined
  return ({ at }) => {
    times ??= Float64Array.from(
      sides.flatMap((side) => ledger[`${side}s`].entries.filter((_, index) => undecided[side][index] === 1)),
      (entry) => entry.at
    ).toSorted()
    return lowerBound(times, at - horizon) < lowerBound(times, at + horizon + 1)
  }
}

export const make = (options: Options): Incremental => {
  const { policy } = options
  const linked = linkedIds(policy)
  const horizon = Policy.horizon(policy)
  const kept: Record<Entry.Side, Array<Entry.Entry>> = { deposit: [], transfer: [] }
  let told: Record<Entry.Side, Map<string, Told.Once>> = { deposit: new Map(), transfer: new Map() }
  const repeated = { deposit: 0, transfer: 0 }
  const unusable = { deposit: 0, transfer: 0 }
  const badOutcome = Asides.numbering()
  const withheld = Withheld.make(options)

  const advance = (step: Step): ReadonlyArray<Outcome.Outcome> => {
    const { bad, coverage, ended } = step
    const watermark = ended ? Number.POSITIVE_INFINITY : step.watermark
    const decision = Decision.decide({
      ...options,
      deposits: [...kept.deposit, ...step.deposits],
      transfers: [...kept.transfer, ...step.transfers],
      coverage,
      told
    })
    const { conflicts, drafts, bench } = decision
    const { ledger } = bench
    for (const side of sides) {
      repeated[side] += decision.repeated[side]
      unusable[side] += bad.filter((record) => record.side === side).length
    }

    const isDecided = Progress.make(decision, watermark)
    const isLinked = ({ deposits, transfers }: Draft): boolean =>
      deposits.some((index) => linked.deposit.has(item(ledger.deposits.entries, index).id)) ||
      transfers.some((index) => linked.transfer.has(item(ledger.transfers.entries, index).id))
    const { needed, undecided } = Keeping.make(
      decision,
      told,
      watermark,
      (draft) => !ended && (!isDecided(draft) || (draft.code !== "linked" && isLinked(draft)))
    )

    const isUntold = (side: Entry.Side) => ({ id }: Entry.Entry, index: number): boolean =>
      undecided[side][index] === 1 && !told[side].has(id)
    const untold = {
      deposit: ledger.deposits.entries.filter(isUntold("deposit")),
      transfer: ledger.transfers.entries.filter(isUntold("transfer"))
    }
    const isNearUndecided = nearUndecided(decision, undecided, horizon)
    const found: Array<Outcome.Outcome> = []
    const next: Record<Entry.Side, Map<string, Told.Once>> = { deposit: new Map(), transfer: new Map() }
    const idOf = ([side, index]: Keeping.Member): string => item(ledger[`${side}s`].entries, index).id
    for (const draft of drafts) {
      const members = Keeping.membersOf(draft)
      if (members.some(([side, index]) => undecided[side][index] === 1)) continue
      if (!members.some((member) => told[member[0]].has(idOf(member)))) {
        found.push(Outcomes.finish(bench, draft, unusable))
      }
      const once: Told.Once = { code: draft.code, size: members.length }
      for (const member of members) {
        const [side, index] = member
        if (needed[side][index] === 1) next[side].set(idOf(member), told[side].get(idOf(member)) ?? once)
      }
    }
    for (const side of sides) {
      const { entries } = ledger[`${side}s`]
      const keep = entries.filter((_, index) => needed[side][index] === 1)
      for (const { id } of keep) {
        const once = told[side].get(id)
        if (once !== undefined) next[side].set(id, once)
      }
      for (const versions of conflicts[side]) {
        const last = Math.max(...versions.map((version) => version.at))
        if (watermark <= last + horizon || versions.some(isNearUndecided)) keep.push(...versions)
        else found.push(Asides.conflict(side, versions))
      }
      kept[side] = keep
    }
    told = next
    return [...withheld.pass({ decided: found, undecided: untold, watermark }), ...bad.map(badOutcome)]
  }

  return {
    advance,
    kept: () => kept.deposit.length + kept.transfer.length + withheld.kept(),
    counts: () => ({ repeated, bad: unusable.deposit + unusable.transfer })
  }
}
