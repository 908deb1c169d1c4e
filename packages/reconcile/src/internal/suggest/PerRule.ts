/** The rule of a written policy under which a deposit falls, and the same rule with another part. */
import type * as Entry from "../../Entry.ts"
import type * as Policy from "../../Policy.ts"
import type { Link } from "./Linked.ts"

type Rule = NonNullable<Policy.Policy["per"]>[number]
type Part = Pick<Rule, "tolerance" | "window">

/** A rule of `per` by its place, or an asset that no rule names: one can be added for it. */
export interface Scope {
  readonly asset: string
  readonly network?: string
  readonly place?: number
}

const scopeOf = ({ per = [] }: Policy.Policy) => ({ asset, network }: Entry.Entry): Scope => {
  const place = per.findIndex((rule) =>
    rule.asset === asset && (rule.network === undefined || rule.network === network)
  )
  const rule = per[place]
  if (rule === undefined) return { asset }
  return rule.network === undefined ? { asset, place } : { asset, network: rule.network, place }
}

/** Gives the links by the rule of their deposit. */
export const scopes = (
  policy: Policy.Policy,
  links: ReadonlyArray<Link>
): ReadonlyArray<readonly [Scope, ReadonlyArray<Link>]> => {
  const found = scopeOf(policy)
  const keyOf = ({ deposit }: Link): string => JSON.stringify(found(deposit))
  return Array.from(Map.groupBy(links, keyOf).values()).flatMap((members) => {
    const [first] = members
    return first === undefined ? [] : [[found(first.deposit), members] as const]
  })
}

/** The asset of a scope, and its network where the rule names one. */
export const named = ({ asset, network }: Scope) => network === undefined ? { asset } : { asset, network }

/** Gives all rules of `per`, where the one of the scope has another part. */
export const changed = (
  { per = [] }: Policy.Policy,
  { asset, place }: Scope,
  change: (rule: Part) => Part
): ReadonlyArray<Rule> => {
  const rule = place === undefined ? undefined : per[place]
  return rule === undefined || place === undefined
    ? [...per, { asset, ...change({}) }]
    : per.with(place, { ...rule, ...change(rule) })
}
