/** Connections that ask nothing, or do not take their answer, make room for others, and a request that is no HTTP is answered in the words of the console. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** What is said of a request that never comes to the gate. */
const REFUSED = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", { status: "408 Request Timeout", message: "The request did not come in time." }],
  ["HPE_HEADER_OVERFLOW", {
    status: "431 Request Header Fields Too Large",
    message: "The header of a request has 16 kB at most."
  }]
])

const INVALID = { status: "400 Bad Request", message: "This is no request of HTTP." }

/** Says why the server cannot read a request. */
const told = ({ code = "" }: NodeJS.ErrnoException): string => {
  const { message, status } = REFUSED.get(code) ?? INVALID
  const body = JSON.stringify({ _tag: "Refused", message })
  const head = ["Connection: close", "Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]
  return `HTTP/1.1 ${status}\r\n${head.join("\r\n")}\r\n\r\n${body}`
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  "transfer-encoding" in headers || Number(headers["content-length"] ?? 0) > 0

/** So often every connection is looked at whether it takes its answer, ms. */
const LOOKED = 1000

/** What the system still holds of the piece of an answer that goes out, bytes. Only its handle tells, by which Node itself looks. */
const heldOf = (socket: Socket): number => {
  const handle: unknown = Predicate.hasProperty(socket, "_handle") ? socket._handle : undefined
  const held = Predicate.hasProperty(handle, "writeQueueSize") ? handle.writeQueueSize : 0
  return Predicate.isNumber(held) ? held : 0
}

/**
 * Closes a connection that takes nothing of what waits to go out for `unread` ms. Node's own timeout of a socket begins anew with every
 * byte that comes in, and so would never end where somebody sends a byte now and then.
 */
const watch = (socket: Socket, unread: number): void => {
  let [gone, held, quiet] = [0, 0, 0]
  const look = (): void => {
    const last = [gone, held]
    // An answer goes out in pieces, and a piece counts as written once all of it went out.
    gone = socket.bytesWritten - socket.writableLength
    held = heldOf(socket)
    const isTaken = socket.writableLength === 0 || gone !== last[0] || held !== last[1]
    quiet = isTaken ? 0 : quiet + LOOKED
    if (quiet >= unread) socket.destroy()
  }
  const looking = setInterval(look, LOOKED).unref()
  socket.once("close", () => clearInterval(looking))
}

export interface Limits {
  /** So many connections may wait on which no whole request has come. */
  readonly most: number
  /** So long a connection may take nothing of an answer that is sent, ms. */
  readonly unread: number
}

/**
 * Lets `most` connections wait on which no whole request has come; the oldest of them is closed when one more comes. So half a request on
 * many connections holds nobody out. One that takes nothing of its answer for so long is closed, since an answer keeps its place until it
 * is taken; a stream of events that has nothing to send is left alone.
 */
export const guard = (server: Server, { most, unread }: Limits): void => {
  const waiting = new Set<Socket>()
  /** The answers that are due on a connection: several where its requests came without waiting for them. */
  const due = new WeakMap<Socket, Set<ServerResponse>>()

  const wait = (socket: Socket): void => {
    waiting.delete(socket)
    waiting.add(socket)
    const [oldest] = waiting
    if (waiting.size > most) oldest?.destroy()
  }

  const asked = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    const answers = due.get(socket) ?? new Set()
    due.set(socket, answers.add(response))
    const isWhole = (): void => {
      // The rest of a body that nobody wanted comes behind the answer.
      if (answers.has(response)) waiting.delete(socket)
    }
    if (hasBody(request)) request.once("end", isWhole)
    else isWhole()
    response.once("finish", () => {
      answers.delete(response)
      if (!socket.destroyed) wait(socket)
    })
  }

  const isRefusable = (error: NodeJS.ErrnoException, socket: Socket): boolean =>
    error.code !== "ECONNRESET" && socket.writable &&
    // Behind a whole request these words would be taken for its answer, and in the middle of an answer for a part of it.
    [...due.get(socket) ?? []].every(({ headersSent, req }) => !headersSent && !req.complete)

  server.on("connection", (socket: Socket) => {
    wait(socket)
    watch(socket, unread)
    socket.once("close", () => waiting.delete(socket))
  })
  server.on("request", asked)
  // Node tells of a request that asks whether its body is wanted by this event alone.
  server.on("checkContinue", asked)
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (isRefusable(error, socket)) {
      socket.write(told(error))
      socket.destroySoon()
    } else socket.destroy()
  })
}

/**
 * Takes no connection any more, and waits so long for those that ask something or take their answer; then they are closed. A server that
 * does not listen looks at no request any more, so that one whose body comes slowly would hold it up as long as it likes.
 */
export const end = (server: Server, grace: Duration.Input): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  }).pipe(
    Effect.timeoutOption(grace),
    Effect.andThen(Effect.sync(() => server.closeAllConnections()))
  )
