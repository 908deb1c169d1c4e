/** Marks tell that something is new without telling what: whoever looks often keeps the last ones, and compares. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Counter from "../sql/Counter.ts"
import type * as Database from "../sql/Database.ts"

export interface Marks {
  /** The number of the run that was recorded last; 0 where there is none. */
  readonly run: number
  /** The number of the last row of the ledger, of whatever kind; 0 where it is empty. */
  readonly ledger: number
  /** The number of the last decision; 0 where there is none. */
  readonly decision: number
  /** The number of the last execution of the books; 0 where there is none. */
  readonly execution: number
  /** The number of the last close or reopening of a period; 0 where there is none. */
  readonly closing: number
  /** So often the books were written anew (`Books.rebuild`), which adds no row to the ledger. */
  readonly rebuilt: number
  /** Another text after each transaction of a sync or an import, which hold the archive; it has no order. */
  readonly sync: string
}

interface Row {
  readonly run: number | null
  readonly fence: number | null
  readonly turn: number | null
}

const lastOf = (rows: ReadonlyArray<{ readonly body: { readonly number: number } }>): number =>
  rows.at(-1)?.body.number ?? 0

export const make = (database: Database.Service): Effect.Effect<Marks, DatabaseError> => {
  const { error, sql } = database
  const { recent } = Ledger.make(database)
  const rebuilds = Counter.make(sql, "rebuilds")

  /** An archive in memory has no row of a holder: there a sync is seen by the time of its reading. */
  const rows: Effect.Effect<ReadonlyArray<Row>, SqlError> = sql<Row>`SELECT
    (SELECT number FROM runs WHERE id IS NOT NULL ORDER BY number DESC LIMIT 1) AS run,
    (SELECT MAX(fence) FROM holder) AS fence,
    COALESCE((SELECT MAX(turn) FROM holder), (SELECT MAX(last_read) FROM coverage)) AS turn`

  return Effect.gen(function*() {
    const [row] = yield* Effect.mapError(rows, error)
    const { closings, decisions, executions, head } = yield* recent
    return {
      run: row?.run ?? 0,
      ledger: head.number,
      decision: lastOf(decisions),
      execution: lastOf(executions),
      closing: lastOf(closings),
      rebuilt: yield* Effect.mapError(rebuilds.number, error),
      sync: `${row?.fence ?? 0}.${row?.turn ?? 0}`
    }
  })
}
