/** What a caller of the client may rely on: what comes, what may go wrong, and what must be provided. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type * as BrokerMemory from "@tallystick/core/BrokerMemory"
import type * as ListedApiKey from "@tallystick/core/ListedApiKey"
import type * as Page from "@tallystick/core/Page"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import type * as Slice from "@tallystick/core/Slice"
import type * as SubAccount from "@tallystick/core/SubAccount"
import type * as SubAccountApiKey from "@tallystick/core/SubAccountApiKey"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redacted from "effect/Redacted"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

declare const broker: Broker.Service
declare const range: { readonly from: number; readonly to: number }
declare const input: Broker.CreateApiKey
declare const onPage: () => Effect.Effect<void, "full">

// Operations fail with one error, which has only the reasons that they may have, and need nothing more.
expectTypeOf(broker.createApiKey).returns.toEqualTypeOf<
  Effect.Effect<SubAccountApiKey.SubAccountApiKey, BrokerError.CreateApiKeyError>
>()
expectTypeOf(broker.universalTransfers).returns.toEqualTypeOf<
  Effect.Effect<Page.Page<UniversalTransfer.UniversalTransfer>, BrokerError.RequestError>
>()
expectTypeOf(broker.subAccountDeposits).returns.toEqualTypeOf<
  Effect.Effect<Page.Page<SubAccountDeposit.SubAccountDeposit>, BrokerError.RequestError>
>()
expectTypeOf(broker.serverTime).toEqualTypeOf<Effect.Effect<number>>()
expectTypeOf(broker.clock).toEqualTypeOf<Effect.Effect<Option.Option<Broker.ClockReading>, BrokerError.ClockError>>()

// Histories are streams; whoever keeps pages adds an error of their own.
expectTypeOf(broker.scanSubAccountDeposits(range)).toEqualTypeOf<
  Stream.Stream<Slice.Slice<SubAccountDeposit.SubAccountDeposit>, BrokerError.RequestError>
>()
expectTypeOf(broker.streamSubAccountDeposits(range)).toEqualTypeOf<
  Stream.Stream<SubAccountDeposit.SubAccountDeposit, BrokerError.StreamError>
>()
expectTypeOf(broker.streamUniversalTransfers({ ...range, fromAccountType: "SPOT", toAccountType: "SPOT" }))
  .toEqualTypeOf<
    Stream.Stream<UniversalTransfer.UniversalTransfer, BrokerError.StreamError>
  >()
expectTypeOf(broker.streamSubAccountDeposits({ ...range, onPage })).toEqualTypeOf<
  Stream.Stream<SubAccountDeposit.SubAccountDeposit, BrokerError.StreamError | "full">
>()

// The list of sub-accounts may not be offered, and may not be proven; a page is always offered.
expectTypeOf(broker.subAccounts).toEqualTypeOf<
  Stream.Stream<SubAccount.SubAccount, BrokerError.SubAccountsError>
>()
expectTypeOf(broker.apiKeys).returns.toEqualTypeOf<
  Effect.Effect<ReadonlyArray<ListedApiKey.ListedApiKey>, BrokerError.ApiKeysError>
>()
expectTypeOf<BrokerError.IncompleteList>().toExtend<BrokerError.SubAccountsError["reason"]>()
expectTypeOf<BrokerError.IncompleteList>().not.toExtend<BrokerError.ApiKeysError["reason"]>()
expectTypeOf<BrokerError.NotOffered>().not.toExtend<BrokerError.RequestError["reason"]>()

// Layers are functions of the options: two masters are never one layer, which would be built once. They say what is missing.
const options: BrokerConfig.Options = {
  baseUrl: "https://api.example.com",
  apiKey: Redacted.make("key"),
  secretKey: Redacted.make("secret")
}
expectTypeOf(Broker.Broker.layer(options)).toEqualTypeOf<
  Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError, HttpClient.HttpClient>
>()
expectTypeOf(Broker.Broker.layerConfig()).toEqualTypeOf<
  Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError, HttpClient.HttpClient>
>()
expectTypeOf(Broker.Broker.layerNoDeps(options)).toEqualTypeOf<
  Layer.Layer<
    Broker.Broker,
    BrokerConfig.ConfigurationError,
    HttpClient.HttpClient | RateLimit.RateLimit | Signer.Signer
  >
>()
expectTypeOf(Signer.Signer.layer(options)).toEqualTypeOf<
  Layer.Layer<Signer.Signer, BrokerConfig.ConfigurationError>
>()
expectTypeOf(RateLimit.RateLimit.layer(options)).toEqualTypeOf<
  Layer.Layer<RateLimit.RateLimit, BrokerConfig.ConfigurationError>
>()
expectTypeOf(RateLimit.RateLimit.layerShared).returns.toEqualTypeOf<
  Layer.Layer<RateLimit.RateLimit, BrokerConfig.ConfigurationError, RateLimiter.RateLimiter>
>()
// @ts-expect-error a layer without options could stand for any master
Layer.provide(Broker.Broker.layer, FetchHttpClient.layer)
// @ts-expect-error so could one that reads them from somewhere
Layer.provide(Broker.Broker.layerConfig, FetchHttpClient.layer)
// @ts-expect-error the secret belongs to the options where the client signs
Broker.Broker.layer({ baseUrl: options.baseUrl, apiKey: options.apiKey })
Broker.Broker.layerNoDeps({ baseUrl: options.baseUrl, apiKey: options.apiKey })

// Another prefix, or other names, in the place of a second declaration.
Broker.Broker.layerConfig(BrokerConfig.config("NORTH"))
Broker.Broker.layerConfig(Config.nested(BrokerConfig.config("NORTH"), "MASTERS"))
Broker.Broker.layerConfig({
  baseUrl: Config.succeed("https://api.example.com"),
  apiKey: Config.Redacted("KEY"),
  secretKey: Config.Redacted("SECRET"),
  retries: Config.Int("RETRIES"),
  timeout: Config.Duration("TIMEOUT"),
  conventions: { recvWindow: Config.Int("WINDOW") }
})
// @ts-expect-error a value is no Config: the secret is read when the layer is built
Broker.Broker.layerConfig(options)

// A broker in memory comes with the handle of its records, which are checked when they change too.
expectTypeOf(Broker.Broker.layerMemory).returns.toEqualTypeOf<
  Layer.Layer<Broker.Broker | BrokerMemory.BrokerMemory, BrokerConfig.ConfigurationError>
>()
declare const memory: BrokerMemory.BrokerMemory["Service"]
expectTypeOf(memory.update).returns.toEqualTypeOf<Effect.Effect<void, BrokerConfig.ConfigurationError>>()
export const changes: ReadonlyArray<unknown> = [
  memory.update((records) => ({ ...records, transfers: [] })),
  // @ts-expect-error a change that leaves out a side would lose its records
  memory.set({ deposits: [] })
]
expectTypeOf(Broker.Broker.make).returns.toEqualTypeOf<
  Effect.Effect<Broker.Service, BrokerConfig.ConfigurationError, HttpClient.HttpClient>
>()

// The document's own account type is offered beside the live service's, and any other is taken.
expectTypeOf<"FUTURE" | "FUTURES" | "SPOT">().toExtend<UniversalTransfer.AccountType>()
expectTypeOf<Extract<UniversalTransfer.AccountType, "FUTURE">>().toEqualTypeOf<"FUTURE">()
expectTypeOf<Broker.UniversalTransfers["fromAccountType"]>().toEqualTypeOf<UniversalTransfer.AccountType>()
expectTypeOf<string>().toExtend<Broker.UniversalTransfers["toAccountType"]>()

// Secrets are no text.
expectTypeOf<SubAccountApiKey.SubAccountApiKey["secretKey"]>().toEqualTypeOf<Redacted.Redacted>()
expectTypeOf<BrokerConfig.Settings["secretKey"]>().toEqualTypeOf<Redacted.Redacted>()

// One tag to catch, and a reason inside with a tag of its own.
expectTypeOf<BrokerError.BrokerError["_tag"]>().toEqualTypeOf<"BrokerError">()
expectTypeOf<BrokerError.Incomplete>().toExtend<BrokerError.BrokerError["reason"]>()
expectTypeOf(
  Effect.catchReason(broker.createApiKey(input), "BrokerError", "OutcomeUnknown", (unknown) => {
    expectTypeOf(unknown).toEqualTypeOf<BrokerError.OutcomeUnknown>()
    return Effect.succeed(unknown.note)
  })
).toExtend<Effect.Effect<SubAccountApiKey.SubAccountApiKey | string, BrokerError.BrokerError>>()

// A key cannot be incomplete, and only a key's outcome may stay unknown.
declare const keyReason: BrokerError.CreateApiKeyError["reason"]
expectTypeOf(keyReason).not.toExtend<BrokerError.StreamError["reason"]>()
expectTypeOf<BrokerError.Incomplete>().not.toExtend<typeof keyReason>()
expectTypeOf<BrokerError.OutcomeUnknown>().not.toExtend<BrokerError.RequestError["reason"]>()
expectTypeOf<BrokerError.RequestError>().toExtend<BrokerError.BrokerError>()
// The question for the time has no parameter that could be refused here, and is not signed.
expectTypeOf<BrokerError.InvalidParameter>().not.toExtend<BrokerError.ClockError["reason"]>()
expectTypeOf<BrokerError.SigningFailed>().not.toExtend<BrokerError.ClockError["reason"]>()
expectTypeOf<BrokerError.ClockError>().toExtend<BrokerError.RequestError>()
// A kind narrows a reason to those of its kind.
if (keyReason.category === "unknown-outcome") expectTypeOf(keyReason).toEqualTypeOf<BrokerError.OutcomeUnknown>()
if (keyReason.category === "throttling") {
  expectTypeOf(keyReason).toEqualTypeOf<BrokerError.RateLimited | BrokerError.Banned>()
}

// A signer is one function of the payload.
Signer.Signer.of({ sign: (payload) => Effect.succeed(payload) })
