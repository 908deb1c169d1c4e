/** The service is run as it stands, watched by a client that knows only its API, and stopped while somebody watches. */
import { assert, layer } from "@effect/vitest"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { collect, named } from "../../packages/cli/test/support/Collector.ts"
import { Api } from "../src/service/Api.ts"

const TOKEN = "recognisable-token"
const program = fileURLToPath(new URL("../src/service/main.ts", import.meta.url))

const watcher = fileURLToPath(new URL("../src/service/watch.ts", import.meta.url))

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const collector = Effect.acquireRelease(Effect.promise(() => collect()), ({ close }) => Effect.promise(close))

/** The service, and where it listens; it is killed when the scope closes. */
const start = (env: Record<string, string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] })
      const said: Array<string> = []
      const url = await new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          createInterface({ input: stream }).on("line", (line) => {
            said.push(line)
            const [, port] = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? []
            if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
          })
        }
        child.once("exit", () => reject(new Error(said.join("\n"))))
      })
      const until = (words: string) => Effect.repeat(turn, { until: () => said.some((line) => line.includes(words)) })
      return { child, said, until, url }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** The program that watches, and the lines that it has said; it is killed when the scope closes. */
const watch = (url: string, token: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [watcher], {
        env: { BOOKS_URL: url, BOOKS_TOKEN: token },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const said: Array<string> = []
      createInterface({ input: child.stdout }).on("line", (line) => said.push(line))
      return { child, said, exit: once(child, "exit") }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

const status = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(() => fetch(url, { headers }).then((response) => response.status))

layer(
  Sandbox.Sandbox.layer({ history: { deposits: 200, subAccounts: 2, breaks: 12, seed: 5 }, rules: { rate: null } }),
  {
    excludeTestServices: true
  }
)((it) => {
  it.effect("the service serves reports to those who know the token, and tells a collector what it did, but no secret", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, history, secretKey } = yield* Sandbox.Sandbox
      const { points, received, resource, spans, url: COLLECTOR_URL } = yield* collector
      const { child, said, url } = yield* start({
        TALLYSTICK_BASE_URL: baseUrl,
        TALLYSTICK_API_KEY: Redacted.value(apiKey),
        TALLYSTICK_SECRET_KEY: Redacted.value(secretKey),
        TALLYSTICK_RATE: "1000",
        BOOKS_TOKEN: TOKEN,
        COLLECTOR_URL,
        PORT: "0"
      })

      assert.strictEqual(yield* status(`${url}/health`), 204)
      assert.strictEqual(yield* status(`${url}/docs`), 200)
      assert.strictEqual(yield* status(`${url}/openapi.json`), 200)
      for (const path of ["", "/summary", "/outcomes", "/outcomes/c0ffee", "/events"]) {
        assert.strictEqual(yield* status(`${url}/books/report${path}`), 401)
        assert.strictEqual(yield* status(`${url}/books/report${path}`, { authorization: "Bearer guess" }), 401)
      }

      const { tallystick } = yield* HttpApiClient.make(Api, {
        baseUrl: url,
        transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(TOKEN))
      })
      // As the guide says: watch first, then read; come back with the last event that was heard.
      const news = yield* tallystick.events({ headers: {} })
      const already = yield* Effect.option(tallystick.summary())
      if (already._tag === "None") yield* Stream.runDrain(Stream.takeUntil(news, ({ event }) => event === "report"))
      const report = yield* tallystick.whole()
      assert.isAbove(report.outcomes.length, 50)
      const { outcomes } = yield* tallystick.outcomes({ query: { outcome: ["discrepancy"], limit: 1000 } })
      assert.deepStrictEqual(
        outcomes,
        report.outcomes.filter(({ outcome }: Outcome.Outcome) => outcome === "discrepancy")
      )

      // The program that watches tells them all, and gives up where the token is wrong.
      const watched = yield* watch(url, TOKEN)
      const stranger = yield* watch(url, "guess")
      const ids = outcomes.map(({ id }) => id)
      yield* Effect.repeat(turn, { until: () => ids.every((id) => watched.said.some((line) => line.startsWith(id))) })
      assert.deepStrictEqual(yield* Effect.promise(() => stranger.exit), [1, null])
      assert.include(stranger.said[0], "Unauthorized")

      // Somebody watches while the service is told to stop.
      const watching = yield* Effect.promise(() =>
        fetch(`${url}/books/report/events`, { headers: { authorization: `Bearer ${TOKEN}` } })
      )
      const exit = Effect.promise(() => once(child, "exit"))
      child.kill("SIGTERM")
      yield* exit
      yield* Effect.promise(() => watching.text().catch(() => ""))

      assert.strictEqual(resource()["service.name"], "books")
      const names = spans().map(({ name }) => name)
      assert.includeMembers(names, ["round", "Broker.serverTime", "Broker.scan.page", "GET /api/v3/time"])
      const round = spans().find(({ name }) => name === "round")
      assert.isDefined(spans().find((span) => span.traceId === round?.traceId && span.name === "Broker.scan.page"))
      const routes = spans().filter(({ kind }) => kind === 2).map(({ attributes }) => named(attributes)["http.route"])
      assert.includeMembers(routes, ["/health", "/books/report/outcomes/:id", "/books/report/events"])
      assert.isAbove(points("tallystick.client.requests").length, 0)
      const told = [...said, ...received.map(({ body }) => body)].join("\n")
      for (const secret of [TOKEN, Redacted.value(apiKey), Redacted.value(secretKey), ...history.subAccounts]) {
        assert.notInclude(told, secret)
      }
      for (const { txId } of history.deposits) assert.notInclude(told, txId)
    }).pipe(Effect.provide(FetchHttpClient.layer)))

  it.effect("a round that fails is told by its kind alone, and there is no report", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Sandbox.Sandbox
      const { received, spans, url: COLLECTOR_URL } = yield* collector
      const { child, said, until, url } = yield* start({
        TALLYSTICK_BASE_URL: baseUrl,
        TALLYSTICK_API_KEY: Redacted.value(apiKey),
        TALLYSTICK_SECRET_KEY: "recognisable-wrong-secret",
        BOOKS_TOKEN: TOKEN,
        COLLECTOR_URL,
        PORT: "0"
      })
      yield* until("This round failed")
      assert.strictEqual(yield* status(`${url}/books/report`, { authorization: `Bearer ${TOKEN}` }), 404)
      const exit = Effect.promise(() => once(child, "exit"))
      child.kill("SIGTERM")
      yield* exit
      const round = spans().find(({ name }) => name === "round")
      assert.deepStrictEqual([round?.status.code, named(round?.attributes ?? [])["error.type"]], [
        2,
        "SignatureRejected"
      ])
      const told = [...said, ...received.map(({ body }) => body)].join("\n")
      for (const secret of [TOKEN, Redacted.value(apiKey), "recognisable-wrong-secret"]) assert.notInclude(told, secret)
    }))
})
