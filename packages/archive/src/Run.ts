/** A reconciliation that an archive remembers. */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"

/** One run in short. Times are Unix ms. */
export const Run = Schema.Struct({
  /** `r` and 16 hexadecimal digits: a hash of what was asked, what was covered, and every outcome. */
  id: Schema.String,
  /** When it was recorded. */
  recordedAt: Schema.Int,
  /** The entries that were asked about, `[from, to)`; null: all that were read. */
  range: Report.Report.fields.range,
  clean: Schema.Boolean,
  /** Outcomes by kind. */
  counts: Schema.Record(Outcome.Kind, Schema.Int)
})
export type Run = typeof Run.Type

/** A run that is not as it was recorded: nothing that stands in it is believed. */
export const Damaged = Schema.Struct({ id: Schema.String, damaged: Schema.Literal(true) })
export type Damaged = typeof Damaged.Type

/** A run where several are told. */
export const Listed = Schema.Union([Run, Damaged])
export type Listed = typeof Listed.Type

export const isDamaged = (run: Listed): run is Damaged => "damaged" in run

/** What an archive lost of its runs. */
export interface Damages {
  /** The ids of those that are not as they were recorded. */
  readonly ids: ReadonlyArray<string>
  /** How many others are gone: at most their outcomes are left. */
  readonly lost: number
}

/** A run with all that its report says but for the outcomes. */
export interface Recorded {
  readonly run: Run
  readonly summary: Report.Summary
}

/** What an outcome said, and the runs that came to it, first to last. */
export interface Version {
  /** Of a match, the entries without the service's own records: those are kept beside it, under the same ids. */
  readonly outcome: Outcome.Outcome
  readonly runs: ReadonlyArray<Listed>
}

/** An outcome as runs have seen it. */
export interface Sighting {
  readonly id: string
  /** In the order of the first run of each; more than one where records or coverage changed. */
  readonly versions: ReadonlyArray<Version>
}

/** The beginning of an id that several begin with. */
export class Ambiguous extends Schema.TaggedError<Ambiguous>("@tallystick/archive/Run/Ambiguous")("Ambiguous", {
  prefix: Schema.String,
  /** What the ids are of. */
  of: Schema.Literals(["runs", "outcomes"]),
  count: Schema.Int
}) {
  override get message(): string {
    return `${this.count} ${this.of} begin with ${this.prefix}; give more of the id`
  }
}
