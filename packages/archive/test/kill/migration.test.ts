/**
 * Killed at any statement, the change of an archive to this version's tables is made whole by the next opening, and loses
 * nothing: real processes, SIGKILL, real databases, archives of every earlier version.
 *
 * TALLYSTICK_KILLS: kills for each database (default 8), spread over the statements.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import { fileURLToPath } from "node:url"
import * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import * as Drivers from "../../src/internal/Drivers.ts"
import * as Migrations from "../../src/internal/migrations/Migrations.ts"
import { Database } from "../../src/internal/sql/Database.ts"
import { databases } from "../support/databases.ts"
import * as Earlier from "../support/Earlier.ts"
import * as Child from "./Child.ts"

const KILLS = Number(process.env["TALLYSTICK_KILLS"] ?? 8)

/** Multiples of it leave no part of the way from 0 to 1 out for long. */
const SPREAD = 0.618_034

const program = fileURLToPath(new URL("Open.ts", import.meta.url))

const numbers = Object.keys(Migrations.migrations).map(Number.parseFloat)
/** What an archive may have when it is opened: nothing, or the tables of an earlier version. */
const VERSIONS = [0, ...numbers.slice(0, -1)]

const schema = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () => sql`SELECT type, name, sql FROM sqlite_schema ORDER BY type, name`,
    orElse: () =>
      sql`SELECT table_name, column_name, data_type, is_nullable, 'column' AS kind FROM information_schema.columns
        WHERE table_schema = current_schema() UNION ALL
        SELECT tablename, indexname, indexdef, '', 'index' FROM pg_indexes WHERE schemaname = current_schema()
        ORDER BY 5, 1, 2`
  }).values

/** What stands in an archive after an opening that ended well. */
const judged = (location: ArchiveConfig.Location) =>
  Effect.gen(function*() {
    const { exclusive, sql } = Context.get(yield* Layer.build(Layer.fresh(Drivers.layerLocation(location))), Database)
    yield* exclusive("sync")
    if (location._tag === "File") assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`.values, [["ok"]])
    return {
      applied: (yield* sql`SELECT migration_id FROM ${sql(Migrations.TABLE)} ORDER BY 1`.values).flat(),
      stamps: yield* sql`SELECT base_url, fingerprint FROM stamps`.values,
      versions: yield* sql`SELECT id, seen_at FROM versions`.values,
      schema: yield* schema(sql)
    }
  }).pipe(Effect.scoped)

const opening = (location: ArchiveConfig.Location, death: Child.Death | undefined) =>
  Effect.promise(() =>
    Child.start({
      script: program,
      args: [],
      env: location._tag === "File"
        ? { [ArchiveConfig.FILE]: location.file }
        : { [ArchiveConfig.DATABASE_URL]: Redacted.value(location.url) }
    }, death).ended
  )

describe.each(databases)("the change of an archive in $name to this version's tables", ({ fresh }) => {
  it.live(
    "is made whole and loses nothing, at whatever statement it is killed",
    () =>
      Effect.gen(function*() {
        const steps = new Map<number, number>()
        const schemas = new Set<string>()
        let killed = 0
        for (let n = 0; n < KILLS; n++) {
          const version = VERSIONS[n % VERSIONS.length] ?? 0
          yield* Effect.scoped(Effect.gen(function*() {
            if (!steps.has(version)) {
              const whole = yield* fresh
              yield* Earlier.make(whole, version)
              const ended = yield* opening(whole, undefined)
              assert.strictEqual(ended.exitCode, 0, ended.output)
              steps.set(version, ended.steps ?? 0)
            }
            const most = steps.get(version) ?? 0
            const death: Child.Death = {
              at: "step",
              n: 1 + Math.floor(((n * SPREAD) % 1) * most),
              when: n % 2 === 0 ? "before" : "after"
            }
            const location = yield* fresh
            yield* Earlier.make(location, version)
            const ended = yield* opening(location, death)
            if (ended.killed) killed++
            const found = yield* judged(location)
            const told = `of version ${version}, killed ${death.when} step ${death.n} of ${most}`
            assert.deepStrictEqual(found.applied, numbers, told)
            assert.deepStrictEqual(found.stamps, version === 0 ? [] : [Object.values(Earlier.STAMP)], told)
            assert.deepStrictEqual(found.versions, version === 0 ? [] : [["a", 2]], told)
            schemas.add(JSON.stringify(found.schema))
          }))
        }
        assert.strictEqual(schemas.size, 1)
        assert.isAtLeast(killed, Math.floor(KILLS * 0.9))
      }),
    Math.max(60_000, KILLS * 10_000)
  )
})
