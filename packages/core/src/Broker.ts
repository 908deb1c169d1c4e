/**
 * A broker's view of its sub-accounts: the three operations of the service, and both histories as streams that know how
 * complete they are.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import * as BrokerConfig from "./BrokerConfig.ts"
import * as BrokerError from "./BrokerError.ts"
import type * as Conventions from "./Conventions.ts"
import type { Call, Reply } from "./internal/client/Call.ts"
import * as Client from "./internal/client/Client.ts"
import type * as ClockQuestion from "./internal/client/ClockQuestion.ts"
import * as Instrumentation from "./internal/client/Instrumentation.ts"
import * as Histories from "./internal/histories/Histories.ts"
import * as Memory from "./internal/histories/Memory.ts"
import * as Operations from "./internal/operations/Operations.ts"
import type * as Learnt from "./Learnt.ts"
import * as Origin from "./Origin.ts"
import * as Page from "./Page.ts"
import * as RateLimit from "./RateLimit.ts"
import * as Signer from "./Signer.ts"
import type * as Slice from "./Slice.ts"
import * as Span from "./Span.ts"
import type * as SubAccountApiKey from "./SubAccountApiKey.ts"
import type * as SubAccountDeposit from "./SubAccountDeposit.ts"
import type * as UniversalTransfer from "./UniversalTransfer.ts"

export type CreateApiKey = Operations.CreateApiKey
export type UniversalTransfers = Operations.UniversalTransfers
export type SubAccountDeposits = Operations.SubAccountDeposits
export type ScanDeposits<E = never> = Histories.ScanDeposits<E>
export type ScanTransfers<E = never> = Histories.ScanTransfers<E>
export type StreamDeposits<E = never> = Histories.ScanDeposits<E> & Histories.Tail
export type StreamTransfers<E = never> = Histories.ScanTransfers<E> & Histories.Tail

/** How the service's clock stands to this machine's. */
export type ClockReading = ClockQuestion.ClockReading

/** The histories of a broker that lives in memory. */
export type History = Memory.History

type Result<A> = Effect.Effect<A, BrokerError.BrokerError>
type Streamed<A, E> = Stream.Stream<A, BrokerError.BrokerError | E>

