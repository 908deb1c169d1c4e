/** Serves reports on a free port, and asks as a program does that knows only the description. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Report from "@tallystick/reconcile/Report"
import * as ReportApi from "@tallystick/report/ReportApi"
import * as ReportApiServer from "@tallystick/report/ReportApiServer"
import * as Reports from "@tallystick/report/Reports"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import * as Sample from "../../../reconcile/test/reportSample.ts"
import * as Books from "../../../reconcile/test/support/Books.ts"
import * as Case from "../../../reconcile/test/support/Case.ts"
import * as Generator from "../../../reconcile/test/support/Generator.ts"
import * as Run from "../../../reconcile/test/support/Run.ts"

export const Api = HttpApi.make("books").add(ReportApi.ReportApi)

/** A server of this API, with the `Reports` of the context. */
export const over = Layer.provideMerge(
  HttpRouter.serve(HttpApiBuilder.layer(Api).pipe(Layer.provide(ReportApiServer.layer(Api))), {
    disableLogger: true,
    disableListenLog: true
  }),
  NodeHttpServer.layerTest
)

export const layer = (options?: Reports.Options) => Layer.provideMerge(over, Reports.Reports.layer(options))

export const client = HttpApiClient.make(Api)

/** Where the server listens. */
export const origin = Effect.gen(function*() {
  const { address } = yield* HttpServer.HttpServer
  return address._tag === "UnixPathAddress" ? yield* Effect.die("a socket file") : `http://127.0.0.1:${address.port}`
})

/** What `curl` would see of a path. */
export const asked = Effect.fnUntraced(function*(path: string, init?: RequestInit) {
  const url = `${yield* origin}${path}`
  return yield* Effect.promise(async () => {
    const { body, headers, status } = await fetch(url, init).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: await response.text()
    }))
    return { status, headers, body }
  })
})

const file = new URL("../../../reconcile/test/fixtures/matching-sample.json", import.meta.url)

/** The cases of the matching, each a report. */
const samples = Schema.decodeSync(Schema.fromJsonString(Schema.Array(Case.Case)))(readFileSync(file, "utf8")).map(
  (sample) => {
    const input = Case.toInput(sample)
    const about = { coverage: Run.complete, accounts: { list: [], complete: true }, policy: Run.policy(input.policy) }
    return Report.make({ ...about, ...Run.match(input) })
  }
)

/** A report of 10 outcomes or so, of most kinds. */
export const sample = Sample.report()

/** Reports of many books. */
export const many = (count: number): ReadonlyArray<Report.Report> => [
  sample,
  ...samples,
  ...Array.from({ length: count }, (_, seed) => Books.report(Generator.make(seed)))
]
