/** Lists the assets that the generated broker's clients deposit. Amounts are counted in units of `10^-scale`. */
import type { NonEmptyReadonlyArray } from "effect/Array"
import type { Prng } from "../Prng.ts"

export interface Network {
  readonly name: string
  readonly confirmations: number
  readonly address: (prng: Prng) => string
  /** Whether clients share an address, and a memo tells their deposits apart. */
  readonly memo: boolean
  readonly txId: (prng: Prng) => string
}

export interface Asset {
  readonly coin: string
  readonly scale: number
  readonly low: number
  readonly high: number
  /** Amounts that many clients send. */
  readonly round: NonEmptyReadonlyArray<number>
  readonly networks: NonEmptyReadonlyArray<Network>
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

const tron: Network = {
  name: "Tron(TRC20)",
  confirmations: 20,
  memo: false,
  address: (prng) => `T${prng.text(BASE58, 33)}`,
  txId: (prng) => prng.hex(8)
}

const ethereum: Network = {
  name: "Ethereum(ERC20)",
  confirmations: 64,
  memo: false,
  address: (prng) => `0x${prng.hex(5)}`,
  txId: (prng) => `0x${prng.hex(8)}`
}

const bitcoin: Network = {
  name: "Bitcoin(BTC)",
  confirmations: 2,
  memo: false,
  address: (prng) => `bc1q${prng.text(BECH32, 38)}`,
  txId: (prng) => `${prng.hex(8)}:${prng.between(0, 3)}`
}

const solana: Network = {
  name: "Solana(SOL)",
  confirmations: 100,
  memo: false,
  address: (prng) => prng.text(BASE58, 44),
  txId: (prng) => prng.text(BASE58, 88)
}

const ripple: Network = {
  name: "Ripple(XRP)",
  confirmations: 10,
  memo: true,
  address: () => "rTestSharedDepositAddressXRP",
  txId: (prng) => prng.hex(8).toUpperCase()
}

const million = 1_000_000
const satoshi = 100_000_000

export const assets: NonEmptyReadonlyArray<Asset> = [
  {
    coin: "USDT",
    scale: 6,
    low: 20 * million,
    high: 40_000 * million,
    round: [100 * million, 500 * million, 1000 * million],
    networks: [tron, ethereum]
  },
  { coin: "BTC", scale: 8, low: 100_000, high: 4 * satoshi, round: [1_000_000, 10_000_000], networks: [bitcoin] },
  { coin: "ETH", scale: 8, low: million, high: 40 * satoshi, round: [10_000_000, satoshi], networks: [ethereum] },
  {
    coin: "USDC",
    scale: 6,
    low: 20 * million,
    high: 40_000 * million,
    round: [50 * million, 1000 * million],
    networks: [ethereum, solana]
  },
  {
    coin: "SOL",
    scale: 6,
    low: million,
    high: 2000 * million,
    round: [10 * million, 50 * million],
    networks: [solana]
  },
  {
    coin: "XRP",
    scale: 6,
    low: 20 * million,
    high: 60_000 * million,
    round: [100 * million, 1000 * million],
    networks: [ripple]
  }
]

/** Lists every network that some asset comes over. */
export const networks: ReadonlyArray<Network> = [tron, ethereum, bitcoin, solana, ripple]
