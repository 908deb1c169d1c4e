/**
 * A roll-forward ties the books before an execution to the books after it, per side, asset and state:
 * `broughtForward + new + reopened + restated + moved - matched - decided - setOut = carriedForward`, both for the numbers of
 * entries and for their sums.
 */
import * as Entry from "@tallystick/reconcile/Entry"
import * as Schema from "effect/Schema"
import * as BookState from "./BookState.ts"

/** So many entries, and their sum, exact. */
export const Line = Schema.Struct({ count: Schema.Int, sum: Schema.String }).annotate({ identifier: "RollForwardLine" })
export type Line = typeof Line.Type

export const RollForward = Schema.Struct({
  side: Entry.Side,
  /** As the records write it. */
  asset: Schema.String,
  state: BookState.Waiting,
  broughtForward: Line,
  /** Entries that the books had not known to wait. */
  new: Line,
  /** Entries that were settled, and wait again. */
  reopened: Line,
  /**
   * What the records tell otherwise now of entries that waited before and wait now: the difference of an amount, below zero where it is
   * less, and of another asset the whole entry, which leaves the one and enters the other.
   */
  restated: Line,
  /** Entries that waited in another state before, minus those that wait in another one now. */
  moved: Line,
  matched: Line,
  /** Entries that a person linked, or whose discrepancy a person accepted. */
  decided: Line,
  /** Entries that do not count any more: they are excluded, moved nothing, are of no flow, or are gone. */
  setOut: Line,
  carriedForward: Line
}).annotate({ identifier: "RollForward" })
export type RollForward = typeof RollForward.Type
