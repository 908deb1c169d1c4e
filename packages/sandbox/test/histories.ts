/** Generated histories, and ways to look things up in them. */
import { assert } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as DepositAddress from "@tallystick/core/DepositAddress"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as History from "@tallystick/sandbox/History"
import * as Truth from "@tallystick/sandbox/Truth"

export const TO = 1_700_000_000_000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const ends = { to: TO }
export const usual = History.generate(ends)

export const everyKind: ReadonlyArray<Truth.Kind> = Truth.Kind.literals.filter((kind) => kind !== "crowd-unswept")
/** All that can be planted. */
export const everything = {
  ...ends,
  kinds: Truth.Kind.literals,
  sweeps: 150,
  splits: 100
}
export const full = History.generate(everything)

export const index = (history: History.History) => {
  const deposits = new Map(history.deposits.map((deposit) => [deposit.txId, deposit]))
  const transfers = new Map(history.transfers.map((transfer) => [transfer.tranId, transfer]))
  return {
    deposits,
    transfers,
    both: (pair: Truth.Pair) => {
      const deposit = deposits.get(pair.deposit)
      const transfer = transfers.get(pair.transfer)
      assert.isDefined(deposit)
      assert.isDefined(transfer)
      return { deposit, transfer, lag: transfer.timestamp - deposit.insertTime }
    }
  }
}

export const addressOf = (deposit: SubAccountDeposit.SubAccountDeposit) => {
  const { address, memo } = DepositAddress.make(deposit.address, deposit.memo)
  return `${deposit.network} ${address} ${memo}`
}

export const owners = new Map(usual.addressBook.map((e) => [`${e.network} ${e.address} ${e.memo}`, e.account]))

export const unitsOf = (records: ReadonlyArray<{ readonly amount: string } | undefined>): bigint =>
  records.reduce((sum, record) => sum + (record === undefined ? 0n : Amount.units(record.amount, 8)), 0n)

export const ascending = (times: ReadonlyArray<number>) =>
  times.every((time, i) => i === 0 || (times[i - 1] ?? 0) <= time)

export const ofKind = (history: History.History, kind: Truth.Kind) =>
  history.truth.breaks.filter((found) => found.kind === kind)
