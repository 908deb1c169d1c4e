/** The rule of a written policy under which a deposit falls, and the same rule with another part. */
import type * as Entry from "../../Entry.ts"
import type * as Policy from "../../Policy.ts"
import type { Link } from "./Linked.ts"

type Rule = NonNullable<Policy.Policy["per"]>[number]
type Part = Pick<Rule, "tolerance" | "window">

/** What a rule of `per` names. Where none names this, one can be added. */
export type Scope = Pick<Rule, "asset" | "network">

const scopeOf = ({ per = [] }: Policy.Policy) => ({ asset, network }: Entry.Entry): Scope => {
  const rule = per.find((rule) => rule.asset === asset && (rule.network === undefined || rule.network === network))
  return rule?.network === undefined ? { asset } : { asset, network: rule.network }
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

/** Gives all rules of `per`, where the one of the scope has another part. */
export const changed = (
  { per = [] }: Policy.Policy,
  { asset, network }: Scope,
  change: (rule: Part) => Part
): ReadonlyArray<Rule> => {
  const place = per.findIndex((rule) => rule.asset === asset && rule.network === network)
  const rule = per[place] ?? (network === undefined ? { asset } : { asset, network })
  const wanted = { ...rule, ...change(rule) }
  return place === -1 ? [...per, wanted] : per.with(place, wanted)
}
