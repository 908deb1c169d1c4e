/**
 * The service as a state machine in one process: a request goes in, an answer comes out, time is Effect's `Clock`.
 *
 * It checks what the contract asks for and what `Conventions` add to it: rate, route, content type, key, signature, clock,
 * permission, parameters, in this order, each over the raw request. It decodes nothing before the signature is proven.
 */
import * as Conventions from "@tallystick/core/Conventions"
import type { SubAccountApiKey } from "@tallystick/core/SubAccountApiKey"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Credential } from "./Credential.ts"
import * as Faults from "./Faults.ts"
import { type Answer, type Checked, json, refuse, refused } from "./internal/Answer.ts"
import * as Authentication from "./internal/Authentication.ts"
import * as Histories from "./internal/Histories.ts"
import * as KeyDesk from "./internal/KeyDesk.ts"
import * as Ledger from "./internal/Ledger.ts"
import type * as Listing from "./internal/Listing.ts"
import * as Prng from "./internal/Prng.ts"
import * as RateGate from "./internal/RateGate.ts"
import * as RawQuery from "./internal/RawQuery.ts"
import * as Wire from "./internal/Wire.ts"
import * as Rules from "./Rules.ts"

/** A request as it came: header names in lower case, everything else untouched. */
export interface Request {
  readonly method: string
  readonly path: string
  /** The text behind `?`, without it; empty when there is none. */
  readonly rawQuery: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** Status, headers and body text of an answer. */
export type Response = Answer

/** A request that was answered, `at` by the server's clock in ms. */
export interface Seen {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
}

export interface Options {
  readonly credentials: ReadonlyArray<Credential>
  readonly deposits?: ReadonlyArray<SubAccountDeposit>
  readonly transfers?: ReadonlyArray<UniversalTransfer>
  /** The sub-accounts that exist, for the create operation; absent: all do. */
  readonly subAccounts?: ReadonlyArray<string>
  /** The name that records give to the master account: `master` unless given. */
  readonly master?: string
  readonly conventions?: Conventions.Conventions
  readonly rules?: Partial<Rules.Rules>
  readonly faults?: Faults.Faults
}

interface Operation {
  readonly method: "GET" | "POST"
  readonly permission: string
  readonly list: boolean
  readonly run: (query: ReadonlyMap<string, string>, body: string, moment: Listing.Moment) => Checked<Answer>
}

const FAILING = 8
const THROTTLED = 9

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json"

const machine = (options: Options, madeAt: number) => {
  const conventions = options.conventions ?? Conventions.mexc
  const rules: Rules.Rules = { ...Rules.defaults, ...options.rules }
  const faults = options.faults ?? Faults.none
  const seed = faults.seed ?? 0
  const credentials = new Map(options.credentials.map((credential) => [credential.apiKey, credential]))
  const ledger = Ledger.make(conventions, options.deposits ?? [], options.transfers ?? [])
  const setting = { conventions, rules, faults, master: options.master ?? "master", ledger, wire: Wire.make(faults) }
  const gate = RateGate.make(rules.rate)
  const desk = KeyDesk.make({ conventions, rules, faults, subAccounts: options.subAccounts })
  let requests = 0
  let lists = 0

  const operations: Readonly<Record<string, Operation>> = {
    "/api/v3/broker/sub-account/apiKey": {
      method: "POST",
      permission: conventions.permissions.createApiKey,
      list: false,
      run: (_query, body, moment) => desk.create(body, moment.now)
    },
    "/api/v3/broker/sub-account/universalTransfer": {
      method: "GET",
      permission: conventions.permissions.universalTransfers,
      list: true,
      run: (query, _body, moment) => Histories.transfers(setting, query, moment)
    },
    "/api/v3/broker/capital/deposit/subHisrec/getall": {
      method: "GET",
      permission: conventions.permissions.subAccountDeposits,
      list: true,
      run: (query, _body, moment) => Histories.deposits(setting, query, moment)
    }
  }

  const held = (now: number): Answer | undefined => {
    const { ban, throttle } = faults
    if (ban?.requests.includes(requests) === true) gate.ban(now, ban.seconds)
    const refusal = gate.admit(now)
    if (refusal !== undefined) return refusal
    if (throttle === undefined || Prng.fraction(seed, THROTTLED, requests) >= throttle.share) return undefined
    return refuse(
      429,
      429,
      "Too many requests.",
      throttle.retryAfter === null ? {} : { "retry-after": String(throttle.retryAfter) }
    )
  }

  const failed = (ordinal: number): Answer | undefined => {
    const { failPages } = faults
    if (failPages === undefined) return undefined
    const hit = failPages.requests?.includes(ordinal) === true ||
      Prng.fraction(seed, FAILING, ordinal) < (failPages.share ?? 0)
    const status = failPages.status ?? 503
    return hit ? refuse(status, status, "Service unavailable, please try again later.") : undefined
  }

  const operate = (operation: Operation, request: Request, now: number): Checked<Answer> =>
    Result.gen(function*() {
      if (operation.method === "POST" && !isJson(request.headers["content-type"])) {
        return yield* refused(700013, "Invalid content Type: application/json is wanted.")
      }
      const lookup = { get: (apiKey: string) => credentials.get(apiKey) ?? desk.credential(apiKey) }
      const credential = yield* Authentication.known(conventions, lookup, request)
      yield* Authentication.signed(conventions, credential, request)
      const query = yield* RawQuery.parameters(request.rawQuery)
      yield* Authentication.fresh(conventions, query, now)
      if (!credentials.has(credential.apiKey)) return yield* refused(730603, "The account is not a broker.", 403)
      yield* Authentication.permitted(credential, operation.permission)
      if (operation.list) lists += 1
      const failure = operation.list ? failed(lists) : undefined
      if (failure !== undefined) return yield* Result.fail(failure)
      return yield* operation.run(query, request.body, { now, madeAt, ordinal: lists })
    })

  const answer = (request: Request, now: number): Answer => {
    requests += 1
    const refusal = held(now)
    if (refusal !== undefined) return refusal
    if (rules.serverTime && request.method === "GET" && request.path === conventions.serverTimePath) {
      return json(JSON.stringify({ serverTime: now }))
    }
    const operation = Object.hasOwn(operations, request.path) ? operations[request.path] : undefined
    if (operation === undefined) return refuse(404, 404, "Not found.")
    if (operation.method !== request.method) {
      return refuse(405, 405, `Request method '${request.method}' not supported.`, { allow: operation.method })
    }
    return Result.merge(operate(operation, request, now))
  }

  return { answer, made: desk.made, rules }
}

/** The exchange, without a socket. */
export class Exchange extends Context.Service<Exchange, {
  /** Answers one request; it never fails: a refusal is an answer. */
  readonly handle: (request: Request) => Effect.Effect<Response>
  /** The latest requests (`Rules.remembered` of them), refused ones included, in the order they came. */
  readonly requests: Effect.Effect<ReadonlyArray<Seen>>
  /** Every key that the create operation made. */
  readonly keys: Effect.Effect<ReadonlyArray<SubAccountApiKey>>
}>()("@tallystick/sandbox/Exchange") {
  static readonly make = Effect.fnUntraced(function*(options: Options) {
    const madeAt = (yield* Clock.currentTimeMillis) + (options.rules?.clockOffset ?? 0)
    const { answer, made, rules } = machine(options, madeAt)
    let seen: Array<Seen> = []
    return Exchange.of({
      handle: (request) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const at = millis + rules.clockOffset
          const response = answer(request, at)
          seen.push({ at, method: request.method, path: request.path, status: response.status })
          if (seen.length >= 2 * rules.remembered) seen = seen.slice(-rules.remembered)
          return response
        }),
      requests: Effect.sync(() => seen.slice(-rules.remembered)),
      keys: Effect.sync(made)
    })
  })

  static readonly layer = (options: Options): Layer.Layer<Exchange> => Layer.effect(Exchange, Exchange.make(options))
}
