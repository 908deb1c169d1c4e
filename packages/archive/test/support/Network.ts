/** A network between a client and PostgreSQL that can be cut: then it carries nothing more, and neither end is told. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { connect, createServer, type Server, type Socket } from "node:net"

export interface Network {
  /** The address of the database through this network. */
  readonly url: URL
  readonly cut: Effect.Effect<void>
  readonly heal: Effect.Effect<void>
  /** Calls back with each piece that a client sends, before it is carried on, and with the first one of the same connection. */
  readonly listen: (listener: (piece: Buffer, first: Buffer) => void) => void
}

export const before = (url: URL): Effect.Effect<Network, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    let isCut = false
    let listener = (_piece: Buffer, _first: Buffer): void => {}
    const server = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer((near) => {
          const far = connect(Number(url.port), url.hostname)
          let first: Buffer | undefined
          near.on("data", (piece: Buffer) => listener(piece, first ??= piece))
          for (const [from, to] of [[near, far], [far, near]] as const) {
            sockets.add(from)
            from.setNoDelay().on("data", (chunk) => void to.write(chunk)).on("error", () => {}).on("close", () => {
              sockets.delete(from)
              to.destroy()
            })
            if (isCut) from.pause()
          }
        }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    )
    const address = server.address()
    const through = new URL(url)
    through.hostname = "127.0.0.1"
    through.port = String(typeof address === "object" && address !== null ? address.port : 0)
    const turn = (cut: boolean) =>
      Effect.sync(() => {
        isCut = cut
        for (const socket of sockets) {
          if (cut) socket.pause()
          else socket.resume()
        }
      })
    const listen = (next: typeof listener): void => {
      listener = next
    }
    return { url: through, cut: turn(true), heal: turn(false), listen }
  })
