/** A schedule by which business days are reconciled, and what became of the days. */
import * as Decision from "@tallystick/archive/Decision"
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Schema from "effect/Schema"
import * as Job from "./Job.ts"
import * as Question from "./Question.ts"

/** A calendar day, `YYYY-MM-DD`. */
const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))

/** What is asked of each day. */
export const DaySchedule = Schema.Struct({
  /** The name tells schedules apart. */
  name: Schema.NonEmptyString,
  /** The zone whose days they are: `Europe/Berlin`, `+01:00`, `UTC`. */
  zone: Schema.String,
  /** The first day; days before it are none of the schedule's. Without it, that of the schedule that is replaced, or today. */
  from: Schema.optionalKey(Day),
  /** The policy, without what people decided: each run follows that by itself. */
  policy: Policy.Resolved,
  /** The accounts that the runs are about. Without them, those whose transfers were asked for until then. */
  accounts: Schema.optionalKey(Accounts.Accounts),
  /** The addresses of the accounts, where they are known. */
  addresses: Schema.optionalKey(AddressBook.AddressBook),
  /** The prices that the executions keep, the same for each day. */
  prices: Schema.optionalKey(Question.Prices),
  /** Who brings the books forward. */
  author: Decision.Author
})
export type DaySchedule = typeof DaySchedule.Type

/** `unread`: nothing of the day was ever read or imported, and there was nothing to reconcile. The others are those of the day's job. */
export const DayState = Schema.Union([Schema.Literal("unread"), Job.State])
export type DayState = typeof DayState.Type

/** What became of a day. */
export const Done = Schema.Struct({
  day: Day,
  state: DayState,
  /** The id of its job. */
  job: Schema.optionalKey(Schema.String),
  /** So often a job of the day was submitted. */
  tries: Schema.Int,
  /** When its job ended, Unix ms. */
  endedAt: Schema.optionalKey(Schema.Int),
  /** Why its job failed. */
  failure: Schema.optionalKey(Schema.String)
})
export type Done = typeof Done.Type

/** Where a schedule stands. */
export const Standing = Schema.Struct({
  name: Schema.String,
  zone: Schema.String,
  /** The first day. */
  from: Day,
  /** Whether this version understands what is asked. Another version may have set what it does not: then it is to be set again. */
  isUnderstood: Schema.Boolean,
  /** Who brings the books forward. */
  by: Schema.String,
  /** The day that comes next: once what was read passes its end by as much as the policy looks around it. */
  next: Day,
  /** The last day that was begun. */
  last: Schema.optionalKey(Done),
  /** Days that failed or were cancelled, and that no job over their time has done since; the last of them first, no more than 20. */
  open: Schema.Array(Done)
})
export type Standing = typeof Standing.Type
