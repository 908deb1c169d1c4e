/** Notices and proxies, on real sockets: what is not encrypted does not leave this machine, and a failure names the proxy. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import * as NoticeReceivers from "@tallystick/cli/archive/NoticeReceivers"
import * as Network from "@tallystick/cli/network/Network"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { once } from "node:events"
import * as Http from "node:http"

const TOKEN = "very-secret-token"

/** A server that keeps what it is asked, and answers with a status. */
const listening = (status: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const seen: Array<string | undefined> = []
        const server = Http.createServer((request, response) => {
          seen.push(request.headers.authorization)
          response.writeHead(status).end()
        }).on("connect", (request, socket) => {
          seen.push(request.url)
          socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
        })
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
        const address = server.address()
        return { server, seen, port: typeof address === "object" && address !== null ? address.port : 0 }
      }),
      ({ server }) =>
        Effect.promise(() => {
          server.closeAllConnections()
          return new Promise<void>((resolve) => server.close(() => resolve()))
        })
    ),
    ({ port, seen }) => ({ url: `http://127.0.0.1:${port}`, seen })
  )

/** What becomes of a notice for an address, by the command's own way to the network. */
const sent = (url: string, proxy: string) => {
  const flags = { notifyUrl: Option.some(url), notifyCommand: Option.none(), notifyDetails: false }
  const variables = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy, HTTPS_PROXY: proxy, TALLYSTICK_NOTIFY_TOKEN: TOKEN }
  return Effect.gen(function*() {
    const [receiver = assert.fail("no receiver")] = yield* NoticeReceivers.make(flags)
    return yield* Effect.match(receiver.send("{}"), { onFailure: ({ message }) => message, onSuccess: () => "sent" })
  }).pipe(Effect.provide(
    Layer.mergeAll(NodeServices.layer, Network.layer).pipe(
      Layer.provideMerge(ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables)))
    )
  ))
}

it.live("a notice for this machine goes past the proxy, and so does its token", () =>
  Effect.gen(function*() {
    const [receiver, proxy] = [yield* listening(200), yield* listening(200)]
    assert.strictEqual(yield* sent(receiver.url, proxy.url), "sent")
    assert.deepStrictEqual(receiver.seen, [`Bearer ${TOKEN}`])
    assert.deepStrictEqual(proxy.seen, [])
  }).pipe(Effect.scoped))

it.live("a proxy that lets no notice through is named, without its password", () =>
  Effect.gen(function*() {
    const proxy = yield* listening(403)
    const told = yield* sent("https://notices.example.com/hook", proxy.url.replace("//", "//user:proxy-secret@"))
    assert.deepStrictEqual(proxy.seen, ["notices.example.com:443"])
    assert.match(told, /^https:\/\/notices\.example\.com did not take a notice: the connection failed \(\w+\); /)
    assert.include(told, `; notices go there through the proxy ${proxy.url} of HTTPS_PROXY`)
    assert.notInclude(told, "proxy-secret")
  }).pipe(Effect.scoped))
