/** A client written for these tests alone: it signs with node:crypto and shares no code with the real one. */
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { createHmac } from "node:crypto"

/** The time at which most tests happen. */
export const NOW = 1_700_000_000_000
export const HOUR = 3_600_000

export const API_KEY = "test-key"
export const SECRET = "test-secret"

export const DEPOSITS = "/api/v3/broker/capital/deposit/subHisrec/getall"
export const TRANSFERS = "/api/v3/broker/sub-account/universalTransfer"
export const KEYS = "/api/v3/broker/sub-account/apiKey"
export const LIST = "/api/v3/broker/sub-account/list"
export const TIME = "/api/v3/time"

export const ROUTE = { fromAccount: "sub00001", fromAccountType: "SPOT", toAccountType: "SPOT" }

export const credential = (
  permissions = ["SPOT_ACCOUNT_READ", "SPOT_ACCOUNT_WRITE", "SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"]
) => ({
  apiKey: API_KEY,
  secretKey: Redacted.make(SECRET),
  permissions
})

export const make = (options: Partial<Exchange.Options> = {}) =>
  Exchange.Exchange.make({ credentials: [credential()], rules: { rate: null }, ...options })

export type Query = Readonly<Record<string, string | number>>

export const render = (parameters: Query): string =>
  Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")

export const signature = (payload: string, secret = SECRET): string =>
  createHmac("sha256", secret).update(payload).digest("hex")

export const sign = (query: string, body = ""): string => `${query}&signature=${signature(query + body)}`

/** A request that is right in every respect, unless `changes` say otherwise. */
export const request = Effect.fnUntraced(
  function*(method: string, path: string, parameters: Query, changes: Partial<Exchange.Request> = {}) {
    const timestamp = yield* Clock.currentTimeMillis
    const body = changes.body ?? ""
    return {
      method,
      path,
      rawQuery: sign(render({ ...parameters, timestamp, recvWindow: 5000 })),
      headers: {
        "x-mexc-apikey": API_KEY,
        ...(method === "POST" ? { "content-type": "application/json" } : {})
      },
      ...changes,
      body
    }
  }
)

type Sandbox = Exchange.Exchange["Service"]

export const send = (
  exchange: Sandbox,
  method: string,
  path: string,
  parameters: Query = {},
  changes: Partial<Exchange.Request> = {}
) => Effect.flatMap(request(method, path, parameters, changes), exchange.handle)

export const Refusal = Schema.fromJsonString(Schema.Struct({ code: Schema.Int, msg: Schema.String }))

/** The code with which the exchange answers. */
export const codeOf = (response: Exchange.Response) =>
  Effect.map(Schema.decodeEffect(Refusal)(response.body), ({ code }) => code)

/** The code with which a fresh exchange answers a request, 200 for none. */
export const refusal = Effect.fnUntraced(function*(
  options: Partial<Exchange.Options>,
  ...args: Parameters<typeof request>
) {
  yield* TestClock.setTime(NOW)
  const exchange = yield* make(options)
  const response = yield* exchange.handle(yield* request(...args))
  return response.status === 200 ? 200 : yield* codeOf(response)
})

export const list = <A>(record: Schema.Codec<A, unknown>) => Schema.fromJsonString(Schema.Array(record))

const Deposits = list(Schema.Struct({ txId: Schema.String, insertTime: Schema.Int }))
const Transfers = list(Schema.Struct({ tranId: Schema.String, timestamp: Schema.Int }))

/** The txIds of one page of deposits. */
export const depositIds = Effect.fnUntraced(function*(exchange: Sandbox, parameters: Query = {}) {
  const response = yield* send(exchange, "GET", DEPOSITS, parameters)
  const records = yield* Schema.decodeEffect(Deposits)(response.body)
  return records.map((record) => record.txId)
})

/** The tranIds of one page of transfers from sub00001 to the master. */
export const transferIds = Effect.fnUntraced(function*(exchange: Sandbox, parameters: Query = {}) {
  const response = yield* send(exchange, "GET", TRANSFERS, { ...ROUTE, ...parameters })
  const records = yield* Schema.decodeEffect(Transfers)(response.body)
  return records.map((record) => record.tranId)
})

export const deposit = (txId: string, insertTime: number, changes: { readonly coin?: string } = {}) => ({
  amount: "1.5",
  coin: "USDT",
  network: "Tron(TRC20)",
  status: 5,
  address: "TTestAddress",
  txId,
  unlockConfirm: "10",
  confirmTimes: "12",
  insertTime,
  memo: "",
  ...changes
})

export const transfer = (tranId: string, timestamp: number, changes: Partial<Record<string, string>> = {}) => ({
  tranId,
  fromAccount: "sub00001",
  toAccount: "master",
  clientTranId: "0".repeat(32),
  asset: "USDT",
  amount: "1.5",
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  fromSymbol: "SPOT",
  toSymbol: "SPOT",
  status: "SUCCESS",
  timestamp,
  ...changes
})
