/** The group in an embedder's own API: under a prefix, behind a guard, masked. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Masking from "@tallystick/report/Masking"
import * as ReportApi from "@tallystick/report/ReportApi"
import * as ReportApiServer from "@tallystick/report/ReportApiServer"
import * as Reports from "@tallystick/report/Reports"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Served from "./support/Served.ts"

const { sample } = Served

class Guard extends HttpApiMiddleware.Service<Guard>()("test/Guard", {
  error: HttpApiError.Unauthorized,
  requiredForClient: true,
  security: { bearer: HttpApiSecurity.bearer }
}) {}

const Api = HttpApi.make("own")
  .add(
    HttpApiGroup.make("greetings").add(HttpApiEndpoint.get("hello", "/hello", { success: Schema.String })),
    ReportApi.ReportApi.prefix("/books")
  )
  .middleware(Guard)

const GuardLayer = Layer.succeed(Guard, {
  bearer: (answer, { credential }) =>
    Redacted.value(credential) === "let me in" ? answer : Effect.fail(new HttpApiError.Unauthorized({}))
})

const Greetings = HttpApiBuilder.group(
  Api,
  "greetings",
  (handlers) => handlers.handle("hello", () => Effect.succeed("hello"))
)

const served = HttpRouter.serve(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([Greetings, ReportApiServer.layer(Api)]),
    Layer.provide(GuardLayer)
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(Layer.provideMerge(NodeHttpServer.layerTest), Layer.provideMerge(Reports.Reports.layer()))

const paths = ["/report", "/report/summary", "/report/outcomes", "/report/outcomes/c0ffee", "/report/events"]

it.effect("a guard of the API stands before everything, and prefixed paths are the only ones", () =>
  Effect.gen(function*() {
    const reports = yield* Reports.Reports
    yield* reports.publish(sample)
    for (const path of paths) {
      assert.strictEqual((yield* Served.asked(path)).status, 404)
      const { body, status } = yield* Served.asked(`/books${path}`)
      assert.deepStrictEqual([status, body], [401, "{\"_tag\":\"Unauthorized\"}"])
      // What is wrong with a request is not told to strangers either.
      assert.strictEqual((yield* Served.asked(`/books${path}?limit=0`)).status, 401)
    }
    const { status } = yield* Served.asked("/books/report", { headers: { authorization: "Bearer let me in" } })
    assert.strictEqual(status, 200)
  }).pipe(Effect.provide(served)))

const knowing = HttpApiMiddleware.layerClient(
  Guard,
  ({ next, request }) => next(HttpClientRequest.bearerToken(request, "let me in"))
)

it.effect("a derived client that knows the word hears and reads", () =>
  Effect.gen(function*() {
    const reports = yield* Reports.Reports
    yield* reports.publish(sample)
    const { greetings, tallystick } = yield* HttpApiClient.make(Api)
    assert.strictEqual(yield* greetings.hello(), "hello")
    assert.deepStrictEqual(yield* tallystick.whole(), sample)
    const news = yield* tallystick.events({ headers: {} })
    assert.deepStrictEqual((yield* Stream.runHead(news))._tag, "Some")
  }).pipe(Effect.provide(Layer.merge(knowing, served))))

const accounts = { master: "QXMASTER", list: ["sub00001", "QXOTHER"], complete: true }

const identifying = {
  from: "QXOTHER",
  to: "QXMASTER",
  memo: "QXMEMO",
  address: "TQXWALLET",
  record: { note: "QXNOTE" }
}

const named: Report.Report = {
  ...sample,
  outcomes: sample.outcomes.map((outcome) =>
    Struct.assign(outcome, {
      explanation: `${outcome.explanation} QXOTHER knows.`,
      transfers: outcome.transfers.map((entry) => Struct.assign(entry, identifying))
    })
  )
}

it.effect("masked reports name nobody, in no answer and no news, and those who ran them get them unmasked", () =>
  Effect.gen(function*() {
    const reports = yield* Reports.Reports
    const news: Array<string> = []
    const keep = (told: ReportApi.News) => Effect.sync(() => void news.push(JSON.stringify(told)))
    yield* reports.publish({ ...named, outcomes: [] })
    const watching = yield* reports.news().pipe(Stream.runForEach(keep), Effect.forkChild)
    yield* Effect.yieldNow
    const events: ReadonlyArray<Reconciliation.Event> = [
      ...named.outcomes.map((outcome) => ({ _tag: "Outcome" as const, outcome })),
      { _tag: "Summary", summary: Struct.omit(named, ["outcomes"]) }
    ]
    assert.deepStrictEqual(yield* reports.publishEvents(Stream.fromIterable(events)), named)
    yield* reports.publish(named)
    const answers = yield* Effect.forEach(
      ["/report", "/report/summary", "/report/outcomes", `/report/outcomes/${named.outcomes[0]?.id}`],
      (path) => Served.asked(path)
    )
    const { tallystick } = yield* Served.client
    assert.deepStrictEqual(yield* tallystick.whole(), Masking.report(named, accounts))
    const all = [...news, ...answers.map(({ body }) => body)].join("\n")
    assert.isAbove(news.length, named.outcomes.length)
    assert.include(all, "account-1")
    assert.notMatch(all, /QX|sub00001/)
    yield* Effect.sync(() => watching.interruptUnsafe())
  }).pipe(Effect.provide(Served.layer({ masked: accounts }))))
