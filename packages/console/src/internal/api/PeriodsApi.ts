/** The periods that were closed, and whether they still stand. */
import * as Closing from "@tallystick/archive/Closing"
import * as Decision from "@tallystick/archive/Decision"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, Impossible, NotFound, PeriodRefused } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described, Moment, optional } from "./Described.ts"
import * as Entries from "./Entries.ts"

const closed = {
  id: Schema.String.annotateKey({ description: "SHA-256 of the close in the ledger." }),
  close: Closing.Close,
  reopened: Schema.optionalKey(Closing.Reopen)
}

const Cause = Schema.Union([
  Schema.Struct({ of: Schema.Literals(["records", "surroundings"]) }),
  Schema.Struct({ of: Schema.Literal("decision"), number: Schema.Int }),
  Schema.Struct({ of: Schema.Literals(["policy", "accounts"]), execution: Schema.Int })
])

export const Period = Schema.Struct({
  ...closed,
  broken: Schema.Array(Schema.Struct({
    before: Schema.optionalKey(Entries.Judgement),
    after: Schema.optionalKey(Entries.Stands),
    causes: Schema.Array(Cause)
  })),
  settled: Schema.Array(Schema.Struct({ before: Entries.Judgement, after: Entries.EntryState })),
  waitsOtherwise: Schema.Array(Schema.Struct({ before: Entries.Judgement, after: Entries.EntryState })),
  isAltered: Schema.Boolean
}).annotate({ identifier: "Period" })

const closes = HttpApiEndpoint.get("closes", "/api/periods", {
  success: Schema.Struct({ closes: Schema.Array(Schema.Struct(closed)) }),
  error: ArchiveFailed
}).annotate(Access.Needed, "read").annotateMerge(
  described("List every close", "The first one first, with the reopening that took it back. Nothing is compared.")
)

const number = { number: Schema.Int.annotateKey({ description: "The number of the close in the ledger." }) }

const period = HttpApiEndpoint.get("period", "/api/periods/:number", {
  params: number,
  success: Period,
  error: [ArchiveFailed, Impossible, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described("Tell what became of a period", "What broke since its close and why, and what was carried and is settled.")
)

const carried = HttpApiEndpoint.get("carried", "/api/periods/:number/carried", {
  params: number,
  success: Schema.Struct({ entries: Schema.Array(Entries.EntryState) }),
  error: [ArchiveFailed, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(described("List what a close carried openly", "By time."))

const close = HttpApiEndpoint.post("close", "/api/periods", {
  payload: Schema.Struct({
    through: Closing.Close.fields.through.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)).annotateKey({
      description: "The last day of the period, `YYYY-MM-DD`: all of it is closed."
    }),
    zone: optional(
      Schema.NonEmptyString,
      "The zone of the day. Default: that of the last close, and UTC where there is none."
    ),
    from: optional(Moment, "Where the period begins, Unix ms. Default: where the last one ends."),
    carryOpen: optional(
      Schema.Boolean,
      "What waits is carried openly. Default: false, and then it keeps the period open."
    )
  }).annotate({ identifier: "ClosePeriod" }),
  success: Schema.Struct({ id: Schema.String, body: Closing.Close }).annotate({ identifier: "Close" }),
  error: [ArchiveFailed, Impossible, PeriodRefused]
}).annotate(Access.Needed, "approve").annotateMerge(
  described("Close the books up to the end of a day", "A refusal names each thing that is lacking.")
)

const reopen = HttpApiEndpoint.post("reopen", "/api/periods/:number/reopening", {
  params: number,
  payload: Schema.Struct({ reason: Decision.Reason, words: Decision.Revoke.fields.words }).annotate({
    identifier: "ReopenPeriod"
  }),
  success: Schema.Struct({ id: Schema.String, body: Closing.Reopen }).annotate({ identifier: "Reopening" }),
  error: [ArchiveFailed, Impossible, PeriodRefused]
}).annotate(Access.Needed, "approve").annotateMerge(
  described("Take the last close back", "Nothing is removed from the ledger.")
)

export class PeriodsApi extends HttpApiGroup.make("periods")
  .add(closes, period, carried, close, reopen)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Periods", description: "What was closed, and whether it still stands." })
  )
{}
