/** How the books stand: what the last execution came to, and day by day what waits. */
import * as Report from "@tallystick/reconcile/Report"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, Impossible } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described, optional } from "./Described.ts"

const lastExecution = HttpApiEndpoint.get("lastExecution", "/api/executions/last", {
  success: Schema.Struct({
    execution: Schema.NullOr(Schema.Struct({
      number: Schema.Int.annotateKey({ description: "Its number in the ledger." }),
      at: Schema.Int.annotateKey({ description: "When it was made, Unix ms." }),
      run: Schema.String.annotateKey({ description: "The id of its run." }),
      range: Report.Summary.fields.range.annotateKey({
        description: "Its run judged entries of this time, Unix ms; null stands for all that were read."
      }),
      matchRate: Report.Summary.fields.matchRate
    })).annotateKey({ description: "Null before the first execution." })
  }).annotate({ identifier: "LastExecution" }),
  error: ArchiveFailed
}).annotate(Access.Needed, "read").annotateMerge(described(
  "Tell what the last execution matched",
  "The books were brought forward by it last. Earlier time that was judged again with it is not in its numbers."
))

export const Day = Schema.Struct({
  day: Schema.String.annotateKey({ description: "`YYYY-MM-DD`." }),
  from: Schema.Int.annotateKey({ description: "The beginning of the day, Unix ms." }),
  to: Schema.Int.annotateKey({ description: "The end of the day, Unix ms, exclusive." }),
  judged: Schema.Literals(["whole", "part", "nothing"]).annotateKey({
    description: "How much of the day an execution of the books ever judged."
  }),
  isRead: Schema.Boolean.annotateKey({
    description: "Whether all of what was judged of the day had been read when it was judged last."
  }),
  breaks: Schema.NullOr(Schema.Int).annotateKey({
    description: "So many breaks wait whose earliest entry is of this day; null where nothing of the day was judged."
  })
}).annotate({ identifier: "BookDay" })

const days = HttpApiEndpoint.get("days", "/api/days", {
  query: {
    through: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)).annotateKey({
      description: "The last day, `YYYY-MM-DD`."
    }),
    zone: optional(Schema.NonEmptyString, "The zone of the days. Default: UTC."),
    days: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
      "So many days, from 1 to 100. Default: 30."
    )
  },
  success: Schema.Struct({ days: Schema.Array(Day) }).annotate({ identifier: "BookDays" }),
  error: [ArchiveFailed, Impossible]
}).annotate(Access.Needed, "read").annotateMerge(described(
  "Count the breaks that wait, day by day",
  "The earliest day first. A break counts on the day of its earliest entry. A day that the clocks of the zone skipped is left out."
))

export class BooksApi extends HttpApiGroup.make("books")
  .add(lastExecution, days)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(OpenApi.annotations({ title: "Books", description: "How the books stand." }))
{}
