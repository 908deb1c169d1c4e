/** Archives as earlier versions left them. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import * as Migrations from "../../src/internal/migrations/Migrations.ts"
import * as Content from "../../src/internal/runs/Content.ts"
import * as Pack from "../../src/internal/runs/Pack.ts"
import * as RunOutcome from "../../src/internal/runs/RunOutcome.ts"
import * as Checksum from "../../src/internal/sql/Checksum.ts"
import * as PackedText from "../../src/internal/sql/PackedText.ts"
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

interface Run {
  readonly number: number
  readonly packed_summary: Uint8Array | null
}

/** Writes the outcomes of a pack into rows, as those of a run. */
const unpack = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, run: number, pack: Pack.Pack) {
  for (const content of Option.getOrThrow(Pack.open(pack))) {
    const { code, deposits, id, outcome: kind, transfers } = JSON.parse(content)
    const at = Math.min(...[...deposits, ...transfers].map((entry: { readonly at: number }) => entry.at))
    const digest = Content.digest(content)
    const checksum = Checksum.of([at, digest, id, kind, code, content])
    yield* sql`INSERT INTO outcomes ${
      sql.insert({ at, digest, id, kind, code, content, checksum })
    } ON CONFLICT DO NOTHING`
    yield* sql`INSERT INTO run_outcomes ${sql.insert({ run, id, digest, at })}`
  }
})

/** Makes of runs what the twelfth version recorded: each outcome stands in a row, and the summary as it is. */
export const asOfTwelfth = (sql: SqlClient.SqlClient) => sql.withTransaction(undone(sql))

const undone = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  for (const { number, packed_summary } of yield* sql<Run>`SELECT number, packed_summary FROM runs`) {
    const packs = yield* sql<
      Pack.Pack
    >`SELECT p.* FROM packs p JOIN run_packs o ON o.digest = p.digest WHERE o.run = ${number}`
    for (const pack of packs) yield* unpack(sql, number, pack)
    const seen = yield* sql<RunOutcome.RunOutcome>`SELECT id, digest, at FROM run_outcomes WHERE run = ${number}`
    const summary = Option.getOrThrow(PackedText.unpack(packed_summary ?? new Uint8Array()))
    yield* sql`UPDATE runs SET ${
      sql.update({ summary, ...RunOutcome.add(RunOutcome.NONE, seen) })
    } WHERE number = ${number}`
    const [row] = yield* sql<Record<string, unknown>>`SELECT number, id, touched_at, from_ms, to_ms, clean, matched,
      discrepancies, pending, undetermined, set_aside, outcomes, checksums, summary_checksum FROM runs WHERE number = ${number}`
    yield* sql`UPDATE runs SET checksum = ${Checksum.of(Object.values(row ?? {}))} WHERE number = ${number}`
  }
  yield* sql`DROP TABLE item_terms`
  yield* sql`DROP TABLE items`
  yield* sql`DROP TABLE notice_marks`
  yield* sql`DROP TABLE notices`
  yield* sql`DROP TABLE entry_history`
  yield* sql`DROP TABLE book_days`
  yield* sql`DROP TABLE entry_states`
  yield* sql`DROP TABLE ledger`
  yield* sql`DROP TABLE sub_accounts`
  yield* sql`DROP TABLE run_packs`
  yield* sql`DROP TABLE packs`
  yield* sql`DROP INDEX run_outcomes_at`
  for (const column of ["seen_at", "pruned_at", "packed_summary", "recording"]) {
    yield* sql`ALTER TABLE runs DROP COLUMN ${sql(column)}`
  }
})

/** Makes of an archive what the ninth version left. */
export const asOfNinth = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* asOfTwelfth(sql)
  yield* sql`ALTER TABLE holder DROP COLUMN turn`
  yield* sql`ALTER TABLE outcomes DROP COLUMN checksum`
  for (const column of ["outcomes", "checksums", "summary_checksum", "checksum"]) {
    yield* sql`ALTER TABLE runs DROP COLUMN ${sql(column)}`
  }
})
