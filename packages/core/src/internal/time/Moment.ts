/** Reads a moment in any form that Effect takes. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** A time in ISO 8601 with its zone, or a date. Without a zone the same text would mean another moment on another machine. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:$|[T ].*(?:Z|[+-]\d{2}:?\d{2})$)/i

/** Whether the calendar has the day `YYYY-MM-DD`: a `Date` takes 30 February for 2 March. */
const isDay = (text: string): boolean =>
  Option.exists(DateTime.make(text), (day) => DateTime.formatIsoDateUtc(day) === text)

/** Returns Unix ms; NaN where the input is no moment. A text is ISO 8601 with its zone, or a date, which is its midnight in UTC. */
export const millis = (input: DateTime.DateTime.Input): number => {
  if (typeof input === "number") return input
  if (typeof input === "string" && !(ISO.test(input) && isDay(input.slice(0, 10)))) return Number.NaN
  return Option.match(DateTime.make(input), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })
}

/** Whether a value has the form of a moment; it may be none all the same. */
export const isInput = (value: unknown): value is DateTime.DateTime.Input =>
  typeof value === "number" || typeof value === "string" || (typeof value === "object" && value !== null)
