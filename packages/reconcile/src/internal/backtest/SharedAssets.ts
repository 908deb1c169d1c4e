/** The names of assets for a comparison of two policies: names that either policy calls equal count as one asset. */
import type * as Outcome from "../../Outcome.ts"
import * as Policy from "../../Policy.ts"
import type * as InRange from "../InRange.ts"
import * as Totals from "../report/Totals.ts"

export interface SharedAssets {
  /** Returns the name under which an asset counts. */
  readonly nameOf: (asset: string) => string
  /** Returns the totals of the entries of a range, null or undefined for all. */
  readonly totals: (outcomes: ReadonlyArray<Outcome.Outcome>, range: InRange.Range) => ReadonlyArray<Totals.Total>
}

const least = (names: ReadonlyArray<string>): string | undefined =>
  names.reduce<string | undefined>((least, name) => (least === undefined || name < least ? name : least), undefined)

/** Joins the lists of aliases that share a name. The first name of a joined list is the least of their first names. */
const joined = (lists: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  let groups: ReadonlyArray<{ readonly heads: ReadonlyArray<string>; readonly names: ReadonlySet<string> }> = []
  for (const names of lists) {
    const touched = groups.filter((group) => names.some((name) => group.names.has(name)))
    groups = [
      ...groups.filter((group) => !touched.includes(group)),
      {
        heads: [...touched.flatMap(({ heads }) => heads), ...names.slice(0, 1)],
        names: new Set([...touched.flatMap((group) => Array.from(group.names)), ...names])
      }
    ]
  }
  return groups.map(({ heads, names }) => {
    const head = least(heads)
    return head === undefined ? [] : [head].concat(Array.from(names).filter((name) => name !== head))
  })
}

export const make = (policies: ReadonlyArray<Policy.Resolved>): SharedAssets => {
  const aliases = joined(policies.flatMap(({ assets }) => assets.aliases))
  return {
    nameOf: Policy.aliasOf({ assets: { aliases } }),
    totals: (outcomes, range) => {
      const collector = Totals.collector({ assets: { aliases } }, range)
      for (const outcome of outcomes) collector.add(outcome)
      return collector.sums()
    }
  }
}

const NONE = { count: 0, sum: "0" }
const EMPTY = { in: NONE, matched: NONE, open: NONE, pending: NONE, undetermined: NONE, setAside: NONE }
const NOTHING: Pick<Totals.Total, "deposits" | "transfers" | "net"> = {
  deposits: EMPTY,
  transfers: EMPTY,
  net: { total: "0", residual: "0", open: "0", pending: "0", undetermined: "0", setAside: "0" }
}

const sidesOf = (total: Totals.Total | undefined) => {
  const { deposits, net, transfers } = total ?? NOTHING
  return { deposits, transfers, net }
}

/** Puts both totals of each asset side by side, in the order of the names. */
export const join = (before: ReadonlyArray<Totals.Total>, after: ReadonlyArray<Totals.Total>) => {
  const byName = (totals: ReadonlyArray<Totals.Total>) => new Map(totals.map((total) => [total.asset, total] as const))
  const [old, next] = [byName(before), byName(after)]
  return Array.from(new Set([...old.keys(), ...next.keys()])).toSorted((a, b) => (a < b ? -1 : 1)).map((asset) => {
    const [was, is] = [old.get(asset), next.get(asset)]
    const assets = new Set([...was?.assets ?? [], ...is?.assets ?? []])
    return {
      asset,
      assets: Array.from(assets).toSorted((a, b) => (a < b ? -1 : 1)),
      before: sidesOf(was),
      after: sidesOf(is)
    }
  })
}
