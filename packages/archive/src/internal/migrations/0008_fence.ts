/**
 * Each holder has a number that its transactions look at. Programs that know of no such number cannot take an archive any
 * more, because they would leave it out.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int } = Dialect.of(sql)

  yield* sql`DROP TABLE holder`
  yield* sql`CREATE TABLE holder (
    purpose TEXT NOT NULL,
    process ${int} NOT NULL,
    host TEXT NOT NULL,
    since ${int} NOT NULL,
    fence ${int} NOT NULL
  )`
})
