/** Writes of an archive that are told apart by a word each, and what became of them as a client sees it that knows nothing of archives. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Database } from "../../src/internal/sql/Database.ts"

export const client = (url: Redacted.Redacted) =>
  Effect.provide(PgClient.make({ url, maxConnections: 2 }), Reactivity.layer)

export const write = ({ error, sql }: Database["Service"], word: string) =>
  Effect.mapError(
    sql.withTransaction(sql`INSERT INTO stamps ${sql.insert({ base_url: word, fingerprint: "" })}`),
    error
  )

export const written = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ base_url: string }>`SELECT base_url FROM stamps ORDER BY base_url`,
    (rows) => rows.map(({ base_url }) => base_url)
  )
