/**
 * Answers the operations at their paths. The contract's demands are checked in this order: route, content type, key, signature,
 * clock, permission, parameters, each over the raw request. Nothing is decoded before the signature is proven.
 */
import type * as BrokerError from "@tallystick/core/BrokerError"
import type * as Conventions from "@tallystick/core/Conventions"
import * as Result from "effect/Result"
import type { Credential } from "../../Credential.ts"
import type * as Faults from "../../Faults.ts"
import type * as Rules from "../../Rules.ts"
import { type Answer, type Checked, json, refuse, refused } from "./Answer.ts"
import type * as ApiKeys from "./ApiKeys.ts"
import * as Authentication from "./Authentication.ts"
import * as Histories from "./Histories.ts"
import type * as Ledger from "./Ledger.ts"
import type * as Listing from "./Listing.ts"
import * as RawQuery from "./RawQuery.ts"

interface Route {
  readonly method: string
  readonly path: string
}

interface Incoming extends Authentication.Incoming, Route {}

/** The state of the sandbox while a request is answered. */
interface Circumstances {
  /** The time by the server's clock. */
  readonly now: number
  readonly madeAt: number
  readonly faults: Faults.Faults
}

export interface Operations {
  /** Returns the operation of a request, whatever its method where the path has only one; undefined for an unknown path. */
  readonly at: (request: Route) => BrokerError.Operation | undefined
  readonly answer: (request: Incoming, circumstances: Circumstances) => Answer
}

interface Operation {
  readonly name: Exclude<BrokerError.Operation, "serverTime">
  readonly method: "GET" | "POST"
  readonly path: string
  readonly list: boolean
  readonly run: (
    query: ReadonlyMap<string, string>,
    body: string,
    moment: Listing.Moment,
    faults: Faults.Faults
  ) => Checked<Answer>
}

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json"

export const make = (setting: {
  readonly credentials: ReadonlyArray<Credential>
  readonly conventions: Conventions.Conventions
  readonly rules: Rules.Rules
  readonly master: string
  readonly ledger: Ledger.Ledger
  readonly apiKeys: ApiKeys.ApiKeys
}): Operations => {
  const { conventions, apiKeys, rules } = setting
  const credentials = new Map(setting.credentials.map((credential) => [credential.apiKey, credential]))
  const lookup = { get: (apiKey: string) => credentials.get(apiKey) ?? apiKeys.credential(apiKey) }
  let lists = 0

  const { subAccounts } = setting.ledger
  const { apiKeysPath, subAccountsPath } = conventions
  const operations: ReadonlyArray<Operation> = [
    {
      name: "createApiKey",
      method: "POST",
      path: "/api/v3/broker/sub-account/apiKey",
      list: false,
      run: (_query, body, moment, faults) => apiKeys.create(body, moment.now, faults)
    },
    {
      name: "universalTransfers",
      method: "GET",
      path: "/api/v3/broker/sub-account/universalTransfer",
      list: true,
      run: (query, _body, moment, faults) => Histories.transfers(setting, query, moment, faults)
    },
    {
      name: "subAccountDeposits",
      method: "GET",
      path: "/api/v3/broker/capital/deposit/subHisrec/getall",
      list: true,
      run: (query, _body, moment, faults) => Histories.deposits(setting, query, moment, faults)
    },
    ...(subAccounts === undefined || subAccountsPath === null ? [] : [
      {
        name: "subAccounts",
        method: "GET",
        path: subAccountsPath,
        list: true,
        run: (query, _body, moment, faults) => Histories.subAccounts(setting, subAccounts, query, moment, faults)
      } satisfies Operation
    ]),
    ...(apiKeysPath === null ? [] : [
      {
        name: "apiKeys",
        method: "GET",
        path: apiKeysPath,
        list: false,
        run: (query, _body, _moment, faults) => apiKeys.list(query, faults)
      } satisfies Operation
    ])
  ]
  const operationsAt = (path: string) => operations.filter((operation) => operation.path === path)
  const tellsTime = (path: string) => rules.serverTime && path === conventions.serverTimePath

  const operate = (operation: Operation, request: Incoming, circumstances: Circumstances): Checked<Answer> =>
    Result.gen(function*() {
      const { faults, madeAt, now } = circumstances
      if (operation.method === "POST" && !isJson(request.headers["content-type"])) {
        return yield* refused(700013, "Invalid content Type: application/json is wanted.")
      }
      const credential = yield* Authentication.known(conventions, lookup, request)
      yield* Authentication.signed(conventions, credential, request)
      const query = yield* RawQuery.parameters(request.rawQuery)
      yield* Authentication.fresh(conventions, query, now)
      if (!credentials.has(credential.apiKey)) return yield* refused(730603, "The account is not a broker.", 403)
      yield* Authentication.permitted(credential, conventions.permissions[operation.name])
      if (operation.list) lists += 1
      return yield* operation.run(query, request.body, { now, madeAt, ordinal: lists }, faults)
    })

  return {
    at: ({ method, path }) => {
      const [first, ...more] = operationsAt(path)
      const operation = more.find((one) => one.method === method) ?? first
      return operation?.name ?? (tellsTime(path) ? "serverTime" : undefined)
    },
    answer: (request, circumstances) => {
      if (request.method === "GET" && tellsTime(request.path)) {
        return json(JSON.stringify({ serverTime: circumstances.now }))
      }
      const found = operationsAt(request.path)
      if (found.length === 0) return refuse(404, 404, "Not found.")
      const operation = found.find(({ method }) => method === request.method)
      if (operation === undefined) {
        const allow = found.map(({ method }) => method).join(", ")
        return refuse(405, 405, `Request method '${request.method}' not supported.`, { allow })
      }
      return Result.merge(operate(operation, request, circumstances))
    }
  }
}
