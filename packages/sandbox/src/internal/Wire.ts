/** Records as JSON text, in the spelling of this server. */
import * as Amount from "@tallystick/core/Amount"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import type * as Faults from "../Faults.ts"
import * as Prng from "./Prng.ts"

const NEW_STATUS = 6
const LONG = 30

const textHash = (text: string): number => {
  let h = 0
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0
  return h
}

const padded = (amount: string): string => {
  const [whole = "0", fraction = ""] = Amount.canonical(amount).split(".")
  return `${whole}.${fraction.padEnd(LONG, "0")}`
}

export interface Wire {
  readonly deposits: (records: ReadonlyArray<SubAccountDeposit>) => string
  readonly transfers: (records: ReadonlyArray<UniversalTransfer>, total: number) => string
}

/** A count that is off by at least one, and by a third of a long list. */
const miscounted = (kind: "right" | "too-small" | "too-large", total: number): number => {
  const error = 1 + Math.floor(total / 3)
  return kind === "right" ? total : kind === "too-large" ? total + error : Math.max(0, total - error)
}

export const make = (faults: Faults.Faults): Wire => {
  const spelled = new Set(faults.spellings)
  const { newStatus = 0, seed = 0, totalCount } = faults
  const amount = spelled.has("long-amounts") ? padded : (text: string) => text
  const type = (text: string) => spelled.has("FUTURE") && text === "FUTURES" ? "FUTURE" : text
  const unheardOf = (identity: string) =>
    newStatus > 0 && Prng.fraction(seed, NEW_STATUS, textHash(identity)) < newStatus

  const deposit = (record: SubAccountDeposit): string => {
    const { address, memo, ...rest } = record
    const joined = spelled.has("joined-memo") && memo !== ""
    const bare = joined || (spelled.has("no-memo") && memo === "")
    return JSON.stringify({
      ...rest,
      amount: amount(record.amount),
      status: unheardOf(record.txId) ? 99 : record.status,
      address: joined && !address.endsWith(`:${memo}`) ? `${address}:${memo}` : address,
      ...(spelled.has("netWork") ? { netWork: record.network } : {}),
      ...(spelled.has("numeric-confirmations")
        ? { unlockConfirm: Number(record.unlockConfirm), confirmTimes: Number(record.confirmTimes) }
        : {}),
      ...(bare ? {} : { memo })
    })
  }

  const transfer = (record: UniversalTransfer): string => {
    const text = JSON.stringify({
      ...record,
      amount: amount(record.amount),
      fromAccountType: type(record.fromAccountType),
      toAccountType: type(record.toAccountType),
      status: unheardOf(record.tranId) ? "PROCESSING" : record.status
    })
    return spelled.has("numeric-tranId") ? text.replace(/"tranId":"([1-9]\d*)"/, "\"tranId\":$1") : text
  }

  const list = <A>(records: ReadonlyArray<A>, write: (record: A) => string) => `[${records.map(write).join(",")}]`

  return {
    deposits: (records) => list(records, deposit),
    transfers: (records, total) => {
      const text = list(records, transfer)
      return totalCount === undefined ? text : `{"result":${text},"totalCount":${miscounted(totalCount, total)}}`
    }
  }
}
