/** The service that a command talks to, as it is configured. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Configured from "../config/Configured.ts"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Proxy from "../config/Proxy.ts"
import * as Variables from "../config/Variables.ts"
import type * as Failure from "../Failure.ts"
import * as BrokerProgress from "./BrokerProgress.ts"
import * as Destination from "./Destination.ts"

/** Takes a share of the configured rate, and at least one request in its window. */
const limited = (share: number) => (options: BrokerConfig.Options) =>
  Effect.map(Effect.fromResult(BrokerConfig.rate(options)), ({ requests, window }): BrokerConfig.Options => ({
    ...options,
    rate: { requests: Math.max(1, Math.floor(requests * share)), window }
  }))

/** A `Broker` from `TALLYSTICK_*`; what is wrong there becomes a message that names the variable, or the file and its key. */
const layer = (share: number) =>
  Layer.effect(
    Broker.Broker,
    BrokerConfig.load().pipe(Effect.flatMap(limited(share)), Effect.flatMap(Broker.Broker.make))
  ).pipe(
    Layer.catchTag("ConfigurationError", (error) =>
      Layer.effectContext(
        Variables.withOthers(error).pipe(Effect.flatMap(Configured.failures), Effect.flatMap(Effect.fail))
      ))
  )

/**
 * Runs with a `Broker` that keeps to a share of the configured rate, above 0 and at most 1; it shows no progress. Within such a
 * run it is the same one.
 */
export const withShare = (share: number) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const given = yield* Effect.serviceOption(Broker.Broker)
    if (Option.isSome(given)) return yield* Effect.provideService(effect, Broker.Broker, given.value)
    yield* Proxy.judged
    yield* Effect.flatMap(OpenFiles.keys, OpenFiles.judged)
    return yield* Effect.provide(Destination.told(effect), layer(share))
  })

/** Fails with what a command lacks, and with what else the configuration lacks. */
export const lacking = (message: string): Effect.Effect<never, Failure.Failure, FileSystem.FileSystem> =>
  Variables.problems.pipe(
    Effect.flatMap((problems) => Configured.failures(problems, message)),
    Effect.flatMap(Effect.fail)
  )

/** Runs with the configured `Broker`; for commands that show progress of their own. */
export const withSilentBroker = withShare(1)

/** Runs with the configured `Broker`, and shows how far its scans are. */
export const withBroker = <A, E, R>(effect: Effect.Effect<A, E, R>) => withSilentBroker(BrokerProgress.shown(effect))
