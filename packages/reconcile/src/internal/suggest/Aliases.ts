/** Two names that are linked with each other again and again: one asset. */
import * as Policy from "../../Policy.ts"
import * as Resolved from "../policy/Resolved.ts"
import type { Link } from "./Linked.ts"
import { type Draft, groups } from "./Shape.ts"

/** Gives the lists of names that have one of these in common with them. */
const joined = ({ assets }: Policy.Policy, names: ReadonlyArray<string>) =>
  (assets?.aliases ?? []).filter((list) => list.some((name) => names.includes(name)))

const all = (policy: Policy.Policy, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set([...joined(policy, names).flat(), ...names]))

/** Makes names one asset, with all that they are one asset with already. */
export const line = (policy: Policy.Policy, names: ReadonlyArray<string>): Policy.Policy => {
  const taken = joined(policy, names)
  const others = (policy.assets?.aliases ?? []).filter((list) => !taken.includes(list))
  return { assets: { aliases: [...others, all(policy, names)] } }
}

export const drafts = (policy: Policy.Policy, links: ReadonlyArray<Link>): ReadonlyArray<Draft> => {
  const aliasOf = Policy.aliasOf(Resolved.resolve(policy))
  const pairOf = ({ deposit, transfer }: Link): string =>
    JSON.stringify([aliasOf(deposit.asset), aliasOf(transfer.asset)].toSorted())
  return groups(links, pairOf).map(([, members]) => {
    const names = members.flatMap(({ deposit, transfer }) => [deposit.asset, transfer.asset])
    return { shape: { code: "alias", names: all(policy, names) }, links: members }
  })
}
