/**
 * An execution is a run by which the books were brought forward. It stands in the ledger next to the last row that the run followed, so
 * that it knew every decision before it, and read the archive after every execution before it. What each entry of its range came to is
 * the state of the entry in the books, until a later execution judges it anew.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Schema from "effect/Schema"
import * as Decision from "./Decision.ts"

const SHA256 = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

const Accounts = Schema.Struct({
  master: Schema.Array(Schema.String),
  count: Schema.Int,
  complete: Schema.Boolean,
  digest: Schema.String
})

const Currency = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{1,20}$/))

/** Whether a text can name the currency of prices: 1 to 20 letters and digits. */
export const isCurrency = Schema.is(Currency)

/** The prices with which an execution was made. */
export const Prices = Schema.Struct({
  /** The currency, where somebody said which it is. */
  currency: Schema.optionalKey(Currency),
  /** What one unit was worth, exact, of each asset that waited before or after the execution and had a price; in the order of the names. */
  list: Schema.Array(Schema.Struct({ asset: Schema.String, price: Amount.Amount }))
})
export type Prices = typeof Prices.Type

/** What a run judged, and what it came to. */
const judging = {
  /** The id of the run, which `Runs.get` gives. */
  run: Schema.String,
  /** The run judged entries of `[from, to)`, Unix ms; null stands for all that were read. */
  range: Schema.NullOr(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
  /** The accounts that the run was about. */
  accounts: Accounts,
  /** So many records could not be read that it met, also around its range as far as it read: they are no entries. */
  badRecords: Schema.Int,
  /** These stretches of its range were not read, or of one side or one query only, Unix ms. */
  unread: Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
  /**
   * Whether the archive had time that the run did not read, and that may change what it says, because an outcome that is not final
   * comes within the policy's horizon of it: what is not final of the run moves no entry outside of its range then. Absent where none
   * does.
   */
  mayChange: Schema.optionalKey(Schema.Boolean),
  /** SHA-256 of the digests of all rows and packs in which the archive keeps the outcomes of the run, a line each. */
  outcomes: SHA256,
  /**
   * SHA-256 of what the summary of the run says, but for the times of reading and what was decided by then; executions of an earlier
   * version do not have it.
   */
  summary: Schema.optionalKey(SHA256)
}

/** A run of an execution: the one that was asked for, or one over earlier time that was carried forward with it. */
export const Judging = Schema.Struct(judging)
export type Judging = typeof Judging.Type

/** What the ledger keeps of an execution, word by word. */
export const Body = Schema.Struct({
  /** The number of its row in the ledger, in which decisions stand too. */
  number: Schema.Int.check(Schema.isGreaterThan(0)),
  /** The id of the row before it in the ledger; 64 zeros for the first one. */
  previous: Schema.String,
  /** When it was made, Unix ms, as the clock of the author's machine claimed. */
  at: Schema.Int,
  ...Decision.Author.fields,
  kind: Schema.Literal("execution"),
  ...judging,
  /** The last reading of the exchange that the archive kept, Unix ms, as it was claimed. */
  asOf: Schema.Int,
  /** SHA-256 of the policy, but for what it says of single entries. */
  policy: SHA256,
  /** SHA-256 of what the policy said of single entries, but for decisions; executions of an earlier version do not have it. */
  lines: Schema.optionalKey(SHA256),
  /** The addresses that the runs knew. */
  addresses: Schema.Struct({ count: Schema.Int, digest: Schema.String }),
  /** The prices, where there were any. They are what somebody gave, and change nothing of where an entry stands. */
  prices: Schema.optionalKey(Prices),
  /** Time of earlier executions was judged again with it, because something had changed there. These ranges are apart. */
  carried: Schema.optionalKey(Schema.NonEmptyArray(Judging)),
  /** The job of a cluster by which it was made; a job makes one execution. Absent where a program made it by itself. */
  job: Schema.optionalKey(SHA256)
})
export type Body = typeof Body.Type

/** Gives the runs of an execution: the one that was asked for, and those that were carried forward with it. */
export const judgings = (body: Body): readonly [Judging, ...Array<Judging>] => [body, ...body.carried ?? []]

/** Gives the run of an execution that judged a time (Unix ms); the one that was asked for where none is over it. */
export const judgingAt = (body: Body, at: number): Judging =>
  judgings(body).find(({ range }) => range === null || (range.from <= at && at < range.to)) ?? body

export interface Execution {
  /** SHA-256 of its text in the ledger, 64 hexadecimal digits. */
  readonly id: string
  readonly body: Body
}

const ALWAYS: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }

/**
 * Gives the time that was not read when the last of these executions over it was made, ascending and apart: they stand in the order of
 * their numbers.
 */
export const unread = (executions: ReadonlyArray<Body>): ReadonlyArray<Coverage.Interval> => {
  let found: ReadonlyArray<Coverage.Interval> = []
  let later: ReadonlyArray<Coverage.Interval> = []
  for (const judging of executions.flatMap(judgings).toReversed()) {
    found = Timeline.union([...found, ...Timeline.subtract(judging.unread, later)])
    later = Timeline.union([...later, judging.range ?? ALWAYS])
  }
  return found
}

/** Time that was judged last by one run of an execution. */
export interface Judged extends Coverage.Interval {
  readonly by: Body
  readonly judging: Judging
}

/** Gives all time that was ever judged, in pieces that are apart, each with what judged it last. */
export const judged = (executions: ReadonlyArray<Body>): ReadonlyArray<Judged> => {
  const found: Array<Judged> = []
  let later: ReadonlyArray<Coverage.Interval> = []
  for (const by of executions.toReversed()) {
    for (const judging of judgings(by).toReversed()) {
      const range = judging.range ?? ALWAYS
      found.push(...Timeline.subtract([range], later).map(({ from, to }): Judged => ({ from, to, by, judging })))
      later = Timeline.union([...later, range])
    }
  }
  return found
}

/** Time that one run of an execution judged, and another one had judged last before. */
export interface Rejudged extends Coverage.Interval {
  readonly before: Judging
  readonly after: Judging
}

/** Gives the last execution that judged any of a time, with the pieces of it that had been judged before; undefined where none did. */
export const rejudged = (
  executions: ReadonlyArray<Body>,
  within: Coverage.Interval
): { readonly by: Body; readonly pieces: ReadonlyArray<Rejudged> } | undefined => {
  const over = ({ range }: Judging): ReadonlyArray<Coverage.Interval> => Timeline.clip([range ?? ALWAYS], within)
  const last = executions.findLastIndex((body) => judgings(body).some((judging) => over(judging).length > 0))
  const by = executions[last]
  if (by === undefined) return undefined
  const earlier = judged(executions.slice(0, last))
  return {
    by,
    pieces: judgings(by).flatMap((after) =>
      earlier.flatMap(({ from, judging: before, to }) =>
        Timeline.clip(over(after), { from, to }).map(({ from, to }): Rejudged => ({ from, to, before, after }))
      )
    )
  }
}
