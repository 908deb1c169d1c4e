/**
 * A pooler in transaction mode, as they stand in front of PostgreSQL: a client has a session of the server for one
 * transaction only. Prepared statements follow the client; settings of a session and its locks do not. Like others of its
 * kind it refuses clients that ask for settings at the start.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { connect as tcp, createServer, type Server, type Socket } from "node:net"

/** Sessions of the server that all clients share. */
const SESSIONS = 3

const ALLOWED = new Set(["user", "database", "application_name", "client_encoding"])

const TERMINATE = "X"
const HEAD = 5

interface Frame {
  readonly kind: string
  readonly bytes: Buffer
}

/** Splits what comes into messages; calls back with each that is whole. */
const frames = (each: (frame: Frame) => void): (chunk: Buffer) => void => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEAD && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1)
      const bytes = rest.subarray(0, end)
      rest = rest.subarray(end)
      each({ kind: String.fromCharCode(bytes[0] ?? 0), bytes })
    }
  }
}

const framed = (kind: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(HEAD)
  head.write(kind, "latin1")
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** The message with another name for the statement that it is about; none where it has no name or is about none. */
const renamed = (
  { bytes, kind }: Frame,
  prefix: string
): { readonly name: string; readonly bytes: Buffer } | undefined => {
  const body = bytes.subarray(HEAD)
  const isAbout = kind === "P" || kind === "B" || (["D", "C"].includes(kind) && body[0] === 0x53)
  if (!isAbout) return undefined
  const from = kind === "B" ? body.indexOf(0) + 1 : kind === "P" ? 0 : 1
  const to = body.indexOf(0, from)
  if (to === from) return undefined
  const name = `${prefix}${body.toString("latin1", from, to)}`
  return {
    name,
    bytes: framed(kind, Buffer.concat([body.subarray(0, from), Buffer.from(name, "latin1"), body.subarray(to)]))
  }
}

interface Session {
  readonly socket: Socket
  readonly prepared: Set<string>
  client: Client | undefined
  /** Answers to statements that the pooler prepared by itself. */
  unasked: number
}

interface Client {
  readonly socket: Socket
  readonly prefix: string
  readonly parsed: Map<string, Buffer>
  session: Session | undefined
  /** Waits for the answer to what was sent last. */
  isAsking: boolean
  batch: Array<Frame>
  readonly waiting: Array<ReadonlyArray<Frame>>
}

const pool = (host: string, port: number): Server => {
  const idle: Array<Session> = []
  const clients = new Set<Client>()
  let sessions = 0
  let count = 0

  const turn = (): void => {
    for (const client of clients) {
      if (client.isAsking || client.waiting.length === 0) continue
      const session = client.session ?? idle.pop()
      if (session === undefined) continue
      client.session = session
      session.client = client
      client.isAsking = true
      for (const frame of client.waiting.shift() ?? []) {
        const named = renamed(frame, client.prefix)
        if (named !== undefined) {
          const parse = client.parsed.get(named.name)
          if (frame.kind === "P") client.parsed.set(named.name, named.bytes)
          else if (parse !== undefined && !session.prepared.has(named.name)) {
            session.unasked++
            session.socket.write(parse)
          }
          session.prepared.add(named.name)
        }
        session.socket.write(named?.bytes ?? frame.bytes)
      }
    }
  }

  const serve = (session: Session): void => {
    session.socket.on(
      "data",
      frames(({ bytes, kind }) => {
        if (kind === "1" && session.unasked > 0) {
          session.unasked--
          return
        }
        const { client } = session
        client?.socket.write(bytes)
        if (kind !== "Z") return
        if (client !== undefined) client.isAsking = false
        if (String.fromCharCode(bytes[HEAD] ?? 0) === "I") {
          if (client !== undefined) client.session = undefined
          session.client = undefined
          idle.push(session)
        }
        turn()
      })
    )
    session.socket.on("close", () => {
      sessions--
      session.client?.socket.destroy()
      const place = idle.indexOf(session)
      if (place >= 0) idle.splice(place, 1)
    })
  }

  const admit = (client: Client): void => {
    clients.add(client)
    client.socket.on(
      "data",
      frames((frame) => {
        if (frame.kind === TERMINATE) client.socket.end()
        else client.batch.push(frame)
        if (frame.kind === "S" || frame.kind === "Q") {
          client.waiting.push(client.batch)
          client.batch = []
          turn()
        }
      })
    )
    client.socket.on("close", () => {
      clients.delete(client)
      client.session?.socket.destroy()
      turn()
    })
  }

  /** Each client proves itself to the server; the connection becomes a session for all then, while there are few. */
  return createServer((socket) => {
    socket.setNoDelay().on("error", () => {})
    socket.once("data", (startup: Buffer) => {
      const words = startup.toString("utf8", 8).split("\0")
      const asked = words.filter((word, index) => index % 2 === 0 && word !== "")
      if (asked.some((word) => !ALLOWED.has(word))) {
        socket.destroy()
        return
      }
      const server = tcp(port, host).setNoDelay()
      server.on("error", () => {})
      server.write(startup)
      const toServer = (chunk: Buffer) => void server.write(chunk)
      /** A session that nobody proves himself to keeps its server waiting, and with it whoever drops a database. */
      const giveUp = () => server.destroy()
      socket.on("data", toServer).on("close", giveUp)
      const greet = frames(({ bytes, kind }) => {
        socket.write(bytes)
        if (kind !== "Z") return
        socket.off("data", toServer).off("close", giveUp)
        server.off("data", greet)
        const client = {
          socket,
          prefix: `c${count++}_`,
          parsed: new Map(),
          session: undefined,
          isAsking: false,
          batch: [],
          waiting: []
        }
        if (sessions < SESSIONS) {
          sessions++
          const session = { socket: server, prepared: new Set<string>(), client: undefined, unasked: 0 }
          serve(session)
          idle.push(session)
        } else server.end(framed(TERMINATE, Buffer.alloc(0)))
        admit(client)
        turn()
      })
      server.on("data", greet)
      server.on("close", () => {
        if (![...clients].some((client) => client.socket === socket)) socket.destroy()
      })
    })
  })
}

/** The address of a pooler in front of the database; it ends with the scope. */
export const before = (url: URL): Effect.Effect<URL, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = pool(url.hostname, Number(url.port)).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    ),
    (server) => {
      const address = server.address()
      const pooled = new URL(url)
      pooled.hostname = "127.0.0.1"
      pooled.port = String(typeof address === "object" && address !== null ? address.port : 0)
      return pooled
    }
  )
