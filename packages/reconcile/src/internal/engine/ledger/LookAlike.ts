/**
 * Decides which assets only look alike. Two such names differ in case only, or one is the other with the name of a network
 * behind or before it, set off by one of `- _ . :` or a blank (`USDT-TRX`, `USDT_ERC20`, `TRX-USDT`). Names of token
 * standards, which end in digits, count without a mark as well (`USDTTRC20`). Names of networks do not, because coins are
 * named that way (`STETH` is no `ST` on Ethereum). Two assets that both name a network are no look-alikes of each other.
 */

const standards = ["ERC20", "TRC20", "BEP20", "BEP2", "SPL"] as const

const networks = new Set<string>([
  ...standards,
  "ALGO",
  "APTOS",
  "ARB",
  "ARBITRUM",
  "ARBONE",
  "AVAX",
  "AVAXC",
  "AVALANCHE",
  "BASE",
  "BNB",
  "BSC",
  "CELO",
  "EOS",
  "ETH",
  "ETHEREUM",
  "KAVA",
  "MATIC",
  "NEAR",
  "OMNI",
  "OP",
  "OPTIMISM",
  "POLYGON",
  "SOL",
  "SOLANA",
  "TON",
  "TRON",
  "TRX",
  "ZKSYNC"
])

/** The shortest name that may remain when a token standard without a mark is taken off. */
const SHORTEST = 3

const withMark = /^([A-Z0-9]+)[-_.: ]([A-Z0-9]+)$/

/** Returns the name of the asset without case and network. */
export const stem = (asset: string): string => {
  const name = asset.toUpperCase()
  const parts = withMark.exec(name)
  if (parts !== null) {
    const [, left = "", right = ""] = parts
    return networks.has(right) ? left : networks.has(left) ? right : name
  }
  const standard = standards.find((one) =>
    /\d$/.test(one) && name.endsWith(one) && name.length >= SHORTEST + one.length
  )
  return standard === undefined ? name : name.slice(0, -standard.length)
}

/** Whether the two are different names that look alike. */
export const isAlike = (one: string, other: string): boolean => {
  if (one === other) return false
  const shared = stem(one)
  return shared === stem(other) && (one.toUpperCase() === shared || other.toUpperCase() === shared)
}
