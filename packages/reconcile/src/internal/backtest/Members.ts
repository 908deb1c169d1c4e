/** The entries of outcomes, found again on the other side of a comparison. */
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"

/** An entry, or a record that could not be read as one, in the outcome that holds it. */
export interface Member {
  readonly side: Entry.Side
  /** Absent for a record that could not be read. */
  readonly entry: Entry.Entry | undefined
  /** The place of its outcome in the list. */
  readonly outcome: number
}

const namesOf = (
  outcome: Outcome.Outcome
): ReadonlyArray<readonly [name: string, entry: Entry.Entry | undefined, side: Entry.Side]> => [
  ...[...outcome.deposits, ...outcome.transfers].map((entry) =>
    [JSON.stringify([entry.side, entry.id]), entry, entry.side] as const
  ),
  ...(outcome.bad === undefined
    ? []
    : [
      [
        JSON.stringify([outcome.bad.side, outcome.bad.source, outcome.bad.path, outcome.bad.raw]),
        undefined,
        outcome.bad.side
      ] as const
    ])
]

/** By a key that is the same in both lists; what carries one name several times is numbered in its order. */
export const of = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>()
  const ordinals = new Map<string, number>()
  outcomes.forEach((one, outcome) => {
    for (const [name, entry, side] of namesOf(one)) {
      const ordinal = ordinals.get(name) ?? 0
      ordinals.set(name, ordinal + 1)
      members.set(`${name} ${ordinal}`, { side, entry, outcome })
    }
  })
  return members
}

/** For each outcome, its members in a fixed order, as one text. */
export const texts = (members: ReadonlyMap<string, Member>, outcomes: number): ReadonlyArray<string> => {
  const lists = Array.from({ length: outcomes }, (): Array<string> => [])
  for (const [key, { outcome }] of members) lists[outcome]?.push(key)
  return lists.map((keys) => keys.toSorted((a, b) => (a < b ? -1 : 1)).join("\n"))
}
