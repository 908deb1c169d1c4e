/** What a runner tells the thread that does a job, and what the thread answers. Both are data, because threads share nothing else. */
import * as Schema from "effect/Schema"
import * as Question from "../../Question.ts"

/** Where the archive is. The address of PostgreSQL has its password; it goes to a thread of this process and nowhere else. */
const Place = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("File"), file: Schema.String }),
  Schema.Struct({ _tag: Schema.Literal("Postgres"), url: Schema.String })
])

export const Order = Schema.Union([
  /** A job is to be done. */
  Schema.Struct({
    _tag: Schema.Literal("Book"),
    place: Place,
    job: Schema.String,
    question: Question.Question,
    /** What `Identity.asked` gave to the submitter. */
    asked: Schema.String,
    /** The receivers of notices: the thread writes what they are to be told, and the runner sends it. */
    receivers: Schema.Array(Schema.Struct({ id: Schema.String, place: Schema.String, hasDetails: Schema.Boolean }))
  }),
  /** It is only to be looked whether a job made an execution, also one whose commit is still under way. */
  Schema.Struct({ _tag: Schema.Literal("Look"), place: Place, job: Schema.String })
])
export type Order = typeof Order.Type

export const Answer = Schema.Union([
  /** The books were brought forward by the job, now or by an earlier attempt. */
  Schema.Struct({ _tag: Schema.Literal("Booked"), run: Schema.String, execution: Schema.Int }),
  /** The job was only looked for, and there is no execution of it. */
  Schema.Struct({ _tag: Schema.Literal("None") }),
  /** It failed; `mayPass` where it may go well when it is tried again. */
  Schema.Struct({ _tag: Schema.Literal("Failed"), message: Schema.String, mayPass: Schema.Boolean })
])
export type Answer = typeof Answer.Type

/** The thread asks, in the transaction that brings the books forward, whether it still may. It is told true or false. */
const Asks = Schema.Struct({ _tag: Schema.Literal("Asks") })
export const asks: typeof Asks.Type = { _tag: "Asks" }

/** What a thread tells: its answer, or a question before it. */
export const Told = Schema.Union([Answer, Asks])
