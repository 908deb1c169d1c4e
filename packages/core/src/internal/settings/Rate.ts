/** Defines a rate: the number of requests that may be sent in a window of time. */
import type * as Duration from "effect/Duration"

/** At most `requests` in any sliding `window`. */
export interface Rate {
  /** A whole number, 1 to 100,000. */
  readonly requests: number
  /** 1 ms or more, and finite. */
  readonly window: Duration.Duration
}

/** A rate as a program may write it. */
export interface Input extends Omit<Rate, "window"> {
  /** 1 ms or more, and finite. */
  readonly window: Duration.Input
}
