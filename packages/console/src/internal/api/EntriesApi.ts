/** Entries: by what a person has at hand, with their history, and what might be linked with them. */
import * as BookState from "@tallystick/archive/BookState"
import * as Decision from "@tallystick/archive/Decision"
import * as Entry from "@tallystick/reconcile/Entry"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, NotFound } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described, Id, limit, optional } from "./Described.ts"
import * as Entries from "./Entries.ts"

const entry = { side: Entry.Side, id: Id }

const find = HttpApiEndpoint.get("find", "/api/entries", {
  query: {
    name: Id.annotateKey({
      description:
        "A transfer's id, a deposit's id or transaction, the beginning of one, or both of its ends (abcd…wxyz); a beginning has 4 letters at least."
    })
  },
  success: Schema.Struct({ entries: Schema.Array(Decision.Subject) }),
  error: ArchiveFailed
}).annotate(Access.Needed, "read").annotateMerge(
  described("Find entries", "By something that a person has at hand; 20 at most.")
)

const story = HttpApiEndpoint.get("story", "/api/entries/:side/:id", {
  params: entry,
  success: Entries.Story,
  error: [ArchiveFailed, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described("Tell what became of an entry", "If it ever waited: each change, and each decision on it.")
)

const Kept = Schema.Struct({
  ...Decision.Subject.fields,
  status: Entry.Status,
  account: Schema.optionalKey(Schema.String),
  reference: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "KeptEntry" })

const Standing = Schema.Union([
  Schema.TaggedStruct("Waiting", { state: BookState.Waiting, of: Entries.EntryState }),
  Schema.TaggedStruct("Settled", { state: BookState.Settled, of: Entries.EntryState }),
  Schema.TaggedStruct("NeverWaited", { execution: Schema.Int, run: Schema.String }),
  Schema.TaggedStruct("NotJudged", {})
])

const Hindrance = Schema.Union([
  Schema.TaggedStruct("Contradicted", { decision: Schema.Int, kind: Decision.Kind, says: Schema.String }),
  Schema.TaggedStruct("Vanished", { side: Entry.Side }),
  Schema.TaggedStruct("Failed", { side: Entry.Side }),
  Schema.TaggedStruct("OtherAsset", {}),
  Schema.TaggedStruct("Policy", { kind: Schema.Literals(["link", "forbid", "exclude"]) })
])

const Candidate = Schema.Struct({
  entry: Kept,
  agrees: Schema.Struct({
    asset: Schema.Boolean,
    account: Schema.NullOr(Schema.Boolean),
    amount: Schema.Literals(["accepted", "differs", "equal"]),
    time: Schema.Literals(["beyond", "early", "late", "window"]),
    reference: Schema.NullOr(Schema.Boolean)
  }).annotateKey({ description: "In which fields it agrees with the entry; null where either has none." }),
  difference: Schema.NullOr(Schema.String).annotateKey({
    description: "The deposit less the transfer, exact; null where the assets are two."
  }),
  lag: Schema.Int.annotateKey({ description: "How long the transfer came behind the deposit, ms." }),
  stands: Standing,
  hindrances: Schema.Array(Hindrance).annotateKey({
    description: "Why a link of the two cannot be made, or is not followed; empty where nothing stands in its way."
  })
}).annotate({ identifier: "Candidate" })

export const Candidates = Schema.Struct({
  entry: Kept,
  candidates: Schema.Array(Candidate).annotateKey({ description: "The best first." }),
  searched: Schema.Struct({ from: Schema.Int, to: Schema.Int }).annotateKey({
    description: "All records of this time and of its asset were looked at, Unix ms, and the likeliest were compared."
  })
}).annotate({ identifier: "Candidates" })

const candidates = HttpApiEndpoint.get("candidates", "/api/entries/:side/:id/candidates", {
  params: entry,
  query: {
    reach: optional(
      Schema.Int,
      "How far around the entry records are compared, ms, 31 days at most. Default: as far as the policy looks."
    ),
    limit: limit(100, 20)
  },
  success: Candidates,
  error: [ArchiveFailed, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described(
    "Find what might be linked with an entry",
    "Entries of the other side, with all that speaks for and against each."
  )
)

const compare = HttpApiEndpoint.get("compare", "/api/entries/:side/:id/comparison", {
  params: entry,
  query: {
    with: Schema.Array(Id).check(Schema.isMinLength(1), Schema.isMaxLength(100)).annotateKey({
      description: "The id of an entry of the other side; may be repeated."
    })
  },
  success: Schema.Struct({ entry: Kept, candidates: Candidates.fields.candidates }).annotate({
    identifier: "Comparison"
  }),
  error: [ArchiveFailed, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described(
    "Compare an entry with others",
    "However far away they are; those that the archive does not have are left out."
  )
)

export class EntriesApi extends HttpApiGroup.make("entries")
  .add(find, story, candidates, compare)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Entries", description: "Deposits and transfers, and what belongs to them." })
  )
{}
