/** What people decided, and how somebody decides. Every decision bears the name of the session; no request can give another one. */
import * as Decision from "@tallystick/archive/Decision"
import * as DecisionError from "@tallystick/archive/DecisionError"
import * as Entry from "@tallystick/reconcile/Entry"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, DecisionRefused, Forbidden, InvalidRequest } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described, Id, limit, optional } from "./Described.ts"
import * as Entries from "./Entries.ts"

/** So many acts come in one request at most. */
const MOST = 1000

const seen = optional(
  Entries.Head,
  "The end of the ledger that the person saw. A later decision of somebody else on the same entries is a conflict. What the same " +
    "person wrote word for word since is not written again: a request that got no answer can be sent again with the same `seen`. " +
    "Where anybody took that back since, it is a conflict."
)

const Acts = Schema.NonEmptyArray(Decision.Each).check(Schema.isMaxLength(MOST))

const Page = Schema.Struct({
  decisions: Schema.Array(Entries.Decided),
  next: optional(Schema.Int, "`before` of the next page; absent on the last one."),
  count: Schema.Int.annotateKey({ description: "So many there are, on whatever page." }),
  head: Entries.Head,
  fault: optional(
    Schema.String,
    "What is wrong with the ledger behind its head; absent where nothing was found. A page compares the rows that the console has not " +
      "read before, and the last one that it has; `tallystick archive check` compares all."
  )
}).annotate({ identifier: "DecisionPage" })

const decisions = HttpApiEndpoint.get("decisions", "/api/decisions", {
  query: {
    by: optional(Schema.String, "Those of this person."),
    kind: optional(Schema.Array(Decision.Kind), "Those of this kind; may be repeated."),
    side: optional(Entry.Side, "With `entry`: those about the entry of this side."),
    entry: optional(Id, "With `side`: those about the entry of this id."),
    text: optional(
      Schema.String.check(Schema.isMaxLength(200)),
      "Those in whose words, author or entries this stands."
    ),
    standing: optional(
      Schema.Literals(["holds", "proposed", "revoked"]),
      "Those that hold, wait for another person, or were taken back."
    ),
    before: optional(Schema.Int, "`next` of the page before."),
    limit: limit(1000, 50)
  },
  success: Page,
  error: [ArchiveFailed, InvalidRequest]
}).annotate(Access.Needed, "read").annotateMerge(described("List decisions", "The last one first, a page at a time."))

const decide = HttpApiEndpoint.post("decide", "/api/decisions", {
  payload: Schema.Struct({
    acts: Acts,
    seen,
    preview: optional(Schema.Boolean, "Tell what would be written, and write nothing. Default: false.")
  }).annotate({ identifier: "Decide" }),
  success: Schema.Struct({ decisions: Schema.Array(Entries.Decided) }),
  error: [ArchiveFailed, DecisionRefused, Forbidden]
}).annotate(Access.Needed, "decide").annotateMerge(
  described("Decide: all of it or nothing", "An approval needs the role `approve`.")
)

const Results = Schema.Struct({
  results: Schema.Array(Schema.Union([
    Schema.TaggedStruct("Decided", { decision: Entries.Decided }),
    Schema.TaggedStruct("Refused", { reason: DecisionError.Reason, message: Schema.String })
  ])).annotateKey({ description: "A result for each act, in the order of the acts." }),
  head: Entries.Head
}).annotate({ identifier: "DecisionResults" })

const decideEach = HttpApiEndpoint.post("decideEach", "/api/decisions/each", {
  payload: Schema.Struct({ acts: Acts, seen }).annotate({ identifier: "DecideEach" }),
  success: Results,
  error: [ArchiveFailed, Forbidden]
}).annotate(Access.Needed, "decide").annotateMerge(
  described("Decide many, with a result each", "What the ledger refuses leaves the others as they are.")
)

const undo = HttpApiEndpoint.post("undo", "/api/decisions/undo", {
  payload: Schema.Struct({
    decisions: Schema.NonEmptyArray(Decision.Revoke.fields.decision).check(Schema.isMaxLength(MOST)).annotateKey({
      description: "The numbers of one's own decisions, also of some of a bulk action."
    }),
    words: Decision.Revoke.fields.words,
    seen
  }).annotate({ identifier: "Undo" }),
  success: Results,
  error: ArchiveFailed
}).annotate(Access.Needed, "decide").annotateMerge(
  described(
    "Take one's own decisions back",
    "Each with a result. A decision of somebody else is refused here, and can be revoked."
  )
)

export class DecisionsApi extends HttpApiGroup.make("decisions")
  .add(decisions, decide, decideEach, undo)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(OpenApi.annotations({ title: "Decisions", description: "What people decided, by whom and why." }))
{}
