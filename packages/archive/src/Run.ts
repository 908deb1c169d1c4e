/** A run is a reconciliation that an archive remembers. */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"

/** This is a run in short. Times are Unix ms. */
export const Run = Schema.Struct({
  /** The id is `r` and 16 hexadecimal digits: a hash of what was asked, what was covered, and every outcome. */
  id: Schema.String,
  /** The run was recorded at this time. */
  recordedAt: Schema.Int,
  /** The run was asked about entries of `[from, to)`; null means all that were read. */
  range: Report.Report.fields.range,
  /** No entry of the range was in a break or undetermined, no record was unreadable, and all of the range was read. */
  clean: Schema.Boolean,
  /** So many outcomes of each kind belong to its range; those of other days do not count, except in runs of earlier versions. */
  counts: Schema.Record(Outcome.Kind, Schema.Int),
  /** Its outcomes were taken away at this time (`Runs.prune`); absent while they are kept. */
  prunedAt: Schema.optionalKey(Schema.Int)
})
export type Run = typeof Run.Type

/** This run is not as it was recorded, so nothing that stands in it is believed. */
export const Damaged = Schema.Struct({ id: Schema.String, damaged: Schema.Literal(true) })
export type Damaged = typeof Damaged.Type

/** A list of runs has sound runs and damaged ones. */
export const Listed = Schema.Union([Run, Damaged])
export type Listed = typeof Listed.Type

/** Tells whether a listed run is not as it was recorded. */
export const isDamaged = (run: Listed): run is Damaged => "damaged" in run

/** These are the losses of an archive among its runs. */
export interface Damages {
  /** The runs of these ids are not as they were recorded. */
  readonly ids: ReadonlyArray<string>
  /** So many others are gone: at most their outcomes are left. */
  readonly lost: number
}

/** These runs lost their outcomes to a pruning, which left what no run names. */
export interface Pruned {
  /** The runs have these ids, the first recorded first. Each is still listed, with its summary. */
  readonly ids: ReadonlyArray<string>
  /** So many rows went: outcomes and packs of outcomes that no run comes to any more, and rows that named them. */
  readonly rows: number
  /** The values in these rows had so many bytes. A database uses their room again; its file gets no smaller by that. */
  readonly bytes: number
}

/** A recorded run has all that its report says, except the outcomes. */
export interface Recorded {
  /** The run as the list of runs names it. */
  readonly run: Run
  /** The report of the run without its outcomes. */
  readonly summary: Report.Summary
}

/** A version is what an outcome said, with the runs that came to it, first to last. */
export interface Version {
  /** The entries of a match come without the service's own records, which the archive keeps under the same ids. */
  readonly outcome: Outcome.Outcome
  /** The runs that saw the outcome so. */
  readonly runs: ReadonlyArray<Listed>
}

/** A sighting is an outcome as runs have seen it. */
export interface Sighting {
  /** The id of the outcome. */
  readonly id: string
  /** Versions stand in the order of the first run of each; there are several where records or coverage changed. */
  readonly versions: ReadonlyArray<Version>
}

/** Several ids begin with the text that was given. */
export class Ambiguous extends Schema.TaggedError<Ambiguous>("@tallystick/archive/Run/Ambiguous")("Ambiguous", {
  prefix: Schema.String,
  /** The ids are those of runs or of outcomes. */
  of: Schema.Literals(["runs", "outcomes"]),
  count: Schema.Int
}) {
  override get message(): string {
    return `${this.count} ${this.of} begin with ${this.prefix}; give more of the id`
  }
}
