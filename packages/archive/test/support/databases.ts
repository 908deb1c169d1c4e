/** Every database that an archive can be kept in, for real: `describe.each(databases)("on $name", ({ layer }) => …)`. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import type * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import type { ArchiveError } from "../../src/ArchiveError.ts"
import * as Drivers from "../../src/internal/Drivers.ts"
import type { Database } from "../../src/internal/sql/Database.ts"

/** A folder that ends with the scope. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tallystick-archive-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const withAdmin = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  PgClient.make({ url: Redacted.make(inject("postgres")), maxConnections: 1 }).pipe(
    Effect.flatMap(use),
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.orDie
  )

/**
 * The address of a PostgreSQL database that is a copy of another one and ends with the scope. Where nothing is synced to a disk,
 * copying files takes a third of the time that the write-ahead log takes.
 */
const copyOf = (template: string): Effect.Effect<Redacted.Redacted, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const name = `tallystick_${randomUUID().replaceAll("-", "")}`
      return withAdmin((sql) =>
        Effect.as(sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY file_copy`, name)
      )
    }),
    (name) => withAdmin((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`)
  ).pipe(Effect.map((name) => {
    const url = new URL(inject("postgres"))
    url.pathname = `/${name}`
    return Redacted.make(url.href)
  }))

/** The address of an empty PostgreSQL database that ends with the scope. */
export const temporaryDatabase: Effect.Effect<Redacted.Redacted, never, Scope.Scope> = copyOf("template1")

/** The address of a PostgreSQL database that has all tables of an archive and no rows. */
const emptyArchive: Effect.Effect<Redacted.Redacted, never, Scope.Scope> = Effect.suspend(() =>
  copyOf(inject("emptyArchive"))
)

export interface Kind {
  readonly name: "SQLite" | "PostgreSQL"
  /** A place where nothing is kept yet, until the scope ends. */
  readonly fresh: Effect.Effect<ArchiveConfig.Location, never, Scope.Scope>
  /** A database with the tables of an archive in which nothing was kept yet; each build of it makes another. */
  readonly layer: Layer.Layer<Database, ArchiveError>
}

/** To make the tables takes a PostgreSQL database three times as long as to open it, so that one is made and copied. */
const kind = (name: Kind["name"], fresh: Kind["fresh"], made: Kind["fresh"] = fresh): Kind => ({
  name,
  fresh,
  layer: Layer.fresh(Layer.unwrap(Effect.map(made, Drivers.layerLocation)))
})

const postgres = (url: Redacted.Redacted): ArchiveConfig.Location => ({ _tag: "Postgres", url })

export const databases: ReadonlyArray<Kind> = [
  kind("SQLite", Effect.map(temporaryFolder, (folder) => ({ _tag: "File", file: join(folder, "archive.db") }))),
  kind("PostgreSQL", Effect.map(temporaryDatabase, postgres), Effect.map(emptyArchive, postgres))
]

/** A SQLite database in memory, the quickest to make; each build of it makes another. */
export const memory: Pick<Kind, "layer" | "name"> = { name: "SQLite", layer: Layer.fresh(Drivers.layerMemory()) }

/** Where a test that takes long is tried, and how many times: in SQLite in memory, and in PostgreSQL, where it takes several times as long. */
export const inBoth = (counts: { readonly memory: number; readonly postgres: number }) =>
  [
    { kind: memory, count: counts.memory },
    ...databases.flatMap((kind) => kind.name === "PostgreSQL" ? [{ kind, count: counts.postgres }] : [])
  ].filter(({ count }) => count > 0)
