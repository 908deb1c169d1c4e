/**
 * Splits assets into families: those whose entries the rules may compare with each other. Nothing that comes of one family changes
 * what is said of another.
 */
import * as Policy from "../../../Policy.ts"
import * as DisjointSets from "../../kernel/DisjointSets.ts"
import { stem } from "./LookAlike.ts"

export interface Family {
  /** The least name of the alias groups of its assets. */
  readonly name: string
  /** The names that its entries have, in ascending order. */
  readonly assets: ReadonlyArray<string>
  /** The number of its entries. */
  readonly entries: number
}

/** Assets that are of one family because an id joins their entries: a link, or several contents of one entry. */
export type Tie = ReadonlyArray<string>

/** How many entries there are of an asset. */
export interface Count {
  readonly asset: string
  readonly entries: number
}

/** Gives each name a number, in the order in which they are first asked for. */
const numbering = () => {
  const numbers = new Map<string, number>()
  const of = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size
    numbers.set(name, known)
    return known
  }
  return { numbers, of }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Returns the families of some assets by name, in any order of the input. Two assets are of one family if the policy calls them
 * equal, if they or any names that it calls equal to them look alike, or if a tie joins them, at once or through others.
 */
export const families = (
  counts: Iterable<Count>,
  policy: Pick<Policy.Resolved, "assets">,
  ties: Iterable<Tie> = []
): ReadonlyArray<Family> => {
  const groupOf = Policy.aliasOf(policy)
  const namesOf = Map.groupBy(policy.assets.aliases, ([first]) => first)
  const sizes = new Map<string, number>()
  for (const { asset, entries } of counts) sizes.set(asset, (sizes.get(asset) ?? 0) + entries)

  const stems = numbering()
  const joined: Array<readonly [number, number]> = []
  /** Returns one of the stems of an asset. Those of all names that it is called by are joined. */
  const stemOf = (asset: string): number => {
    const group = groupOf(asset)
    const own = stems.of(stem(asset))
    for (const name of namesOf.get(group)?.flat() ?? [group]) joined.push([own, stems.of(stem(name))])
    return own
  }
  const byAsset = Array.from(sizes, ([asset, entries]) => ({ asset, entries, stem: stemOf(asset) }))
  for (const tie of ties) {
    const [first, ...others] = tie.map(stemOf)
    for (const other of others) joined.push([first ?? other, other])
  }
  const sets = DisjointSets.make(stems.numbers.size)
  for (const [one, other] of joined) sets.join(one, other)

  return Array.from(Map.groupBy(byAsset, ({ stem }) => sets.find(stem)).values(), (members): Family => {
    const assets = members.map(({ asset }) => asset).toSorted(compare)
    return {
      name: assets.map(groupOf).toSorted(compare)[0] ?? "",
      assets,
      entries: members.reduce((sum, { entries }) => sum + entries, 0)
    }
  }).toSorted((one, other) => compare(one.name, other.name))
}
