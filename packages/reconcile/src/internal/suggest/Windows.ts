/** Transfers that come outside of the window: a wider one. */
import type * as Policy from "../../Policy.ts"
import * as Linked from "./Linked.ts"
import * as PerRule from "./PerRule.ts"
import { type Draft, FEWEST } from "./Shape.ts"

type Part = NonNullable<Policy.Policy["window"]>

const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1000]] as const

/** Writes a length as policies have it: `"3 hours"` where it comes out even, else ms. */
const written = (length: number): string | number => {
  const unit = UNITS.find(([, ms]) => length !== 0 && length % ms === 0)
  if (unit === undefined) return length
  const count = length / unit[1]
  return `${count} ${unit[0]}${count === 1 ? "" : "s"}`
}

const ends = {
  late: (links: ReadonlyArray<Linked.Link>) => {
    const after = Math.max(...links.map(Linked.lag))
    return { part: { after: written(after) }, fact: { code: "late", after } } as const
  },
  early: (links: ReadonlyArray<Linked.Link>) => {
    const before = Math.max(...links.map((link) => -Linked.lag(link)))
    return { part: { before: written(before) }, fact: { code: "early", before } } as const
  }
}

/** Rules for single assets where enough links are of one, and one for all assets where the rest is enough. */
export const drafts = (
  policy: Policy.Policy,
  links: ReadonlyArray<Linked.Link>,
  end: keyof typeof ends
): ReadonlyArray<Draft> => {
  const scopes = PerRule.scopes(policy, links)
  const single = scopes.flatMap(([scope, members]): ReadonlyArray<Draft> => {
    if (members.length < FEWEST) return []
    const { fact, part } = ends[end](members)
    const wider = ({ window }: { readonly window?: Part }) => ({ window: { ...window, ...part } })
    return [{
      shape: { ...fact, ...PerRule.named(scope) },
      line: { per: PerRule.changed(policy, scope, wider) },
      links: members
    }]
  })
  const rest = scopes.flatMap(([{ place }, members]) => place === undefined && members.length < FEWEST ? members : [])
  if (rest.length < FEWEST) return single
  const { fact, part } = ends[end](rest)
  return [...single, { shape: fact, line: { window: { ...policy.window, ...part } }, links: rest }]
}
