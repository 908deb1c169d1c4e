/** Receivers of notices over real sockets and in real processes: whatever they do costs a bounded time, and no secret. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Receiver from "@tallystick/archive/Receiver"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createSocketServer, type Server } from "node:net"
import { directory } from "./support/Run.ts"

const TOKEN = "very-secret-token"
const NOTICE = "{\"version\":1}"

interface Seen {
  readonly method: string | undefined
  readonly authorization: string | undefined
  readonly type: string | undefined
  readonly body: string
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : assert.fail("it listens nowhere")
}

/** A web server that keeps what it was sent, until the scope ends. */
const server = (answer: (response: ServerResponse, request: IncomingMessage) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly seen: ReadonlyArray<Seen>; readonly close: () => void }>(
      (resume) => {
        const seen: Array<Seen> = []
        const listener: RequestListener = (request, response) => {
          let body = ""
          response.on("error", () => undefined)
          request.setEncoding("utf8").on("data", (text: string) => {
            body += text
          }).on("end", () => {
            const { authorization, "content-type": type } = request.headers
            seen.push({ method: request.method, authorization, type, body })
            answer(response, request)
          })
        }
        const web = createServer(listener)
        web.listen(0, "127.0.0.1", () => {
          const port = portOf(web)
          const close = () => {
            web.closeAllConnections()
            web.close()
          }
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, seen, close }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )

const receiverOf = (url: string) => Receiver.url({ url, token: Redacted.make(TOKEN) })

/** What became of a notice, in words that hold no secret. */
const sent = (receiver: Receiver.Receiver) =>
  Effect.match(receiver.send(NOTICE), {
    onFailure: (error) => {
      const told = `${error.message} ${JSON.stringify(error)} ${String(error)}`
      assert.notInclude(told, TOKEN)
      assert.notInclude(told, "path-secret")
      return error.message.replace(/http:\/\/127\.0\.0\.1:\d+/, "URL")
    },
    onSuccess: () => "sent"
  })

const clients: ReadonlyArray<readonly [string, Layer.Layer<HttpClient.HttpClient>]> = [
  ["undici", NodeHttpClient.layerUndici],
  ["fetch", FetchHttpClient.layer]
]

describe.each(clients)("a receiver at an address, by %s", (_, layer) => {
  const test = <A, E>(body: Effect.Effect<A, E, HttpClient.HttpClient | Effect.Services<ReturnType<typeof server>>>) =>
    Effect.provide(Effect.scoped(body), layer)

  it.live("gets a notice as JSON with the token, and 2xx is a yes", () =>
    test(Effect.gen(function*() {
      const { seen, url } = yield* server((response) => response.writeHead(202).end("thanks"))
      const receiver = yield* receiverOf(`${url}/hook?path-secret`)
      assert.strictEqual(receiver.place, url)
      assert.notInclude(receiver.id, "path")
      assert.strictEqual(yield* sent(receiver), "sent")
      assert.deepStrictEqual(seen, [
        { method: "POST", authorization: `Bearer ${TOKEN}`, type: "application/json", body: NOTICE }
      ])
    })))

  it.live("is believed to have taken nothing where it answers anything but 2xx", () =>
    test(Effect.gen(function*() {
      for (const status of [400, 401, 404, 429, 500, 503]) {
        const { url } = yield* server((response) => response.writeHead(status).end(`no ${TOKEN}`))
        assert.strictEqual(
          yield* sent(yield* receiverOf(`${url}/path-secret`)),
          `URL did not take a notice: it answered HTTP ${status}`
        )
      }
    })))

  it.live("refuses one notice with a 4xx; any other answer, and none at all, says that it takes nothing just now", () =>
    test(Effect.gen(function*() {
      const { close, url } = yield* server((response, request) =>
        response.writeHead(Number(request.url?.slice(1))).end()
      )
      const of = (status: number) =>
        Effect.flatMap(
          receiverOf(`${url}/${status}`),
          ({ send }) =>
            Effect.map(
              Effect.flip(send(NOTICE)),
              ({ reason }) => reason._tag === "Undelivered" ? reason.of : reason._tag
            )
        )
      for (const status of [400, 401, 404, 410, 413, 422]) assert.strictEqual(yield* of(status), "notice", `${status}`)
      for (const status of [301, 408, 429, 500, 503]) assert.strictEqual(yield* of(status), "receiver", `${status}`)
      close()
      assert.strictEqual(yield* of(400), "receiver")
    })))

  it.live("cannot have the token sent to another host by a redirect", () =>
    test(Effect.gen(function*() {
      const other = yield* server((response) => response.writeHead(200).end())
      for (const status of [301, 302, 303, 307, 308]) {
        const { url } = yield* server((response) => response.writeHead(status, { location: other.url }).end())
        assert.strictEqual(
          yield* sent(yield* receiverOf(url)),
          `URL did not take a notice: it answered with a redirect (HTTP ${status}), which is not followed`
        )
      }
      assert.deepStrictEqual(other.seen, [])
    })))

  it.live("that is down is told by the code of the connection's failure", () =>
    test(Effect.gen(function*() {
      const { close, url } = yield* server((response) => response.end())
      close()
      assert.strictEqual(
        yield* sent(yield* receiverOf(`${url}/path-secret`)),
        "URL did not take a notice: the connection failed (ECONNREFUSED)"
      )
    })))

  it.live("may answer without an end: no more is read than a cap, and the notice counts as taken", () =>
    test(Effect.gen(function*() {
      let written = 0
      let isClosed = false
      const { url } = yield* server((response) => {
        const chunk = "x".repeat(65_536)
        response.writeHead(200)
        response.on("close", () => {
          isClosed = true
        })
        const more = (): void => {
          if (isClosed) return
          written += chunk.length
          if (response.write(chunk)) setImmediate(more)
          else response.once("drain", more)
        }
        more()
      })
      assert.strictEqual(yield* sent(yield* receiverOf(url)), "sent")
      yield* Effect.promise(() =>
        new Promise<void>((resolve) => {
          const look = (): void => isClosed ? resolve() : void setImmediate(look)
          look()
        })
      )
      assert.isBelow(written, 20_000_000)
    })))

  it.live("may say more in its headers than anybody reads, or speak no HTTP at all", () =>
    test(Effect.gen(function*() {
      const answers = [`HTTP/1.1 200 OK\r\n${"x-more: ".padEnd(60_000, "y")}\r\n\r\n`, "220 mail.example.com ESMTP\r\n"]
      for (const answer of answers) {
        const port = yield* Effect.acquireRelease(
          Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
            const raw = createSocketServer((socket) => {
              socket.on("error", () => undefined).once("data", () => socket.end(answer))
            })
            raw.listen(0, "127.0.0.1", () =>
              resume(Effect.succeed({
                port: portOf(raw),
                close: () => void raw.close()
              })))
          }),
          ({ close }) => Effect.sync(close)
        )
        assert.match(
          yield* sent(yield* receiverOf(`http://127.0.0.1:${port.port}/path-secret`)),
          /^URL did not take a notice: the connection failed \([A-Za-z_]+\)$/
        )
      }
    })))
})

