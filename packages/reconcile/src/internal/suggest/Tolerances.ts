/** Amounts that differ by little: a tolerance. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "../../Policy.ts"
import * as Resolved from "../policy/Resolved.ts"
import * as Linked from "./Linked.ts"
import * as PerRule from "./PerRule.ts"
import { type Draft, FEWEST } from "./Shape.ts"

/** A difference of one part in so many of the deposit is little. */
const LITTLE = 100n

const most = (amounts: ReadonlyArray<string>): string =>
  amounts.reduce((one, other) => Amount.compare(one, other) < 0 ? other : one, "0")

/** Lets amounts of a rule differ by so much; where it allows more already, it goes on to. */
export const line = (policy: Policy.Policy, scope: PerRule.Scope, absolute: string): Policy.Policy => ({
  per: PerRule.changed(policy, scope, ({ tolerance }) => ({
    tolerance: { ...tolerance, absolute: most([absolute, tolerance?.absolute ?? "0"]) }
  }))
})

/** Widens the rules under which the links fall, where they do not allow them, and says by how much at most. */
export const widened = (policy: Policy.Policy, links: ReadonlyArray<Linked.Link>) => {
  const resolved = Resolved.resolve(policy)
  const residualOf = Linked.residual(resolved)
  const obstacles = Linked.obstacles(resolved)
  const refused = links.filter((link) => obstacles(link).includes("amount"))
  let wider: Policy.Policy = {}
  for (const [scope, members] of PerRule.scopes(policy, refused)) {
    wider = line({ ...policy, ...wider }, scope, most(members.map(residualOf)))
  }
  return { line: wider, absolute: most(refused.map(residualOf)) }
}

const isLittle = (residualOf: (link: Linked.Link) => string) => (link: Linked.Link): boolean => {
  const residual = residualOf(link)
  const scale = Math.max(Amount.scale(residual), Amount.scale(link.deposit.amount))
  return Amount.units(residual, scale) * LITTLE <= Amount.units(link.deposit.amount, scale)
}

export const drafts = (policy: Policy.Policy, links: ReadonlyArray<Linked.Link>): ReadonlyArray<Draft> => {
  const residualOf = Linked.residual(Resolved.resolve(policy))
  return PerRule.scopes(policy, links.filter(isLittle(residualOf))).flatMap(([scope, members]) => {
    const absolute = most(members.map(residualOf))
    return members.length < FEWEST ? [] : [{ shape: { code: "difference", ...scope, absolute }, links: members }]
  })
}
