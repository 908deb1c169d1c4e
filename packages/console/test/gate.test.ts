/** Attacks on the way in, over real sockets: what never comes to a session. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { createServer } from "node:http"
import { inspect } from "node:util"
import * as ConsoleServer from "../src/ConsoleServer.ts"
import type { Known } from "../src/internal/security/Directory.ts"
import * as Gate from "../src/internal/security/Gate.ts"
import * as Place from "../src/internal/security/Place.ts"
import * as Sessions from "../src/internal/security/Sessions.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"
import * as People from "./support/People.ts"

const desk = { _tag: "Desk", author: { name: "clerk", identity: "os" } } as const

const atDesk = ConsoleServer.serve({ people: desk })

const PUBLIC = "https://books.example.com"

const behindProxy = Effect.flatMap(
  People.made,
  ({ file }) => ConsoleServer.serve({ people: { _tag: "Users", file, publicOrigin: PUBLIC } })
)

const MEGABYTE = "x".repeat(1_000_000)

const headOf = (origin: string, more: string): string =>
  `POST /api/session HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`

describe("where the console listens", () => {
  it.effect("it is this machine alone, unless people sign in and a proxy speaks TLS", () =>
    Effect.gen(function*() {
      const { file } = yield* People.made
      const refused = Effect.fnUntraced(function*(options: ConsoleServer.Options) {
        const error = yield* Effect.flip(ConsoleServer.serve(options))
        return error instanceof ConsoleServer.UnsafeOptions ? error.message : "started"
      })
      assert.include((yield* atDesk).origin, "http://127.0.0.1:")
      for (const host of ["0.0.0.0", "::", "192.0.2.7", "books.example.com", "127.0.0.1.example.com"]) {
        assert.include(yield* refused({ people: desk, host }), "without a file of users")
        assert.include(yield* refused({ people: { _tag: "Users", file }, host }), "its public origin")
      }
      for (
        const publicOrigin of [
          "http://books.example.com",
          `${PUBLIC}/`,
          `${PUBLIC}/a`,
          "https://a@b.example",
          "books",
          ""
        ]
      ) {
        assert.include(yield* refused({ people: { _tag: "Users", file, publicOrigin } }), "is no origin of a proxy")
      }
    }).pipe(Effect.provide(Console.layer())))
})

describe("a page of another site", () => {
  it.effect("reaches nothing by a name of its own that leads here (DNS rebinding)", () =>
    Effect.gen(function*() {
      const served = yield* atDesk
      const { port } = new URL(served.origin)
      const headers = yield* Asked.atDesk(served)
      for (
        const host of [
          `evil.example:${port}`,
          "evil.example",
          "127.0.0.1",
          `127.0.0.1:1`,
          `localhost.evil.example:${port}`,
          `127.0.0.1:${port}.`
        ]
      ) {
        const { status, text } = yield* Asked.asked(served.origin, { headers: { ...headers, host } })
        assert.strictEqual(status, 403, host)
        assert.notInclude(text, "clerk")
      }
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
        assert.strictEqual((yield* Asked.asked(served.origin, { headers: { ...headers, host } })).status, 200, host)
      }
      for (
        const [host, status] of [["", 400], ["Host:\r\n", 403], [
          `Host: evil.example\r\nHost: 127.0.0.1:${port}\r\n`,
          403
        ]] as const
      ) {
        const head =
          `GET /api/session HTTP/1.1\r\n${host}Authorization: ${headers.authorization}\r\nConnection: close\r\n\r\n`
        assert.include((yield* Asked.raw(served.origin, [head], true)).text, `HTTP/1.1 ${status}`)
      }
      const absolute =
        `GET http://localhost:${port}/api/session HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: ${headers.authorization}\r\nConnection: close\r\n\r\n`
      assert.include((yield* Asked.raw(served.origin, [absolute], true)).text, "403 Forbidden")
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is refused by its origin, also where it has a bearer", () =>
    Effect.gen(function*() {
      const served = yield* atDesk
      const headers = yield* Asked.atDesk(served)
      const { port } = new URL(served.origin)
      for (
        const origin of [
          "https://evil.example",
          "null",
          `http://127.0.0.1:1`,
          `https://127.0.0.1:${port}`,
          `http://127.0.0.1:${port}/`,
          ""
        ]
      ) {
        assert.strictEqual((yield* Asked.asked(served.origin, { headers: { ...headers, origin } })).status, 403, origin)
      }
      for (const site of ["cross-site", "same-site"]) {
        const more = { "sec-fetch-site": site, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }
        assert.strictEqual((yield* Asked.asked(served.origin, { headers: { ...headers, ...more } })).status, 403)
        const link = { ...more, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
        assert.strictEqual((yield* Asked.asked(served.origin, { headers: { ...headers, ...link } })).status, 403)
        // A link from a mail may lead to the pages, which hold nothing.
        for (const path of ["/", "/?from=mail", "/docs"]) {
          assert.strictEqual((yield* Asked.asked(served.origin, { path, headers: link })).status, 200, path)
        }
        // The routes take other cases, doubled slashes and escapes for the same address.
        for (const path of ["/API/session", "//api/session", "/%61pi/session", "/ap%69/session", "/metrics"]) {
          const refused = yield* Asked.asked(served.origin, { path, headers: { ...headers, ...link } })
          assert.strictEqual(refused.status, 403, path)
        }
      }
      const own = { origin: served.origin, "sec-fetch-site": "same-origin" }
      assert.strictEqual((yield* Asked.asked(served.origin, { headers: { ...headers, ...own } })).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("sends no form: a body is JSON", () =>
    Effect.gen(function*() {
      const served = yield* atDesk
      const token = Asked.tokenOf(served)
      for (
        const type of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          "application/jsonp",
          ""
        ]
      ) {
        const headers = { "content-type": type }
        const path = "/api/session/exchange"
        const refused = yield* Asked.asked(served.origin, { method: "POST", path, headers, body: { token } })
        assert.strictEqual(refused.status, 415)
        assert.strictEqual(Asked.body(refused)["_tag"], "Refused")
      }
    }).pipe(Effect.provide(Console.layer())))
})

describe("every answer", () => {
  it.effect("keeps out of caches, frames and other sites, and lets no script run that stands in a page", () =>
    Effect.gen(function*() {
      const served = yield* atDesk
      const headers = yield* Asked.atDesk(served)
      const answers = [
        yield* Asked.asked(served.origin, { headers }),
        yield* Asked.asked(served.origin),
        yield* Asked.asked(served.origin, { path: "/nowhere" }),
        yield* Asked.asked(served.origin, { path: "/" }),
        yield* Asked.asked(served.origin, { headers: { host: "evil.example" } }),
        yield* Asked.asked(served.origin, { method: "POST", body: "{" }),
        yield* Asked.asked(served.origin, { method: "DELETE", headers })
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 401, 404, 200, 403, 400, 204])
      for (const { headers } of answers) {
        assert.strictEqual(headers["cache-control"], "no-store")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.strictEqual(headers["referrer-policy"], "no-referrer")
        assert.isUndefined(headers["access-control-allow-origin"])
        const policy = String(headers["content-security-policy"])
        assert.include(policy, "default-src 'none'")
        assert.include(policy, "frame-ancestors 'none'")
        assert.notInclude(policy, "unsafe")
        assert.notInclude(policy, "http")
      }
    }).pipe(Effect.provide(Console.layer())))
})

describe("a body", () => {
  it.effect("of a gigabyte is refused before it comes", () =>
    Effect.gen(function*() {
      const { origin } = yield* atDesk
      const told = yield* Asked.raw(origin, [headOf(origin, "Content-Length: 1000000000")], true)
      assert.include(told.text, "413 Payload Too Large")
      assert.include(told.text, "connection: close")
    }).pipe(Effect.provide(Console.layer())))

  it.effect("that does not tell its length is refused before it comes, whoever sends it", () =>
    Effect.gen(function*() {
      const served = yield* atDesk
      const { origin } = served
      const { authorization } = yield* Asked.atDesk(served)
      const chunk = `${MEGABYTE.length.toString(16)}\r\n${MEGABYTE}\r\n`
      const bytes = Array.from({ length: 4096 }, () => "1\r\nx\r\n")
      const more = `Content-Type: application/json\r\nAuthorization: ${authorization}\r\nTransfer-Encoding: chunked`
      for (
        const [line, chunks] of [
          ["POST /api/session", bytes],
          ["POST /api/decisions", Array.from({ length: 1000 }, () => chunk)],
          ["GET /api/session", bytes],
          ["DELETE /api/session", bytes]
        ] as const
      ) {
        const head = `${line} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n${more}\r\n\r\n`
        const { sent, text } = yield* Asked.raw(origin, [head, ...chunks], true)
        assert.include(text, "HTTP/1.1 411 Length Required", line)
        assert.include(text, "A body tells its length: Content-Length.", line)
        assert.isBelow(sent, 100 * MEGABYTE.length, line)
      }
      assert.strictEqual((yield* Asked.asked(origin, { headers: { authorization } })).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("that comes too slowly is not waited for", () =>
    Effect.gen(function*() {
      const { origin } = yield* atDesk
      const asking = yield* Effect.forkChild(
        Asked.raw(origin, [headOf(origin, "Content-Length: 100"), "{"], true)
      )
      // The server waits for the body by this clock, once the head has come.
      yield* TestClock.adjust("5 seconds").pipe(
        Effect.andThen(Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
        Effect.andThen(Effect.sync(() => asking.pollUnsafe() === undefined)),
        Effect.repeat({ while: (waits) => waits })
      )
      assert.include((yield* Fiber.join(asking)).text, "408 Request Timeout")
    }).pipe(Effect.provide(Console.layer())))
})

describe("before anybody is signed in", () => {
  it.effect("a body is small, and none is read that comes to nothing, nor a large one that needs a session", () =>
    Effect.gen(function*() {
      const { origin } = yield* atDesk
      const post = (path: string, more: string) =>
        `POST ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
      for (
        const [path, length, status] of [
          ["/api/session", 4097, 413],
          ["/api/session/exchange", 4097, 413],
          ["/api/decisions", 900_000, 401],
          ["/api/nowhere", 900_000, 404],
          ["/", 10, 404]
        ] as const
      ) {
        const { text } = yield* Asked.raw(origin, [post(path, `Content-Length: ${length}`)], true)
        assert.include(text, `HTTP/1.1 ${status}`, path)
        assert.include(text, "\"message\":", path)
      }
    }).pipe(Effect.provide(Console.layer())))

  it.live.each(
    [
      ["half a header", "GET / HTTP/1.1\r\n"],
      ["a header and no body", "POST /api/session HTTP/1.1\r\nContent-Length: 5\r\n\r\n"]
    ] as const
  )("a thousand connections with %s hold nobody out", ([, head]) =>
    Effect.gen(function*() {
      const { origin } = yield* atDesk
      const half = Asked.raw(origin, [head.replace("\r\n", `\r\nHost: ${new URL(origin).host}\r\n`)], true)
      const all = yield* Effect.forEach(Array.from({ length: 1000 }), () => Effect.forkChild(half))
      for (let count = 0; count < 3; count++) {
        assert.strictEqual((yield* Asked.asked(origin, { path: "/" })).status, 200)
      }
      // The server waits a while for requests that are under way when it ends.
      yield* Fiber.interruptAll(all)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("a header that is too large, and what is no request, are refused in words", () =>
    Effect.gen(function*() {
      const { origin } = yield* atDesk
      const large = `GET / HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nX: ${"x".repeat(20_000)}\r\n\r\n`
      for (const [bytes, status] of [[large, 431], ["nonsense\r\n\r\n", 400]] as const) {
        const { text } = yield* Asked.raw(origin, [bytes], true)
        assert.include(text, `HTTP/1.1 ${status}`)
        assert.include(text, "{\"_tag\":\"Refused\",\"message\":\"")
      }
    }).pipe(Effect.provide(Console.layer())))
})

const known: Known = { person: { name: "clerk", role: "decide", identity: "token" }, hash: "" }

/** A gate before an answer, which says nothing unless one is given. */
const guarded = Effect.fnUntraced(function*(
  rest: Pick<Gate.Guarded, "isEnding" | "sessions">,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse> = Effect.succeed(HttpServerResponse.empty())
) {
  const { address, serve } = yield* NodeHttpServer.make(createServer, { host: "127.0.0.1", port: 0 })
  const port = address._tag === "UnixPathAddress" ? 0 : address.port
  yield* serve(Gate.guard(answer, { place: Place.make(port), ...rest }))
  return `http://127.0.0.1:${port}`
})

