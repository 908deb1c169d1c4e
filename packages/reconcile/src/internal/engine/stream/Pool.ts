/**
 * Decides entries that are compared in other ways than by equal amounts or references, or that may still change. It decides all
 * entries that it has together, and gives away each outcome that nothing to come can change. It keeps the other entries, and
 * those that they may be compared with.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Policy from "../../../Policy.ts"
import * as Lacking from "../../Lacking.ts"
import * as Steps from "../../Steps.ts"
import * as Decision from "../Decision.ts"
import * as FarCounterpart from "../evidence/FarCounterpart.ts"
import * as Finality from "../finality/Finality.ts"
import { at, item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Kind from "../ledger/Kind.ts"
import * as OpenPairs from "../ledger/OpenPairs.ts"
import type { PendingDeposits } from "../ledger/PendingDeposits.ts"
import type { Terms } from "../ledger/Terms.ts"
import * as TimeIndex from "../ledger/TimeIndex.ts"
import * as Asides from "../outcomes/Asides.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import type * as Unusable from "../outcomes/Unusable.ts"

interface Step {
  readonly entries: ReadonlyArray<Entry.Entry>
  /** Everything that is known so far about the time before the watermark. */
  readonly read: Finality.ReadScopes
  /** The time before which no entry is still to come, Unix ms; infinity if none is to come at all. */
  readonly watermark: number
  readonly unusable: Unusable.Unusable
}

interface Decided {
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  /** The entries that left. */
  readonly gone: ReadonlyArray<Entry.Entry>
}

export interface Pool {
  /** Takes the entries of a pair that was given away, although what was not read may change it. */
  readonly remember: (part: ReadonlyArray<Entry.Entry>) => void
  readonly decide: (step: Step) => Steps.Steps<Decided>
  readonly kept: () => number
  /** The number of entries that came again with the same content. */
  readonly repeated: () => Readonly<Record<Entry.Side, number>>
  /** Warnings about links that could not be followed. They are complete once everything has come. */
  readonly warnings: () => ReadonlyArray<string>
}

const sides = ["deposit", "transfer"] as const

type Of<A> = (side: Entry.Side, index: number) => A

/** How far entries may lie from each other, ms: a late counterpart, and one beyond lateness that is named all the same. */
interface Reaches {
  readonly horizon: number
  readonly far: number
}

/** Returns a reading that claims everything before the watermark was read. */
const passed = (terms: Terms, watermark: number): Finality.ReadScopes =>
  Finality.readScopes(
    terms,
    (["deposits", "transfers"] as const).map((operation) => ({
      operation,
      from: Number.MIN_SAFE_INTEGER,
      to: Math.min(watermark, Number.MAX_SAFE_INTEGER),
      readAt: 0,
      state: "complete"
    }))
  )

/**
 * Tells which outcomes nothing that is still to come can change. Unlike with `final`, a gap holds nothing up, because a stream
 * does not go back to read it.
 */
const decidedBy = (
  terms: Terms,
  { finality: known, ledger }: Decision.Decision["bench"],
  watermark: number,
  { horizon }: Reaches
): (draft: Draft) => boolean => {
  const verdict = known.under(passed(terms, watermark))
  return (draft) => {
    const { code, deposits, finality, transfers } = draft
    const isMatch = Kind.of(code) === "matched" && finality !== "horizon"
    // Beside a gap nothing is final, nor is anything that is compared with it, so the test looks farther then.
    const isFinal = known.isFinal(draft)
    const isDecided = (side: Entry.Side) => (index: number): boolean => {
      const { at: time, group } = ledger[`${side}s`]
      const reach = isFinal ? TimeIndex.reach(ledger, at(group, index)) : horizon
      return watermark > at(time, index) + reach &&
        (isMatch ? verdict.isAtRest(side, index) : verdict.isSettled(side, index))
    }
    return deposits.every(isDecided("deposit")) && transfers.every(isDecided("transfer"))
  }
}

/** Visits the entries of a draft. */
const eachMember = ({ deposits, transfers }: Draft, visit: (side: Entry.Side, index: number) => void): void => {
  for (const index of deposits) visit("deposit", index)
  for (const index of transfers) visit("transfer", index)
}

interface Kept {
  /** Whether the outcome of the entry may still change. */
  readonly isUndecided: Of<boolean>
  /** Whether the entry stays, because it is not decided or because others may still be compared with it. */
  readonly isNeeded: Of<boolean>
}

const keep = function*(
  { finality, ledger }: Decision.Decision["bench"],
  drafts: ReadonlyArray<Draft>,
  watermark: number,
  { far, horizon }: Reaches,
  isDecided: (draft: Draft) => boolean
): Steps.Steps<Kept> {
  yield* Steps.forEach(drafts, finality.lookAmong)
  // Returns the entries that are tied to those of some drafts.
  const tiedTo = function*(isOne: (draft: Draft) => boolean): Steps.Steps<Of<boolean>> {
    const roots = new Set<number>()
    yield* Steps.forEach(drafts, (draft) => {
      if (isOne(draft)) eachMember(draft, (side, index) => roots.add(finality.tied(side, index)))
    })
    return (side, index) => roots.has(finality.tied(side, index))
  }
  const isSome = (draft: Draft, is: Of<boolean>): boolean =>
    draft.deposits.some((index) => is("deposit", index)) || draft.transfers.some((index) => is("transfer", index))

  const mayChange = yield* tiedTo((draft) => !isDecided(draft))
  const isNearChange = TimeIndex.make(ledger, mayChange, "amountClass", far)
  /** Whether another missing entry may still come, or become one, that has to be named. */
  const mayBeNamed: Of<boolean> = (side, index) =>
    watermark <= at(ledger[`${side}s`].at, index) + far || isNearChange(side, index)
  const isUndecided = yield* tiedTo((draft) =>
    !isDecided(draft) || (Lacking.isMissing(draft.code) && isSome(draft, mayBeNamed))
  )
  // What is compared with an undecided entry in its window may itself be judged by what lies in its horizon.
  const isNear = TimeIndex.make(ledger, isUndecided, "group", 2 * horizon)
  const isFar = TimeIndex.make(ledger, isUndecided, "amountClass", far)
  const isCompared: Of<boolean> = (side, index) =>
    watermark <= at(ledger[`${side}s`].at, index) + horizon || isUndecided(side, index) || isNear(side, index)
  return {
    isUndecided,
    isNeeded: yield* tiedTo((draft) =>
      isSome(draft, isCompared) || (Lacking.isMissing(draft.code) && isSome(draft, isFar))
    )
  }
}

