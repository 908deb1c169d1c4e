/** Gathers outcomes that must be looked at together, because they share entries. The most important come first. */
import * as Outcome from "../../Outcome.ts"
import type { DisjointSets } from "../kernel/DisjointSets.ts"
import * as Kind from "./Kind.ts"

export interface Change {
  readonly kind: Kind.Kind
  readonly before: ReadonlyArray<Outcome.Outcome>
  readonly after: ReadonlyArray<Outcome.Outcome>
}

interface Growing {
  weight: number
  readonly before: Array<Outcome.Outcome>
  readonly after: Array<Outcome.Outcome>
}

const earliest = (outcomes: ReadonlyArray<Outcome.Outcome>): number =>
  outcomes.reduce((least, outcome) => Math.min(least, Outcome.earliest(outcome)), Number.MAX_SAFE_INTEGER)

const leastId = (outcomes: ReadonlyArray<Outcome.Outcome>): string =>
  outcomes.reduce((least, { id }) => (least === "" || id < least ? id : least), "")

/**
 * Gathers the changes, in the order of weight, then of time. `sets` and `weights` number the outcomes: first those before,
 * then those after. An outcome without a weight does not change. A change has the weight of the lightest of its outcomes.
 */
export const gather = (
  before: ReadonlyArray<Outcome.Outcome>,
  after: ReadonlyArray<Outcome.Outcome>,
  sets: DisjointSets,
  weights: ReadonlyMap<number, number>
): ReadonlyArray<Change> => {
  const changes = new Map<number, Growing>()
  const add = (place: number, outcome: Outcome.Outcome, list: "before" | "after"): void => {
    const weight = weights.get(place)
    if (weight === undefined) return
    const root = sets.find(place)
    const change = changes.get(root) ?? { weight, before: [], after: [] }
    change.weight = Math.min(change.weight, weight)
    change[list].push(outcome)
    changes.set(root, change)
  }
  before.forEach((outcome, index) => add(index, outcome, "before"))
  after.forEach((outcome, index) => add(before.length + index, outcome, "after"))
  return Array.from(changes.values())
    .map(({ after, before, weight }) => {
      const all = [...before, ...after]
      return { weight, at: earliest(all), id: leastId(all), change: { kind: Kind.ofWeight(weight), before, after } }
    })
    .toSorted((a, b) => a.weight - b.weight || a.at - b.at || (a.id < b.id ? -1 : 1))
    .map(({ change }) => change)
}
