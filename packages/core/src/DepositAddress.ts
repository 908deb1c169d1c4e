/**
 * Where a deposit arrived. The service writes the memo into its own field, behind the address (`address:memo`), or both.
 */

/** Texts before a colon that belong to the address itself (URI schemes of address formats), never followed by a memo. */
const uriPrefixes = new Set([
  "bitcoin",
  "bitcoincash",
  "bchtest",
  "simpleledger",
  "ecash",
  "etoken",
  "kaspa",
  "kaspatest",
  "ethereum",
  "litecoin",
  "dogecoin",
  "nexa",
  "xel",
  "zcash",
  "monero",
  "ripple",
  "stellar",
  "ton"
])

/** An address without its memo, and the memo, empty when there is none. */
export interface DepositAddress {
  readonly address: string
  readonly memo: string
}

/**
 * Takes the memo off the address, only when that is certain: the suffix equals the memo field, or the memo field is
 * empty and what stands before the colon is no URI scheme of an address format.
 */
export const make = (address: string, memo = ""): DepositAddress => {
  const colon = address.lastIndexOf(":")
  if (colon <= 0) return { address, memo }
  const before = address.slice(0, colon)
  const suffix = address.slice(colon + 1)
  if (memo !== "") return suffix === memo ? { address: before, memo } : { address, memo }
  return suffix === "" || uriPrefixes.has(before.toLowerCase())
    ? { address, memo }
    : { address: before, memo: suffix }
}
