/** Effect's `SqlClient` over `node:sqlite`: one connection, one statement at a time, statements kept prepared. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

export interface Options {
  /** A path, a `file:` address, or `:memory:`. */
  readonly file: string
  readonly readOnly?: boolean
}

/** Statements that stay prepared. Ours are few; a table's multi-row INSERT is prepared once for each number of rows. */
const PREPARED = 100

/** Effect's classification reads SQLite's own code from `errno`; `node:sqlite` calls it `errcode`. */
const failure = (cause: unknown): SqlError => {
  if (cause instanceof Error && "errcode" in cause) Object.assign(cause, { errno: cause.errcode })
  return new SqlError({ reason: classifySqliteError(cause) })
}

const attempt = <A>(evaluate: () => A): Effect.Effect<A, SqlError> => Effect.try({ try: evaluate, catch: failure })

/** Opens a connection that ends with the scope. A lock that another process holds is an error at once. */
export const open = ({ file, readOnly = false }: Options): Effect.Effect<DatabaseSync, SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(
      Effect.promise(() => import("node:sqlite")),
      ({ DatabaseSync }) => attempt(() => new DatabaseSync(file, { readOnly, timeout: 0 }))
    ),
    (db) => Effect.sync(() => db.close())
  )

/** Keeps the statements that were used last. */
const prepared = (db: DatabaseSync) => {
  const statements = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    const known = statements.get(sql)
    const statement = known ?? db.prepare(sql)
    if (known !== undefined) statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > PREPARED) statements.delete(statements.keys().next().value ?? sql)
    return statement
  }
}

const isBindable = (value: unknown): value is SQLInputValue =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint" ||
  value instanceof Uint8Array

const bindable = (params: ReadonlyArray<unknown>): ReadonlyArray<SQLInputValue> => {
  if (params.every(isBindable)) return params
  throw new TypeError("a parameter is neither text, a number, bytes nor null")
}

const connect = (db: DatabaseSync): Connection => {
  const prepare = prepared(db)
  const rows = (statement: StatementSync, params: ReadonlyArray<unknown>) => statement.all(...bindable(params))
  const values = (sql: string, params: ReadonlyArray<unknown>) =>
    attempt(() => {
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return rows(statement, params).map((row: unknown): ReadonlyArray<unknown> => Array.isArray(row) ? row : [])
    })
  const execute: Connection["execute"] = (sql, params, transformRows) =>
    Effect.map(attempt(() => rows(prepare(sql), params)), transformRows ?? identity)

  return {
    execute,
    executeRaw: (sql, params) => attempt(() => prepare(sql).run(...bindable(params))),
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, params, transformRows), (rows) => Stream.fromIterable(rows))),
    executeValues: values,
    executeValuesUnprepared: values,
    executeUnprepared: (sql, params, transformRows) =>
      Effect.map(attempt(() => rows(db.prepare(sql), params)), transformRows ?? identity)
  }
}

/** A client of an open connection. Its transactions write from their start, so that none fails half-way for want of the lock. */
export const make = (db: DatabaseSync): Effect.Effect<SqlClient.SqlClient> =>
  SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connect(db)),
      semaphore: Semaphore.makeUnsafe(1),
      isTransaction: () => db.isTransaction
    }),
    compiler: Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    spanAttributes: [["db.system.name", "sqlite"]],
    beginTransaction: "BEGIN IMMEDIATE",
    releaseSavepoint: (name) => `RELEASE ${name}`,
    prepareTransactionControls: true
  }).pipe(Effect.provide(Reactivity.layer))
