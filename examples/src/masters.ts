import * as Broker from "@tallystick/core/Broker"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

/** Reads NORTH_BASE_URL, NORTH_API_KEY and NORTH_SECRET_KEY, and the same for the others. */
const settings = (master: string) =>
  Config.all({
    baseUrl: Config.String("BASE_URL"),
    apiKey: Config.Redacted("API_KEY"),
    secretKey: Config.Redacted("SECRET_KEY")
  }).pipe(Config.nested(master))

const reconcile = Effect.fnUntraced(function*(master: string) {
  // Each has its own key, rate limit and clock, and one fault is no other master's.
  const broker = yield* Broker.Broker.make(yield* settings(master))
  const to = (yield* broker.serverTime) - 24 * 3_600_000
  const { clean } = yield* Reconciliation.run({
    range: { from: to - 3_600_000, to },
    accounts: { list: ["sub00001", "sub00002"], complete: false }
  }).pipe(Effect.provideService(Broker.Broker, broker))
  yield* Console.log(`${master}: ${clean ? "the books agree" : "look at them"}`)
})

await Effect.forEach(["NORTH", "SOUTH"], reconcile, { concurrency: 2, discard: true }).pipe(
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise
)
