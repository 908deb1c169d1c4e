/** Watches the service from another program: it tells what does not agree, and misses nothing when the connection breaks. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as ReportApi from "@tallystick/report/ReportApi"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Api } from "./Api.ts"

/** An outcome that is told again has the same id: a desk opens one case for it. */
const tell = ({ code, explanation, id, outcome }: Outcome.Outcome) =>
  outcome === "discrepancy" ? Console.log(`${id} ${code}: ${explanation}`) : Effect.void

const program = Effect.gen(function*() {
  const token = yield* Config.Redacted("BOOKS_TOKEN")
  const { tallystick } = yield* HttpApiClient.make(Api, {
    baseUrl: yield* Config.String("BOOKS_URL"),
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
  })

  const read = tallystick.whole().pipe(
    Effect.flatMap(({ outcomes }) => Effect.forEach(outcomes, tell, { discard: true })),
    Effect.catchTag("NoReport", () => Console.log("There is no report yet."))
  )

  /** The last event that was dealt with. */
  let last: string | undefined

  const hear = Effect.fnUntraced(function*(news: ReportApi.News) {
    if (news.event === "outcome") yield* tell(news.data)
    if (news.event === "report") yield* Console.log(news.data.clean ? "The books agree." : "The books do not agree.")
    // Events were lost to this reader, and the report has what they told.
    if (news.event === "behind") yield* read
    last = news.id
  })

  const watch = Effect.gen(function*() {
    // The stream is open before the report is read, so that no outcome is missed between the two.
    const news = yield* tallystick.events({ headers: last === undefined ? {} : { "last-event-id": last } })
    if (last === undefined) yield* read
    yield* Stream.runForEach(news, hear)
  })

  // A connection that ended or broke is opened again, and goes on after the last event. A wrong token stays wrong.
  yield* watch.pipe(
    Effect.retry({ while: ({ _tag }) => _tag !== "Unauthorized", schedule: Schedule.spaced("5 seconds") }),
    Effect.repeat(Schedule.spaced("5 seconds"))
  )
})

NodeRuntime.runMain(Effect.provide(program, FetchHttpClient.layer))
