/** The real client against the sandbox in process, while virtual time passes as fast as it can. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import type * as Exchange from "@tallystick/sandbox/Exchange"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { createHmac } from "node:crypto"

/** The local time at which every simulation begins, Unix ms. */
export const NOW = 1_700_000_000_000

const apiKey = "test-key"
const secret = "test-secret"

export const credentials = [{
  apiKey,
  secretKey: Redacted.make(secret),
  permissions: ["SPOT_ACCOUNT_WRITE", "SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"]
}]

/** As the real one, but at once: nothing then happens outside of virtual time. */
const signer = Layer.succeed(Signer.Signer, {
  sign: (payload) => Effect.sync(() => createHmac("sha256", secret).update(payload).digest("hex"))
})

/** The seeds of this run: `TALLYSTICK_SEED` alone, or `TALLYSTICK_SEEDS` of them. */
export const seeds = (usual: number): ReadonlyArray<number> => {
  const only = process.env["TALLYSTICK_SEED"]
  return only === undefined
    ? Array.from({ length: Number(process.env["TALLYSTICK_SEEDS"] ?? usual) }, (_, index) => index)
    : [Number(only)]
}

/** At most so many requests a second, for the client and, strictly, for the sandbox. */
export const RATE = 20

export const broker = (exchange: Exchange.Exchange["Service"], options: Partial<BrokerConfig.Options> = {}) =>
  Broker.Broker.layerNoDeps.pipe(
    Layer.provide([signer, RateLimit.RateLimit.layer]),
    Layer.provide(BrokerConfig.BrokerConfig.layer({
      baseUrl: "http://localhost",
      apiKey: Redacted.make(apiKey),
      secretKey: Redacted.make(secret),
      rate: { requests: RATE, window: Duration.seconds(1) },
      timeout: "10 seconds",
      maxBody: 300_000,
      ...options
    })),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, Sandbox.httpClient(exchange)))
  )

/** Lets virtual time pass until the effect ends; a day is enough for everything here. */
export const passing = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  for (let minutes = 0; fiber.pollUnsafe() === undefined; minutes += 5) {
    if (minutes > 24 * 60) return yield* Effect.die(new Error("still running after a day"))
    yield* TestClock.adjust("5 minutes")
  }
  return yield* Fiber.join(fiber)
})

/** Runs one seed; a defect names the command that repeats it. */
export const reproducible = (test: string, seed: number) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(
    effect,
    (defect) => Effect.die(new Error(`TALLYSTICK_SEED=${seed} npx --yes pnpm@12 test -t "${test}"`, { cause: defect }))
  )
