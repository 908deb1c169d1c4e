/** Finds the flows of a policy by their ends, so that a lookup does not depend on the number of flows. */
import type * as Policy from "../../../Policy.ts"
import { item } from "./Column.ts"

/** The one name of the master account inside the engine. No account can have it. */
export const MASTER = "\u0000master"

/** Stands for any account but the master account. No account can have it as a name. */
export const ANY = "\u0000any"

export type Flow = Policy.Resolved["flows"][number]

export interface FlowIndex {
  /** Returns the flows between exactly these ends. Each end is the name of an account, `MASTER` or `ANY`. */
  readonly between: (from: string, to: string) => ReadonlyArray<Flow>
  /** Returns the flows whose transfers may concern the account, in their order. */
  readonly concerning: (account: string) => ReadonlyArray<Flow>
  /** Whether a flow names this end. */
  readonly names: (end: string) => boolean
}

const grouped = <Key, A>(items: Iterable<readonly [Key, A]>): ReadonlyMap<Key, ReadonlyArray<A>> => {
  const groups = new Map<Key, Array<A>>()
  for (const [key, item] of items) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Makes the index. `canonical` gives the one name of an account. */
export const make = (flows: ReadonlyArray<Flow>, canonical: (name: string) => string): FlowIndex => {
  const end = (name: string): string => name === "*" ? ANY : name === "master" ? MASTER : canonical(name)
  const ends = flows.map(({ from, to }) => ({ from: end(from), to: end(to) }))
  const key = (from: string, to: string): string => JSON.stringify([from, to])
  const byRoute = grouped(flows.map((flow, index) => {
    const { from, to } = item(ends, index)
    return [key(from, to), flow] as const
  }))
  // A transfer concerns the account that it leaves. A transfer that leaves the master account concerns the account that it
  // reaches.
  const byAccount = grouped(ends.map(({ from, to }, index) => [from === MASTER ? to : from, index] as const))
  const named = new Set(ends.flatMap(({ from, to }) => [from, to]))
  return {
    between: (from, to) => byRoute.get(key(from, to)) ?? [],
    concerning: (account) =>
      [...(byAccount.get(account) ?? []), ...(byAccount.get(ANY) ?? [])]
        .toSorted((one, other) => one - other)
        .map((index) => item(flows, index)),
    names: (end) => named.has(end)
  }
}
