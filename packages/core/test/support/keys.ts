/** A broker with several keys, and what its service saw of each. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as Conventions from "@tallystick/core/Conventions"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import * as Service from "./service.ts"

export const START = 1_700_000_000_000

export const credentials = (number: number): BrokerConfig.Credentials => ({
  apiKey: Redacted.make(`mx0key${number}`),
  secretKey: Redacted.make(`recognisable-secret-${number}`)
})

/** The number of the key that a request carries, where it is signed with that key's own secret. */
export const keyOf = ({ request, url }: Service.Seen): number => {
  const number = Number(/^mx0key(\d+)$/.exec(request.headers["x-mexc-apikey"] ?? "")?.[1])
  const [, query = "", signature = ""] = /^\?(.*)&signature=(.*)$/.exec(url.search) ?? []
  const hmac = createHmac("sha256", `recognisable-secret-${number}`).update(query).digest("hex")
  assert.strictEqual(signature, hmac, "the key and the secret of a request belong together")
  return number
}

export interface Use {
  readonly key: number
  readonly at: number
  readonly method: string
}

interface World {
  readonly keys: number
  readonly ratePer?: Conventions.Conventions["ratePer"]
  readonly rate?: number
  readonly options?: Partial<BrokerConfig.Options>
  /** The answer to a use of a key, of which there were `n` before; without one the answer is an empty list. */
  readonly answer?: (use: Use, n: number) => Response | Service.Reply | undefined
}

/** A broker with these keys, the requests that its service saw, and the warnings that it logged. */
export const world = Effect.fnUntraced(
  function*({ answer = () => undefined, keys, options = {}, rate = 1000, ratePer = "master" }: World) {
    yield* TestClock.setTime(START)
    const used: Array<Use> = []
    const warnings: Array<string> = []
    const service = Service.make((seen, n) => {
      const use = { key: keyOf(seen), at: seen.at, method: seen.method }
      used.push(use)
      return answer(use, n) ?? Service.json([])
    })
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") warnings.push(String(message))
    })
    const [first, ...further] = Array.from({ length: keys }, (_, index) => credentials(index + 1))
    const broker = yield* Broker.Broker.make({
      baseUrl: "https://api.example.test",
      ...first!,
      apiKeys: further,
      rate: { requests: rate, window: "1 second" },
      conventions: { ratePer, serverTimePath: null },
      ...options
    }).pipe(
      Effect.provideService(HttpClient.HttpClient, service.client),
      Effect.provide(NodeCrypto.layerMac)
    )
    /** Runs calls to their end under virtual time. */
    const run = <A, E>(calls: Effect.Effect<A, E>, step: "1 millis" | "20 millis" | "1 second" = "20 millis") =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(calls)
        while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(step)
        return yield* Fiber.join(fiber)
      }).pipe(Effect.provide(Logger.layer([logger])))
    return { broker, run, used, warnings, keysUsed: () => used.map(({ key }) => key) }
  }
)

export const times = (count: number) => Array.from({ length: count })

/** So many calls, each after the other. */
export const inTurn = (broker: Broker.Service, count: number) =>
  Effect.forEach(times(count), () => broker.subAccountDeposits(), { discard: true })

/** So many calls at once, each of which ends as it may. */
export const atOnce = (broker: Broker.Service, count: number) =>
  Effect.forEach(times(count), () => Effect.result(broker.subAccountDeposits()), { concurrency: "unbounded" })

export const create: Broker.CreateApiKey = {
  subAccount: "sub00001",
  permissions: ["SPOT_ACCOUNT_READ"],
  note: "note-7"
}

export const made = { apiKey: "a", secretKey: "b", createTime: 1 }

export const counts = (used: ReadonlyArray<Use>, keys: number): ReadonlyArray<number> =>
  times(keys).map((_, index) => used.filter(({ key }) => key === index + 1).length)
