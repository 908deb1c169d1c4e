/** Looks up what a policy says of an asset, at the same cost for any number of assets. */
import type * as Resolved from "./Resolved.ts"

/** Finds the first rule of `per` that names the asset (and the network), else the general rule. */
export const rules = (policy: Resolved.Resolved): (asset: string, network: string | undefined) => Resolved.Rule => {
  const byAsset = Map.groupBy(policy.per, ({ asset }) => asset)
  return (asset, network) =>
    byAsset.get(asset)?.find((per) => per.network === undefined || per.network === network) ?? policy
}

/** Finds the fees of an asset: its own if there are any, else those that name no asset. */
export const fees = (policy: Resolved.Resolved): (asset: string) => ReadonlyArray<Resolved.Fee> => {
  const byAsset = Map.groupBy(policy.fees, ({ asset }) => asset)
  return (asset) => byAsset.get(asset) ?? byAsset.get(undefined) ?? []
}