describe("an address of a receiver", () => {
  it.effect("is https, or of this machine, and holds no password", () =>
    Effect.gen(function*() {
      for (const url of ["https://example.com/x?y", "http://127.0.0.1:80", "http://localhost:1", "http://[::1]:8080"]) {
        assert.isUndefined(Receiver.problemOfUrl(url), url)
        yield* receiverOf(url)
      }
      const wrong = {
        "http://example.com": "must be https",
        "http://127.0.0.1.example.com": "must be https",
        "http://10.0.0.1": "must be https",
        "ftp://example.com": "must be https",
        "file:///etc/passwd": "must be https",
        "https://user:pass@example.com": "must not contain a user name or password",
        "example.com/x": "is not an absolute address"
      }
      for (const [url, problem] of Object.entries(wrong)) {
        const error = yield* Effect.flip(receiverOf(url))
        assert.strictEqual(error.reason._tag, "InvalidReceiver")
        assert.include(error.message, problem, url)
        assert.notInclude(error.message, "pass@")
      }
    }).pipe(Effect.provide(FetchHttpClient.layer)))

  it.effect("goes with a token that a header can hold", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        Receiver.url({ url: "https://example.com", token: Redacted.make("a\r\nx-b: c") })
      )
      assert.strictEqual(error.message, "the token for notices is not printable ASCII without spaces")
    }).pipe(Effect.provide(FetchHttpClient.layer)))
})

