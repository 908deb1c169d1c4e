/** A proxy that speaks TLS in front of a console, as `docs/console.md` says how to set one up. */
import * as Effect from "effect/Effect"
import { request } from "node:http"
import { createServer } from "node:https"
import * as Certificate from "./Certificate.ts"

export interface Proxy {
  /** `https://localhost:PORT` */
  readonly origin: string
  /** Passes on to a console from now on: `http://127.0.0.1:PORT`. */
  readonly leadTo: (console: string) => void
}

/** It ends with the scope. */
export const make = Effect.acquireRelease(
  Effect.callback<Proxy & { readonly end: () => void }>((resume) => {
    let console = ""
    const server = createServer(Certificate.make("localhost"), (asked, answer) => {
      const { headers, method = "GET", socket: { remoteAddress = "" }, url = "/" } = asked
      const passed = request(console + url, {
        method,
        headers: { ...headers, "x-forwarded-for": remoteAddress }
      }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      })
      answer.on("close", () => passed.destroy())
      passed.on("error", () => answer.destroy())
      asked.pipe(passed)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" ? address?.port : undefined
      resume(Effect.succeed({
        origin: `https://localhost:${port}`,
        leadTo: (local) => {
          console = local
        },
        end: () => {
          server.close()
          server.closeAllConnections()
        }
      }))
    })
  }),
  ({ end }) => Effect.sync(end)
)
