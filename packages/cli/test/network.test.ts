/** The client of the command on real sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as Network from "@tallystick/cli/network/Network"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import { start } from "./support/Process.ts"

const portOf = (server: Net.Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** A server for the scope's lifetime, and its port. */
const listening = (server: Net.Server) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return portOf(server)
    }),
    () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
  )

/** Remembers what it is asked, and answers each with this status. */
const answering = Effect.fnUntraced(function*(status: number) {
  const seen: Array<Http.IncomingMessage> = []
  const port = yield* listening(Http.createServer((request, response) => {
    seen.push(request)
    request.resume().once("end", () => response.writeHead(status, { connection: "close" }).end())
  }))
  return { port, seen }
})

/** A proxy that opens no tunnel, and what it was asked for. */
const proxy = Effect.gen(function*() {
  const asked: Array<string> = []
  const server = Http.createServer()
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`)
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")
  })
  return { asked, port: yield* listening(server) }
})

/** A proxy that passes on what is not encrypted anyway, and what it was asked. */
const passing = Effect.gen(function*() {
  const seen: Array<Http.IncomingMessage> = []
  const server = Http.createServer((request, response) => {
    seen.push(request)
    const onward = Http.request(request.url ?? "", { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: "close" })
      answer.pipe(response)
    })
    request.pipe(onward.on("error", () => response.destroy()))
  })
  return { seen, port: yield* listening(server) }
})

const network = Effect.provide(Network.layer)

describe("the network of the command", () => {
  it.live("sends a POST once, also when the answer is 421", () =>
    Effect.gen(function*() {
      const { port, seen } = yield* answering(421)
      const client = yield* HttpClient.HttpClient
      const request = HttpClientRequest.post(`http://127.0.0.1:${port}/`).pipe(HttpClientRequest.bodyText("{}"))
      const { headers, status } = yield* client.execute(request)
      assert.strictEqual(status, 421)
      assert.strictEqual(headers["connection"], "close")
      assert.deepStrictEqual(seen.map(({ method }) => method), ["POST"])
      assert.strictEqual(seen[0]?.headers["content-length"], "2")
      assert.strictEqual(seen[0]?.headers["user-agent"], "tallystick")
    }).pipe(network, Effect.scoped))

  it.live("is there for a second request when the first was given up", () =>
    Effect.gen(function*() {
      const { port, seen } = yield* answering(200)
      const client = yield* HttpClient.HttpClient
      const request = client.get(`http://127.0.0.1:${port}/`)
      const first = yield* Effect.forkChild(request, { startImmediately: true })
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* request).status, 200)
      assert.strictEqual(seen.length, 1)
    }).pipe(network, Effect.scoped))
})

describe("a command behind a proxy", () => {
  /** Where a command goes that may only leave through this proxy. */
  const ways = Effect.fnUntraced(function*(env: Record<string, string>) {
    const direct: Array<string> = []
    const target = yield* listening(Net.createServer((socket) => {
      direct.push("direct")
      socket.on("error", () => undefined).destroy()
    }))
    const { asked, port } = yield* proxy
    const { ended } = start(["deposits", "--since", "1h"], {
      env: {
        TALLYSTICK_BASE_URL: `https://127.0.0.1:${target}`,
        TALLYSTICK_API_KEY: "mx0key",
        TALLYSTICK_SECRET_KEY: "very-secret",
        TALLYSTICK_RETRIES: "0",
        HTTPS_PROXY: `http://127.0.0.1:${port}`,
        ...env
      }
    })
    const { exitCode } = yield* Effect.promise(() => ended)
    assert.strictEqual(exitCode, 3)
    return { direct: direct.length > 0, tunnels: asked.includes(`CONNECT 127.0.0.1:${target}`) }
  })

  it.live("goes through it with NODE_USE_ENV_PROXY=1, and past it otherwise", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* ways({ NODE_USE_ENV_PROXY: "1" }), { direct: false, tunnels: true })
      assert.deepStrictEqual(yield* ways({}), { direct: true, tunnels: false })
      assert.deepStrictEqual(yield* ways({ NODE_USE_ENV_PROXY: "0" }), { direct: true, tunnels: false })
      assert.deepStrictEqual(
        yield* ways({ NODE_USE_ENV_PROXY: "1", NO_PROXY: "127.0.0.1" }),
        { direct: true, tunnels: false }
      )
    }).pipe(Effect.scoped))

  it.live("reads everything through it", () =>
    Effect.gen(function*() {
      const { environment, exchange } = yield* Sandbox.Sandbox
      const { port, seen } = yield* passing
      const { exitCode, stderr, stdout } = yield* Effect.promise(() =>
        start(["deposits", "--since", "70h"], {
          env: {
            ...environment(),
            NODE_USE_ENV_PROXY: "1",
            HTTP_PROXY: `http://user:password@127.0.0.1:${port}`
          }
        }).ended
      )
      assert.strictEqual(exitCode, 0, stderr)
      assert.isAbove(stdout.split("\n").length, 20)
      assert.strictEqual(seen.length, (yield* exchange.requests).length)
      for (const { headers } of seen) {
        assert.strictEqual(headers["proxy-authorization"], `Basic ${btoa("user:password")}`)
      }
    }).pipe(Effect.provide(Sandbox.Sandbox.layer({ history: { deposits: 40 }, rules: { rate: null } })), Effect.scoped))
})
