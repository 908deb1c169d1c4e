/**
 * Decides which groups of a component stand. A group stands when none of its entries is in another group that could be
 * accepted. Groups that share an entry contest each other, and none of them stands, however much better one of them looks.
 *
 * A group that stands takes its entries away from the candidates of other targets, and may leave these with only one set. So
 * they are asked again, until no further group stands. Contested entries stay contested: a later group does not get an entry
 * that an earlier one was refused. The rounds end, because every round but the last settles a target for good. The order of the
 * targets does not matter, because a round asks all of them before it decides any.
 */

/**
 * A target and its candidates. Entries are numbered over both sides, because the target of one group may be a member of
 * another.
 */
export interface Target {
  readonly entry: number
  readonly candidates: Int32Array
}

export interface Group {
  readonly target: number
  readonly members: Int32Array
}

export interface Decision {
  /** Both lists are in the order in which the targets were given. */
  readonly standing: ReadonlyArray<Group>
  readonly contested: ReadonlyArray<Group>
}

/** Proposes the group of a target among the candidates that are open. It gives the same answer to the same question. */
export type Propose = (target: number, candidates: Int32Array) => Int32Array | undefined

export const decide = (targets: ReadonlyArray<Target>, propose: Propose): Decision => {
  /** The number of proposed groups that hold an entry, over all rounds. */
  const uses = new Map<number, number>()
  const taken = new Set<number>()
  const standing = new Map<number, Group>()
  const contested = new Map<number, Group>()
  let asked = targets

  while (asked.length > 0) {
    const groups: Array<Group> = []
    for (const { candidates, entry } of asked) {
      const members = propose(entry, candidates)
      if (members !== undefined) groups.push({ target: entry, members })
    }
    for (const group of groups) {
      for (const entry of entriesOf(group)) uses.set(entry, (uses.get(entry) ?? 0) + 1)
    }
    const stands = new Set<number>()
    for (const group of groups) {
      const isContested = entriesOf(group).some((entry) => uses.get(entry) !== 1)
      if (isContested) contested.set(group.target, group)
      else {
        standing.set(group.target, group)
        for (const entry of entriesOf(group)) stands.add(entry)
      }
    }
    if (stands.size === 0) break
    for (const entry of stands) taken.add(entry)
    asked = targets.flatMap((target) => {
      if (taken.has(target.entry) || contested.has(target.entry)) return []
      if (!target.candidates.some((entry) => stands.has(entry))) return []
      return [{ entry: target.entry, candidates: target.candidates.filter((entry) => !taken.has(entry)) }]
    })
  }
  const listed = (groups: ReadonlyMap<number, Group>): ReadonlyArray<Group> =>
    targets.flatMap(({ entry }) => groups.get(entry) ?? [])
  return { standing: listed(standing), contested: listed(contested) }
}

const entriesOf = ({ members, target }: Group): ReadonlyArray<number> => [target, ...members]
