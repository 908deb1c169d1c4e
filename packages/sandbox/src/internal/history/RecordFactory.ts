/** Writes the records of a generated history. */
import * as Amount from "@tallystick/core/Amount"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import * as Addresses from "../../Addresses.ts"
import type { Prng } from "../Prng.ts"
import * as Asset from "./Asset.ts"
import { stampFor } from "./Stamp.ts"

/** The account and the asset of an event. */
export interface Lane {
  readonly account: number
  readonly asset: Asset.Asset
}

export interface RecordFactory {
  readonly deposit: (lane: Lane, at: number, units: number, status?: number) => SubAccountDeposit
  readonly sweep: (
    lane: Lane,
    at: number,
    units: number,
    options?: {
      /** The deposit whose id the transfer carries as `clientTranId`. */
      readonly stampOf?: SubAccountDeposit | undefined
      readonly status?: string
      /** The transfer's name for the asset, where it is not the asset's own. */
      readonly asset?: string
      /** Whether the transfer goes from the master account to the sub-account. */
      readonly outward?: boolean
    }
  ) => UniversalTransfer
  /** Returns an amount of the usual kind, as clients send them. */
  readonly ordinaryUnits: (asset: Asset.Asset) => number
  /** Returns an amount that no other record of the history has. */
  readonly uniqueUnits: (asset: Asset.Asset) => number
}

const SUCCESS = 5

/**
 * The size of the running number in unique amounts. Ordinary amounts end in an even digit, and unique ones in 7 after that
 * number.
 */
const RUNNING = 1_000_000

export const make = (prng: Prng, book: ReadonlyArray<Addresses.Entry>, master: string): RecordFactory => {
  const width = Asset.networks.length
  let transfers = 0
  let uniques = 0

  const skewed = (asset: Asset.Asset) => {
    const u = prng.fraction()
    return Math.floor(asset.low + (asset.high - asset.low) * u * u * u)
  }

  return {
    deposit: (lane, at, units, status = SUCCESS) => {
      const network = prng.pick(lane.asset.networks)
      const { address = "", memo = "" } = book[lane.account * width + Asset.networks.indexOf(network)] ?? {}
      const final = status === SUCCESS
      return {
        amount: Amount.format(BigInt(units), lane.asset.scale),
        coin: lane.asset.coin,
        network: network.name,
        status,
        address: memo !== "" && prng.chance(0.5) ? `${address}:${memo}` : address,
        txId: network.txId(prng),
        unlockConfirm: String(network.confirmations),
        confirmTimes: String(final ? network.confirmations + prng.between(0, 20) : prng.between(0, 1)),
        insertTime: at,
        memo
      }
    },
    sweep: (lane, at, units, options) => {
      transfers += 1
      const account = Addresses.accountName(lane.account)
      const outward = options?.outward === true
      return {
        tranId: `61${String(transfers * 1009 + prng.between(0, 1008)).padStart(16, "0")}`,
        fromAccount: outward ? master : account,
        toAccount: outward ? account : master,
        clientTranId: options?.stampOf === undefined ? prng.hex(4) : stampFor(options.stampOf),
        asset: options?.asset ?? lane.asset.coin,
        amount: Amount.format(BigInt(units), lane.asset.scale),
        fromAccountType: "SPOT",
        toAccountType: "SPOT",
        fromSymbol: "SPOT",
        toSymbol: "SPOT",
        status: options?.status ?? "SUCCESS",
        timestamp: at
      }
    },
    ordinaryUnits: (asset) => {
      const units = skewed(asset)
      return units - units % 10 + 2 * prng.between(0, 4)
    },
    uniqueUnits: (asset) => {
      uniques += 1
      const head = Math.max(1, Math.floor(skewed(asset) / (10 * RUNNING)))
      return head * 10 * RUNNING + (uniques % RUNNING) * 10 + 7
    }
  }
}
