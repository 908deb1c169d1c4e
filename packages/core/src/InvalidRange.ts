/** Rejects ranges of time, and moments, about which nothing can be asked. */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { shown } from "./internal/decoding/Shown.ts"
import * as Timestamp from "./internal/decoding/Timestamp.ts"
import * as Moment from "./internal/time/Moment.ts"
import type * as Timeline from "./Timeline.ts"

/** The first moment that a record may have, 2010-01-01 in Unix ms: none of these assets was deposited anywhere before. */
export const EARLIEST = 1_262_304_000_000

/** The first moment that no record may have, 2100-01-01 in Unix ms: a later number is no time in milliseconds. */
export const LATEST = 4_102_444_800_000

const isSeconds = (time: number): boolean => time * 1000 >= EARLIEST && time * 1000 < LATEST

const DAY = 86_400_000

/**
 * Says what is wrong with the time of a record that is read at `now`, both in Unix ms; undefined where nothing is. The clock that
 * made it may run ahead by a day.
 */
export const recordProblem = (at: number, now: number): string | undefined => {
  const isPossible = (time: number): boolean => time >= EARLIEST && time <= now + DAY
  if (isPossible(at)) return undefined
  const seconds = isPossible(at * 1000) ? " (these are seconds)" : ""
  return `${at} is an impossible time${seconds}: between 2010-01-01 and a day from now is wanted, in milliseconds`
}

/** Says what is wrong with a moment; undefined where nothing is. */
const momentProblem = (time: unknown): string | undefined => {
  if (typeof time !== "number" || !Number.isSafeInteger(time) || time < 0 || time > Timestamp.LAST) {
    return "is no time: whole Unix milliseconds are wanted"
  }
  return isSeconds(time) ? "seems to be in seconds: Unix milliseconds are wanted, 1000 times as many" : undefined
}

const problem = ({ from, to }: Timeline.Interval): string | undefined => {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to < 0) {
    return "is none: both ends are whole Unix milliseconds"
  }
  if (isSeconds(from) || isSeconds(to)) {
    return "seems to be in seconds: Unix milliseconds are wanted, 1000 times as many"
  }
  if (from >= to) return "is empty: its end must lie behind its beginning"
  if (to <= EARLIEST || from >= LATEST) return "holds no possible time: Unix milliseconds from 2010-01-01 on are wanted"
  return undefined
}

interface Input {
  readonly from: DateTime.DateTime.Input
  readonly to: DateTime.DateTime.Input
}

/** Says what is wrong with an end that is no number; undefined where nothing is. */
const formProblem = (...ends: ReadonlyArray<DateTime.DateTime.Input>): string | undefined =>
  ends.some((end) => typeof end === "string" && Number.isNaN(Moment.millis(end)))
    ? "is none: a time as text is ISO 8601 with its zone, such as 2026-11-24T08:30:00Z"
    : undefined

/**
 * A range that cannot be asked about, `[from, to)` in Unix ms, and the reason: an end that is no whole number, an end that is not
 * after the beginning, seconds where milliseconds are wanted, or times at which nothing can have happened. A range may begin at
 * 0, and may end at any time in the future.
 */
export class InvalidRange extends Schema.TaggedError<InvalidRange>("@tallystick/core/InvalidRange")("InvalidRange", {
  /** As it came. */
  from: Schema.Unknown,
  /** As it came. */
  to: Schema.Unknown,
  /** The reason why the range is invalid. */
  problem: Schema.String,
  /** The option that is an invalid moment (`asOf`); absent where a range is invalid. `from` and `to` are both that moment. */
  option: Schema.optionalKey(Schema.String)
}) {
  readonly category = "request"
  override get message(): string {
    if (this.option !== undefined) return `${this.option} ${shown(this.from)} ${this.problem}`
    return `the range from ${shown(this.from)} to ${shown(this.to)} ${this.problem}`
  }

  /** Returns the error of an invalid range; undefined where the range is valid. */
  static readonly of = (range: Input): InvalidRange | undefined => {
    // A program without types may pass null.
    const { from, to }: Input = Object(range)
    const found = formProblem(from, to) ?? problem({ from: Moment.millis(from), to: Moment.millis(to) })
    return found === undefined ? undefined : new InvalidRange({ from, to, problem: found })
  }

  /** Returns the error of an option that is no moment in Unix ms; undefined where it is one, or is absent. */
  static readonly ofMoment = (option: string, time: unknown): InvalidRange | undefined => {
    if (time === undefined) return undefined
    const found = Moment.isInput(time) ? formProblem(time) ?? momentProblem(Moment.millis(time)) : momentProblem(time)
    return found === undefined ? undefined : new InvalidRange({ from: time, to: time, problem: found, option })
  }
}
