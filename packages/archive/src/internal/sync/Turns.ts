/**
 * Thousands of accounts take turns in the rounds of sync: those in which something happens are read every time, and of the quiet
 * ones some, those that were not read for longest first.
 */

/** A query of which a round may read what it lacks. */
export interface Query {
  /** It is complete up to this time, Unix ms; 0 where nothing of it is. */
  readonly completeTo: number
  /** Something happened in it of late, or more is to be read of it than what came since. */
  readonly isBusy: boolean
}

export interface Round {
  /** Unix ms. */
  readonly now: number
  /** The round before this one was so long ago, ms. */
  readonly elapsed: number
  /** Each query is read at least so often, ms. */
  readonly quietEvery: number
}

/** So few queries are all read every time. */
export const FEW = 100

/** Picks the queries whose turn it is, in the order in which they were given. */
export const pick = <A extends Query>(
  queries: ReadonlyArray<A>,
  { elapsed, now, quietEvery }: Round
): ReadonlyArray<A> => {
  if (queries.length <= FEW) return queries
  const quiet = queries.filter(({ isBusy }) => !isBusy).toSorted((a, b) => a.completeTo - b.completeTo)
  // The next round is likely to be as far away as the last one.
  const due = now - quietEvery + Math.min(elapsed, quietEvery / 4)
  const share = Math.ceil(quiet.length * Math.min(1, elapsed / quietEvery))
  const turn = new Set(quiet.filter(({ completeTo }, index) => index < share || completeTo < due))
  return queries.filter((query) => query.isBusy || turn.has(query))
}
