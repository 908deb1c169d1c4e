/** Asks a server as anybody may: with any header, and any bytes. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Agent, type IncomingHttpHeaders, request } from "node:http"
import { connect } from "node:net"
import type * as ConsoleServer from "../../src/ConsoleServer.ts"

export interface Asking {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What is sent as JSON; text is sent as it is. */
  readonly body?: unknown
  /** Connections that are used again; default: one for each request. */
  readonly agent?: Agent
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A few connections that many requests share. */
export const connections = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 8 })),
  (agent) => Effect.sync(() => agent.destroy())
)

/** What comes back. */
export const asked = (
  origin: string,
  { agent, body, headers = {}, method = "GET", path = "/api/session" }: Asking = {}
) =>
  Effect.callback<Answer>((resume) => {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    const all = {
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...headers
    }
    const sent = request(origin + path, { method, headers: all, agent: agent ?? false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resume(Effect.succeed({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8")
        })))
    })
    sent.on("error", (error) => resume(Effect.die(error)))
    sent.end(text)
  })

/** Sends raw bytes, and gives what came back until the server closed the connection, and how much of the bytes it took. */
export const raw = (origin: string, chunks: Iterable<string | Uint8Array>, isPatient = false) =>
  Effect.callback<{ readonly text: string; readonly sent: number }>((resume) => {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    const iterator = chunks[Symbol.iterator]()
    let [text, sent] = ["", 0]
    const pour = (): void => {
      for (;;) {
        const next = iterator.next()
        if (next.done === true) {
          if (!isPatient) socket.end()
          return
        }
        sent += next.value.length
        if (!socket.write(next.value)) return void socket.once("drain", pour)
      }
    }
    socket.on("connect", pour)
    socket.on("data", (chunk) => {
      text += chunk.toString("utf8")
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed({ text, sent })))
    return Effect.sync(() => socket.destroy())
  })

/** Lets sockets and files have their turn, which no clock of a test moves. */
export const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** A connection on which something was sent, and what came back by now; it is left to the server to close it. */
export const opened = Effect.fnUntraced(function*(origin: string, bytes: string) {
  const { hostname, port } = new URL(origin)
  const told = { text: "", isOver: false }
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  socket.on("data", (chunk) => {
    told.text += chunk.toString("utf8")
  })
  socket.on("error", () => {})
  socket.on("close", () => {
    told.isOver = true
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  return { told, more: (rest: string) => Effect.sync(() => socket.write(rest)) }
})

const Json = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

/** The body of an answer. */
export const body = ({ text }: Answer): Readonly<Record<string, unknown>> => Schema.decodeSync(Json)(text)

/** The token of the printed address. */
export const tokenOf = ({ opening }: ConsoleServer.Served): string => {
  const address = opening === undefined ? "" : Redacted.value(opening)
  return address.slice(address.indexOf("#token=") + 7)
}

/** Signs in at the desk, and gives what to send along. */
export const atDesk = Effect.fnUntraced(function*(served: ConsoleServer.Served) {
  const answer = yield* asked(served.origin, {
    method: "POST",
    path: "/api/session/exchange",
    body: { token: tokenOf(served) }
  })
  return { authorization: `Bearer ${String(body(answer)["bearer"])}` }
})
