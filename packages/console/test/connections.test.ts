/** Which connections make room for others, and what is said on one whose request cannot be read. */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { connect } from "node:net"
import * as Connections from "../src/internal/security/Connections.ts"

const TURN = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const until = (isSo: () => boolean) => Effect.repeat(Effect.as(TURN, undefined), { until: isSo })

/** Waits until a server has so many connections. */
const untilLeft = (server: Server, wanted: number) => {
  const left = Effect.callback<number>((resume) => {
    server.getConnections((_, count) => resume(Effect.succeed(count)))
  })
  return Effect.repeat(Effect.andThen(TURN, left), { until: (count) => count === wanted })
}

/** More than the system takes for a connection that reads nothing. */
const LARGE = Buffer.alloc(32_000_000, "x")

/** So long nothing of an answer may be taken, s. No second of it passes by itself. */
const UNREAD = 60

const clock = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })),
  () => Effect.sync(() => vi.useRealTimers())
)

const pass = (seconds: number) => Effect.sync(() => vi.advanceTimersByTime(seconds * 1000))

/**
 * A server on which two connections may wait. It answers at once, with much (`/large`), later (`/later`) or without end (`/endless`).
 */
const served = Effect.andThen(
  clock,
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof connectTo>>((resume) => {
      const server = createServer()
      Connections.guard(server, { most: 2, unread: UNREAD * 1000 })
      let [connections, closed, requests] = [0, 0, 0]
      server.on("connection", (socket) => {
        connections++
        socket.once("close", () => {
          closed++
        })
      })
      const answer = (request: IncomingMessage, response: ServerResponse): void => {
        requests++
        if (request.url === "/") return void response.end("answered")
        if (request.url === "/large") return void response.end(LARGE)
        request.resume()
        if (request.url === "/endless") response.write("begun")
      }
      server.on("request", answer)
      server.on("checkContinue", answer)
      server.listen(
        0,
        "127.0.0.1",
        () => resume(Effect.succeed(connectTo(server, () => ({ connections, closed, requests }))))
      )
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
)

const connectTo = (
  server: ReturnType<typeof createServer>,
  seen: () => { connections: number; closed: number; requests: number }
) => {
  /** Sends something on a connection of its own, which the other side alone closes. */
  const open = Effect.fnUntraced(function*(bytes: string) {
    const { connections } = seen()
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    const told = { text: "", isOver: false }
    socket.on("data", (chunk) => {
      told.text += chunk.toString("utf8")
    })
    socket.on("error", () => {})
    socket.on("end", () => {
      told.isOver = true
    })
    socket.on("close", () => {
      told.isOver = true
    })
    socket.write(bytes)
    yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
    yield* until(() => seen().connections > connections)
    return { socket, text: () => told.text, isOver: () => told.isOver }
  })
  return { server, seen, open }
}

const HALF = "GET / HTTP/1.1\r\n"

const NONSENSE = "nonsense\r\n\r\n"

const headOf = (line: string, ...more: ReadonlyArray<string>): string =>
  [`${line} HTTP/1.1`, "Host: books.example", ...more, "", ""].join("\r\n")

describe("a connection", () => {
  it.effect.each(
    [
      ["with a header and no body", headOf("POST /later", "Content-Length: 5"), "later"],
      ["with half a body", `${headOf("POST /later", "Content-Length: 5")}x`, "later"],
      ["with half a body in chunks", `${headOf("POST /later", "Transfer-Encoding: chunked")}1\r\nx\r\n`, "later"],
      ["that was answered", headOf("GET /"), "answered"],
      ["that was answered, whose body nobody read", `${headOf("GET /", "Content-Length: 5")}12345`, "answered"]
    ] as const
  )("%s makes room for others", ([, bytes, answer]) =>
    Effect.gen(function*() {
      const { open, seen } = yield* served
      const one = yield* open(bytes)
      yield* until(() => seen().requests === 1 && (answer === "later" || one.text().includes(answer)))
      yield* open(HALF)
      yield* TURN
      assert.isFalse(one.isOver())
      yield* open(HALF)
      yield* until(one.isOver)
    }))

  it.effect.each(
    [
      ["without a body", headOf("GET /later")],
      ["with a whole body", `${headOf("POST /later", "Content-Length: 5")}12345`],
      ["that asks whether its body is wanted", headOf("GET /later", "Expect: 100-continue")]
    ] as const
  )("makes room for nobody while its request %s is answered", ([, bytes]) =>
    Effect.gen(function*() {
      const { open, seen } = yield* served
      const one = yield* open(bytes)
      yield* until(() => seen().requests === 1)
      const others = yield* Effect.forEach([1, 2, 3, 4], () => open(HALF))
      yield* until(() => others[1]?.isOver() === true)
      assert.isFalse(one.isOver())
    }))
})

describe("an answer", () => {
  /** Lets a second pass on a connection of which nothing is read, and tells how many passed until it was closed. */
  const secondsOf = Effect.fnUntraced(function*(bytes: string, each: string) {
    const { open, seen } = yield* served
    const { socket } = yield* open(bytes)
    socket.pause()
    let seconds = 0
    while (seen().closed === 0 && seconds < 3 * UNREAD) {
      socket.write(each)
      yield* TURN
      yield* pass(1)
      seconds++
    }
    return seconds
  })

  it.effect.each(
    [
      ["", headOf("GET /large"), ""],
      ["and bytes come in,", `${headOf("GET /large").repeat(3)}${HALF}X: `, "x"]
    ] as const
  )(
    "of which nothing is taken %s is given up in time, and so is its connection",
    ([, bytes, each]) =>
      Effect.gen(function*() {
        const seconds = yield* secondsOf(bytes, each)
        assert.isAtLeast(seconds, UNREAD)
        // The first seconds pass while the system still takes something.
        assert.isBelow(seconds, 2 * UNREAD - 10)
      })
  )

  it.effect("that is taken, or of which nothing is sent yet, is not given up", () =>
    Effect.gen(function*() {
      const { open, seen, server } = yield* served
      const waits = yield* Effect.forEach(["later", "endless"], (path) => open(headOf(`GET /${path}`)))
      yield* until(() => seen().requests === 2)
      const reads = yield* open(headOf("GET /large", "Connection: close"))
      for (let bytes = 0; bytes < LARGE.length; bytes += LARGE.length / 8) {
        yield* until(() => reads.text().length > bytes)
        yield* pass(UNREAD / 3)
      }
      yield* until(reads.isOver)
      assert.isAbove(reads.text().length, LARGE.length)
      yield* untilLeft(server, 2)
      assert.deepStrictEqual(waits.map(({ isOver }) => isOver()), [false, false])
    }))

  it.effect("of which nothing is taken is given up at once where no request comes behind it", () =>
    Effect.gen(function*() {
      const { open, server } = yield* served
      const { socket } = yield* open(headOf("GET /large"))
      socket.pause()
      socket.write(NONSENSE)
      yield* untilLeft(server, 0)
    }))
})

describe("a request that is none", () => {
  it.effect.each(
    [
      ["is the only one", NONSENSE],
      ["breaks off in its body", `${headOf("POST /later", "Transfer-Encoding: chunked")}${NONSENSE}`]
    ] as const
  )(
    "and %s is answered in words, and its connection is closed whatever the other side does",
    ([, bytes]) =>
      Effect.gen(function*() {
        const { open, server } = yield* served
        const one = yield* open(bytes)
        yield* until(one.isOver)
        assert.include(one.text(), "HTTP/1.1 400 Bad Request")
        assert.include(one.text(), "This is no request of HTTP.")
        yield* untilLeft(server, 0)
      })
  )

  it.effect.each(
    [
      ["", headOf("GET /later")],
      ["with a body", `${headOf("POST /later", "Content-Length: 5")}12345`]
    ] as const
  )("puts no word in the place of the answer to a whole request %s before it", ([, whole]) =>
    Effect.gen(function*() {
      const { open, seen } = yield* served
      const one = yield* open(whole + NONSENSE)
      yield* until(one.isOver)
      assert.strictEqual(seen().requests, 1)
      assert.strictEqual(one.text(), "")
    }))

  it.effect.each(
    [
      ["", headOf("GET /endless")],
      ["to a request that is not whole yet", headOf("POST /endless", "Transfer-Encoding: chunked")]
    ] as const
  )("puts no word into an answer that goes out %s", ([, bytes]) =>
    Effect.gen(function*() {
      const { open } = yield* served
      const one = yield* open(bytes)
      yield* until(() => one.text().includes("begun"))
      one.socket.write(NONSENSE)
      yield* until(one.isOver)
      assert.isTrue(one.text().endsWith("begun\r\n"))
    }))
})
