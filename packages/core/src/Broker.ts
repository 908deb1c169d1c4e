/**
 * Gives a broker's view of its sub-accounts: the operations of the service, and both histories as streams that know how
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
import * as BrokerMemory from "./BrokerMemory.ts"
import type * as Conventions from "./Conventions.ts"
import type { Call, Reply } from "./internal/client/Call.ts"
import * as Client from "./internal/client/Client.ts"
import type * as ClockQuestion from "./internal/client/ClockQuestion.ts"
import * as Instrumentation from "./internal/client/Instrumentation.ts"
import * as Keys from "./internal/client/Keys.ts"
import * as Histories from "./internal/histories/Histories.ts"
import * as Lists from "./internal/histories/Lists.ts"
import * as Memory from "./internal/histories/Memory.ts"
import * as Answers from "./internal/operations/Answers.ts"
import * as Operations from "./internal/operations/Operations.ts"
import type * as Learnt from "./Learnt.ts"
import type * as ListedApiKey from "./ListedApiKey.ts"
import * as Origin from "./Origin.ts"
import * as Page from "./Page.ts"
import * as RateLimit from "./RateLimit.ts"
import * as Signer from "./Signer.ts"
import type * as Slice from "./Slice.ts"
import * as Span from "./Span.ts"
import type * as SubAccount from "./SubAccount.ts"
import type * as SubAccountApiKey from "./SubAccountApiKey.ts"
import type * as SubAccountDeposit from "./SubAccountDeposit.ts"
import type * as UniversalTransfer from "./UniversalTransfer.ts"

/** Describes the key that is to be made. */
export type CreateApiKey = Operations.CreateApiKey
/** Asks for one page of transfers of one pair of accounts. */
export type UniversalTransfers = Operations.UniversalTransfers
/** Asks for one page of deposits. */
export type SubAccountDeposits = Operations.SubAccountDeposits
/** Names the sub-account whose keys are listed. */
export type ApiKeys = Operations.ApiKeys
/** Says which deposits a scan reads, and who watches it. */
export type ScanDeposits<E = never> = Histories.ScanDeposits<E>
/** Says which transfers a scan reads, and who watches it. */
export type ScanTransfers<E = never> = Histories.ScanTransfers<E>
/** Says which deposits a stream reads, and whether it takes those that are too young to be settled. */
export type StreamDeposits<E = never> = Histories.ScanDeposits<E> & Histories.Tail
/** Says which transfers a stream reads, and whether it takes those that are too young to be settled. */
export type StreamTransfers<E = never> = Histories.ScanTransfers<E> & Histories.Tail

/** The difference between the service's clock and this machine's. */
export type ClockReading = ClockQuestion.ClockReading

/** The histories of a broker that lives in memory. */
export type History = Memory.History

/**
 * The client of the exchange: single operations, and both histories as streams. Every operation fails with a `BrokerError`,
 * whose type has the reasons that it can give.
 */
