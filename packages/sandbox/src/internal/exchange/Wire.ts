/** Writes records as JSON text, in the spelling of this server. */
import * as Amount from "@tallystick/core/Amount"
import type { SubAccount } from "@tallystick/core/SubAccount"
import type { SubAccountApiKey } from "@tallystick/core/SubAccountApiKey"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import * as Redacted from "effect/Redacted"
import type * as Faults from "../../Faults.ts"
import * as Prng from "../Prng.ts"

const NEW_STATUS = 6
const NEW_KEYS = 12
const MISSING = 13
const LONG = 30

const textHash = (text: string): number => {
  let h = 0
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0
  return h
}

/** Pads an amount to at least so many digits on either side of the point. */
const padded = (amount: string, before: number, behind: number): string => {
  const [whole = "0", fraction = ""] = Amount.canonical(amount).split(".")
  return `${whole.padStart(before, "0")}.${fraction.padEnd(behind, "0")}`
}

const amountIn = (spelled: ReadonlySet<Faults.Spelling>) => (amount: string): string => {
  if (spelled.has("amount-64")) return padded(amount, Amount.MAX_DIGITS, Amount.MAX_DIGITS)
  return spelled.has("long-amounts") ? padded(amount, 1, LONG) : amount
}

/** Undocumented keys: flat, nested, in a list, named like known ones, and with dangerous names. */
const newKeys = `"riskLevel":3,"extra":{"chain":{"height":812345,"tags":["a",null,{"tranId":9007199254740993}]},` +
  `"amount":"-1"},"":null,"__proto__":{"status":"x"},"constructor":true`

/** The keys that each record may lack, whatever their values; the memo only where it is empty. */
const optionalKeys = ["unlockConfirm", "confirmTimes", "clientTranId", "fromSymbol", "toSymbol", "ip"]

export interface Wire {
  readonly deposits: (records: ReadonlyArray<SubAccountDeposit>) => string
  readonly transfers: (records: ReadonlyArray<UniversalTransfer>, total: number) => string
  readonly subAccounts: (records: ReadonlyArray<SubAccount>) => string
  /** Writes the answer of the create operation, the one place where a secret is written. */
  readonly key: (key: SubAccountApiKey) => string
  /** Writes the list of keys, without their secrets. */
  readonly keys: (keys: ReadonlyArray<SubAccountApiKey>) => string
}

/** Returns a count that is wrong by at least one, and by a third of a long list. */
const miscounted = (kind: "right" | "too-small" | "too-large", total: number): number => {
  const error = 1 + Math.floor(total / 3)
  return kind === "right" ? total : kind === "too-large" ? total + error : Math.max(0, total - error)
}

export const make = (faults: Faults.Faults): Wire => {
  const spelled = new Set(faults.spellings)
  const { missingKeys = 0, newKeys: withNewKeys = 0, newStatus = 0, seed = 0, totalCount } = faults
  const amount = amountIn(spelled)
  const type = (text: string) => spelled.has("FUTURE") && text === "FUTURES" ? "FUTURE" : text
  const unheardOf = (identity: string) =>
    newStatus > 0 && Prng.fraction(seed, NEW_STATUS, textHash(identity)) < newStatus

  /** Writes a record. The text is always the same for the same record. */
  const write = (identity: string, record: Readonly<Record<string, unknown>>): string => {
    if (missingKeys === 0 && withNewKeys === 0) return JSON.stringify(record)
    const hash = textHash(identity)
    const lacks = (index: number) => Prng.fraction(seed, MISSING, index, hash) < missingKeys
    const missing = new Set(optionalKeys.filter((_, index) => lacks(index)))
    if (record["memo"] === "" && lacks(optionalKeys.length)) missing.add("memo")
    const kept = Object.fromEntries(Object.entries(record).filter(([key]) => !missing.has(key)))
    const text = JSON.stringify(kept)
    return Prng.fraction(seed, NEW_KEYS, hash) < withNewKeys ? `${text.slice(0, -1)},${newKeys}}` : text
  }

  const deposit = (record: SubAccountDeposit): string => {
    const { address, memo, ...rest } = record
    const joined = spelled.has("joined-memo") && memo !== ""
    const bare = joined || (spelled.has("no-memo") && memo === "")
    return write(record.txId, {
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
    const text = write(record.tranId, {
      ...record,
      amount: amount(record.amount),
      fromAccountType: type(record.fromAccountType),
      toAccountType: type(record.toAccountType),
      status: unheardOf(record.tranId) ? "PROCESSING" : record.status
    })
    return spelled.has("numeric-tranId") ? text.replace(/"tranId":"([1-9]\d*)"/, "\"tranId\":$1") : text
  }

  const key = (key: SubAccountApiKey): string =>
    write(key.apiKey, {
      subAccount: key.subAccount,
      note: key.note,
      [spelled.has("apikey") ? "apikey" : "apiKey"]: key.apiKey,
      secretKey: Redacted.value(key.secretKey),
      permissions: spelled.has("listed-permissions") ? key.permissions : key.permissions.join(","),
      ...(key.ip.length === 0 || spelled.has("no-ip") ? {} : { ip: key.ip.join(",") }),
      [spelled.has("creatTime") ? "creatTime" : "createTime"]: key.createTime
    })

  const time = (at: number | undefined) => spelled.has("text-times") && at !== undefined ? String(at) : at

  const subAccount = (record: SubAccount): string =>
    write(record.subAccount, { ...record, timestamp: time(record.timestamp) })

  const listedKey = ({ apiKey, createTime, ip, note, permissions }: SubAccountApiKey): string =>
    write(apiKey, {
      note,
      [spelled.has("apikey") ? "apikey" : "apiKey"]: apiKey,
      permissions: spelled.has("listed-permissions") ? permissions : permissions.join(","),
      ...(spelled.has("no-ip") ? {} : { ip: ip.join(",") }),
      creatTime: time(createTime)
    })

  const list = <A>(records: ReadonlyArray<A>, write: (record: A) => string) => `[${records.map(write).join(",")}]`

  return {
    deposits: (records) => list(records, deposit),
    transfers: (records, total) => {
      const text = list(records, transfer)
      return totalCount === undefined ? text : `{"result":${text},"totalCount":${miscounted(totalCount, total)}}`
    },
    subAccounts: (records) => `{"code":0,"message":"","data":${list(records, subAccount)}}`,
    key,
    keys: (keys) => list(keys, listedKey)
  }
}
