/** Serves `Reports` as `ReportApi` says. */
import * as Report from "@tallystick/reconcile/Report"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ErrorReporter from "effect/ErrorReporter"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiError from "effect/http-api/HttpApiError"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { unhandled } from "effect/Types"
import * as Pages from "./internal/Pages.ts"
import * as WrittenOutcome from "./internal/WrittenOutcome.ts"
import * as Json from "./Json.ts"
import * as ReportApi from "./ReportApi.ts"
import * as Reports from "./Reports.ts"
import * as SafeJson from "./text/SafeJson.ts"

/** These options say how those who watch are answered. */
export interface Options {
  /** After how long without news the server says `alive` to those who watch; default 15 seconds. */
  readonly idle?: Duration.Input
}

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

const invalid = ({ cause, kind }: HttpApiError.HttpApiSchemaError): ReportApi.InvalidRequest => {
  const sentences = issues(cause.issue).issues.map(({ message, path = [] }) => {
    const names = path.map((step) => String(typeof step === "object" ? step.key : step))
    return `${[kind.toLowerCase(), ...names].join(".")}: ${message}`
  })
  return new ReportApi.InvalidRequest({ message: sentences.join("\n") })
}

/** The headers of every answer: no cache keeps it, and no proxy holds back a part of it. */
const headers = { "cache-control": "no-store", "x-accel-buffering": "no" }

const AnswersLayer = Layer.succeed(ReportApi.Answers, (answer) =>
  HttpEffect.withPreResponseHandler(
    Effect.catch(
      answer,
      (error): Effect.Effect<never, ReportApi.InvalidRequest | unhandled> =>
        HttpApiError.HttpApiSchemaError.is(error) && error[ErrorReporter.ignore]
          ? Effect.fail(invalid(error))
          : Effect.fail(error)
    ),
    (_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  ))

const text = (body: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { contentType: "application/json" })

const encodeSummary = Schema.encodeSync(Report.Summary)

/** The group as a program has it in its API, perhaps under a prefix and with middleware. */
type Mounted<Groups extends HttpApiGroup.Constraint> = HttpApiGroup.WithIdentifier<Groups, "tallystick">

/** What the middleware of the program needs. */
type Needed<Groups extends HttpApiGroup.Constraint> =
  | Exclude<HttpApiEndpoint.Middleware<HttpApiGroup.Endpoints<Mounted<Groups>>>, ReportApi.Answers>
  | HttpApiEndpoint.MiddlewareServices<HttpApiGroup.Endpoints<Mounted<Groups>>>

const handlers = <ApiId extends string>(api: HttpApi.HttpApi<ApiId, typeof ReportApi.ReportApi>, { idle }: Options) =>
  HttpApiBuilder.group(
    api,
    "tallystick",
    Effect.fnUntraced(function*(handlers) {
      const reports = yield* Reports.Reports
      const last = Effect.flatMap(
        reports.current,
        Option.match({
          onNone: () =>
            Effect.fail(
              new ReportApi.NoReport({ message: "There is no report yet: no run has ended since the start." })
            ),
          onSome: Effect.succeed
        })
      )
      return handlers.handleAll({
        summary: () =>
          Effect.map(last, ({ report }) => text(SafeJson.stringify(encodeSummary(Struct.omit(report, ["outcomes"]))))),
        whole: () =>
          Effect.map(last, ({ report }) =>
            HttpServerResponse.stream(
              Stream.fromIterable(Json.parts(report), { chunkSize: 64 }).pipe(Stream.encodeText),
              { contentType: "application/json" }
            )),
        outcomes: Effect.fnUntraced(function*({ query: { limit = Pages.USUAL, ...query } }) {
          const published = yield* last
          const page = Pages.of(published, { ...query, limit })
          if (Option.isNone(page)) {
            const message = "This report has been replaced since the list was begun: begin again without `after`."
            return yield* new ReportApi.ReportReplaced({ message })
          }
          return text(
            SafeJson.stringify({
              ...page.value,
              outcomes: page.value.outcomes.map(WrittenOutcome.of(published.report))
            })
          )
        }),
        outcome: Effect.fnUntraced(function*({ params: { id } }) {
          const { outcomes, report } = yield* last
          const outcome = outcomes.get(id)
          if (outcome === undefined) {
            return yield* new ReportApi.NoOutcome({ id, message: "The last report has no outcome of this id." })
          }
          return text(SafeJson.stringify(WrittenOutcome.of(report)(outcome)))
        }),
        events: ({ headers: { "last-event-id": after } }) =>
          Effect.succeed(reports.news({
            // A reader without a last event may say so with an empty one.
            ...(after === undefined || after === "" ? {} : { after }),
            ...(idle === undefined ? {} : { idle })
          }))
      })
    })
  )

/** Whether the API has the group. It may have a prefix and middleware more, of which the handlers know nothing. */
const isMounted = <ApiId extends string>(
  api: HttpApi.Constraint
): api is HttpApi.HttpApi<ApiId, typeof ReportApi.ReportApi> =>
  HttpApi.isHttpApi(api) && api.groups["tallystick"] !== undefined

/**
 * Handles the group of an API that has it, and needs `Reports` and what the program's own middleware needs. A type error says that
 * the API does not have the group.
 */
export const layer = <ApiId extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<ApiId, Groups> & ([Mounted<Groups>] extends [never] ? "Add ReportApi to the API" : unknown),
  options: Options = {}
): Layer.Layer<HttpApiGroup.Service<ApiId, "tallystick">, never, Reports.Reports | Needed<Groups>> =>
  isMounted<ApiId>(api)
    ? Layer.provide(handlers(api, options), AnswersLayer)
    : Layer.effectContext(Effect.die("ReportApi is no group of this API: add it"))