export interface Service {
  /**
   * Makes an API key for a sub-account (interface description, section 4.1; needs SPOT_ACCOUNT_WRITE). The request is sent at
   * most once, unless the service proved that it did not run: by a 429, a 418, or its own error about the request's time or (where
   * credentials may change) its key. An answer that proves nothing ends in `OutcomeUnknown`: a lost answer, a 5xx, a 303, an
   * unknown code, or a stranger's answer, such as a firewall's page with 403. Every other error is a redirect, or a refusal by the
   * service's own JSON with a code of `Conventions.errorCodes`, and no key was made. A call that is interrupted may have run all
   * the same.
   */
  readonly createApiKey: (
    input: CreateApiKey
  ) => Effect.Effect<SubAccountApiKey.SubAccountApiKey, BrokerError.CreateApiKeyError>
  /**
   * Reads one page of universal transfers (interface description, section 4.2; needs SPOT_TRANSFER_READ). An absent account is
   * the master.
   */
  readonly universalTransfers: (
    input: UniversalTransfers
  ) => Effect.Effect<Page.Page<UniversalTransfer.UniversalTransfer>, BrokerError.RequestError>
  /**
   * Reads one page of the sub-accounts' deposits, of the most recent 3 days (interface description, section 4.3; needs
   * SPOT_DEPOSIT_READ).
   */
  readonly subAccountDeposits: (
    input?: SubAccountDeposits
  ) => Effect.Effect<Page.Page<SubAccountDeposit.SubAccountDeposit>, BrokerError.RequestError>
  /**
   * Reads all transfers of one account pair and account-type pair in `[from, to)`, Unix ms, as slices in time order. A slice
   * whose completeness could not be proven, because a page failed for instance, says so in its coverage. The stream fails with an
   * error that every further request would meet too (its category is `request`, `credentials` or `account`), or with the error of
   * `onPage`. That callback sees every response as it comes, so a program can keep the records of a scan that is broken off.
   */
  readonly scanUniversalTransfers: <E = never>(
    input: ScanTransfers<E>
  ) => Stream.Stream<Slice.Slice<UniversalTransfer.UniversalTransfer>, BrokerError.RequestError | E>
  /** Reads all deposits in `[from, to)`, Unix ms, in the same way: the oldest slice first, because it is forgotten first. */
  readonly scanSubAccountDeposits: <E = never>(
    input: ScanDeposits<E>
  ) => Stream.Stream<Slice.Slice<SubAccountDeposit.SubAccountDeposit>, BrokerError.RequestError | E>
  /**
   * Reads the records of a scan. The stream fails with the first record that cannot be read, or with `Incomplete`, which names
   * the gap. It also fails with `Incomplete` when it comes to records that are too young to be settled (a range to now does),
   * unless `openTail` takes those as they are.
   */
  readonly streamUniversalTransfers: <E = never>(
    input: StreamTransfers<E>
  ) => Stream.Stream<UniversalTransfer.UniversalTransfer, BrokerError.StreamError | E>
  /** Reads the records of a scan of deposits in the same way. */
  readonly streamSubAccountDeposits: <E = never>(
    input: StreamDeposits<E>
  ) => Stream.Stream<SubAccountDeposit.SubAccountDeposit, BrokerError.StreamError | E>
  /**
   * Reads the list of all sub-accounts (not in the interface description; `Conventions.subAccountsPath`; needs
   * SPOT_ACCOUNT_READ), in the order in which the service first shows them. The list has no total and no order, so it is read
   * twice, with pages of different lengths, before anything is given; a long list takes twice its pages. The stream ends by itself
   * only where both readings agree. Otherwise it gives what was seen and fails with `IncompleteList`: where the service ignores
   * the number or the length of a page, leaves records out, repeats them, or lists none at all, and also where the list ends
   * behind a multiple of 50, or behind as many as a page holds at most or by default, because nothing could tell such a list from
   * one that is cut off there. A record that cannot be read fails the stream with `ProtocolError`, an exchange that has no such
   * list with `NotOffered`.
   */
  readonly subAccounts: Stream.Stream<SubAccount.SubAccount, BrokerError.SubAccountsError>
  /**
   * Reads the API keys of a sub-account, without their secrets (not in the interface description; `Conventions.apiKeysPath`; needs
   * SPOT_ACCOUNT_READ). The list comes in one answer, which nothing proves to be whole: a key in it exists, a key that is not in it
   * may exist all the same. It fails with `ProtocolError` where a key cannot be read, and with `NotOffered` where the exchange has
   * no such list.
   */
  readonly apiKeys: (
    input: ApiKeys
  ) => Effect.Effect<ReadonlyArray<ListedApiKey.ListedApiKey>, BrokerError.ApiKeysError>
  /** What scans have found so far about how the service answers, in server time. A program may keep it for its next round. */
  readonly learnt: Effect.Effect<Learnt.Learnt>
  /**
   * Begins a round from the findings of earlier ones, about this service and under these conventions. Every scan from now on
   * checks long lists again, and the first list of each operation is read twice. The findings are forgotten after 30 days without
   * such a check, or where pages are requested with another length. The finding that lists are not believed holds until nine
   * lists, at most three a round, were the same in a row.
   */
  readonly beginFrom: (learnt: Learnt.Learnt) => Effect.Effect<void>
  /** The service's time, Unix ms, never ahead of it. Where the service does not tell its time this is the local time. */
  readonly serverTime: Effect.Effect<number>
  /**
   * Asks the service for its time with one unsigned request, which is not repeated, and returns how far the clocks are apart.
   * Where no time comes the error says why. There is no reading where the answer carries no time, or `Conventions.serverTimePath`
   * is null. This reading is for people: requests are corrected by readings of their own.
   */
  readonly clock: Effect.Effect<Option.Option<ClockReading>, BrokerError.ClockError>
  /** The conventions in force: how long histories are kept, and the rest. */
  readonly conventions: Conventions.Conventions
  /** The origin of its records. No two masters share one, and neither do a sandbox and the service. */
  readonly origin: Effect.Effect<Origin.Origin>
}

