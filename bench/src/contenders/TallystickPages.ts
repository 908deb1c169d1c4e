/** Our client as the command runs it, with the schema compiler and Node's own HMAC, over each of Effect's HTTP clients. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Broker from "@tallystick/core/Broker"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Stream from "effect/Stream"
import type { Pager } from "../paging/Pager.ts"
import * as Service from "../paging/Service.ts"

const transports = {
  fetch: NodeHttpClient.layerFetch,
  undici: NodeHttpClient.layerUndici,
  "node:http": NodeHttpClient.layerNodeHttp
} satisfies Readonly<Record<string, Layer.Layer<HttpClient.HttpClient>>>

type Transport = keyof typeof transports
type Reading = (broker: Broker.Service, service: Service.Service, lanes: number) => Effect.Effect<number, unknown>

const pager = (transport: Transport, reading: Reading): Pager => ({
  prepare: (service) => {
    const runtime = ManagedRuntime.make(Layer.merge(transports[transport], NodeCrypto.layerMac))
    const broker = (lanes: number) =>
      Broker.Broker.make({
        baseUrl: service.baseUrl,
        apiKey: Redacted.make(Service.API_KEY),
        secretKey: Redacted.make(Service.SECRET),
        rate: { requests: 100_000, window: Duration.millis(1) },
        concurrency: lanes,
        conventions: {
          sliceLength: Service.HOUR,
          depositPage: { default: Service.PAGE, maximum: Service.PAGE },
          transferPage: { default: Service.PAGE, maximum: Service.PAGE }
        }
      })
    return (lanes) => runtime.runPromise(Effect.flatMap(broker(lanes), (broker) => reading(broker, service, lanes)))
  }
})

/** The whole path: slices, each read to an empty page, de-duplicated, in order of time, with its coverage. */
export const scan = (transport: Transport): Pager =>
  pager(transport, (broker, service) => {
    const range = { from: service.from, to: service.from + Service.HOURS * Service.HOUR }
    return service.kind === "deposits"
      ? Stream.runCount(broker.streamSubAccountDeposits(range))
      : Stream.runCount(broker.streamUniversalTransfers({ ...Service.accountTypes, ...range }))
  })

/** The pages one by one, as whoever calls the operation itself gets them: signed and decoded, not compared. */
export const pages = (transport: Transport): Pager =>
  pager(transport, (broker, service, lanes) => {
    const length = (address: Service.PageAddress) => {
      const input = { ...address, limit: Service.PAGE }
      return service.kind === "deposits"
        ? Effect.map(broker.subAccountDeposits(input), ({ records }) => records.length)
        : Effect.map(broker.universalTransfers({ ...Service.accountTypes, ...input }), ({ records }) => records.length)
    }
    return Effect.forEach(Service.pages(service), length, { concurrency: lanes }).pipe(
      Effect.map((lengths) => lengths.reduce((sum, length) => sum + length, 0))
    )
  })
