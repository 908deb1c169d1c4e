/** The end of a console, over real sockets: others hold it up for a moment at most. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { createServer, type ServerResponse } from "node:http"
import * as Connections from "../src/internal/security/Connections.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"

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
      const { told: slow } = yield* Asked.opened(origin, bytesOf(origin))
      yield* Effect.repeat(Asked.turn, { until: () => slow.text.includes(begun) })
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Asked.turn
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(ending)
      yield* Effect.repeat(Asked.turn, { until: () => slow.isOver })
    }).pipe(Effect.provide(Console.layer())))

  it.effect("lets a request that is under way be answered, and comes then", () =>
    Effect.gen(function*() {
      const due: Array<ServerResponse> = []
      const server = createServer((_, response) => void due.push(response))
      const { address } = yield* NodeHttpServer.make(() => server, { host: "127.0.0.1", port: 0 })
      const port = address._tag === "UnixPathAddress" ? 0 : address.port
      const asking = yield* Effect.forkChild(Asked.asked(`http://127.0.0.1:${port}`))
      yield* Effect.repeat(Asked.turn, { until: () => due.length === 1 })
      const ending = yield* Effect.forkChild(Connections.end(server, "1 second"))
      yield* Asked.turn
      due[0]?.end("answered")
      assert.strictEqual((yield* Fiber.join(asking)).text, "answered")
      yield* Fiber.join(ending)
    }))

  it.effect.each([LOGIN, "POST /api/decisions"])(
    "is told to somebody whose body comes by then: %s",
    (line) =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const { origin } = yield* Scope.provide(Console.atDesk(), scope)
        const { more, told } = yield* Asked.opened(origin, headOf(line, origin, ...BODY))
        yield* Effect.repeat(Asked.turn, { until: () => told.text.includes("100 Continue") })
        const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* Asked.turn
        yield* more("}".padStart(99))
        yield* Effect.repeat(Asked.turn, { until: () => told.isOver })
        assert.include(told.text, "HTTP/1.1 503 Service Unavailable")
        assert.include(told.text, `{"_tag":"Unavailable","message":"The console ends."}`)
        yield* Fiber.join(ending)
      }).pipe(Effect.provide(Console.layer()))
  )

  it.effect("comes at once where nobody asks for anything", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { origin } = yield* Scope.provide(Console.atDesk(), scope)
      assert.strictEqual((yield* Asked.asked(origin, { path: "/" })).status, 200)
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(Console.layer())))
})
