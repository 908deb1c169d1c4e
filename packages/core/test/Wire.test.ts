import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { gzipSync } from "node:zlib"
import * as Wire from "./support/wire.ts"

type Call = (broker: Broker.Service) => Effect.Effect<unknown, BrokerError.BrokerError>
const get: Call = (broker) => broker.subAccountDeposits()
const post: Call = (broker) =>
  broker.createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" })

/** What both operations fail with against a server that answers so; each is sent once. */
const reasons = (name: Wire.ClientName, answer: Wire.Answer, changes: Partial<BrokerConfig.Options> = {}) =>
  Effect.gen(function*() {
    const server = yield* Wire.server(answer)
    const broker = yield* Wire.broker(server.baseUrl, name, changes)
    const ofGet = yield* Effect.flip(get(broker))
    const ofPost = yield* Effect.flip(post(broker))
    assert.deepStrictEqual(server.arrived.map(({ method }) => method), ["GET", "POST"])
    return { get: ofGet.reason, post: ofPost.reason }
  })

const json = { "content-type": "application/json" }

describe.each(Wire.clientNames)("over real sockets with %s", (name) => {
  it.effect.each([301, 302, 303, 307, 308])(
    "a redirect (%d) is refused and the other host hears nothing",
    (status) =>
      Effect.gen(function*() {
        const other = yield* Wire.server(Wire.sendJson([]))
        const { get, post } = yield* reasons(name, (request, response) => {
          response.writeHead(status, { location: `${other.baseUrl}${request.target}` }).end()
        })
        assert.deepInclude(get, { _tag: "ProtocolError", status, detail: "a redirect, which is never followed" })
        assert.strictEqual(post._tag, status === 303 ? "OutcomeUnknown" : "ProtocolError")
        assert.strictEqual(other.arrived.length, 0)
      })
  )

  it.effect("an answer 421 to createApiKey ends in OutcomeUnknown; fetch, and it alone, has sent it twice by then", () =>
    Effect.gen(function*() {
      const server = yield* Wire.server((_, response) => void response.writeHead(421).end())
      const broker = yield* Wire.broker(server.baseUrl, name)
      assert.strictEqual((yield* Effect.flip(post(broker))).reason._tag, "OutcomeUnknown")
      const targets = server.arrived.map(({ target }) => target)
      assert.strictEqual(targets.length, name === "fetch" ? 2 : 1)
      assert.strictEqual(new Set(targets).size, 1)
    }))

  it.effect("a body over the limit is not read to its end", () =>
    Effect.gen(function*() {
      let written = 0
      const { get, post } = yield* reasons(name, (_, response) => {
        response.writeHead(200, json)
        const chunk = Buffer.alloc(64 * 1024, " ")
        const more = () => {
          while (written < 512 * 1024 * 1024 && !response.destroyed) {
            written += chunk.length
            if (!response.write(chunk)) return response.once("drain", more)
          }
          return response.end()
        }
        more()
      }, { maxBody: 100_000 })
      assert.deepInclude(get, { _tag: "ProtocolError", detail: "the body exceeds 100000 bytes" })
      assert.strictEqual(post._tag, "OutcomeUnknown")
      assert.isBelow(written, 256 * 1024 * 1024)
    }))

  it.effect("a body of exactly the limit is read, and none of one byte more", () =>
    Effect.gen(function*() {
      const server = yield* Wire.server((_, response) => {
        response.writeHead(200, json).end(`[${" ".repeat(1998)}]`)
      })
      const broker = yield* Wire.broker(server.baseUrl, name, { maxBody: 2000 })
      assert.deepStrictEqual(yield* broker.subAccountDeposits(), { records: [], bad: [] })
      const narrower = yield* Wire.broker(server.baseUrl, name, { maxBody: 1999 })
      assert.strictEqual((yield* Effect.flip(get(narrower))).reason._tag, "ProtocolError")
    }))

  it.effect("a small body that unpacks to a huge one harms nobody", () =>
    Effect.gen(function*() {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "))
      const { get, post } = yield* reasons(name, (_, response) => {
        response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(bomb)
      }, { maxBody: 1_000_000 })
      assert.strictEqual(get._tag, "ProtocolError")
      assert.strictEqual(post._tag, "OutcomeUnknown")
    }))

  it.effect("a body that declares to be over the limit is not read to its end", () =>
    Effect.gen(function*() {
      let isGone = false
      const { get, post } = yield* reasons(name, (_, response) => {
        response.once("close", () => {
          isGone = !response.writableFinished
        })
        response.writeHead(200, { ...json, "content-length": 1_000_000_000 }).write(Buffer.alloc(200_000, " "))
      }, { maxBody: 100_000 })
      assert.deepInclude(get, { _tag: "ProtocolError", detail: "the body exceeds 100000 bytes" })
      assert.strictEqual(post._tag, "OutcomeUnknown")
      assert.isTrue(isGone)
    }))

  it.effect("a body that is not UTF-8 is a protocol error", () =>
    Effect.gen(function*() {
      const { get, post } = yield* reasons(name, (_, response) => {
        response.writeHead(200, json).end(Buffer.from([0x5b, 0x22, 0xe4, 0x22, 0x5d]))
      })
      assert.deepInclude(get, { _tag: "ProtocolError", detail: "the body is not UTF-8" })
      assert.strictEqual(post._tag, "OutcomeUnknown")
    }))

  it.effect("UTF-8 is read across chunks, with or without a byte order mark", () =>
    Effect.gen(function*() {
      const server = yield* Wire.server((_, response) => {
        response.writeHead(400, json)
        const bytes = Buffer.from("\ufeff{\"code\":5,\"msg\":\"Grüße 🏦\"}")
        for (let at = 0; at < bytes.length; at++) response.write(bytes.subarray(at, at + 1))
        response.end()
      })
      const broker = yield* Wire.broker(server.baseUrl, name)
      assert.deepInclude((yield* Effect.flip(get(broker))).reason, { serviceMessage: "Grüße 🏦" })
    }))

  const resets: ReadonlyArray<readonly [string, Wire.Answer]> = [
    ["before any answer", (_, _response, socket) => socket.resetAndDestroy()],
    ["closed without an answer", (_, _response, socket) => socket.end()],
    ["within the head", (_, _response, socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Ty")],
    ["within the body", (_, response, socket) => {
      response.writeHead(200, { ...json, "content-length": "1000" })
      response.write("[{", () => socket.resetAndDestroy())
    }],
    ["in no HTTP at all", (_, _response, socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n")]
  ]

  it.effect.each(resets)(
    "a connection reset %s leaves the outcome of a POST unknown",
    ([, answer]) =>
      Effect.gen(function*() {
        const { get, post } = yield* reasons(name, answer)
        assert.deepInclude(get, { _tag: "Unavailable", sent: true })
        assert.deepInclude(post, { _tag: "OutcomeUnknown", note: "note-7" })
      })
  )

  it.effect("a POST on a kept connection that breaks is not sent a second time", () =>
    Effect.gen(function*() {
      const server = yield* Wire.server((request, response, socket) => {
        if (request.method === "GET") Wire.sendJson([])(request, response, socket)
        else socket.resetAndDestroy()
      })
      const broker = yield* Wire.broker(server.baseUrl, name)
      yield* get(broker)
      const { reason } = yield* Effect.flip(post(broker))
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      yield* get(broker)
      assert.deepStrictEqual(server.arrived.map(({ method }) => method), ["GET", "POST", "GET"])
    }))

  it.effect("a refused connection is known to have sent nothing, and the error tells which", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Effect.scoped(Wire.server(Wire.sendJson([])))
      const broker = yield* Wire.broker(baseUrl, name)
      for (const call of [get, post]) {
        const { reason } = yield* Effect.flip(call(broker))
        assert.deepInclude(reason, { _tag: "Unavailable", sent: false })
        const cause = `connect ECONNREFUSED ${baseUrl.slice("http://".length)}`
        assert.include(reason._tag === "Unavailable" ? reason.cause : "", cause)
        assert.include(reason.message, cause)
      }
    }))

  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
  const raw: Readonly<Record<string, string | Buffer>> = {
    "garbage called gzip": `${head}Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!`,
    "garbage called brotli": `${head}Content-Encoding: br\r\nContent-Length: 9\r\n\r\nnot br...`,
    "an encoding of no name": `${head}Content-Encoding: x-y\r\nContent-Length: 3\r\n\r\n[}]`,
    "gzip cut short": Buffer.concat([
      Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n`),
      gzipSync("[".repeat(1000)).subarray(0, 20)
    ]),
    "chunks of no length": `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n[]\r\n`,
    "chunks without an end": `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n`,
    "fewer bytes than promised": `${head}Content-Length: 100\r\n\r\n[]`,
    "two lengths": `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[}`,
    "status 999": "HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n",
    "status 599": "HTTP/1.1 599 What\r\nContent-Length: 0\r\n\r\n",
    "status 99": "HTTP/1.1 99 What\r\nContent-Length: 0\r\n\r\n",
    "no content": "HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n\r\n",
    "a header without an end": `${head}X-Long: ${"x".repeat(200_000)}`,
    "bytes of no meaning": Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 197) % 256))
  }

  it.effect.each(Object.keys(raw))(
    "an answer of %s is a typed error, and leaves the outcome of a POST unknown",
    (what) =>
      Effect.gen(function*() {
        const { get, post } = yield* reasons(name, (_, _response, socket) => socket.end(raw[what]!))
        assert.include(["Unavailable", "ProtocolError"], get._tag)
        assert.deepInclude(post, { _tag: "OutcomeUnknown", note: "note-7" })
      })
  )

  const silences: ReadonlyArray<readonly [string, Wire.Answer]> = [
    ["never answers", () => {}],
    ["stops within the body", (_, response) => void response.writeHead(200, json).write("[")]
  ]

  it.effect.each(silences)(
    "a server that %s runs into the timeout, and the connection is given up",
    ([, answer]) =>
      Effect.gen(function*() {
        const closed: Array<boolean> = []
        const server = yield* Wire.server((request, response, socket) => {
          socket.once("close", () => closed.push(true))
          answer(request, response, socket)
        })
        const broker = yield* Wire.broker(server.baseUrl, name, { timeout: "30 seconds" })
        for (const [index, call] of [get, post].entries()) {
          const fiber = yield* Effect.forkChild(Effect.flip(call(broker)))
          yield* server.arrival(index + 1)
          yield* TestClock.adjust("29 seconds")
          assert.isUndefined(fiber.pollUnsafe())
          yield* TestClock.adjust("1 second")
          const { reason } = yield* Fiber.join(fiber)
          assert.strictEqual(reason._tag, index === 0 ? "Unavailable" : "OutcomeUnknown")
          assert.include(reason.message, "no answer within 30s")
        }
        while (closed.length < 2) yield* TestClock.withLive(Effect.sleep("1 millis"))
      })
  )

  it.effect("an interrupted call gives up its connection", () =>
    Effect.gen(function*() {
      const closed: Array<boolean> = []
      const server = yield* Wire.server((_, _response, socket) => {
        socket.once("close", () => closed.push(true))
      })
      const broker = yield* Wire.broker(server.baseUrl, name)
      const fiber = yield* Effect.forkChild(get(broker))
      yield* server.arrival(1)
      yield* Fiber.interrupt(fiber)
      while (closed.length === 0) yield* TestClock.withLive(Effect.sleep("1 millis"))
    }))
})
