/**
 * Sorts the undetermined outcomes by what they lack: records that were not read, or a status that the policy does not know. If
 * the gap is closed, all outcomes that wait for it are decided.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as OtherDays from "../../text/OtherDays.ts"
import { scopeOf } from "../../text/Scope.ts"
import * as Text from "../../text/Text.ts"
import type { Times } from "../../text/Times.ts"

const UNKNOWN_STATUS = "unknown-status" satisfies Outcome.Code

const UNATTRIBUTED = "unattributed" satisfies Coverage.Gap["code"]

export interface Gap {
  readonly missing: Coverage.Coverage | undefined
  /** The interval that its outcomes lack together, Unix ms. */
  from: number
  to: number
  readonly outcomes: Array<Outcome.Outcome>
}

/** Returns the same text for undetermined outcomes that lack the same. */
export const causeOf = (
  { code, explanation, missing }: Pick<Outcome.Outcome, "code" | "explanation" | "missing">
): string =>
  code === UNKNOWN_STATUS
    ? code
    : JSON.stringify(missing === undefined ? explanation : [missing.operation, missing.query, missing.gap])

/** Finds the gaps of the undetermined outcomes, in their order. */
export const of = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Gap> => {
  const known = new Map<string, Gap>()
  for (const outcome of outcomes) {
    if (outcome.outcome !== "undetermined") continue
    const key = causeOf(outcome)
    const { missing } = outcome
    const gap = known.get(key)
    if (gap === undefined) {
      known.set(key, { missing, from: missing?.from ?? 0, to: missing?.to ?? 0, outcomes: [outcome] })
      continue
    }
    gap.from = Math.min(gap.from, missing?.from ?? gap.from)
    gap.to = Math.max(gap.to, missing?.to ?? gap.to)
    gap.outcomes.push(outcome)
  }
  return Array.from(known.values())
}

type Range = Report.Summary["range"] | undefined

/** Says `2 items`, or `2 items and 1 of other days`: it counts outcomes, as the verdict does. */
const countedIn = (outcomes: ReadonlyArray<Outcome.Outcome>, range: Range): string => {
  const own = outcomes.filter(Report.isOfRange(range)).length
  const others = outcomes.length - own
  const counted = Text.counted(own, "item")
  return others === 0 ? counted : `${counted} and ${Text.count(others)} ${OtherDays.SEVERAL}`
}

/** Says `2 items waiting for transfers from … between … and …: …`, or the reason, where reading would not help. */
export const sentence = (
  { from, missing, outcomes, to }: Gap,
  times: Times,
  range: Range
): string => {
  const counted = countedIn(outcomes, range)
  const [first] = outcomes
  if (first?.code === UNKNOWN_STATUS) {
    return `${counted} waiting for a status that the policy does not know: add it to "statuses" of the policy`
  }
  if (missing?.gap?.code === UNATTRIBUTED) {
    return `${counted} waiting for an address book: the address is in none, and nobody vouches that the list of accounts is complete`
  }
  if (missing === undefined) return `${counted}: ${first?.explanation ?? ""}`
  const gap = `${scopeOf(missing)} between ${times.bound(from)} and ${times.bound(to)}`
  return `${counted} waiting for ${gap}: ${missing.gap?.detail ?? "not read"}`
}
