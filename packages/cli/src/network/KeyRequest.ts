/** A request for a key under Ctrl-C: every wait ends at once, a request that is on its way is finished first. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Configured from "../config/Configured.ts"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Proxy from "../config/Proxy.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Destination from "./Destination.ts"

/** After these a call waits and tries again; with anything else it ends, and what it ends with must be heard. */
const goesOn = (error: unknown): boolean =>
  error instanceof BrokerError.RateLimited || error instanceof BrokerError.Banned ||
  error instanceof BrokerError.ClockSkew

/** Knows whether a POST is on its way, and lets no other leave after `stop`. */
const watch = Effect.gen(function*() {
  const idle = yield* Latch.make(true)
  let isStopped = false

  const client = (self: HttpClient.HttpClient) =>
    HttpClient.transform(self, (send, { method }) =>
      Effect.suspend(() => {
        if (method !== "POST") return send
        if (isStopped) return Effect.interrupt
        idle.closeUnsafe()
        return send
      }))
  const limit = ({ permit }: RateLimit.RateLimit["Service"]) =>
    RateLimit.RateLimit.of({
      permit: (attempt) => permit(Effect.tapError(attempt, (error) => goesOn(error) ? idle.open : Effect.void))
    })
  const stop = Effect.suspend(() => {
    isStopped = true
    return idle.isOpen() ? Effect.void : Effect.andThen(
      Stderr.complain(
        "Interrupted. The request for the key is on its way: its answer may carry the secret and is awaited."
      ),
      idle.await
    )
  })
  return { client, limit, stop }
})

/**
 * Runs what asks for one key and keeps it, with a `Broker` from the environment. An interruption reaches it only while no
 * request is on its way and no key has come; after one it is said what became of the request.
 */
export const run = Effect.fnUntraced(function*<A, E extends { readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
) {
  yield* Proxy.judged
  yield* Effect.flatMap(OpenFiles.keys, OpenFiles.judged)
  const { client, limit, stop } = yield* watch
  const watched = (options: BrokerConfig.Options) =>
    Broker.Broker.layerNoDeps(options).pipe(
      Layer.provide([
        Signer.Signer.layer(options),
        Layer.effect(RateLimit.RateLimit, RateLimit.RateLimit.useSync(limit)).pipe(
          Layer.provide(RateLimit.RateLimit.layer(options))
        ),
        Layer.effect(HttpClient.HttpClient, HttpClient.HttpClient.useSync(client))
      ])
    )
  const layer = Layer.unwrap(Effect.map(BrokerConfig.load(), watched)).pipe(
    Layer.catchTag(
      "ConfigurationError",
      (error) => Layer.effectContext(Effect.flatMap(Configured.failure(error), Effect.fail))
    )
  )
  return yield* Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
    const fiber = yield* Effect.forkChild(Effect.provide(Destination.told(effect), layer))
    const exit = yield* Effect.exit(restore(Fiber.await(fiber)))
    if (Exit.isSuccess(exit)) return yield* exit.value
    yield* Effect.raceFirst(stop, Fiber.await(fiber))
    yield* Fiber.interrupt(fiber)
    const ended = yield* Fiber.await(fiber)
    if (Exit.hasInterrupts(ended)) yield* Stderr.complain("Interrupted before a key was made.")
    return yield* Effect.tapError(ended, ({ message }) => Stderr.complain(`tallystick: ${message}`))
  }))
})
