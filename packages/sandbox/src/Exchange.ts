/**
 * Implements the service as a state machine in one process: a request goes in, an answer comes out, time is Effect's `Clock`.
 *
 * The rate limit stands in front of everything; after it come the faults between request and answer, then the operations. Nothing
 * waits here: the answer carries how its bytes go out, and when, and its deliverer acts by that.
 */
import * as Conventions from "@tallystick/core/Conventions"
import type { SubAccount } from "@tallystick/core/SubAccount"
import type { SubAccountApiKey } from "@tallystick/core/SubAccountApiKey"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Credential } from "./Credential.ts"
import * as Faults from "./Faults.ts"
import * as FaultInjection from "./internal/delivery/FaultInjection.ts"
import * as ApiKeys from "./internal/exchange/ApiKeys.ts"
import * as Ledger from "./internal/exchange/Ledger.ts"
import * as Operations from "./internal/exchange/Operations.ts"
import * as RateGates from "./internal/exchange/RateGates.ts"
import * as ServerClock from "./internal/exchange/ServerClock.ts"
import * as Tally from "./internal/exchange/Tally.ts"
import * as Rules from "./Rules.ts"

/** A request as it came: header names in lower case, everything else untouched. */
export interface Request {
  /** The HTTP method. */
  readonly method: string
  /** The path without its query. */
  readonly path: string
  /** The text after `?`; empty when there is none. */
  readonly rawQuery: string
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body as text; empty where there is none. */
  readonly body: string
}

/**
 * Status, headers and body text of an answer, and how it goes out: at once and whole without `delivery`. The status is 0 where
 * nothing ran and nothing goes out.
 */
export type Response = FaultInjection.Delivered

/** A request that was answered, `at` by the server's clock in ms. */
export interface Seen {
  /** The time at which the request came, by the server's clock in ms. */
  readonly at: number
  /** The HTTP method. */
  readonly method: string
  /** The path without its query. */
  readonly path: string
  /** 0 where the connection was reset before any byte of an answer. */
  readonly status: number
}

/** These options say what the exchange knows, and how it behaves. */
export interface Options {
  /** The keys that it knows. */
  readonly credentials: ReadonlyArray<Credential>
  /** The deposits of its history. */
  readonly deposits?: ReadonlyArray<SubAccountDeposit>
  /** The transfers of its history. */
  readonly transfers?: ReadonlyArray<UniversalTransfer>
  /**
   * The sub-accounts that exist and are listed, each from its own time on; a bare name stands for one that was made with the
   * exchange. Absent: keys are made for any name, and no list is offered.
   */
  readonly subAccounts?: ReadonlyArray<string | SubAccount>
  /** The name that records give to the master account: `master` unless given. */
  readonly master?: string
  /** The conventions that it follows, `Conventions.mexc` unless given. */
  readonly conventions?: Conventions.Conventions
  /** The rules that differ from `Rules.defaults`. */
  readonly rules?: Partial<Rules.Rules>
  /** The faults that are in force at first; none unless given. */
  readonly faults?: Faults.Faults
}

const machine = (options: Options, start: number) => {
  const conventions = options.conventions ?? Conventions.mexc
  const rules: Rules.Rules = { ...Rules.defaults, ...options.rules }
  const faults = options.faults ?? Faults.none
  const subAccounts = options.subAccounts?.map((one): SubAccount =>
    typeof one === "string" ? { subAccount: one, note: "", timestamp: start } : one
  )
  const names = subAccounts?.map(({ subAccount }) => subAccount)
  const apiKeys = ApiKeys.make({ conventions, rules, seed: faults.seed ?? 0, subAccounts: names })
  const operations = Operations.make({
    credentials: options.credentials,
    conventions,
    rules,
    master: options.master ?? "master",
    ledger: Ledger.make(options.deposits ?? [], options.transfers ?? [], subAccounts),
    apiKeys
  })
  const gates = RateGates.make(options.credentials, conventions, rules.rate)
  const tally = Tally.make()
  const madeAt = ServerClock.at(faults, start, start)
  let seen: Array<Seen> = []

  const answer = (request: Request, millis: number, faults: Faults.Faults): Response => {
    const operation = operations.at(request)
    tally.count(operation)
    const fault = FaultInjection.hit(faults, operation, tally)
    if (fault?.kind === "ban") gates.ban(millis, fault.seconds, fault.untold)
    const now = ServerClock.at(faults, start, millis)
    const run = () => FaultInjection.behind(fault, operations.answer(request, { now, madeAt, faults }))
    const answered = gates.admit(millis, request) ?? FaultInjection.instead(fault) ?? run()
    const response = FaultInjection.deliver(faults, fault, answered, tally.of(undefined))
    const status = response.delivery?.manner._tag === "Nothing" ? 0 : response.status
    seen.push({ at: now, method: request.method, path: request.path, status })
    if (seen.length >= 2 * rules.remembered) seen = seen.slice(-rules.remembered)
    return response
  }

  return { answer, made: apiKeys.made, seen: () => seen.slice(-rules.remembered) }
}

/** The exchange, without a socket. */
export class Exchange extends Context.Service<Exchange, {
  /** Answers one request. It never fails: a refusal is an answer. Its effects are complete when it ends. */
  readonly handle: (request: Request) => Effect.Effect<Response>
  /** The latest requests (`Rules.remembered` of them), refused ones included, in the order they came. */
  readonly requests: Effect.Effect<ReadonlyArray<Seen>>
  /** Every key that the create operation made. */
  readonly keys: Effect.Effect<ReadonlyArray<SubAccountApiKey>>
  /** The faults in force. */
  readonly faults: Effect.Effect<Faults.Faults>
  /** Replaces the faults from the next request on. Ordinals go on, bans stay, and made keys keep their seed. */
  readonly setFaults: (faults: Faults.Faults) => Effect.Effect<void>
}>()("@tallystick/sandbox/Exchange") {
  /** Makes an exchange that answers requests without a socket. */
  static readonly make = Effect.fnUntraced(function*(options: Options) {
    const { answer, made, seen } = machine(options, yield* Clock.currentTimeMillis)
    const faults = yield* Ref.make(options.faults ?? Faults.none)
    return Exchange.of({
      handle: (request) =>
        Effect.zipWith(
          Clock.currentTimeMillis,
          Ref.get(faults),
          (millis, faults) => answer(request, millis, faults)
        ),
      requests: Effect.sync(seen),
      keys: Effect.sync(made),
      faults: Ref.get(faults),
      setFaults: (changed) => Ref.set(faults, changed)
    })
  })

  /** Builds an exchange for the program. */
  static readonly layer = (options: Options): Layer.Layer<Exchange> => Layer.effect(Exchange, Exchange.make(options))
}
