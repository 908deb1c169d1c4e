/**
 * These counts say how many rows tell how the service answers, with the sum of their checksums, and how many runs were
 * recorded, so that a lost one is missed. Rows that an earlier version wrote are taken as they are now.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM scopes WHERE operation IN ('learnt', 'runs')`
  yield* sql`INSERT INTO scopes (operation, query, asked, records)
    SELECT 'learnt', 0, COALESCE(SUM(checksum), 0), COUNT(*) FROM learnt`
  yield* sql`INSERT INTO scopes (operation, query, asked, records)
    SELECT 'runs', 0, 0, COUNT(*) FROM runs WHERE id IS NOT NULL`
})
