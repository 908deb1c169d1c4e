/**
 * Finds out whether sessions of PostgreSQL belong to their clients. A pooler in transaction mode gives a session to whoever speaks next:
 * then two connections that say nothing at the moment have the same one, or one connection has another one than before.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"

const session = (sql: PgClient.PgClient) =>
  Effect.map(sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`, ([row]) => row?.pid)

/** Tells whether sessions are shared. */
export const isThere = (url: Redacted.Redacted) =>
  Effect.gen(function*() {
    const connect = Effect.provide(
      PgClient.makeClient({ url, applicationName: "tallystick", connectTimeout: "10 seconds" }),
      Reactivity.layer
    )
    const [one, other] = [yield* connect, yield* connect]
    const found = [yield* session(one), yield* session(other), yield* session(one), yield* session(other)]
    return found[0] !== found[2] || found[1] !== found[3] || found[0] === found[1]
  }).pipe(Effect.scoped)
