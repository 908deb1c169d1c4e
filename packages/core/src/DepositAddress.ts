/**
 * Separates the address of a deposit from its memo. The service writes the memo into its own field, after the address
 * (`address:memo`), or both.
 */

/** The texts before a colon that belong to the address itself (URI schemes of address formats). No memo follows them. */
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
  "ectest",
  "monero",
  "nexa",
  "ripple",
  "stellar",
  "ton",
  "xel",
  "xrpl",
  "zcash"
])

/** An address without its memo, and the memo, which is empty when there is none. */
export interface DepositAddress {
  /** The address without its memo. */
  readonly address: string
  /** The memo or tag; empty where there is none. */
  readonly memo: string
}

/**
 * Takes the memo off the address, but only when that is certain: the suffix equals the memo field, or the memo field is empty and
 * the text before the colon is no URI scheme of an address format.
 */
export const make = (address: string, memo = ""): DepositAddress => {
  if (memo !== "") {
    const before = address.slice(0, -memo.length - 1)
    return before !== "" && address.endsWith(`:${memo}`) ? { address: before, memo } : { address, memo }
  }
  const colon = address.lastIndexOf(":")
  if (colon <= 0 || colon === address.length - 1 || uriPrefixes.has(address.slice(0, colon).toLowerCase())) {
    return { address, memo }
  }
  return { address: address.slice(0, colon), memo: address.slice(colon + 1) }
}
