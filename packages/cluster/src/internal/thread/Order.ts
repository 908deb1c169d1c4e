/** What a runner tells the thread that does a job, and what the thread answers. Both are data, because threads share nothing else. */
import * as Schema from "effect/Schema"
import * as Question from "../../Question.ts"

/** Where the archive is. The address of PostgreSQL has its password; it goes to a thread of this process and nowhere else. */
const Place = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("File"), file: Schema.String }),
  Schema.Struct({ _tag: Schema.Literal("Postgres"), url: Schema.String })
])

export const Order = Schema.Struct({
  place: Place,
  job: Schema.String,
  question: Question.Question,
  /** The receivers of notices: the thread writes what they are to be told, and the runner sends it. */
  receivers: Schema.Array(Schema.Struct({ id: Schema.String, place: Schema.String, hasDetails: Schema.Boolean })),
  /** Only look whether the job made an execution already, and make none. */
  isOnlyLook: Schema.Boolean
})
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
