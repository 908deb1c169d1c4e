/** Transfers that are less than their deposits by one amount, or by one share: a fee. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "../../Policy.ts"
import type { Link } from "./Linked.ts"
import { type Draft, FEWEST, groups } from "./Shape.ts"
import * as Shares from "./Shares.ts"
import * as Tolerances from "./Tolerances.ts"

type Fee = NonNullable<Policy.Policy["fees"]>[number]

/** Adds a fee of an asset. The first of its own would take the place of those that name no asset: they stay with it. */
export const line = ({ fees = [] }: Policy.Policy, asset: string, fee: Pick<Fee, "flat" | "rate">): Policy.Policy => {
  const isFirst = fees.every((one) => one.asset !== asset)
  const general = fees.filter((one) => isFirst && one.asset === undefined)
  return { fees: [...fees, ...general.map((one) => Object.assign({}, one, { asset })), { asset, ...fee }] }
}

/** Adds a share of an asset, and a tolerance for what of its links was rounded. */
export const shareLine = (
  policy: Policy.Policy,
  { asset, rate }: { readonly asset: string; readonly rate: string },
  links: ReadonlyArray<Link>
) => {
  const fees = line(policy, asset, { rate })
  const { absolute, line: tolerances } = Tolerances.widened({ ...policy, ...fees }, links)
  return { absolute, line: { ...fees, ...tolerances } }
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
      : [{ shape: { code: "fee", asset, flat }, links: members }]
  )
  const taken = new Set(flat.flatMap(({ links }) => links))
  // How a share was rounded is told by the digits of the transfers: those of others would hide it.
  const less = links.filter((link) => !taken.has(link) && missing(link) !== undefined)
  const shares = Shares.find(less).map(({ links, rate }): Draft => {
    const { absolute } = shareLine(policy, { asset, rate }, links)
    return { shape: { code: "share", asset, rate, rounding: absolute }, links }
  })
  return [...flat, ...shares]
}

export const drafts = (policy: Policy.Policy, links: ReadonlyArray<Link>): ReadonlyArray<Draft> =>
  Array.from(Map.groupBy(links, ({ deposit }) => deposit.asset))
    .flatMap(([asset, members]) => members.length < FEWEST ? [] : ofAsset(policy, asset, members))
