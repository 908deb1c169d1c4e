/** Finds the entries that change between two lists of outcomes, and the outcomes that must be looked at together. */
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import * as DisjointSets from "../kernel/DisjointSets.ts"
import * as Changes from "./Changes.ts"
import * as Kind from "./Kind.ts"
import * as Members from "./Members.ts"

/** An entry that changes. A code is null where the entry has no outcome. */
export interface Changed {
  readonly side: Entry.Side
  readonly entry: Entry.Entry | undefined
  readonly kind: Kind.Kind
  readonly before: Outcome.Code | null
  readonly after: Outcome.Code | null
}

interface Found {
  readonly changed: ReadonlyArray<Changed>
  readonly same: number
  readonly changes: ReadonlyArray<Changes.Change>
}

interface Table {
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly members: ReadonlyMap<string, Members.Member>
  readonly texts: ReadonlyArray<string>
}

const tableOf = (outcomes: ReadonlyArray<Outcome.Outcome>): Table => {
  const members = Members.of(outcomes)
  return { outcomes, members, texts: Members.texts(members, outcomes.length) }
}

/** Returns what differs between the two outcomes of one entry, or `undefined` where they say the same. */
const difference = (
  [before, after]: readonly [Outcome.Outcome | undefined, Outcome.Outcome | undefined],
  hasSameMembers: boolean
): Kind.Kind | undefined => {
  if (before?.code !== after?.code) return "code"
  if (!hasSameMembers) return "partners"
  if (before?.residual !== after?.residual || before?.matchedCount !== after?.matchedCount) return "figures"
  return before?.accepted?.decision === after?.accepted?.decision ? undefined : "accepted"
}

/** Compares two lists of outcomes. Outcomes that change and share an entry, directly or through others, are one change. */
export const find = (before: ReadonlyArray<Outcome.Outcome>, after: ReadonlyArray<Outcome.Outcome>): Found => {
  const [old, next] = [tableOf(before), tableOf(after)]
  const sets = DisjointSets.make(before.length + after.length)
  const weights = new Map<number, number>()
  const changed: Array<Changed> = []
  let same = 0
  const note = (place: number, weight: number): void => {
    weights.set(place, Math.min(weight, weights.get(place) ?? weight))
  }
  for (const key of new Set([...old.members.keys(), ...next.members.keys()])) {
    const [was, is] = [old.members.get(key), next.members.get(key)]
    const member = was ?? is
    if (member === undefined) continue
    const pair = [
      was === undefined ? undefined : before[was.outcome],
      is === undefined ? undefined : after[is.outcome]
    ] as const
    const kind = difference(
      pair,
      was !== undefined && is !== undefined && old.texts[was.outcome] === next.texts[is.outcome]
    )
    if (kind === undefined) {
      same++
      continue
    }
    const { entry, side } = member
    changed.push({ side, entry, kind, before: pair[0]?.code ?? null, after: pair[1]?.code ?? null })
    const weight = Kind.weight(kind, pair[0]?.outcome === "matched")
    if (was !== undefined) note(was.outcome, weight)
    if (is !== undefined) note(before.length + is.outcome, weight)
    if (was !== undefined && is !== undefined) sets.join(was.outcome, before.length + is.outcome)
  }
  return { changed, same, changes: Changes.gather(before, after, sets, weights) }
}
