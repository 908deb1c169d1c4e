/** Holds what people accepted against the outcomes of one run: which of it is still as it was, and which is not. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Decision from "../../Decision.ts"
import * as Contradictions from "./Contradictions.ts"
import * as Facts from "./Facts.ts"
import * as Overlay from "./Overlay.ts"
import * as Subjects from "./Subjects.ts"

interface Accepting {
  /** Tells who accepted an outcome. It is asked of each outcome of the run. */
  readonly accepted: (outcome: Outcome.Outcome) => Outcome.Accepted | undefined
  /** Tells, after all outcomes, how many decisions were followed. */
  readonly applied: () => number
  /** Tells, after all outcomes, which decisions were not followed. */
  readonly faults: () => ReadonlyArray<Overlay.Fault>
}

const isIn = ({ from, to }: Coverage.Interval) => ({ at }: Decision.Accepted): boolean => at >= from && at < to

/** Who accepted it, and why; for the time being, as long as what was not final then is not final. */
const told = (acceptance: Decision.Acceptance, { final }: Outcome.Outcome): Outcome.Accepted => {
  const { number, provisional, reason, words } = acceptance
  return {
    decision: number,
    by: Overlay.author(acceptance),
    reason,
    words,
    ...(provisional === true && !final ? { provisional } : {})
  }
}

/** `range` is what the run judges, Unix ms: it tells of each entry in it. */
export const make = (acceptances: ReadonlyArray<Decision.Acceptance>, range: Coverage.Interval): Accepting => {
  const byEntry = new Map<string, ReadonlyArray<Decision.Acceptance>>()
  for (const acceptance of acceptances) {
    for (const entry of acceptance.entries) {
      const key = Subjects.keyOf(entry)
      byEntry.set(key, [...byEntry.get(key) ?? [], acceptance])
    }
  }
  const met = new Set<Decision.Acceptance>()
  const changed = new Map<Decision.Acceptance, NonNullable<ReturnType<typeof Facts.difference>>>()

  const accepted = (outcome: Outcome.Outcome): Outcome.Accepted | undefined => {
    if (byEntry.size === 0) return undefined
    const members = [...outcome.deposits, ...outcome.transfers]
    const found = new Set(members.flatMap((entry) => byEntry.get(Subjects.keyOf(entry)) ?? []))
    if (found.size === 0) return undefined
    const is = Facts.of(outcome)
    for (const acceptance of found) {
      const difference = Facts.difference(acceptance, is)
      if (difference === undefined) {
        met.add(acceptance)
        return told(acceptance, outcome)
      }
      if (!changed.has(acceptance)) changed.set(acceptance, difference)
    }
    return undefined
  }

  const fault = (acceptance: Decision.Acceptance): ReadonlyArray<Overlay.Fault> => {
    if (met.has(acceptance)) return []
    const difference = changed.get(acceptance)
    // Of an outcome of other days alone this run need not tell.
    if (difference === undefined && !acceptance.entries.some(isIn(range))) return []
    const { number } = acceptance
    const named = [
      ...Contradictions.few(acceptance.entries),
      ...difference?.entry === undefined ? [] : [difference.entry]
    ]
    const text = `Decision ${number} ${Contradictions.says(acceptance)}, and is not followed: ${
      difference?.text ?? "no outcome tells of it any more"
    }.`
    return [{ decision: number, of: "decision", text, entries: named.map(({ id, side }) => ({ side, id })) }]
  }

  return {
    accepted,
    applied: () => met.size,
    faults: () => acceptances.flatMap(fault)
  }
}
