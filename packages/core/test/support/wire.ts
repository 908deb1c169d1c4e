/** Real servers on loopback, and a broker that reaches them through each of Effect's HTTP clients. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Http from "node:http"
import type * as Net from "node:net"
import * as Service from "./service.ts"

export const clients: Readonly<Record<"fetch" | "undici" | "node:http", Layer.Layer<HttpClient.HttpClient>>> = {
  fetch: FetchHttpClient.layer,
  undici: NodeHttpClient.layerUndici,
  "node:http": NodeHttpClient.layerNodeHttp
}
export type ClientName = keyof typeof clients
export const clientNames: ReadonlyArray<ClientName> = ["fetch", "undici", "node:http"]

/** A request as its bytes said. */
export interface Arrived {
  readonly method: string
  /** Path and query, untouched. */
  readonly target: string
  readonly headers: Http.IncomingHttpHeaders
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: string
}

export interface Server {
  readonly baseUrl: string
  readonly arrived: Array<Arrived>
  /** Ends when the `n`th request (from 1) is there. */
  readonly arrival: (n: number) => Effect.Effect<void>
}

export type Answer = (request: Arrived, response: Http.ServerResponse, socket: Net.Socket) => void

const json = "application/json"

export const sendJson = (value: unknown): Answer => (_, response) => {
  response.writeHead(200, { "content-type": json }).end(JSON.stringify(value))
}

/** A server for the scope's lifetime. */
export const server = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly node: Http.Server; readonly server: Server }>((resume) => {
      const arrived: Array<Arrived> = []
      const waiting: Array<{ readonly n: number; readonly wake: () => void }> = []
      const node = Http.createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const one: Arrived = {
            method: request.method ?? "",
            target: request.url ?? "",
            headers: request.headers,
            rawHeaders: request.rawHeaders,
            body: Buffer.concat(chunks).toString("utf8")
          }
          arrived.push(one)
          for (const { n, wake } of waiting) if (arrived.length >= n) wake()
          answer(one, response, request.socket)
        })
      })
      const arrival = (n: number) =>
        Effect.callback<void>((resume) => {
          if (arrived.length >= n) resume(Effect.void)
          else waiting.push({ n, wake: () => resume(Effect.void) })
        })
      node.listen(0, "127.0.0.1", () => {
        const address = node.address()
        const port = typeof address === "object" ? address?.port : undefined
        resume(Effect.succeed({ node, server: { baseUrl: `http://127.0.0.1:${port}`, arrived, arrival } }))
      })
    }),
    ({ node }) =>
      Effect.callback<void>((resume) => {
        node.close(() => resume(Effect.void))
        node.closeAllConnections()
      })
  ).pipe(Effect.map(({ server }) => server))

/** A broker for a base URL; asks no time unless told to. */
export const broker = (baseUrl: string, name: ClientName, changes: Partial<BrokerConfig.Options> = {}) =>
  Effect.flatMap(Layer.build(clients[name]), (context) =>
    Broker.Broker.make({
      ...Service.options,
      baseUrl,
      retries: 0,
      ...changes,
      conventions: { serverTimePath: null, ...changes.conventions }
    }).pipe(Effect.provideContext(context)))
