/** Where a way to the service ends, on real sockets: the doctor and the commands blame nobody else. */
import { assert, describe, it } from "@effect/vitest"
import * as Network from "@tallystick/cli/network/Network"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import { tallystick } from "./support/Run.ts"

const key = {
  TALLYSTICK_API_KEY: "mx0key",
  TALLYSTICK_SECRET_KEY: "very-secret",
  TALLYSTICK_RETRIES: "0",
  TALLYSTICK_ALLOW_HTTP: "true"
}

/** The port of a server that listens for the scope's lifetime. */
const listening = (server: Net.Server) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    }),
    () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
  )

/** A port where nothing listens. */
const closedPort = Effect.scoped(listening(Net.createServer()))

/** A proxy that answers every wish, for a tunnel or to forward a request, with this. */
const answering = (answer: string) =>
  listening(Net.createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(answer))
  }))

const refusing = (status: number) =>
  answering(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)

/** A proxy that opens every tunnel, and leads all of them to a server that speaks no TLS. */
const leadingAstray = Effect.suspend(() => {
  const server = Http.createServer()
  server.on("connect", (_request, socket) => {
    socket.on("error", () => undefined)
    socket.write("HTTP/1.1 200 Connected\r\n\r\n", () => socket.once("data", () => socket.end("this is no TLS\r\n")))
  })
  return listening(server)
})

/** What the doctor says about the connection, and what another command ends with. */
const told = Effect.fnUntraced(function*(baseUrl: string, env: Record<string, string> = {}) {
  const run = (args: ReadonlyArray<string>) =>
    tallystick(args, { env: { ...key, TALLYSTICK_BASE_URL: baseUrl, ...env } }).pipe(Effect.provide(Network.layer))
  const { stdout } = yield* run(["doctor"])
  const { exitCode, stderr } = yield* run(["deposits", "--since", "1h"])
  assert.strictEqual(exitCode, 3, stderr)
  assert.notInclude(stdout + stderr, "very-secret")
  assert.notInclude(stdout + stderr, "proxy-secret")
  const [line = ""] = /^failed +connection[^]*?(?=^\w)/m.exec(stdout) ?? []
  const [configuration = ""] = stdout.split(/\n(?=\w)/)
  return { configuration: configuration.replaceAll(/\s+/g, " "), doctor: line.replaceAll(/\s+/g, " "), stderr }
})

const through = (proxy: string) => ({ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: proxy, HTTP_PROXY: proxy })