export interface Service {
  /**
   * Makes an API key for a sub-account (interface description, section 4.1; needs SPOT_ACCOUNT_WRITE). The request is sent at
   * most once, unless the service proved that it did not run: by a 429, a 418 or its own error about the request's time. An
   * answer that proves nothing ends in `OutcomeUnknown`: a lost answer, a 5xx, a 303, an unknown code, or a stranger's answer,
   * such as a firewall's page with 403. Every other error is a redirect, or a refusal by the service's own JSON with a code of
   * `Conventions.errorCodes`, and no key was made. A call that is interrupted may have run all the same.
   */
  readonly createApiKey: (input: CreateApiKey) => Result<SubAccountApiKey.SubAccountApiKey>
  /**
   * One page of universal transfers (interface description, section 4.2; needs SPOT_TRANSFER_READ). An absent account is
   * the master.
   */
  readonly universalTransfers: (input: UniversalTransfers) => Result<Page.Page<UniversalTransfer.UniversalTransfer>>
  /** One page of the sub-accounts' deposits, most recent 3 days (interface description, section 4.3; needs SPOT_DEPOSIT_READ). */
  readonly subAccountDeposits: (input?: SubAccountDeposits) => Result<Page.Page<SubAccountDeposit.SubAccountDeposit>>
  /**
   * All transfers of one account pair and account-type pair in `[from, to)`, Unix ms, as slices in time order. What
   * could not be proven complete says so in its coverage; the stream fails only where nothing can be read at all, or with
   * the error of `onPage`, which sees every response as it comes: for whoever keeps what a scan that is broken off has read.
   */
  readonly scanUniversalTransfers: <E = never>(
    input: ScanTransfers<E>
  ) => Streamed<Slice.Slice<UniversalTransfer.UniversalTransfer>, E>
  /** All deposits in `[from, to)`, Unix ms, oldest slice first, because those are forgotten first; otherwise the same. */
  readonly scanSubAccountDeposits: <E = never>(
    input: ScanDeposits<E>
  ) => Streamed<Slice.Slice<SubAccountDeposit.SubAccountDeposit>, E>
  /**
   * The records of a scan. Fails with the first record that cannot be read, or with `Incomplete`, naming the gap: also where
   * it comes to records that are too young to be settled (a range to now does), unless `openTail` takes those as they are.
   */
  readonly streamUniversalTransfers: <E = never>(
    input: StreamTransfers<E>
  ) => Streamed<UniversalTransfer.UniversalTransfer, E>
  /** The same of the deposits. */
  readonly streamSubAccountDeposits: <E = never>(
    input: StreamDeposits<E>
  ) => Streamed<SubAccountDeposit.SubAccountDeposit, E>
  /** What scans have learnt so far of how the service answers, in server time: for a program that keeps it for its next round. */
  readonly learnt: Effect.Effect<Learnt.Learnt>
  /**
   * Begins a round from what earlier ones learnt, of this service and under these conventions. Every scan from now on checks long
   * lists again, and the first list of each operation is read twice. What was learnt is forgotten after 30 days without such a
   * check, or where pages are asked for with another length; that lists are not believed holds until nine lists, at most three
   * a round, were the same in a row.
   */
  readonly beginFrom: (learnt: Learnt.Learnt) => Effect.Effect<void>
  /** The service's time, Unix ms, never ahead of it; the local time where the service does not tell its own. */
  readonly serverTime: Effect.Effect<number>
  /**
   * Asks the service for its time with one unsigned request, not repeated, and says how far the clocks are apart. Where
   * no time comes the error says why; none where the answer carries none, or `Conventions.serverTimePath` is null.
   * Requests are corrected by readings of their own: this one is for people.
   */
  readonly clock: Result<Option.Option<ClockReading>>
  /** The conventions in force: how long histories are kept, and the rest. */
  readonly conventions: Conventions.Conventions
  /** Where its records come from: no two masters, and no sandbox, share it. */
  readonly origin: Effect.Effect<Origin.Origin>
}

const makeNoDeps = Effect.fnUntraced(function*(config: BrokerConfig.UnsignedSettings) {
  const { concurrency, conventions } = config
  const client = yield* Client.make(config)

  const createApiKey = Effect.fnUntraced(function*(input: CreateApiKey) {
    const call = yield* Operations.createApiKey(input, conventions)
    return yield* client.call(call).pipe(
      Effect.flatMap(({ json }) =>
        Effect.fromOption(Operations.readKey(json, input), () =>
          new BrokerError.BrokerError({
            operation: "createApiKey",
            reason: new BrokerError.OutcomeUnknown({
              subAccount: input.subAccount,
              note: input.note,
              detail: "the answer carries no key"
            })
          }))
      ),
      Instrumentation.call("createApiKey")
    )
  }, Span.within("Broker.createApiKey"))

  /** A page and when it came; `read` is none where the answer is no list. */
  const listed = <Record>(call: Call, read: (reply: Reply) => Option.Option<Page.Page<Record>>) =>
    client.call(call).pipe(
      Effect.flatMap((reply) =>
        Option.match(read(reply), {
          onNone: () =>
            Effect.fail(
              new BrokerError.BrokerError({
                operation: call.operation,
                reason: reply.unexpected("the answer is not a list of records, or longer than any page")
              })
            ),
          onSome: (page) => Effect.as(Instrumentation.page(call.operation, page), { at: reply.at, page })
        })
      ),
      Instrumentation.call(call.operation)
    )

  const transfersResponse = (input: UniversalTransfers) =>
    Effect.flatMap(
      Operations.universalTransfers(input, conventions),
      (call) => listed(call, ({ json, text }) => Page.readTransfers(json, text, input.page ?? 1))
    )

  const depositsResponse = (input: SubAccountDeposits) =>
    Effect.flatMap(
      Operations.subAccountDeposits(input, conventions),
      (call) => listed(call, ({ json, text }) => Page.readDeposits(json, text, input.page ?? 1))
    )

  const subAccountDeposits = Effect.fnUntraced(function*(input: SubAccountDeposits = {}) {
    yield* Operations.subAccountDeposits(input, conventions)
    if (input.startTime !== undefined || input.endTime !== undefined) {
      yield* Operations.depositReach(input, (yield* client.clock.now).earliest, conventions)
    }
    return (yield* depositsResponse(input)).page
  }, Span.within("Broker.subAccountDeposits"))

  return {
    createApiKey,
    universalTransfers: (input: UniversalTransfers) =>
      Effect.map(transfersResponse(input), ({ page }) => page).pipe(Span.within("Broker.universalTransfers")),
    subAccountDeposits,
    serverTime: Effect.map(client.clock.now, ({ earliest }) => earliest).pipe(Span.within("Broker.serverTime")),
    clock: client.readClock.pipe(Span.within("Broker.clock")),
    conventions,
    origin: Origin.of(config),
    ...Histories.make({
      conventions,
      concurrency,
      clock: client.clock,
      transfers: transfersResponse,
      deposits: depositsResponse
    })
  } satisfies Service
})

