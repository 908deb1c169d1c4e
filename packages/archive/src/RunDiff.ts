/**
 * A difference of two runs says which entries became what. Entries are told by their side and id, because the ids of outcomes change
 * with their codes.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Schema from "effect/Schema"
import type { Judgement } from "./internal/books/Judgement.ts"

/**
 * What became of an entry from the earlier run to the later one; the first that holds:
 *
 * - `new`: it waits, and did not wait before: it was settled, or not told at all.
 * - `closed`: it waited, and is settled, or no outcome tells of it any more.
 * - `code`: it waits in both runs, or in none, under another code or in another state.
 * - `partners`: its code is the same, and it stands with other entries.
 * - `restated`: it waits with the same entries, and the records tell another amount, asset, account or time of it.
 * - `final`: it waits under the same code, which nothing can change any more; `provisional`: that may change again.
 * - `gone`: it was settled, and no outcome tells of it any more.
 */
export const Kind = Schema.Literals(["new", "closed", "code", "partners", "restated", "final", "provisional", "gone"])
export type Kind = typeof Kind.Type

/** Where an entry stands in a run. */
export interface Stand extends Omit<Judgement, "id" | "side"> {
  /** Whether reading more can no longer change the outcome. */
  readonly final: boolean
}

export interface Difference {
  readonly kind: Kind
  readonly side: Entry.Side
  readonly id: string
  /** Absent where the earlier run does not tell of the entry. */
  readonly before?: Stand
  /** Absent where the later run does not tell of the entry. */
  readonly after?: Stand
}

/** One of both runs: what it was asked and what it could read. Times are Unix ms. */
export interface Side {
  /** The id of the run. */
  readonly run: string
  readonly recordedAt: number
  /** The run judged entries of `[from, to)`; null stands for all that were read. */
  readonly range: Coverage.Interval | null
  /** The last reading of the exchange that the archive kept, as it was claimed; null where nothing was read. */
  readonly asOf: number | null
  /** The number of the last row of the ledger that the run followed; 0 where it followed none. */
  readonly ledger: number
  /**
   * So many records of what is compared could not be read, and the other run does not tell of them: they came since, or were read, or
   * are gone. They are no entries.
   */
  readonly badRecords: number
  /** So many further ones tell no time that could be theirs: they may lie outside of what is compared. */
  readonly untimedRecords: number
  /** These stretches of what is compared were not read, or of one side or one query only; ascending and apart. */
  readonly unread: ReadonlyArray<Coverage.Interval>
}

export interface RunDiff {
  readonly before: Side
  readonly after: Side
  /** Entries of `[from, to)` are compared, Unix ms; null stands for all that were read. */
  readonly common: Coverage.Interval | null
  /** Only the earlier run, or only the later one, is about these stretches, of which nothing is compared. */
  readonly only: { readonly before: ReadonlyArray<Coverage.Interval>; readonly after: ReadonlyArray<Coverage.Interval> }
  /**
   * What the later run was asked otherwise: fields of the policy (`window`, `links`), or its lists of `accounts` and `addresses`. Links,
   * exclusions and forbidden pairs that people decided are among those of the policy.
   */
  readonly asked: {
    readonly policy: ReadonlyArray<string>
    readonly accounts: boolean
    readonly addresses: boolean
  }
  /** So many entries are told by the later run alone, and were settled at once; they are no differences. */
  readonly arrived: number
  /** By kind, then by time. */
  readonly differences: ReadonlyArray<Difference>
}

/**
 * Tells whether two runs came to something else about the time that both are about, however they were asked: an entry differs, or a
 * record could be read in one of them alone, or time. What came and was settled at once does not count, nor do records without a time
 * that could be theirs.
 */
export const differs = ({ after, before, differences }: RunDiff): boolean =>
  differences.length > 0 || before.badRecords + after.badRecords > 0 ||
  JSON.stringify(before.unread) !== JSON.stringify(after.unread)

/** No time is common to both runs, and to what was asked for. */
export class Apart extends Schema.TaggedError<Apart>("@tallystick/archive/RunDiff/Apart")("Apart", {
  before: Schema.String,
  after: Schema.String
}) {
  override get message(): string {
    return `runs ${this.before} and ${this.after} are about different times, so that there is nothing to compare`
  }
}
