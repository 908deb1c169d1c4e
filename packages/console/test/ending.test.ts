/** The end of a console, over real sockets: others hold it up for a moment at most. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { createServer, type ServerResponse } from "node:http"
import { connect } from "node:net"
import * as Connections from "../src/internal/security/Connections.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"

/** Lets sockets and files have their turn, which no clock of a test moves. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Sends something, and keeps what comes back; it never closes the connection. */
const sent = Effect.fnUntraced(function*(origin: string, bytes: string) {
  const { hostname, port } = new URL(origin)
  const told = { text: "", isOver: false }
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  socket.on("data", (chunk) => void (told.text += chunk.toString("utf8")))
  socket.on("error", () => {})
  socket.on("close", () => void (told.isOver = true))
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  return told
})

const headOf = (line: string, origin: string, ...more: ReadonlyArray<string>): string =>
  [`${line} HTTP/1.1`, `Host: ${new URL(origin).host}`, ...more].join("\r\n")

const LOGIN = "POST /api/session/exchange"

/** The server asks for a body once it begins to read it. */
const BODY = ["Content-Type: application/json", "Content-Length: 100", "Expect: 100-continue", "", "{"]

describe("the end of a console", () => {
  it.effect.each(
    [
      ["a body is sent slowly", (origin: string) => headOf(LOGIN, origin, ...BODY), "100 Continue"],
      [
        "a header is sent slowly behind a request that was answered",
        (origin: string) => `${headOf("GET /", origin, "", "")}${headOf("GET /", origin)}`,
        "</html>"
      ]
    ] as const
  )("waits a second for others, also where %s", ([, bytesOf, begun]) =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { origin } = yield* Scope.provide(Console.atDesk(), scope)
      const slow = yield* sent(origin, bytesOf(origin))
      yield* Effect.repeat(turn, { until: () => slow.text.includes(begun) })
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* turn
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(ending)
      yield* Effect.repeat(turn, { until: () => slow.isOver })
    }).pipe(Effect.provide(Console.layer())))

  it.effect("lets a request that is under way be answered, and comes then", () =>
    Effect.gen(function*() {
      const due: Array<ServerResponse> = []
      const server = createServer((_, response) => void due.push(response))
      const { address } = yield* NodeHttpServer.make(() => server, { host: "127.0.0.1", port: 0 })
      const port = address._tag === "UnixPathAddress" ? 0 : address.port
      const asking = yield* Effect.forkChild(Asked.asked(`http://127.0.0.1:${port}`))
      yield* Effect.repeat(turn, { until: () => due.length === 1 })
      const ending = yield* Effect.forkChild(Connections.end(server, "1 second"))
      yield* turn
      due[0]?.end("answered")
      assert.strictEqual((yield* Fiber.join(asking)).text, "answered")
      yield* Fiber.join(ending)
    }))

  it.effect("comes at once where nobody asks for anything", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { origin } = yield* Scope.provide(Console.atDesk(), scope)
      assert.strictEqual((yield* Asked.asked(origin, { path: "/" })).status, 200)
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(Console.layer())))
})
