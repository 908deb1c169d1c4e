/** One PostgreSQL for a run of a project's tests: the one that TALLYSTICK_TEST_DATABASE_URL names, whose role may create databases, or one of our own. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import type { TestProject } from "vitest/node"
import * as Drivers from "../../src/internal/Drivers.ts"
import * as PostgresServer from "./PostgresServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The database from which others are made. */
    readonly postgres: string
    /** The name of a database that has all tables of an archive and no rows. */
    readonly emptyArchive: string
  }
}

const run = (url: string, statement: string): Promise<void> =>
  PgClient.make({ url: Redacted.make(url), maxConnections: 1 }).pipe(
    Effect.flatMap((sql) => sql.unsafe(statement)),
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.asVoid,
    Effect.runPromise
  )

/** Nobody may be connected to a database while it is copied: this one is closed when it has its tables. */
const makeArchive = async (server: string, name: string): Promise<void> => {
  await run(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  await Effect.runPromise(
    Effect.scoped(Layer.build(Drivers.layerLocation({ _tag: "Postgres", url: Redacted.make(url.href) })))
  )
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const url = process.env["TALLYSTICK_TEST_DATABASE_URL"]
  const own = url === undefined || url === "" ? await PostgresServer.start() : undefined
  const server = own?.url ?? url ?? ""
  const emptyArchive = `tallystick_${randomUUID().replaceAll("-", "")}`
  await makeArchive(server, emptyArchive)
  project.provide("postgres", server)
  project.provide("emptyArchive", emptyArchive)
  return () => own?.stop() ?? run(server, `DROP DATABASE ${emptyArchive}`)
}
