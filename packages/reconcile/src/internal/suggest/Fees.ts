/** Transfers that are less than their deposits by one amount, or by one share: a fee. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "../../Policy.ts"
import type { Link } from "./Linked.ts"
import { type Draft, FEWEST, groups } from "./Shape.ts"
import * as Shares from "./Shares.ts"
import * as Tolerances from "./Tolerances.ts"

type Fee = NonNullable<Policy.Policy["fees"]>[number]

/** Adds a fee of an asset. The first of its own would take the place of those that name no asset: they stay with it. */
const added = ({ fees = [] }: Policy.Policy, asset: string, fee: Pick<Fee, "flat" | "rate">): Policy.Policy => {
  const isFirst = fees.every((one) => one.asset !== asset)
  const general = fees.filter((one) => isFirst && one.asset === undefined)
  return { fees: [...fees, ...general.map((one) => Object.assign({}, one, { asset })), { asset, ...fee }] }
}

/** What the transfer is less than the deposit; nothing where it is not. */
const missing = ({ deposit, transfer }: Link): string | undefined => {
  const scale = Math.max(Amount.scale(deposit.amount), Amount.scale(transfer.amount))
  const units = Amount.units(deposit.amount, scale) - Amount.units(transfer.amount, scale)
  return units > 0n ? Amount.format(units, scale) : undefined
}

const ofAsset = (policy: Policy.Policy, asset: string, links: ReadonlyArray<Link>): ReadonlyArray<Draft> => {
  const flat = groups(links, missing).flatMap(([flat, members]): ReadonlyArray<Draft> =>
    flat === undefined
      ? []
      : [{ shape: { code: "fee", asset, flat }, line: added(policy, asset, { flat }), links: members }]
  )
  const taken = new Set(flat.flatMap(({ links }) => links))
  const shares = Shares.find(links.filter((link) => !taken.has(link))).map(({ links, rate }): Draft => {
    const line = added(policy, asset, { rate })
    const rounded = Tolerances.widened({ ...policy, ...line }, links)
    return {
      shape: { code: "share", asset, rate, rounding: rounded.absolute },
      line: { ...line, ...rounded.line },
      links
    }
  })
  return [...flat, ...shares]
}

export const drafts = (policy: Policy.Policy, links: ReadonlyArray<Link>): ReadonlyArray<Draft> =>
  Array.from(Map.groupBy(links, ({ deposit }) => deposit.asset))
    .flatMap(([asset, members]) => members.length < FEWEST ? [] : ofAsset(policy, asset, members))