describe("a console that ends", () => {
  const sessions = Sessions.make({ find: () => Effect.succeedSome(known) }, {
    idle: Duration.hours(1),
    lifetime: Duration.hours(12)
  })

  it.effect("says so, and does not ask anybody to sign in again", () =>
    Effect.gen(function*() {
      let hasEnded = false
      const origin = yield* guarded({ sessions, isEnding: () => hasEnded })
      const asking = [{}, { method: "POST", path: "/api/decisions", body: "x".repeat(5000) }]
      const statuses = Effect.map(
        Effect.forEach(asking, (one) => Asked.asked(origin, one)),
        (answers) => answers.map(({ status }) => status)
      )
      assert.deepStrictEqual(yield* statuses, [204, 401])
      hasEnded = true
      assert.deepStrictEqual(yield* statuses, [503, 503])
      assert.strictEqual((yield* Asked.asked(origin)).text, `{"_tag":"Unavailable","message":"The console ends."}`)
    }))

  it.effect("says so also where sessions end while an answer is made", () =>
    Effect.gen(function*() {
      for (const [status, told] of [[401, 503], [200, 200]] as const) {
        let hasEnded = false
        const answer = Effect.sync(() => {
          hasEnded = true
          return HttpServerResponse.empty({ status })
        })
        const origin = yield* guarded({ sessions, isEnding: () => hasEnded }, answer)
        assert.strictEqual((yield* Asked.asked(origin)).status, told)
      }
    }))
})

