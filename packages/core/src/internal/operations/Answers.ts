/** Reads the answers of operations whose records belong to no history. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as JsonShape from "../../JsonShape.ts"
import * as ListedApiKey from "../../ListedApiKey.ts"
import * as SubAccount from "../../SubAccount.ts"
import * as SubAccountApiKey from "../../SubAccountApiKey.ts"
import type { Reply } from "../client/Call.ts"
import * as Issue from "../decoding/Issue.ts"
import * as Timestamp from "../decoding/Timestamp.ts"
import type { CreateApiKey } from "./Operations.ts"

const text = (value: unknown): string => typeof value === "string" ? value : ""

const list = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value.map(text) : text(value).split(",")).map((part) => part.trim()).filter((part) =>
    part !== ""
  )

/** Reads digits as the number that they write; anything else stays as it is. */
const number = (value: unknown): unknown => typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value

const time = (value: unknown): number | undefined => {
  const read = number(value)
  return Timestamp.isTimestamp(read) ? read : undefined
}

type Fields = Readonly<Record<string, unknown>>

const decodeFields = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
const makeKey = Schema.decodeUnknownOption(SubAccountApiKey.SubAccountApiKey)

/**
 * Reads the key of an answer, in any of its spellings; none when the answer carries no key. The secret is shown only this once,
 * so nothing else in the answer may prevent its delivery: fields that are absent or odd are taken from the request, or left out.
 */
export const createdKey = (
  json: unknown,
  input: CreateApiKey
): Option.Option<SubAccountApiKey.SubAccountApiKey> =>
  Option.flatMap(decodeFields(json), (answer) => {
    const createTime = time(answer["createTime"]) ?? time(answer["creatTime"])
    return makeKey({
      subAccount: text(answer["subAccount"]) || input.subAccount,
      note: text(answer["note"]) || input.note,
      apiKey: text(answer["apiKey"]) || text(answer["apikey"]),
      secretKey: answer["secretKey"],
      permissions: "permissions" in answer ? list(answer["permissions"]) : input.permissions,
      ip: list(answer["ip"]),
      ...(createTime === undefined ? {} : { createTime })
    })
  })

/** Why an answer is no list of records. */
interface Problem {
  /** `entry 3: subAccount: Missing key`. It holds nothing of the record but the name of its field. */
  readonly detail: string
}

/** No answer of the service has more records. A longer list is not read, because decoding it would block the program. */
const MOST_RECORDS = 200_000

/** The longest key or reason that is told, in characters. */
const LONGEST = 200

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Returns the list of an answer: the answer itself, or what stands under one of the keys. */
const itemsOf = (json: unknown, keys: ReadonlyArray<string>): ReadonlyArray<unknown> | undefined => {
  const fields = Option.getOrElse(decodeFields(json), (): Fields => ({}))
  const found = [json, ...keys.map((key) => fields[key])].find(isList)
  return found === undefined || found.length > MOST_RECORDS ? undefined : found
}

/** Leaves out what stands there as null. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/**
 * Reads every record of a list, or says why it cannot: no record is ever left out. Where a key stands twice in an object nobody
 * knows which of its values counts.
 */
const listOf = <A>(
  keys: ReadonlyArray<string>,
  schema: Schema.Codec<A, unknown>,
  respell: (fields: Fields) => Fields
) => {
  const decode = Schema.decodeUnknownResult(schema)
  return ({ json, text }: Pick<Reply, "json" | "text">): Result.Result<ReadonlyArray<A>, Problem> => {
    const items = itemsOf(json, keys)
    if (items === undefined) return Result.fail({ detail: "the answer is no list of records, or longer than any page" })
    const repeated = JsonShape.mayRepeat(text, json) ? JsonShape.repeated(text) : undefined
    if (repeated !== undefined) {
      return Result.fail({ detail: `the key ${JSON.stringify(repeated.key).slice(0, LONGEST)} stands twice in it` })
    }
    const records: Array<A> = []
    for (const [index, item] of items.entries()) {
      const fields = Option.getOrUndefined(decodeFields(item))
      const decoded = decode(fields === undefined ? item : respell(present(fields)))
      if (Result.isFailure(decoded)) {
        const { path, reason } = Issue.first(decoded.failure)
        return Result.fail({
          detail: `entry ${index + 1} cannot be read: ${path === "" ? "" : `${path}: `}${reason.slice(0, LONGEST)}`
        })
      }
      records.push(decoded.success)
    }
    return Result.succeed(records)
  }
}

/** Reads a page of the list of sub-accounts: `{ code, message, data }`, or a bare array. */
export const subAccounts = listOf(["data"], SubAccount.SubAccount, (fields) => ({
  ...fields,
  note: fields["note"] ?? "",
  ...("timestamp" in fields ? { timestamp: number(fields["timestamp"]) } : {})
}))

/** Reads the list of a sub-account's keys: a bare array, or one under `data` or, as it was seen elsewhere, `subAccount`. */
export const apiKeys = (subAccount: string) =>
  listOf(["data", "subAccount"], ListedApiKey.ListedApiKey, (fields) => {
    const createTime = fields["createTime"] ?? fields["creatTime"]
    const apiKey = fields["apiKey"] ?? fields["apikey"]
    return {
      subAccount: fields["subAccount"] ?? subAccount,
      note: fields["note"] ?? "",
      ...(apiKey === undefined ? {} : { apiKey }),
      permissions: list(fields["permissions"]),
      ip: list(fields["ip"]),
      ...(createTime === undefined ? {} : { createTime: number(createTime) })
    }
  })
