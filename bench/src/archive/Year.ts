/** A year of the service's records, day by day: the histories of `Generator`, as deposits of 100 sub-accounts and their sweeps. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import { hex } from "../Deposits.ts"
import { generate } from "../Generator.ts"
import * as Random from "../Random.ts"
import * as Whole from "../Whole.ts"

export const DAY = 86_400_000

/** The first moment, Unix ms: where `Generator` begins. */
export const START = Date.UTC(2026, 0, 1)

/** Sweeps a day: 10 million deposits and as many transfers in 365 days. */
export const SWEEPS = 27_970

const ACCOUNTS = 100

const networks = ["BTC", "ETH", "TRX", "SOL"] as const

const account = (index: number): string => `sub-${String(index).padStart(3, "0")}`

export const accounts: Accounts.Accounts = {
  list: Array.from({ length: ACCOUNTS }, (_, index) => account(index)),
  complete: true
}

const random = Random.make(7)

const addresses = accounts.list.map(() => networks.map(() => `0x${hex(random, 40)}`))

export const addressBook: AddressBook.AddressBook = accounts.list.flatMap((name, index) =>
  networks.map((network, place) => ({ address: addresses[index]?.[place] ?? "", network, account: name }))
)

/** The queries that a sync asks: each sub-account's transfers to the master. */
export const queries: ReadonlyArray<Coverage.TransferQuery> = accounts.list.map((fromAccount) => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
}))

const decimal = (units: number): string => {
  const text = String(units).padStart(9, "0")
  return `${text.slice(0, -8)}.${text.slice(-8)}`
}

export interface Day {
  readonly deposits: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>
  readonly transfers: ReadonlyArray<UniversalTransfer.UniversalTransfer>
}

/**
 * The sweeps of a day, from 0; its last transfers come up to 40 minutes into the next one. `isWhole` leaves of them what agrees, 19 of 20.
 */
export const day = (index: number, sweeps = SWEEPS, isWhole = false): Day => {
  const random = Random.make(1000 + index)
  const history = generate({ seed: index + 1, size: sweeps, days: 1 })
  const { deposits, transfers, truth } = isWhole ? Whole.of(history) : history
  const shift = index * DAY
  const owners = Int32Array.from(transfers.at, () => Math.floor(random() * ACCOUNTS))
  const first = (index + 1) * 10_000_000
  return {
    deposits: Array.from(deposits.at, (at, place) => {
      const asset = deposits.asset[place] ?? 0
      const transfer = truth[place] ?? -1
      const owner = transfer < 0 ? Math.floor(random() * ACCOUNTS) : owners[transfer] ?? 0
      return {
        amount: decimal(deposits.amount[place] ?? 0),
        coin: `A${asset}`,
        network: networks[asset % networks.length] ?? "",
        status: 5,
        address: addresses[owner]?.[asset % networks.length] ?? "",
        txId: `0x${hex(random, 64)}`,
        unlockConfirm: "12",
        confirmTimes: "12",
        insertTime: at + shift,
        memo: ""
      }
    }),
    transfers: Array.from(transfers.at, (at, place) => ({
      tranId: String(first + place),
      fromAccount: account(owners[place] ?? 0),
      toAccount: "master",
      clientTranId: "",
      asset: `A${transfers.asset[place]}`,
      amount: decimal(transfers.amount[place] ?? 0),
      fromAccountType: "SPOT",
      toAccountType: "SPOT",
      fromSymbol: "",
      toSymbol: "",
      status: "SUCCESS",
      timestamp: at + shift
    }))
  }
}
