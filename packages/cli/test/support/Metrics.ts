/** What a client of `/metrics` sees, and what a watch tells there that has everything to tell. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import { type IncomingHttpHeaders, request, type RequestOptions } from "node:http"
import { createServer, type Server } from "node:net"
import { kept } from "./Books.ts"

/** Lets the event loop turn, so that sockets and files get on. */
export const quietly = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const asked = (port: number, options: RequestOptions, body: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/metrics", agent: false, ...options }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part) => {
        text += part
      }).on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: text }))
    })
    sent.on("error", reject).end(body)
  })

export const ask = (port: number, options: RequestOptions = {}, body = "") =>
  Effect.promise(() => asked(port, options, body))

export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** A port that nobody listens at. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const port = portOf(server)
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** Asks until the watch serves, and has told what this text says. */
const until = Effect.fnUntraced(function*(port: number, wanted: string) {
  for (;;) {
    const answer = yield* Effect.option(Effect.tryPromise(() => asked(port, {}, "")))
    if (answer._tag === "Some" && answer.value.body.includes(wanted)) return answer.value.body
    yield* quietly
  }
})

/** A watch over books with prices, beside a notice that nobody took: what it serves after its first round, and what it said. */
export const watched = Effect.gen(function*() {
  const { book, put, run, sync } = yield* kept
  const prices = yield* put("prices.csv", "asset,price\nUSDT,1\nBTC,100000\n")
  yield* book("--prices", prices, "--prices-in", "USD", "--notify-command", "false")
  const port = yield* freePort
  const watch = yield* Effect.forkChild(run([...sync, "--watch", "--metrics", `127.0.0.1:${port}`]))
  const text = yield* until(port, "tallystick_sync_rounds_total")
  yield* Fiber.interrupt(watch)
  return { text, port }
}).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