const makeKeyed = Effect.fnUntraced(function*(
  config: BrokerConfig.UnsignedSettings,
  first: Client.LimitedKey,
  further: ReadonlyArray<Client.LimitedKey> = []
) {
  const { concurrency, conventions } = config
  const client = yield* Client.make(config, first, further)

  let known: { readonly key: Keys.Key; readonly origin: Origin.Origin } | undefined
  const origin = Effect.suspend(() => {
    const key = first.keys.current()
    if (known?.key === key) return Effect.succeed(known.origin)
    return Effect.tap(Origin.of({ baseUrl: config.baseUrl, apiKey: key.apiKey }), (origin) =>
      Effect.sync(() => {
        known = { key, origin }
      }))
  })

  const createApiKey = Effect.fnUntraced(function*(input: CreateApiKey) {
    const call = yield* Operations.createApiKey(input, conventions)
    return yield* client.callOnce(call).pipe(
      Effect.flatMap(({ json }) =>
        Effect.fromOption(Answers.createdKey(json, input), () =>
          BrokerError.BrokerError.of(
            "createApiKey",
            new BrokerError.OutcomeUnknown({
              subAccount: input.subAccount,
              note: input.note,
              detail: "the answer carries no key"
            })
          ))
      ),
      Instrumentation.call("createApiKey")
    )
  }, Span.within("Broker.createApiKey"))

  /** Reads a page, and the time at which it came. `read` gives none where the answer is no list. */
  const listed = <Record>(call: Call, read: (reply: Reply) => Option.Option<Page.Page<Record>>) =>
    client.call(call).pipe(
      Effect.flatMap((reply) =>
        Option.match(read(reply), {
          onNone: () =>
            Effect.fail(
              BrokerError.BrokerError.of(
                call.operation,
                reply.unexpected("the answer is not a list of records, or longer than any page")
              )
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

  const subAccountsResponse = (input: Operations.SubAccounts) =>
    Effect.flatMap(Operations.subAccounts(input, conventions), (call) =>
      client.call(call).pipe(
        Effect.flatMap((reply) =>
          Effect.mapError(
            Effect.fromResult(Answers.subAccounts(reply)),
            ({ detail }) =>
              BrokerError.BrokerError.of(call.operation, reply.unexpected(`page ${input.page}: ${detail}`))
          )
        ),
        Effect.tap((records) => Instrumentation.page(call.operation, { records, bad: [] })),
        Instrumentation.call(call.operation),
        Effect.mapError(Operations.notOffered)
      ))

  const apiKeys = Effect.fnUntraced(function*(input: ApiKeys) {
    const call = yield* Operations.apiKeys(input, conventions)
    return yield* client.call(call).pipe(
      Effect.flatMap((reply) =>
        // The answer is not quoted, because it holds keys.
        Effect.mapError(Effect.fromResult(Answers.apiKeys(input.subAccount)(reply)), ({ detail }) =>
          BrokerError.BrokerError.of(
            call.operation,
            new BrokerError.ProtocolError({ status: reply.unexpected(detail).status, detail, excerpt: "" })
          ))
      ),
      Instrumentation.call(call.operation),
      Effect.mapError(Operations.notOffered)
    )
  }, Span.within("Broker.apiKeys"))

  return {
    createApiKey,
    apiKeys,
    subAccounts: Lists.subAccounts(conventions, subAccountsResponse),
    universalTransfers: (input: UniversalTransfers) =>
      Effect.map(transfersResponse(input), ({ page }) => page).pipe(Span.within("Broker.universalTransfers")),
    subAccountDeposits,
    serverTime: Effect.map(client.clock.now, ({ earliest }) => earliest).pipe(Span.within("Broker.serverTime")),
    clock: client.readClock.pipe(Span.within("Broker.clock")),
    conventions,
    origin,
    ...Histories.make({
      conventions,
      concurrency,
      clock: client.clock,
      unasked: client.unasked,
      transfers: transfersResponse,
      deposits: depositsResponse
    })
  } satisfies Service
})

const keyOf = ({ apiKey, secretKey }: BrokerConfig.Credentials): Effect.Effect<Keys.Key> =>
  Effect.map(Signer.Signer.make(secretKey), ({ sign }) => ({ apiKey, secretKey, sign }))

/** Makes a broker of a first key and the further ones of its configuration, which share one limit, or have one each. */
const limited = Effect.fnUntraced(function*(config: BrokerConfig.Settings, keys: Keys.Keys) {
  const limit = RateLimit.RateLimit.make(config.rate)
  const first = { keys, limit: yield* limit }
  const further = yield* Effect.forEach(config.apiKeys, (credentials) =>
    Effect.gen(function*() {
      const keys = Keys.fixed(yield* keyOf(credentials))
      return { keys, limit: config.conventions.ratePer === "key" ? yield* limit : first.limit }
    }))
  return yield* makeKeyed(config, first, further)
})

const makeNoDeps = Effect.fnUntraced(function*(options: BrokerConfig.UnsignedOptions) {
  const config = yield* Effect.fromResult(BrokerConfig.makeUnsigned(options))
  const { sign } = yield* Signer.Signer
  const { apiKey, secretKey } = config
  const keys = Keys.fixed({ apiKey, sign, ...(secretKey === undefined ? {} : { secretKey }) })
  return yield* makeKeyed(config, { keys, limit: yield* RateLimit.RateLimit })
})

/**
 * The broker's service and its layers. A layer is built once wherever it is provided, so layers are functions of their options: a
 * layer that took its options from the context would give a second master the first one's key.
 */
export class Broker extends Context.Service<Broker, Service>()("@tallystick/core/Broker") {
  /** Makes a broker outside of a layer, for programs with several masters at once. Each has its own key, rate and clock. */
  static readonly make = Effect.fnUntraced(
    function*(
      options: BrokerConfig.Options
    ): Effect.fn.Return<Service, BrokerConfig.ConfigurationError, HttpClient.HttpClient> {
      const config = yield* Effect.fromResult(BrokerConfig.make(options))
      return yield* limited(config, Keys.fixed(yield* keyOf(config)))
    }
  )

  /**
   * Makes a broker whose key may change while it runs. `credentials` gives the key and its secret: once now, and again where the
   * service refuses the key or a signature. A call that was refused is then sent once more if the key is another one; an answer
   * that refuses a key proves that nothing was done. No attempt is signed with parts of two keys, and calls that are refused at the
   * same time share one reading. A reading that fails ends these calls with `SigningFailed`. All keys must be of one master:
   * nobody could tell otherwise whose records a history holds. Further keys (`apiKeys`) do not change.
   */
  static readonly makeRotating = Effect.fnUntraced(
    function*<E, R>(
      options: BrokerConfig.RotatingOptions,
      credentials: Effect.Effect<BrokerConfig.Credentials, E, R>
    ): Effect.fn.Return<Service, BrokerConfig.ConfigurationError | E, HttpClient.HttpClient | R> {
      const context = yield* Effect.context<R>()
      const read = ({ apiKey, secretKey }: BrokerConfig.Credentials) =>
        Effect.fromResult(BrokerConfig.make({ ...options, apiKey, secretKey }))
      const config = yield* Effect.flatMap(credentials, read)
      const again = Effect.flatMap(credentials, read).pipe(
        Effect.provide(context),
        Effect.mapError((error) => new BrokerError.SigningFailed({ detail: Keys.unread(error) }))
      )
      const next = (used: Keys.Key) =>
        Effect.flatMap(again, (found) => Keys.isSame(used, found) ? Effect.undefined : keyOf(found))
      return yield* limited(config, Keys.renewed(yield* keyOf(config), next))
    }
  )

  /**
   * Builds a broker that signs with the secret of the options and keeps their rate. It needs an HttpClient. Node's fetch by
   * itself repeats a request, even a POST, after an answer 421: where keys are created, provide a client that does not, such as
   * undici's.
   */
  static readonly layer = (
    options: BrokerConfig.Options
  ): Layer.Layer<Broker, BrokerConfig.ConfigurationError, HttpClient.HttpClient> =>
    Layer.effect(Broker, Broker.make(options))

  /**
   * Builds the same with options from the ConfigProvider: those of `TALLYSTICK_*`, of another prefix
   * (`BrokerConfig.config("NORTH")`), or each from a place of its own (`{ baseUrl: Config.String("URL"), … }`).
   */
  static readonly layerConfig = (
    options?: Config.Wrap<BrokerConfig.Options>
  ): Layer.Layer<Broker, BrokerConfig.ConfigurationError, HttpClient.HttpClient> =>
    Layer.effect(Broker, Effect.flatMap(BrokerConfig.load(options), Broker.make))

  /**
   * Builds a broker whose key may change while it runs, as `makeRotating` makes it. It fails with the error of `credentials`
   * where their first reading fails.
   */
  static readonly layerRotating = <E, R>(
    options: BrokerConfig.RotatingOptions,
    credentials: Effect.Effect<BrokerConfig.Credentials, E, R>
  ): Layer.Layer<Broker, BrokerConfig.ConfigurationError | E, HttpClient.HttpClient | R> =>
    Layer.effect(Broker, Broker.makeRotating(options, credentials))

  /**
   * Builds a broker whose signer and rate limit come from the context, for a KMS, or for a limit that processes share. The option
   * `rate` has no effect here.
   */
  static readonly layerNoDeps = (
    options: BrokerConfig.UnsignedOptions
  ): Layer.Layer<
    Broker,
    BrokerConfig.ConfigurationError,
    HttpClient.HttpClient | Signer.Signer | RateLimit.RateLimit
  > => Layer.effect(Broker, makeNoDeps(options))

  /**
   * Builds a broker whose histories are in memory, for an embedder's own tests. There is no network and no signature, every page
   * follows the contract, and its time is the `Clock`'s: a record of the future is on no page before its time. A test changes the
   * records through `BrokerMemory`. The layer fails where a record is not as its type promises, and names that record.
   */
  static readonly layerMemory = (
    history: History
  ): Layer.Layer<Broker | BrokerMemory.BrokerMemory, BrokerConfig.ConfigurationError> =>
    Layer.effectContext(
      Effect.map(Memory.make(history), ({ broker, memory }) =>
        Context.make(Broker, broker).pipe(Context.add(BrokerMemory.BrokerMemory, memory)))
    )
}
