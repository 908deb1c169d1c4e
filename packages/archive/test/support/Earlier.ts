/** Archives as earlier versions left them. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import * as Migrations from "../../src/internal/migrations/Migrations.ts"
import * as Checksum from "../../src/internal/sql/Checksum.ts"
import * as ArchiveClient from "../../src/internal/sqlite/ArchiveClient.ts"
import * as SqliteFile from "../../src/internal/sqlite/SqliteFile.ts"

const client = (location: ArchiveConfig.Location) =>
  location._tag === "File"
    ? Effect.tap(
      Effect.flatMap(ArchiveClient.open({ file: location.file }), (db) => ArchiveClient.make(db)),
      (sql) =>
        Effect.andThen(
          sql.unsafe(`PRAGMA application_id = ${SqliteFile.APPLICATION_ID}`),
          sql.unsafe("PRAGMA journal_mode = WAL")
        )
    )
    : Effect.provide(PgClient.make({ url: location.url, maxConnections: 1 }), Reactivity.layer)

export const STAMP = { base_url: "https://api.example.com", fingerprint: "kept" }
const EARLIER = {
  operation: "deposits",
  id: "a",
  number: 1,
  kind: "version",
  at: 1,
  content: "{}",
  seen_at: 2,
  imported: 0
}

/** An archive as that version left it, with something in it. */
export const make = Effect.fnUntraced(function*(location: ArchiveConfig.Location, version: number) {
  if (version === 0) return
  const sql = yield* client(location)
  const known = Object.entries(Migrations.migrations).filter(([name]) => Number.parseFloat(name) <= version)
  yield* Migrator.make({})({ loader: Migrator.fromRecord(Object.fromEntries(known)), table: Migrations.TABLE }).pipe(
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  yield* sql`INSERT INTO stamps ${sql.insert(STAMP)}`
  if (version >= 7) {
    const checksum = Checksum.of(Object.values(STAMP))
    yield* sql`UPDATE stamps SET checksum = ${checksum}`
    yield* sql`UPDATE scopes SET records = 1, asked = ${checksum} WHERE operation = 'stamps'`
  }
  yield* sql`INSERT INTO versions ${sql.insert(EARLIER)}`
}, Effect.scoped)

/** Takes the columns out that the tenth migration and later ones add. */
export const asOfNinth = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`DROP TABLE sub_accounts`
  yield* sql`ALTER TABLE holder DROP COLUMN turn`
  yield* sql`ALTER TABLE outcomes DROP COLUMN checksum`
  for (const column of ["outcomes", "checksums", "summary_checksum", "checksum"]) {
    yield* sql`ALTER TABLE runs DROP COLUMN ${sql(column)}`
  }
})
