/**
 * Answers `POST /api/v3/broker/sub-account/apiKey` (the exchange's interface description, section 4.1). Every request that passes
 * makes a new key. A `GET` there, which the interface description does not have, lists the keys of a sub-account.
 */
import type * as Conventions from "@tallystick/core/Conventions"
import type { SubAccountApiKey } from "@tallystick/core/SubAccountApiKey"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import type { Credential } from "../../Credential.ts"
import type * as Faults from "../../Faults.ts"
import type * as Rules from "../../Rules.ts"
import * as Prng from "../Prng.ts"
import { type Answer, type Checked, json, refused } from "./Answer.ts"
import type * as Parameters from "./Parameters.ts"
import * as Wire from "./Wire.ts"

export interface ApiKeys {
  readonly create: (body: string, now: number, faults: Faults.Faults) => Checked<Answer>
  readonly list: (query: Parameters.Parameters, faults: Faults.Faults) => Checked<Answer>
  /** The keys that were made so far, in order. */
  readonly made: () => ReadonlyArray<SubAccountApiKey>
  /** Returns the credential of a key that was made here. */
  readonly credential: (apiKey: string) => Credential | undefined
}

const Field = Schema.optionalKey(Schema.NullOr(Schema.String))
const Body = Schema.fromJsonString(Schema.Struct({ subAccount: Field, permissions: Field, ip: Field, note: Field }))
const decodeBody = Schema.decodeUnknownResult(Body)

const parts = (text: string): ReadonlyArray<string> => text.split(",").map((item) => item.trim())

const readPermissions = (rules: Rules.Rules, text: string): Checked<ReadonlyArray<string>> => {
  const names = parts(text)
  if (names.includes("")) return refused(730701, "API KEY permission cannot be null.")
  const unknown = names.find((name) => !rules.permissions.includes(name))
  return unknown === undefined
    ? Result.succeed(names)
    : refused(730702, `API KEY permission does not exist: ${unknown}.`)
}

const readAddresses = (conventions: Conventions.Conventions, text: string): Checked<ReadonlyArray<string>> => {
  if (text === "") return Result.succeed([])
  const addresses = parts(text)
  if (addresses.length > conventions.linkedIps) {
    return refused(730703, `The IP information is incorrect: at most ${conventions.linkedIps} addresses can be bound.`)
  }
  const wrong = addresses.find((address) => isIP(address) === 0)
  return wrong === undefined
    ? Result.succeed(addresses)
    : refused(730704, `The bound IP format is incorrect: ${wrong}.`)
}

const required = (value: string | null | undefined, code: number, msg: string): Checked<string> =>
  value === undefined || value === null || value.trim() === "" ? refused(code, msg) : Result.succeed(value)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const KEYS = 7

export const make = (options: {
  readonly conventions: Conventions.Conventions
  readonly rules: Rules.Rules
  /** The seed of the chance by which keys are made. */
  readonly seed: number
  /** The names that are accepted; undefined: any name that the service's own rule allows. */
  readonly subAccounts: ReadonlyArray<string> | undefined
}): ApiKeys => {
  const { conventions, rules } = options
  const known = options.subAccounts === undefined ? undefined : new Set(options.subAccounts)
  const namePattern = new RegExp(conventions.subAccountName, "u")
  const prng = Prng.make(options.seed, KEYS)
  const made: Array<SubAccountApiKey> = []

  const readSubAccount = (value: string | null | undefined): Checked<string> =>
    Result.flatMap(required(value, 730600, "Sub-account Name cannot be null."), (name) => {
      if (!namePattern.test(name)) {
        return refused(730601, `Sub-account Name must match ${conventions.subAccountName}.`)
      }
      return known === undefined || known.has(name)
        ? Result.succeed(name)
        : refused(140001, "Sub account does not exist.")
    })

  const create = (body: string, now: number, faults: Faults.Faults): Checked<Answer> =>
    Result.gen(function*() {
      const decoded = decodeBody(body)
      if (Result.isFailure(decoded)) {
        return yield* refused(33333, "Param error: the body must be a JSON object whose fields are texts.")
      }
      const subAccount = yield* readSubAccount(decoded.success.subAccount)
      const permissions = yield* readPermissions(
        rules,
        yield* required(decoded.success.permissions, 730701, "API KEY permission cannot be null.")
      )
      const note = yield* required(decoded.success.note, 730700, "API KEY remarks cannot be null.")
      const ip = yield* readAddresses(conventions, decoded.success.ip ?? "")
      if (made.filter((key) => key.subAccount === subAccount).length >= rules.keyGroups) {
        return yield* refused(730705, `At most ${rules.keyGroups} groups of Api Keys are allowed to be created only.`)
      }
      const key: SubAccountApiKey = {
        subAccount,
        note,
        apiKey: `mx0${prng.text(alphabet, 16)}`,
        secretKey: Redacted.make(prng.text("0123456789abcdef", 32), { label: "secretKey" }),
        permissions,
        ip,
        createTime: now
      }
      made.push(key)
      return json(Wire.make(faults).key(key))
    })

  const list = (query: Parameters.Parameters, faults: Faults.Faults): Checked<Answer> =>
    Result.map(
      readSubAccount(query.get("subAccount")),
      (name) => json(Wire.make(faults).keys(made.filter(({ subAccount }) => subAccount === name)))
    )

  return {
    create,
    list,
    made: () => [...made],
    credential: (apiKey) => made.find((key) => key.apiKey === apiKey)
  }
}
