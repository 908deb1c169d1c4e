/** This module makes the client with which an archive reads and writes its own file. */
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as SqlClient from "effect/sql/SqlClient"
import type { DatabaseSync } from "node:sqlite"
import * as SqliteConnection from "./SqliteConnection.ts"

/** Opens a connection that ends with the scope. A lock that another process holds is an error at once. */
export const open = SqliteConnection.open

/**
 * Makes a client of an open connection; `look` throws where the connection must not be used. No sound row has a number beyond
 * 2^53: it comes rounded, so that the row's checksum differs and nothing else fails.
 */
export const make = (db: DatabaseSync, look: () => void = () => {}): Effect.Effect<SqlClient.SqlClient> =>
  Effect.provide(SqliteConnection.client(db, { look, beyond: Number }), Reactivity.layer)

/** Makes a client that only reads; `look` also throws where what a statement has read must not be believed. */
export const makeReader = (db: DatabaseSync, look: () => void): Effect.Effect<SqlClient.SqlClient> =>
  Effect.provide(
    SqliteConnection.client(db, { look, lookAgain: look, beyond: Number, beginTransaction: "BEGIN" }),
    Reactivity.layer
  )