describe("a command as a receiver", () => {
  /** A program in a file of its own. */
  const program = Effect.fnUntraced(function*(text: string) {
    const file = (yield* directory).at("take")
    writeFileSync(file, `#!/bin/sh\n${text}\n`)
    chmodSync(file, 0o700)
    return file
  })
  const taking = (command: readonly [string, ...Array<string>], withhold: ReadonlyArray<string> = []) =>
    Effect.flatMap(Receiver.command({ command, withhold }), sent)
  const test = <A, E>(
    body: Effect.Effect<A, E, Effect.Services<ReturnType<typeof taking>> | Effect.Services<typeof directory>>
  ) => Effect.provide(Effect.scoped(body), NodeServices.layer)

  it.live("reads the notice from stdin, and its arguments as they are, by no shell", () =>
    test(Effect.gen(function*() {
      const out = (yield* directory).at("out")
      const file = yield* program("printf '%s|' \"$@\" > \"$1\"; cat >> \"$1\"")
      assert.strictEqual(yield* taking([file, out, "$HOME", "a b;exit 1"]), "sent")
      assert.strictEqual(readFileSync(out, "utf8"), `${out}|$HOME|a b;exit 1|${NOTICE}\n`)
    })))

  it.live("has no secret in its environment", () =>
    test(Effect.gen(function*() {
      const out = (yield* directory).at("out")
      const names = ["TALLYSTICK_SECRET_KEY", "TALLYSTICK_DATABASE_URL", "TALLYSTICK_NOTIFY_TOKEN"]
      const file = yield* program(`env > ${out}`)
      yield* Effect.acquireUseRelease(
        Effect.sync(() => names.forEach((name) => Reflect.set(process.env, name, TOKEN))),
        () => taking([file], ["TALLYSTICK_NOTIFY_TOKEN"]),
        () => Effect.sync(() => names.forEach((name) => Reflect.deleteProperty(process.env, name)))
      )
      assert.notInclude(readFileSync(out, "utf8"), TOKEN)
      assert.include(readFileSync(out, "utf8"), "PATH=")
    })))

  it.live("says why it did not take a notice, in few words however much it writes", () =>
    test(Effect.gen(function*() {
      const file = yield* program("cat > /dev/null; yes no | head -c 5000000 >&2; yes out | head -c 5000000; exit 7")
      const told = yield* taking([file])
      assert.match(told, / did not take a notice: it ended with exit code 7: no no no/)
      assert.isBelow(told.length, 600)
    })))

  it.live("may end without reading", () =>
    test(Effect.gen(function*() {
      assert.strictEqual(yield* taking([yield* program("exit 0")]), "sent")
    })))

  it.live("that the operating system refuses to start is told by the code of the refusal, and nothing of its arguments", () =>
    test(Effect.gen(function*() {
      const file = yield* program("exit 0")
      const code = (command: readonly [string, ...Array<string>]) =>
        Effect.map(taking(command), (told) => /it could not be run \((\w+)\)$/.exec(told)?.[1] ?? told)
      assert.strictEqual(yield* code([`${file}/x`]), "ENOTDIR")
      assert.strictEqual(yield* code([file, "x".repeat(5_000_000)]), "E2BIG")
      assert.strictEqual(yield* code([file, `${TOKEN}\0`]), "BadArgument")
      const busy = yield* Effect.acquireUseRelease(
        Effect.sync(() => openSync(file, "r+")),
        () => code([file]),
        (open) => Effect.sync(() => closeSync(open))
      )
      assert.strictEqual(busy, "ETXTBSY")
    })))

  it.live("that does not exist, or may not be run, is told", () =>
    test(Effect.gen(function*() {
      const file = yield* program("exit 0")
      assert.match(yield* taking([`${file}x`]), /there is no such command$/)
      chmodSync(file, 0o600)
      assert.match(yield* taking([file]), /this user may not run it$/)
    })))
})

describe("a receiver that is slow", () => {
  /** Time goes on once the effect has begun to wait. */
  const after = (time: Duration.Input, begun: () => boolean) =>
    Effect.gen(function*() {
      while (!begun()) yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(time)
    })

  it.effect("has 20 seconds for its answer", () =>
    Effect.gen(function*() {
      let isAsked = false
      const silent = HttpClient.make(() => Effect.andThen(Effect.sync(() => (isAsked = true)), Effect.never))
      const receiver = yield* Effect.provideService(
        receiverOf("https://notices.example.com/path-secret"),
        HttpClient.HttpClient,
        silent
      )
      const sending = yield* Effect.forkChild(sent(receiver))
      yield* after("20 seconds", () => isAsked)
      assert.strictEqual(
        yield* Fiber.join(sending),
        "https://notices.example.com did not take a notice: no answer within 20s"
      )
    }))

  it.effect("is killed with what it started, where it is a command", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const file = yield* put(
        "take",
        `#!/bin/sh\nsleep 1000 &\necho $! $$ > ${at("pids.part")}\nmv ${at("pids.part")} ${at("pids")}\nwait\n`
      )
      chmodSync(file, 0o700)
      const sending = yield* Effect.forkChild(Effect.flatMap(Receiver.command({ command: [file] }), sent))
      yield* after("20 seconds", () => existsSync(at("pids")))
      assert.match(yield* Fiber.join(sending), / did not take a notice: it did not end within 20s$/)
      for (const pid of readFileSync(at("pids"), "utf8").trim().split(" ")) {
        assert.throws(() => process.kill(Number(pid), 0), /ESRCH/)
      }
    }).pipe(Effect.provide(NodeServices.layer)))
})
