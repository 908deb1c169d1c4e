/** Two names that are linked with each other again and again: one asset. */
import * as Policy from "../../Policy.ts"
import * as Resolved from "../policy/Resolved.ts"
import type { Link } from "./Linked.ts"
import { type Draft, groups } from "./Shape.ts"

export const drafts = (policy: Policy.Policy, links: ReadonlyArray<Link>): ReadonlyArray<Draft> => {
  const aliasOf = Policy.aliasOf(Resolved.resolve(policy))
  const known = policy.assets?.aliases ?? []
  const pairOf = ({ deposit, transfer }: Link): string =>
    JSON.stringify([aliasOf(deposit.asset), aliasOf(transfer.asset)].toSorted())
  return groups(links, pairOf).map(([, members]) => {
    const linked = members.flatMap(({ deposit, transfer }) => [deposit.asset, transfer.asset])
    const joined = known.filter((list) => list.some((name) => linked.includes(name)))
    const names = Array.from(new Set([...joined.flat(), ...linked]))
    return {
      shape: { code: "alias", names },
      line: { assets: { aliases: [...known.filter((list) => !joined.includes(list)), names] } },
      links: members
    }
  })
}