/**
 * Layers are functions of the options, so that two masters are two layers: a layer is built once wherever it is provided, and
 * one that took its options from the context would give the second master the first one's key.
 */
export class Broker extends Context.Service<Broker, Service>()("@tallystick/core/Broker") {
  /** A broker by itself, for programs with several masters at once: each has its own key, rate and clock. */
  static readonly make = Effect.fnUntraced(
    function*(
      options: BrokerConfig.Options
    ): Effect.fn.Return<Service, BrokerConfig.ConfigurationError, HttpClient.HttpClient> {
      const config = yield* Effect.fromResult(BrokerConfig.make(options))
      return yield* makeNoDeps(config).pipe(
        Effect.provideServiceEffect(Signer.Signer, Signer.Signer.make(config.secretKey)),
        Effect.provideServiceEffect(RateLimit.RateLimit, RateLimit.RateLimit.make(config.rate))
      )
    }
  )

  /**
   * Signs with the secret of the options, at their rate. Needs an HttpClient. Node's fetch sends a request again by itself
   * after an answer 421, also a POST: where keys are created, provide one that does not, such as undici's.
   */
  static readonly layer = (
    options: BrokerConfig.Options
  ): Layer.Layer<Broker, BrokerConfig.ConfigurationError, HttpClient.HttpClient> =>
    Layer.effect(Broker, Broker.make(options))

  /**
   * The same with options from the ConfigProvider: those of `TALLYSTICK_*`, of another prefix (`BrokerConfig.config("NORTH")`), or
   * each from where you say (`{ baseUrl: Config.String("URL"), … }`).
   */
  static readonly layerConfig = (
    options?: Config.Wrap<BrokerConfig.Options>
  ): Layer.Layer<Broker, BrokerConfig.ConfigurationError, HttpClient.HttpClient> =>
    Layer.effect(Broker, Effect.flatMap(BrokerConfig.load(options), Broker.make))

  /** Signer and rate limit from the context, for a KMS, or a limit that processes share; `rate` says nothing here. */
  static readonly layerNoDeps = (
    options: BrokerConfig.UnsignedOptions
  ): Layer.Layer<
    Broker,
    BrokerConfig.ConfigurationError,
    HttpClient.HttpClient | Signer.Signer | RateLimit.RateLimit
  > => Layer.effect(Broker, Effect.flatMap(Effect.fromResult(BrokerConfig.makeUnsigned(options)), makeNoDeps))

  /**
   * Histories from memory, for an embedder's own tests: no network, no signature, every page as the contract has it. It fails
   * where a record is not as its type promises, and names it.
   */
  static readonly layerMemory = (history: History): Layer.Layer<Broker, BrokerConfig.ConfigurationError> =>
    Layer.effect(Broker, Memory.make(history))
}
