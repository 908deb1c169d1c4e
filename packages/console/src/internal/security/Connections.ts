/** Connections that ask nothing make room for others, and a request that is no HTTP is answered in the words of the console. */
import type { Server } from "node:http"
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

/** Answers a request that the server cannot read, and closes its connection. */
const answer = ({ code = "" }: NodeJS.ErrnoException, socket: Socket): void => {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  const { message, status } = REFUSED.get(code) ?? INVALID
  const body = JSON.stringify({ _tag: "Refused", message })
  const head = ["Connection: close", "Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]
  socket.end(`HTTP/1.1 ${status}\r\n${head.join("\r\n")}\r\n\r\n${body}`)
}

/**
 * Lets `most` connections wait on which no whole header has come; the oldest of them is closed when one more comes. So half a header on
 * many connections holds nobody out.
 */
export const guard = (server: Server, most: number): void => {
  const waiting = new Set<Socket>()
  const wait = (socket: Socket): void => {
    waiting.add(socket)
    const [oldest] = waiting
    if (waiting.size > most) oldest?.destroy()
  }
  server.on("connection", (socket: Socket) => {
    wait(socket)
    socket.once("close", () => waiting.delete(socket))
  })
  server.on("request", ({ socket }, response) => {
    waiting.delete(socket)
    response.once("finish", () => {
      if (!socket.destroyed) wait(socket)
    })
  })
  server.on("clientError", answer)
}
