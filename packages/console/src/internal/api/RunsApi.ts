/** The runs that were recorded, their outcomes, and what changed between two of them. */
import * as Run from "@tallystick/archive/Run"
import * as RunDiff from "@tallystick/archive/RunDiff"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, Impossible, NotFound } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described, Id, limit, Moment, optional } from "./Described.ts"
import * as Entries from "./Entries.ts"

const Interval = Schema.Struct({ from: Schema.Int, to: Schema.Int })

const executions = Schema.Array(Schema.Int).annotateKey({
  description: "The numbers of the executions that brought the books forward by it."
})

const RunPage = Schema.Struct({
  runs: Schema.Array(Schema.Struct({
    run: Run.Listed,
    executions
  })),
  next: optional(Schema.Int, "`before` of the next page; absent on the last one."),
  count: Schema.Int.annotateKey({ description: "So many runs there are, on whatever page." })
}).annotate({ identifier: "RunPage" })

const runs = HttpApiEndpoint.get("runs", "/api/runs", {
  query: {
    since: optional(Moment, "Those recorded at this time or later, Unix ms."),
    before: optional(Schema.Int, "`next` of the page before."),
    limit: limit(1000, 50)
  },
  success: RunPage,
  error: ArchiveFailed
}).annotate(Access.Needed, "read").annotateMerge(described("List runs", "The last recorded first, a page at a time."))

const Recorded = Schema.Struct({ run: Run.Run, summary: Report.Summary, executions }).annotate({
  identifier: "RecordedRun"
})

const run = HttpApiEndpoint.get("run", "/api/runs/:id", {
  params: { id: Id },
  success: Recorded,
  error: [ArchiveFailed, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described("Tell a run", "All that its report says, except the outcomes. The beginning of the id is enough.")
)

const outcomes = HttpApiEndpoint.get("runOutcomes", "/api/runs/:id/outcomes", {
  params: { id: Id },
  query: {
    code: optional(Schema.Array(Outcome.Code), "Those of this code; may be repeated."),
    outcome: optional(Schema.Array(Outcome.Kind), "Those of this kind; may be repeated."),
    after: optional(Id, "`next` of the page before, with the same filters."),
    limit: limit(1000, 100)
  },
  success: Schema.Struct({
    outcomes: Schema.Array(Outcome.Outcome),
    next: optional(Schema.String, "`after` of the next page; absent on the last one.")
  }).annotate({ identifier: "RunOutcomes" }),
  error: [ArchiveFailed, Impossible, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(described(
  "List the outcomes of a run",
  "What is open first, by id, then the rest about in order of time. Matches come without the service's own records. A page is read " +
    "from the beginning of the run: the first pages cost little, the last ones of a long run as much as the run."
))

const outcome = HttpApiEndpoint.get("outcome", "/api/outcomes/:id", {
  params: { id: Id },
  success: Schema.Struct({
    id: Schema.String,
    versions: Schema.Array(Schema.Struct({ outcome: Outcome.Outcome, runs: Schema.Array(Run.Listed) }))
  }).annotate({ identifier: "Sighting" }),
  error: [ArchiveFailed, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described("Tell an outcome", "As the runs have seen it, the first version first. The beginning of the id is enough.")
)

const Side = Schema.Struct({
  run: Schema.String,
  recordedAt: Schema.Int,
  range: Schema.NullOr(Interval),
  asOf: Schema.NullOr(Schema.Int),
  ledger: Schema.Int,
  badRecords: Schema.Int,
  untimedRecords: Schema.Int,
  unread: Schema.Array(Interval)
}).annotate({ identifier: "RunOfDiff" })

export const Diff = Schema.Struct({
  before: Side,
  after: Side,
  common: Schema.NullOr(Interval),
  only: Schema.Struct({ before: Schema.Array(Interval), after: Schema.Array(Interval) }),
  asked: Schema.Struct({ policy: Schema.Array(Schema.String), accounts: Schema.Boolean, addresses: Schema.Boolean }),
  arrived: Schema.Int,
  differences: Schema.Array(Schema.Struct({
    kind: RunDiff.Kind,
    side: Entries.EntryState.fields.side,
    id: Schema.String,
    before: Schema.optionalKey(Entries.Stand),
    after: Schema.optionalKey(Entries.Stand)
  }))
}).annotate({ identifier: "RunDiff" })

const diff = HttpApiEndpoint.get("diff", "/api/runs/:before/diff/:after", {
  params: { before: Id, after: Id },
  success: Diff,
  error: [ArchiveFailed, Impossible, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described(
    "Compare two runs, entry by entry",
    "Over the time that both are about. Only what they do not share is read."
  )
)

export class RunsApi extends HttpApiGroup.make("runs")
  .add(runs, run, outcomes, outcome, diff)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(OpenApi.annotations({ title: "Runs", description: "Reconciliations that were recorded." }))
{}
