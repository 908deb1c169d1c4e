/** What a policy says of single assets, so that it is looked up among any number of them at once. */
import type * as Resolved from "./Resolved.ts"

/** The first rule of `per` that names the asset (and network), else the general one. */
export const rules = (policy: Resolved.Resolved): (asset: string, network: string | undefined) => Resolved.Rule => {
  const byAsset = Map.groupBy(policy.per, ({ asset }) => asset)
  return (asset, network) =>
    byAsset.get(asset)?.find((per) => per.network === undefined || per.network === network) ?? policy
}

/** The fees of an asset: its own where there are any, else those without an asset. */
export const fees = (policy: Resolved.Resolved): (asset: string) => ReadonlyArray<Resolved.Fee> => {
  const byAsset = Map.groupBy(policy.fees, ({ asset }) => asset)
  return (asset) => byAsset.get(asset) ?? byAsset.get(undefined) ?? []
}
