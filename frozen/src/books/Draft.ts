/** A book while it is written: entries with the fields that a motif leaves to chance. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Book from "../Book.ts"
import type { Random } from "../Random.ts"

/** What the entries of a book have in common. */
export interface Scene {
  readonly assets: readonly [string, ...ReadonlyArray<string>]
  readonly accounts: readonly [string | undefined, ...ReadonlyArray<string | undefined>]
  readonly amounts: "own" | "few" | "round" | "long"
  /** Over how many minutes the entries lie. */
  readonly minutes: number
  /** Whether transfers name their two ends, and of which types those are. */
  readonly routed: boolean
}

/** Fields in place of those that are left to chance. */
export type Fields = Partial<Omit<Entry.Entry, "side">>

export interface Draft {
  readonly random: Random
  readonly scene: Scene
  readonly deposits: Array<Entry.Entry>
  readonly transfers: Array<Entry.Entry>
  readonly bad: Array<BadRecord.BadRecord>
  readonly deposit: (fields?: Fields) => Entry.Entry
  readonly transfer: (fields?: Fields) => Entry.Entry
}

const digits = (random: Random, count: number): string => Array.from({ length: count }, () => random.int(0, 9)).join("")

const amounts: Readonly<Record<Scene["amounts"], (random: Random, asset: string) => string>> = {
  own: (random) => `${random.int(1, 9)}${digits(random, random.int(0, 3))}.${digits(random, 3)}${random.int(1, 9)}`,
  few: (random, asset) => random.pick(asset.length % 2 === 0 ? ["10", "11", "12"] : ["5", "6", "11", "11.0"]),
  round: (random) => random.pick(["100", "100", "100", "50", "1000.00"]),
  long: (random) =>
    `${random.int(1, 9)}${digits(random, random.pick([0, 20, 63]))}.${digits(random, random.pick([1, 8, 64]))}`
}

/** The ends of a transfer that leaves `account` for the master account. */
export const forth = (account: string | undefined): Fields =>
  account === undefined ? {} : { account, from: account, to: "master", fromType: "SPOT", toType: "SPOT" }

/** The ends of a transfer that reaches `account` from the master account. */
export const back = (account: string | undefined): Fields =>
  account === undefined ? {} : { account, from: "master", to: account, fromType: "SPOT", toType: "SPOT" }

export const make = (random: Random, scene: Scene): Draft => {
  const deposits: Array<Entry.Entry> = []
  const transfers: Array<Entry.Entry> = []
  const base = (side: Entry.Side, id: string, fields: Fields): Entry.Entry => {
    const asset = fields.asset ?? random.pick(scene.assets)
    const account = random.pick(scene.accounts)
    return {
      side,
      id,
      asset,
      amount: amounts[scene.amounts](random, asset),
      at: Book.minute(random.int(0, scene.minutes)) + random.pick([0, 0, random.int(0, 59_999)]),
      status: "settled",
      ...(account === undefined || "account" in fields ? {} : { account }),
      ...(side === "transfer" && scene.routed && !("from" in fields) && !("account" in fields) ? forth(account) : {}),
      ...fields
    }
  }
  return {
    random,
    scene,
    deposits,
    transfers,
    bad: [],
    deposit: (fields = {}) => {
      const entry = base("deposit", `d${deposits.length}`, fields)
      deposits.push(entry)
      return entry
    },
    transfer: (fields = {}) => {
      const entry = base("transfer", `t${transfers.length}`, fields)
      transfers.push(entry)
      return entry
    }
  }
}

/** What a transfer takes over from the deposit that it moves, so many minutes later. */
export const moving = ({ random, scene }: Draft, deposit: Entry.Entry, minutes: number): Fields => ({
  asset: deposit.asset,
  amount: deposit.amount,
  at: deposit.at + minutes * Book.MINUTE + random.pick([0, 0, random.int(0, 59_999)]),
  ...(scene.routed ? forth(deposit.account) : deposit.account === undefined ? {} : { account: deposit.account })
})
