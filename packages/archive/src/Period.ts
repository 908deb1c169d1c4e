/** A period is the time of a close, and what became of it since. */
import type * as Closing from "./Closing.ts"
import type { EntryState } from "./internal/books/EntryStates.ts"
import type { Judgement } from "./internal/books/Judgement.ts"

export type {
  /** What a run says of an entry: its content, its state, and the outcome that it stands in. */
  Judgement
} from "./internal/books/Judgement.ts"

/**
 * What changed between a close and where an entry stands now: what the records say of the entry itself (`records`); a decision on the
 * entry or on one that it stood with; the policy of the books, or their accounts and addresses. Where neither its records nor a decision
 * changed, other records around the entry or another version of the program may have changed it (`surroundings`).
 */
export type Cause =
  | { readonly of: "records" | "surroundings" }
  | { readonly of: "decision"; readonly number: number }
  | { readonly of: "policy" | "accounts"; readonly execution: number }

/** Where an entry stands now. */
export interface Stands extends Judgement {
  /** The number of the execution that judged it last. */
  readonly execution: number
}

/** An entry of a closed period that does not stand as it did. */
export interface Break {
  /** As it stood at the close; absent where no record of the period told of it. */
  readonly before?: Judgement
  /**
   * As it stands now; absent where the books lost it, which is damage. An entry that never waited is none of the books, but what
   * somebody decided on it since is told as the last execution has it.
   */
  readonly after?: Stands
  /** All that changed for it in between: nobody can say which of several would have done it alone. There is one at least. */
  readonly causes: ReadonlyArray<Cause>
}

/** An entry that was carried openly, and is settled now: what everybody waited for. */
export interface Settled {
  readonly before: Judgement
  readonly after: EntryState
}

/** An entry that was carried openly, and waits on in another state: what was pending may be open now. Nothing is broken by it. */
export interface WaitsOtherwise {
  readonly before: Judgement
  readonly after: EntryState
}

/** What the ledger says of a period. */
export interface Closed {
  /** SHA-256 of the close in the ledger, 64 hexadecimal digits: the head of the ledger when it was made. */
  readonly id: string
  readonly close: Closing.Close
  /** The reopening that took it back; absent where it stands. */
  readonly reopened?: Closing.Reopen
}

export interface Period extends Closed {
  /** What does not stand as it did, by time; of a period that was reopened nothing is compared any more, and `reopened` keeps what was. */
  readonly broken: ReadonlyArray<Break>
  /** What was carried and is settled since, by time. */
  readonly settled: ReadonlyArray<Settled>
  /** What was carried and waits on in another state, by time. */
  readonly waitsOtherwise: ReadonlyArray<WaitsOtherwise>
  /**
   * The tables of the books do not come to the digests of the close any more, or do not say alike where the entries of the period stand
   * now, so that somebody changed them: `Books.verify` says where.
   */
  readonly isAltered: boolean
}

/** Tells whether a period is not any more what was closed. */
export const isBroken = ({ broken, isAltered }: Period): boolean => isAltered || broken.length > 0
