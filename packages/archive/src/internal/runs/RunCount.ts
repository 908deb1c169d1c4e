/** The number of recorded runs stands in `scopes`, so that a lost run is missed even where it came to no outcome. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"

/** There are never so many runs: a greater number is damaged. */
const ENDLESS = 0x7fff_ffff

interface RunCount {
  /** So many finished runs are there. */
  readonly kept: number
  /** So many runs were recorded; null where that number was damaged or lost. */
  readonly recorded: number | null
}

export const read = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<RunCount>`SELECT COUNT(*) AS kept,
        (SELECT records FROM scopes WHERE operation = 'runs' AND records < ${ENDLESS}) AS recorded
      FROM runs WHERE id IS NOT NULL`,
    ([{ kept, recorded } = { kept: 0, recorded: null }]): RunCount => ({
      kept,
      recorded: recorded === null || recorded < kept ? null : recorded
    })
  )

/**
 * Counts one more run, which is there already. Where the number was damaged or lost, it becomes that of the runs that are
 * there. It comes last in a transaction, because others wait for it.
 */
export const raise = (sql: SqlClient.SqlClient) =>
  sql`INSERT INTO scopes (operation, query, asked, records)
    SELECT 'runs', 0, 0, COUNT(*) FROM runs WHERE id IS NOT NULL
    ON CONFLICT (operation, query) DO UPDATE SET records =
      CASE WHEN scopes.records >= excluded.records AND scopes.records < ${ENDLESS}
        THEN scopes.records + 1 ELSE excluded.records END`
