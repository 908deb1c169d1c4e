/** Says what is wrong with the parts that hold an archive together. */
import * as Owners from "./exchange/Owners.ts"
import * as SubAccountTable from "./exchange/SubAccountTable.ts"

/** What was found of each part. */
export interface Structure {
  /** What the database says of its pages. */
  readonly pages: ReadonlyArray<string>
  /** How many rows of coverage are not as they were written. */
  readonly altered: number
  /** The queries that are not as they were written. */
  readonly queries: ReadonlyArray<unknown>
  readonly isUnstamped: boolean
  readonly isUntaught: boolean
  readonly isShort: boolean
  /** How many runs were recorded; null where that is not told any more. */
  readonly recorded: number | null
}

const count = (number: number, noun: string, several: string): string =>
  number === 1 ? `1 ${noun} is not as it was written` : `${number} ${several} are not as they were written`

const only = (isSo: boolean, sentence: string): ReadonlyArray<string> => isSo ? [sentence] : []

export const faults = (
  { altered, isShort, isUnstamped, isUntaught, pages, queries, recorded }: Structure
): ReadonlyArray<string> => [
  ...pages,
  ...only(altered > 0, count(altered, "row of its coverage", "rows of its coverage")),
  ...only(isUnstamped, Owners.LOST),
  ...only(
    isUntaught,
    "it lost some of what syncs learnt of how the service answers, and believes no list of which it knows nothing"
  ),
  ...only(isShort, SubAccountTable.LOST),
  ...only(
    recorded === null,
    "it does not tell any more how many runs were recorded: the next one that is recorded counts them"
  ),
  ...only(
    queries.length > 0,
    `${count(queries.length, "of its queries", "of its queries")}: what was read by that says nothing any more`
  )
]
