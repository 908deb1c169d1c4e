/** Assigns addresses to sub-accounts. A broker knows them, and the service's records do not tell them. */
import * as Schema from "effect/Schema"
import * as Asset from "./internal/history/Asset.ts"
import * as Prng from "./internal/Prng.ts"

/** A deposit address, and the sub-account to which it belongs. */
export const Entry = Schema.Struct({
  address: Schema.String,
  /** Empty where the network has none. */
  memo: Schema.String,
  network: Schema.String,
  account: Schema.String
}).annotate({ identifier: "AddressEntry" })
export type Entry = typeof Entry.Type

const ADDRESSES = 1
const SHARED = 2

/** Returns `sub00001` and so on: letters and digits, as the service wants them. */
export const accountName = (index: number): string => `sub${String(index + 1).padStart(5, "0")}`

const entry = (seed: number, index: number, network: Asset.Network, ordinal: number): Entry => ({
  address: network.address(
    network.memo ? Prng.make(seed, SHARED, ordinal) : Prng.make(seed, ADDRESSES, index, ordinal)
  ),
  memo: network.memo ? String(100_000 + index) : "",
  network: network.name,
  account: accountName(index)
})

/** Makes one entry for each account and network, accounts in order. */
export const make = (seed: number, subAccounts: number): ReadonlyArray<Entry> =>
  Array.from(
    { length: subAccounts },
    (_, index) => Asset.networks.map((network, ordinal) => entry(seed, index, network, ordinal))
  ).flat()