describe("a connection", () => {
  it.effect.each(["h2c", "websocket"])(
    "stays one of HTTP, where a request asks it to become one of %s",
    (other) =>
      Effect.gen(function*() {
        const { origin } = yield* atDesk
        const asking = (connection: string) =>
          `GET / HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: ${connection}\r\n\r\n`
        const { more, told } = yield* Asked.opened(origin, asking(`Upgrade\r\nUpgrade: ${other}`))
        yield* Effect.repeat(Asked.turn, { until: () => told.text.includes("</html>") })
        yield* more(asking("close"))
        yield* Effect.repeat(Asked.turn, { until: () => told.isOver })
        assert.strictEqual(told.text.split("HTTP/1.1 200 OK").length, 3)
      }).pipe(Effect.provide(Console.layer()))
  )
})

describe("somebody who is signed in", () => {
  it.effect("is looked up by the gate only where a large body comes", () =>
    Effect.gen(function*() {
      let looked = 0
      const find = () =>
        Effect.sync(() => {
          looked++
          return Option.some(known)
        })
      const sessions = Sessions.make({ find }, { idle: Duration.hours(1), lifetime: Duration.hours(12) })
      const { token } = yield* sessions.open(known, "bearer")
      const headers = { authorization: `Bearer ${Redacted.value(token)}` }
      const origin = yield* guarded({ sessions, isEnding: () => false })
      for (const [bytes, times] of [[4096, 0], [4097, 1]] as const) {
        const asking = { method: "POST", path: "/api/decisions", headers, body: "x".repeat(bytes) }
        assert.strictEqual((yield* Asked.asked(origin, asking)).status, 204)
        assert.strictEqual(looked, times)
      }
    }))
})