describe("what stops a request is named", () => {
  it.live.each(["https", "http"])("a proxy for %s that refuses the connection", (scheme) =>
    Effect.gen(function*() {
      const proxy = `http://127.0.0.1:${yield* closedPort}`
      const { doctor, stderr } = yield* told(
        `${scheme}://api.exchange.example`,
        through(proxy.replace("//", "//user:proxy-secret@"))
      )
      assert.include(doctor, `the proxy ${proxy} was not reached, so that nothing is known about the service: `)
      assert.include(doctor, "nothing listens at that address and port (ECONNREFUSED)")
      assert.include(doctor, "> Look at host and port in HTTPS_PROXY")
      assert.include(stderr, `no connection to the proxy ${proxy}: connect ECONNREFUSED`)
    }).pipe(Effect.scoped))

  it.live("the one proxy that there is for http goes for https too, and the configuration says so", () =>
    Effect.gen(function*() {
      const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: `http://127.0.0.1:${yield* closedPort}` }
      const { configuration, doctor } = yield* told("https://api.exchange.example", env)
      assert.include(configuration, `through the proxy ${env.HTTP_PROXY} of HTTP_PROXY`)
      assert.include(doctor, `the proxy ${env.HTTP_PROXY} was not reached`)
    }).pipe(Effect.scoped))

  it.live("a proxy whose name nobody knows", () =>
    Effect.gen(function*() {
      const { doctor, stderr } = yield* told("https://127.0.0.1:1443", through("http://proxy.invalid:3128"))
      assert.match(doctor, /the proxy http:\/\/proxy\.invalid:3128 was not reached.*\((?:ENOTFOUND|EAI_AGAIN)\)/)
      assert.include(stderr, "no connection to the proxy http://proxy.invalid:3128: getaddrinfo")
    }))

  it.live("a proxy whose own TLS fails", () =>
    Effect.gen(function*() {
      const proxy = `https://127.0.0.1:${yield* answering("this is no TLS\r\n")}`
      const { doctor } = yield* told("https://api.exchange.example", through(proxy))
      assert.include(doctor, `the proxy ${proxy} was not reached`)
      assert.match(doctor, /does not speak TLS as it should \((?:ERR_SSL|EPROTO)/)
    }).pipe(Effect.scoped))

  it.live.each(
    [
      [407, "a proxy wants to know who you are (HTTP 407)"],
      [403, "the proxy does not allow a connection to this host (HTTP 403)"],
      [502, "the proxy opened no connection to this host (HTTP 502)"],
      [504, "the proxy opened no connection to this host (HTTP 504)"]
    ] as const
  )("a proxy that answers the wish for a tunnel with %d", ([status, words]) =>
    Effect.gen(function*() {
      const { doctor, stderr } = yield* told(
        "https://api.exchange.example",
        through(`http://127.0.0.1:${yield* refusing(status)}`)
      )
      assert.include(doctor, `api.exchange.example: ${words}`)
      assert.include(stderr, `Proxy response (${status})`)
      assert.notInclude(stderr, "The service does not")
    }).pipe(Effect.scoped))

  it.live("a proxy that wants to know who forwards through it", () =>
    Effect.gen(function*() {
      const { doctor } = yield* told("http://api.exchange.example", through(`http://127.0.0.1:${yield* refusing(407)}`))
      assert.include(doctor, "a proxy wants to know who you are (HTTP 407)")
    }).pipe(Effect.scoped))

  it.live("a proxy that hangs up instead of an answer", () =>
    Effect.gen(function*() {
      const { doctor } = yield* told(
        "https://api.exchange.example",
        through(`http://127.0.0.1:${yield* answering("")}`)
      )
      assert.include(doctor, "the proxy closed the connection before it answered")
    }).pipe(Effect.scoped))

  it.live.each(
    [
      ["that hangs up on what it should forward", answering("")],
      ["that speaks no HTTP", answering("hello\r\n\r\n")]
    ] as const
  )("a proxy %s may be what fails, and is named", ([, server]) =>
    Effect.gen(function*() {
      const proxy = `http://127.0.0.1:${yield* server}`
      const { doctor } = yield* told("http://api.exchange.example", through(proxy))
      assert.include(doctor, `Requests go through the proxy ${proxy} of HTTP_PROXY; that may be what fails.`)
    }).pipe(Effect.scoped))

  it.live("a SOCKS proxy by its address", () =>
    Effect.gen(function*() {
      const proxy = `socks5://127.0.0.1:${yield* closedPort}`
      const { configuration, doctor } = yield* told("http://api.exchange.example", through(proxy))
      assert.include(configuration, `through the proxy ${proxy} of HTTP_PROXY`)
      assert.include(doctor, `Requests go through the proxy ${proxy} of HTTP_PROXY; that may be what fails.`)
    }).pipe(Effect.scoped))

  it.live.each([
    "http://user:proxy-secret@host:bad",
    "ftp://user:proxy-secret@proxy.example",
    "user:proxy-secret@proxy.example:3128",
    "http://user:%zzproxy-secret@proxy.example:3128"
  ])("an address that is no proxy's, and its password is not shown: %s", (proxy) =>
    Effect.gen(function*() {
      for (const command of [["deposits"], ["doctor"], ["config", "show"], ["keys", "create", "--note", "x"]]) {
        const env = { ...key, TALLYSTICK_BASE_URL: "https://127.0.0.1:1", ...through(proxy) }
        const { exitCode, stderr, stdout } = yield* tallystick(command, { env }).pipe(Effect.provide(Network.layer))
        const words = (stdout + stderr).replaceAll(/\s+/g, " ")
        assert.notInclude(words, "proxy-secret")
        assert.notInclude(words, "internal error")
        if (command[0] !== "keys") assert.include(words, "PROXY is not the address of a proxy", command.join(" "))
        assert.strictEqual(exitCode, command[0] === "config" ? 0 : 2, words)
      }
    }))

  it.live("the service behind a proxy that does its part: its TLS is the service's", () =>
    Effect.gen(function*() {
      const { doctor } = yield* told(
        "https://api.exchange.example",
        through(`http://127.0.0.1:${yield* leadingAstray}`)
      )
      assert.match(doctor, /api\.exchange\.example: the server does not speak TLS as it should \((?:ERR_SSL|EPROTO)/)
    }).pipe(Effect.scoped))

  it.live("the service, where there is no proxy on the way to it", () =>
    Effect.gen(function*() {
      const host = `127.0.0.1:${yield* closedPort}`
      const past = { ...through(`http://127.0.0.1:${yield* refusing(407)}`), NO_PROXY: "127.0.0.1,exchange.invalid" }
      for (const env of [{}, past]) {
        const refused = yield* told(`https://${host}`, env)
        assert.include(refused.doctor, `${host}: the connection was refused: nothing listens`)
        assert.include(refused.stderr, `connect ECONNREFUSED ${host}`)
        const unknown = yield* told("https://exchange.invalid", env)
        assert.match(unknown.doctor, /exchange\.invalid: the (?:host name is not known|name server does not answer)/)
        const noTls = yield* told(`https://127.0.0.1:${yield* answering("this is no TLS\r\n")}`, env)
        assert.match(noTls.doctor, /the server does not speak TLS as it should/)
        for (const { doctor, stderr } of [refused, unknown, noTls]) {
          assert.notMatch(doctor.split(">")[0] + stderr, /proxy/i)
        }
      }
    }).pipe(Effect.scoped))
})