export const make = (terms: Terms, pendingDeposits: PendingDeposits, range?: Coverage.Interval): Pool => {
  const { policy } = terms
  const linked = {
    deposit: new Set(policy.links.flatMap(({ deposits }) => deposits)),
    transfer: new Set(policy.links.flatMap(({ transfers }) => transfers))
  }
  const reaches: Reaches = { horizon: Policy.horizon(policy), far: FarCounterpart.reach(policy) }
  let kept: Record<Entry.Side, ReadonlyArray<Entry.Entry>> = { deposit: [], transfer: [] }
  /** The entries among them whose outcome was given away. */
  let told: Record<Entry.Side, ReadonlySet<string>> = { deposit: new Set(), transfer: new Set() }
  const repeated = { deposit: 0, transfer: 0 }
  let warnings: ReadonlyArray<string> = []
  const openPairs = OpenPairs.make(terms)
  let isAnyOpen = false

  return {
    remember: (part) => {
      for (const entry of part) openPairs.add(entry)
      isAnyOpen = true
    },
    decide: function*({ entries, read, unusable, watermark }) {
      const decision = yield* Decision.decide({
        terms,
        deposits: [...kept.deposit, ...entries.filter(({ side }) => side === "deposit")],
        transfers: [...kept.transfer, ...entries.filter(({ side }) => side === "transfer")],
        openPairs: isAnyOpen ? openPairs : undefined,
        pendingDeposits,
        read
      })
      const { bench, conflicts } = decision
      const { ledger } = bench
      yield
      const drafts = FarCounterpart.named(bench, decision.drafts)
      warnings = decision.warnings
      for (const side of sides) repeated[side] += decision.repeated[side]
      const isOver = watermark === Number.POSITIVE_INFINITY
      const isLinked = ({ deposits, transfers }: Draft): boolean =>
        deposits.some((index) => linked.deposit.has(item(ledger.deposits.entries, index).id)) ||
        transfers.some((index) => linked.transfer.has(item(ledger.transfers.entries, index).id))
      const isPassed = decidedBy(terms, bench, watermark, reaches)
      yield
      const { isNeeded, isUndecided }: Kept = isOver
        ? { isNeeded: () => false, isUndecided: () => false }
        : yield* keep(
          bench,
          drafts,
          watermark,
          reaches,
          (draft) => isPassed(draft) && (draft.code === "linked" || !isLinked(draft))
        )

      const outcomes: Array<Outcome.Outcome> = []
      const gone: Array<Entry.Entry> = []
      const next = { deposit: new Array<Entry.Entry>(), transfer: new Array<Entry.Entry>() }
      const nextTold = { deposit: new Set<string>(), transfer: new Set<string>() }
      const isReported = Outcomes.isDrafted(bench, range)
      yield* Steps.forEach(drafts, (draft) => {
        let [isOpen, isNew] = [false, false]
        eachMember(draft, (side, index) => {
          isOpen ||= isUndecided(side, index)
          isNew ||= !told[side].has(item(ledger[`${side}s`].entries, index).id)
        })
        if (!isOpen && isNew && isReported(draft)) outcomes.push(Outcomes.finish(bench, draft, unusable))
        eachMember(draft, (side, index) => {
          const entry = item(ledger[`${side}s`].entries, index)
          if (!isNeeded(side, index)) {
            gone.push(entry)
            return
          }
          next[side].push(entry)
          if (!isOpen || told[side].has(entry.id)) nextTold[side].add(entry.id)
        })
      })
      for (const side of sides) {
        for (const versions of conflicts[side]) {
          const last = Math.max(...versions.map((version) => version.at))
          const isNear = next[side === "deposit" ? "transfer" : "deposit"].some((entry) =>
            versions.some((version) => Math.abs(entry.at - version.at) <= reaches.horizon)
          )
          if (watermark <= last + reaches.horizon || isNear) {
            for (const version of versions) next[side].push(version)
          } else {
            outcomes.push(Asides.conflict(side, versions))
            for (const version of versions) gone.push(version)
          }
        }
      }
      kept = next
      told = nextTold
      if (isAnyOpen) {
        const earliest = [...next.deposit, ...next.transfer].reduce((least, { at }) => Math.min(least, at), watermark)
        openPairs.forget(earliest - reaches.horizon)
      }
      return { outcomes, gone }
    },
    kept: () => kept.deposit.length + kept.transfer.length,
    repeated: () => repeated,
    warnings: () => warnings
  }
}