describe("a name of the proxy", () => {
  it.effect("is answered, with its exact origin, and no other one", () =>
    Effect.gen(function*() {
      const { local, opening, origin } = yield* behindProxy
      assert.strictEqual(origin, PUBLIC)
      assert.isUndefined(opening)
      const passedOn = Effect.fnUntraced(function*(headers: Record<string, string>) {
        const { status } = yield* Asked.asked(local, { headers })
        return status
      })
      const host = "books.example.com"
      assert.strictEqual(yield* passedOn({ host }), 401)
      assert.strictEqual(yield* passedOn({ host: `${host}:443`, origin: PUBLIC }), 401)
      for (const other of ["evil.example", `${host}:8443`, `x.${host}`, "example.com", `${host}.`]) {
        assert.strictEqual(yield* passedOn({ host: other }), 403, other)
      }
      for (
        const other of [
          "http://books.example.com",
          `${PUBLIC}:8443`,
          `${PUBLIC}:443`,
          local,
          "https://x.books.example.com",
          "null"
        ]
      ) {
        assert.strictEqual(yield* passedOn({ host, origin: other }), 403, other)
      }
    }).pipe(Effect.provide(Console.layer())))
})

describe("the printed address", () => {
  it.effect("has its token in the fragment, and hides it", () =>
    Effect.gen(function*() {
      const served = yield* atDesk
      assert.match(Asked.tokenOf(served), /^[\w-]{43}$/)
      assert.strictEqual(new URL(served.opening === undefined ? "" : Redacted.value(served.opening)).search, "")
      assert.notInclude(`${inspect(served)} ${JSON.stringify(served)}`, Asked.tokenOf(served))
    }).pipe(Effect.provide(Console.layer())))
})
