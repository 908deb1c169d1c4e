/** What a caller of the client may rely on: what comes, what may go wrong, and what must be provided. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type * as Page from "@tallystick/core/Page"
import type * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import type * as Slice from "@tallystick/core/Slice"
import type * as SubAccountApiKey from "@tallystick/core/SubAccountApiKey"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

declare const broker: Broker.Service
declare const range: { readonly from: number; readonly to: number }
declare const input: Broker.CreateApiKey
declare const onPage: () => Effect.Effect<void, "full">

// Operations fail with one error and need nothing more.
expectTypeOf(broker.createApiKey).returns.toEqualTypeOf<
  Effect.Effect<SubAccountApiKey.SubAccountApiKey, BrokerError.BrokerError>
>()
expectTypeOf(broker.universalTransfers).returns.toEqualTypeOf<
  Effect.Effect<Page.Page<UniversalTransfer.UniversalTransfer>, BrokerError.BrokerError>
>()
expectTypeOf(broker.subAccountDeposits).returns.toEqualTypeOf<
  Effect.Effect<Page.Page<SubAccountDeposit.SubAccountDeposit>, BrokerError.BrokerError>
>()
expectTypeOf(broker.serverTime).toEqualTypeOf<Effect.Effect<number>>()

// Histories are streams; whoever keeps pages adds an error of their own.
expectTypeOf(broker.scanSubAccountDeposits(range)).toEqualTypeOf<
  Stream.Stream<Slice.Slice<SubAccountDeposit.SubAccountDeposit>, BrokerError.BrokerError>
>()
expectTypeOf(broker.streamSubAccountDeposits(range)).toEqualTypeOf<
  Stream.Stream<SubAccountDeposit.SubAccountDeposit, BrokerError.BrokerError>
>()
expectTypeOf(broker.streamUniversalTransfers({ ...range, fromAccountType: "SPOT", toAccountType: "SPOT" }))
  .toEqualTypeOf<
    Stream.Stream<UniversalTransfer.UniversalTransfer, BrokerError.BrokerError>
  >()
expectTypeOf(broker.streamSubAccountDeposits({ ...range, onPage })).toEqualTypeOf<
  Stream.Stream<SubAccountDeposit.SubAccountDeposit, BrokerError.BrokerError | "full">
>()

// Layers say what is missing.
expectTypeOf(Broker.Broker.layerConfig).toEqualTypeOf<
  Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError, HttpClient.HttpClient>
>()
expectTypeOf(Broker.Broker.layer).toEqualTypeOf<
  Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError, BrokerConfig.BrokerConfig | HttpClient.HttpClient>
>()
expectTypeOf(Broker.Broker.layerNoDeps).toEqualTypeOf<
  Layer.Layer<
    Broker.Broker,
    never,
    BrokerConfig.BrokerConfig | HttpClient.HttpClient | RateLimit.RateLimit | Signer.Signer
  >
>()
expectTypeOf(Broker.Broker.layerMemory).returns.toEqualTypeOf<Layer.Layer<Broker.Broker>>()
expectTypeOf(Broker.Broker.make).returns.toEqualTypeOf<
  Effect.Effect<Broker.Service, BrokerConfig.ConfigurationError, HttpClient.HttpClient>
>()

// Secrets are no text.
expectTypeOf<SubAccountApiKey.SubAccountApiKey["secretKey"]>().toEqualTypeOf<Redacted.Redacted>()
expectTypeOf<BrokerConfig.Settings["secretKey"]>().toEqualTypeOf<Redacted.Redacted | undefined>()

// One tag to catch, and a reason inside with a tag of its own.
expectTypeOf<BrokerError.BrokerError["_tag"]>().toEqualTypeOf<"BrokerError">()
expectTypeOf<BrokerError.Incomplete>().toExtend<BrokerError.BrokerError["reason"]>()
expectTypeOf(
  Effect.catchReason(broker.createApiKey(input), "BrokerError", "OutcomeUnknown", (unknown) => {
    expectTypeOf(unknown).toEqualTypeOf<BrokerError.OutcomeUnknown>()
    return Effect.succeed(unknown.note)
  })
).toExtend<Effect.Effect<SubAccountApiKey.SubAccountApiKey | string, BrokerError.BrokerError>>()

// A signer is one function of the payload.
Signer.Signer.of({ sign: (payload) => Effect.succeed(payload) })
