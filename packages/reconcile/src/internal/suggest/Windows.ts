/** Transfers that come outside of the window: a wider one. */
import type * as Policy from "../../Policy.ts"
import * as Linked from "./Linked.ts"
import * as PerRule from "./PerRule.ts"
import { type Draft, FEWEST } from "./Shape.ts"

type Part = NonNullable<Policy.Policy["window"]>

const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1000]] as const

/** Writes a length as policies have it: `"3 hours"` where it comes out even, else ms. */
export const written = (length: number): string | number => {
  const unit = UNITS.find(([, ms]) => length !== 0 && length % ms === 0)
  if (unit === undefined) return length
  const count = length / unit[1]
  return `${count} ${unit[0]}${count === 1 ? "" : "s"}`
}

/** Lets transfers come so long behind or before their deposits: those under one rule, or without a scope all. */
export const line = (policy: Policy.Policy, part: Part, scope: PerRule.Scope | undefined): Policy.Policy => {
  const wider = ({ window }: { readonly window?: Part }) => ({ window: { ...window, ...part } })
  return scope === undefined ? wider(policy) : { per: PerRule.changed(policy, scope, wider) }
}

const ends = {
  late: (links: ReadonlyArray<Linked.Link>) => ({ code: "late", after: Math.max(...links.map(Linked.lag)) } as const),
  early: (links: ReadonlyArray<Linked.Link>) =>
    ({ code: "early", before: Math.max(...links.map((link) => -Linked.lag(link))) }) as const
}

/** Finds rules for single assets where enough links are of one, and one for all assets where the rest is enough. */
export const drafts = (
  policy: Policy.Policy,
  links: ReadonlyArray<Linked.Link>,
  end: keyof typeof ends
): ReadonlyArray<Draft> => {
  const scopes = PerRule.scopes(policy, links)
  const single = scopes.flatMap(([scope, members]): ReadonlyArray<Draft> =>
    members.length < FEWEST ? [] : [{ shape: { ...ends[end](members), ...scope }, links: members }]
  )
  const rest = scopes.flatMap(([, members]) => members.length < FEWEST ? members : [])
  return rest.length < FEWEST ? single : [...single, { shape: ends[end](rest), links: rest }]
}
