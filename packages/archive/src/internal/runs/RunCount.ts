/** How many runs were recorded, in `scopes`, so that a lost one is missed that came to no outcome. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"

/** There are never so many runs: a greater number is damaged. */
const ENDLESS = 0x7fff_ffff

interface RunCount {
  /** How many finished ones are there. */
  readonly kept: number
  /** Null where that was damaged or lost. */
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
 * Counts one more, which is there already. Where the number was damaged or lost, it becomes that of the runs that are there.
 * Last in a transaction, because others wait for it.
 */
export const raise = (sql: SqlClient.SqlClient) =>
  sql`INSERT INTO scopes (operation, query, asked, records)
    SELECT 'runs', 0, 0, COUNT(*) FROM runs WHERE id IS NOT NULL
    ON CONFLICT (operation, query) DO UPDATE SET records =
      CASE WHEN scopes.records >= excluded.records AND scopes.records < ${ENDLESS}
        THEN scopes.records + 1 ELSE excluded.records END`
