/**
 * Describes how a server serves reports: the last one, its outcomes, and news of outcomes as server-sent events.
 *
 * `ReportApi` is a group of an `HttpApi`, to be added beside an embedder's own groups. This module holds no server, so that a
 * browser or another service may derive a client from it; `ReportApiServer.layer` has the handlers.
 *
 * It has no authentication. The data name accounts, deposit addresses and amounts: add a middleware of your own to the group, or
 * serve masked reports (`Reports.layer`).
 */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as JsonText from "./internal/JsonText.ts"
import * as Pages from "./internal/Pages.ts"

/** There is no report yet, because no run has ended since the server started. */
export class NoReport extends Schema.TaggedError<NoReport>("@tallystick/report/ReportApi/NoReport")("NoReport", {
  /** What there is to know, in words. */
  message: Schema.String.annotateKey({ description: "What there is to know, in words." })
}, {
  identifier: "NoReport",
  description: "There is no report yet, because no run has ended since the server started.",
  httpApiStatus: 404
}) {}

/** The last report has no outcome of this id. */
export class NoOutcome extends Schema.TaggedError<NoOutcome>("@tallystick/report/ReportApi/NoOutcome")("NoOutcome", {
  /** The id that was asked for. */
  id: Schema.String.annotateKey({ description: "The id that was asked for." }),
  /** What there is to know, in words. */
  message: Schema.String.annotateKey({ description: "What there is to know, in words." })
}, { identifier: "NoOutcome", description: "The last report has no outcome of this id.", httpApiStatus: 404 }) {}

/** The report that a list was begun in has been replaced: its next page would leave out outcomes. Begin again. */
export class ReportReplaced
  extends Schema.TaggedError<ReportReplaced>("@tallystick/report/ReportApi/ReportReplaced")("ReportReplaced", {
    /** What there is to know, in words. */
    message: Schema.String.annotateKey({ description: "What there is to know, in words." })
  }, {
    identifier: "ReportReplaced",
    description:
      "The report that a list was begun in has been replaced: its next page would leave out outcomes. Begin again.",
    httpApiStatus: 410
  })
{}

/** The request is not as this document says. */
export class InvalidRequest
  extends Schema.TaggedError<InvalidRequest>("@tallystick/report/ReportApi/InvalidRequest")("InvalidRequest", {
    /** What is wrong, a sentence for each part of the request. */
    message: Schema.String.annotateKey({ description: "What is wrong, a sentence for each part of the request." })
  }, { identifier: "InvalidRequest", description: "The request is not as this document says.", httpApiStatus: 400 })
{}

/**
 * Answers a request that cannot be read with `InvalidRequest`, and keeps answers out of caches. `ReportApiServer.layer` provides
 * it.
 */
export class Answers extends HttpApiMiddleware.Service<Answers>()("@tallystick/report/ReportApi/Answers", {
  error: InvalidRequest
}) {}

/** A page of a list of outcomes. */
export class OutcomePage extends Schema.Opaque<OutcomePage>()(
  Schema.Struct({
    /** The report that all pages of the list are of. */
    report: Schema.String.annotateKey({ description: "The report that all pages of the list are of." }),
    /** `after` of the next page; null on the last page. */
    next: Schema.NullOr(Schema.String).annotateKey({ description: "`after` of the next page; null on the last page." }),
    /** The outcomes, in the order of the report. */
    outcomes: Schema.Array(Report.ReportOutcome).annotateKey({
      description: "The outcomes, in the order of the report."
    })
  }).annotate({ identifier: "OutcomePage" })
) {}

const news = <const Event extends string, Data extends Schema.Constraint>(
  event: Event,
  data: Data,
  description: string
) =>
  Schema.Struct({
    id: Schema.String.annotateKey({ description: "Its place: send it as `Last-Event-ID` to go on after it." }),
    event: Schema.Literal(event),
    data: JsonText.of(data)
  }).annotate({ description })

/** News for those who watch: the events that the server sends. */
export const News = Schema.Union([
  news(
    "alive",
    Schema.Struct({}),
    "No event up to this place is still to come. It comes first, and whenever nothing else came for a while."
  ),
  news("outcome", Report.ReportOutcome, "An outcome that the last report does not have, or has otherwise."),
  news("report", Report.Summary, "A report is there, and is served from now on: its summary."),
  news(
    "behind",
    Schema.Struct({
      missed: Schema.NullOr(Schema.Int).annotateKey({ description: "How many events; null: nobody knows." })
    }),
    "Events up to this place are lost to this reader, because it was slow, came back late, or the server started again: " +
      "read the report."
  )
]).annotate({ identifier: "News" })
export type News = typeof News.Type

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const summary = HttpApiEndpoint.get("summary", "/report/summary", { success: Report.Summary, error: NoReport })
  .annotateMerge(
    described("Tell the last report without its outcomes", "Whether the books agree, totals, counts, coverage.")
  )

const whole = HttpApiEndpoint.get("whole", "/report", { success: Report.Report, error: NoReport }).annotateMerge(
  described("Tell the last report", "The same text as of the format `json`. It may be long.")
)

const outcomes = HttpApiEndpoint.get("outcomes", "/report/outcomes", {
  query: {
    code: Schema.optionalKey(Schema.Array(Outcome.Code)).annotateKey({
      description: "Those of this code; may be repeated."
    }),
    outcome: Schema.optionalKey(Schema.Array(Outcome.Kind)).annotateKey({
      description: "Those of this kind; may be repeated."
    }),
    final: Schema.optionalKey(Schema.Boolean).annotateKey({ description: "Those that are final, or that are not." }),
    after: Schema.optionalKey(Schema.String.check(Schema.isPattern(Pages.PLACE))).annotateKey({
      description: "`next` of the page before, with the same filters."
    }),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Pages.MOST }))).annotateKey({
      description: `The outcomes of a page at most, ${Pages.USUAL} unless given.`
    })
  },
  success: OutcomePage,
  error: [NoReport, ReportReplaced]
}).annotateMerge(described("List outcomes of the last report", "In the order of the report, a page at a time."))

const outcome = HttpApiEndpoint.get("outcome", "/report/outcomes/:id", {
  params: { id: Schema.String },
  success: Report.ReportOutcome,
  error: [NoReport, NoOutcome]
}).annotateMerge(described("Tell one outcome of the last report", "Its id is the same in every run."))

const events = HttpApiEndpoint.get("events", "/report/events", {
  headers: {
    "last-event-id": Schema.optionalKey(Schema.String).annotateKey({
      description: "The id of the last event that came; without it, only what happens from now on is told."
    })
  },
  success: HttpApiSchema.StreamSse({ events: News })
}).annotateMerge(described(
  "Watch outcomes as they are decided",
  "Open this stream first and read the report then, so that no outcome is missed between the two: one that comes twice has the " +
    "same id. That an outcome is not told again says nothing about it; the last report does."
))

/** The group: `HttpApi.make("…").add(ReportApi.ReportApi)`. Its client has the name `tallystick`. */
export class ReportApi extends HttpApiGroup.make("tallystick")
  .add(summary, whole, outcomes, outcome, events)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({
    title: "Reconciliation",
    description:
      "The last report of a reconciliation and news of its outcomes. Amounts are exact decimal text, times are Unix " +
      "milliseconds. The data name accounts, deposit addresses and amounts."
  }))
{}
