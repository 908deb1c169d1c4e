/** Names the entries of outcomes, so that a comparison finds each of them in both lists. */
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"

/** An entry, or a record that could not be read, and the outcome that holds it. */
export interface Member {
  readonly side: Entry.Side
  /** Absent for a record that could not be read. */
  readonly entry: Entry.Entry | undefined
  /** The position of its outcome in the list. */
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

/** Returns the members by a key that is the same in both lists. Members with the same name are numbered in their order. */
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

/** Returns for each outcome the keys of its members as one text, in a fixed order. */
export const texts = (members: ReadonlyMap<string, Member>, outcomes: number): ReadonlyArray<string> => {
  const lists = Array.from({ length: outcomes }, (): Array<string> => [])
  for (const [key, { outcome }] of members) lists[outcome]?.push(key)
  return lists.map((keys) => keys.toSorted((a, b) => (a < b ? -1 : 1)).join("\n"))
}
