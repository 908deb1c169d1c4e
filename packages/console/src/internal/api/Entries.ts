/** What the books say of entries, as schemas of what the archive gives. */
import * as BookState from "@tallystick/archive/BookState"
import * as Decision from "@tallystick/archive/Decision"
import * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Schema from "effect/Schema"

/** The code of an entry that no outcome tells of any more. */
const Code = Schema.Union([Outcome.Code, Schema.Literal("gone")])

/** What a run says of an entry. */
const judged = {
  side: Entry.Side,
  id: Schema.String,
  asset: Schema.String,
  amount: Schema.String.annotateKey({ description: "Exact decimal text, as the record tells it." }),
  at: Schema.Int.annotateKey({ description: "Its own time, Unix ms." }),
  account: Schema.optionalKey(Schema.String),
  state: BookState.BookState,
  code: Code,
  outcome: Schema.String.annotateKey({ description: "The id of its outcome; empty where there is none." })
}

export const Judgement = Schema.Struct(judged).annotate({ identifier: "Judgement" })

export const EntryState = Schema.Struct({
  ...judged,
  item: Schema.String.annotateKey({ description: "The item that it makes alone, and of which it is the first entry." }),
  since: Schema.Int.annotateKey({ description: "The number of the execution in which it waited for the first time." }),
  execution: Schema.Int.annotateKey({ description: "The number of the execution that judged it last." })
}).annotate({ identifier: "EntryState" })

/** Where an entry stands now, and which execution says so. */
export const Stands = Schema.Struct({ ...judged, execution: Schema.Int }).annotate({ identifier: "Stands" })

/** Where an entry stands in a run, and whether that is final. */
export const Stand = Schema.Struct({
  asset: judged.asset,
  amount: judged.amount,
  at: judged.at,
  account: judged.account,
  state: judged.state,
  code: judged.code,
  outcome: judged.outcome,
  final: Schema.Boolean
}).annotate({ identifier: "Stand" })

const without = {
  id: Schema.String.annotateKey({ description: "`u` and 16 hexadecimal digits." }),
  since: Schema.Int,
  execution: Schema.Int
}

/** What the books do not know, although executions are about it. */
export const WithoutEntries = Schema.Union([
  Schema.Struct({
    ...without,
    _tag: Schema.Literal("BadRecord"),
    record: BadRecord.BadRecord,
    at: Schema.optionalKey(Schema.Int),
    metAt: Schema.Int,
    outcome: Schema.String,
    run: Schema.String
  }),
  Schema.Struct({
    ...without,
    _tag: Schema.Literal("Gap"),
    operation: Coverage.Coverage.fields.operation,
    from: Schema.Int,
    to: Schema.Int,
    parts: Schema.Array(Coverage.Coverage)
  })
]).annotate({ identifier: "ItemWithoutEntries" })

/** A decision, and whether it holds. */
export const Decided = Schema.Struct({
  id: Schema.String.annotateKey({ description: "SHA-256 of its text in the ledger." }),
  body: Decision.Body,
  proposed: Schema.optionalKey(Schema.Literal(true)),
  approvedBy: Schema.optionalKey(Schema.Int),
  revokedBy: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "Decision" })

/** What the books and the ledger say of one entry. */
export const Story = Schema.Struct({
  entry: EntryState,
  changes: Schema.Array(EntryState).annotateKey({ description: "What became of it, the first execution first." }),
  decisions: Schema.Array(Decided).annotateKey({ description: "The decisions on it, the first one first." })
}).annotate({ identifier: "Story" })

/** The end of the ledger. */
export const Head = Schema.Struct({
  number: Schema.Int.annotateKey({ description: "The number of its last row; 0 where it is empty." }),
  id: Schema.String.annotateKey({ description: "SHA-256 of that row; 64 zeros where it is empty." })
}).annotate({ identifier: "Head" })
