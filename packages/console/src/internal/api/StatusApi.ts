/** What the archive holds, and how complete that is. */
import * as Coverage from "@tallystick/core/Coverage"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, Impossible } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described, Moment, optional } from "./Described.ts"
import * as Entries from "./Entries.ts"

const status = HttpApiEndpoint.get("status", "/api/status", {
  success: Schema.Struct({
    coveredTo: Schema.NullOr(Schema.Int).annotateKey({
      description: "The end of the last time of which anything is known, complete or not, Unix ms."
    }),
    lastReading: Schema.NullOr(Schema.Int).annotateKey({
      description: "The server time of the last reading of anything, Unix ms."
    }),
    forgetsAt: Schema.NullOr(Schema.Int).annotateKey({
      description:
        "When the exchange forgets the first deposit that may be unread, Unix ms; null as long as nothing was read."
    }),
    now: Schema.Int.annotateKey({ description: "The time on the clock of this console, Unix ms." }),
    holder: Schema.NullOr(Schema.String).annotateKey({
      description: "The sync or import that goes on at this moment."
    }),
    head: Entries.Head
  }).annotate({ identifier: "Status" }),
  error: ArchiveFailed
}).annotate(Access.Needed, "read").annotateMerge(
  described("Tell how the archive stands", "What was read last, and where the ledger ends.")
)

const coverage = HttpApiEndpoint.get("coverage", "/api/coverage", {
  query: {
    from: optional(Moment, "From this moment on, Unix ms. Default: from the beginning."),
    to: optional(Moment, "Before this moment, Unix ms. Default: to the end.")
  },
  success: Schema.Struct({
    coverage: Schema.Array(Schema.Struct({
      ...Coverage.Coverage.fields,
      vouched: Schema.Boolean.annotateKey({ description: "A person vouched for it; the service did not prove it." })
    }))
  }).annotate({ identifier: "CoverageList" }),
  error: [ArchiveFailed, Impossible]
}).annotate(Access.Needed, "read").annotateMerge(
  described("Tell what was read completely", "By operation, query and time.")
)

export class StatusApi extends HttpApiGroup.make("status")
  .add(status, coverage)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Status", description: "What the archive holds, and how complete it is." })
  )
{}
