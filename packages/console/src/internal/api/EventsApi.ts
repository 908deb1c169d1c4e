/** News for those who watch, as server-sent events. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, Unavailable } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described } from "./Described.ts"

/** Numbers that change with what they are named after. */
const Marks = Schema.Struct({
  run: Schema.Int.annotateKey({ description: "The number of the run that was recorded last." }),
  ledger: Schema.Int.annotateKey({ description: "The number of the last row of the ledger." }),
  decision: Schema.Int.annotateKey({ description: "The number of the last decision." }),
  execution: Schema.Int.annotateKey({ description: "The number of the last execution of the books." }),
  closing: Schema.Int.annotateKey({ description: "The number of the last close or reopening." }),
  rebuilt: Schema.Int.annotateKey({
    description: "So often the books were written anew, by `tallystick archive rebuild`."
  }),
  sync: Schema.String.annotateKey({ description: "Another text after each step of a sync or an import." })
}).annotate({ identifier: "Marks" })

const news = <const Event extends string, Data extends Schema.Constraint>(
  event: Event,
  data: Data,
  description: string
) => Schema.Struct({ event: Schema.Literal(event), data: Schema.fromJsonString(data) }).annotate({ description })

export const News = Schema.Union([
  news("marks", Marks, "How the archive stands. It comes first, and whenever any of it changed."),
  news("alive", Schema.Struct({}), "Nothing changed for a while.")
]).annotate({ identifier: "News" })
export type News = typeof News.Type

const events = HttpApiEndpoint.get("events", "/api/events", {
  success: HttpApiSchema.StreamSse({ events: News }),
  error: [ArchiveFailed, Unavailable]
}).annotate(Access.Needed, "read").annotateMerge(described(
  "Watch what changes",
  "Read what is of interest again when its number changed, also when the stream broke and begins anew. It ends with the session, and " +
    "watching alone keeps no session open."
))

export class EventsApi extends HttpApiGroup.make("events")
  .add(events)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(OpenApi.annotations({ title: "Events", description: "What changes, as it changes." }))
{}
