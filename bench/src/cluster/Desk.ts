/** A PostgreSQL with an archive of which each measured run gets a copy. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PostgresServer from "../../../packages/archive/test/support/PostgresServer.ts"
import * as Year from "../archive/Year.ts"
import * as Kept from "./Kept.ts"
import * as Machine from "./Machine.ts"

type Row = Readonly<Record<string, unknown>>

export interface Desk {
  /** Files of the commands. */
  readonly at: (name: string) => string
  /** The address of a fresh copy of the archive. The one before it is dropped. */
  readonly fresh: () => Promise<string>
  /** Asks the present copy. */
  readonly ask: (statement: string) => Promise<ReadonlyArray<Row>>
  /** Processor time of the whole server until now, ms. */
  readonly cpu: () => number
}

const asked = (url: string, statement: string): Promise<ReadonlyArray<Row>> =>
  PgClient.makeClient({ url: Redacted.make(url) }).pipe(
    Effect.flatMap((sql) => sql.unsafe<Row>(statement)),
    Effect.provide(Reactivity.layer),
    Effect.scoped,
    Effect.runPromise
  )

const COPY = "measured"

/** Runs with a server that goes when the work is done. */
export const within = async <A>(
  { days, sweeps }: { readonly days: number; readonly sweeps: number },
  work: (desk: Desk) => Promise<A>
): Promise<A> => {
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-cluster-"))
  const server = await PostgresServer.start()
  const at = (name: string): string => join(scratch, name)
  const of = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const admin = (statement: string) => asked(server.url, statement)
  try {
    writeFileSync(at("accounts.json"), JSON.stringify(Year.accounts))
    writeFileSync(at("addresses.json"), JSON.stringify(Year.addressBook))
    await admin("CREATE DATABASE kept")
    await Kept.keep(Redacted.make(of("kept")), days, sweeps)
    await asked(of("kept"), "VACUUM ANALYZE")
    const [row] = await admin("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1) AS pid")
    const postmaster = Number(row?.["pid"])
    return await work({
      at,
      fresh: async () => {
        await admin(`DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`)
        await admin(`CREATE DATABASE ${COPY} TEMPLATE kept STRATEGY file_copy`)
        return of(COPY)
      },
      ask: (statement) => asked(of(COPY), statement),
      cpu: () => Machine.cpuOfTree(postmaster)
    })
  } finally {
    await server.stop()
    rmSync(scratch, { recursive: true })
  }
}
