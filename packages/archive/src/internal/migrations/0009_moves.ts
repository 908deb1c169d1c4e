/** This number counts how often kept rows were moved, so that a report that reads at the same moment notices it. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int } = Dialect.of(sql)

  yield* sql`CREATE TABLE moves (id ${int} PRIMARY KEY, number ${int} NOT NULL)`
})
