/**
 * This module makes Effect's `SqlClient` over `node:sqlite`: it has one connection, runs one statement at a time, and keeps
 * statements prepared.
 */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite"

export interface Options {
  /** The file is a path, a `file:` address, or `:memory:`. */
  readonly file: string
  readonly readOnly?: boolean
  /** It switches on SQLite's own guard against a connection that means harm. The default is true. */
  readonly defensive?: boolean
}

/** So many statements stay prepared. An archive uses few; a table's multi-row INSERT is prepared once for each number of rows. */
const PREPARED = 100

/** Effect's classification reads SQLite's own code from `errno`; `node:sqlite` calls it `errcode`. */
const failure = (cause: unknown): SqlError => {
  if (cause instanceof Error && "errcode" in cause) Object.assign(cause, { errno: cause.errcode })
  return new SqlError({ reason: classifySqliteError(cause) })
}

const trying = <A>(evaluate: () => A): Effect.Effect<A, SqlError> => Effect.try({ try: evaluate, catch: failure })

/** Opens a connection that ends with the scope. A lock that another process holds is an error at once. */
export const open = (
  { defensive = true, file, readOnly = false }: Options
): Effect.Effect<DatabaseSync, SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(
      Effect.promise(() => import("node:sqlite")),
      ({ DatabaseSync }) => trying(() => new DatabaseSync(file, { readOnly, defensive, timeout: 0 }))
    ),
    (db) => Effect.sync(() => db.close())
  )

/** Keeps the statements that were used last. */
const kept = (prepare: (sql: string) => StatementSync) => {
  const statements = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    const known = statements.get(sql)
    const statement = known ?? prepare(sql)
    if (known !== undefined) statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > PREPARED) statements.delete(statements.keys().next().value ?? sql)
    return statement
  }
}

const isBindable = (value: unknown): value is SQLInputValue =>
  typeof value === "string" || typeof value === "number" || value === null || typeof value === "bigint" ||
  value instanceof Uint8Array

const areBindable = (params: ReadonlyArray<unknown>): params is ReadonlyArray<SQLInputValue> => {
  for (const value of params) if (!isBindable(value)) return false
  return true
}

const bindable = (params: ReadonlyArray<unknown>): ReadonlyArray<SQLInputValue> => {
  if (areBindable(params)) return params
  throw new TypeError("a parameter is neither text, a number, bytes nor null")
}

type Row = Readonly<Record<string, SQLOutputValue>>

type Values = ReadonlyArray<SQLOutputValue>

/** Tells rows that are arrays, as some statements return them; `node:sqlite` has no type for these. */
const isValues = (row: unknown): row is Values => Array.isArray(row)

const valuesOf = (row: unknown): Values => isValues(row) ? row : []

/** Tells whether a statement may be run again, because it only reads. */
const isReading = (sql: string): boolean => /^\s*(?:SELECT|WITH|PRAGMA)\b/i.test(sql)

/** `node:sqlite` refuses whole numbers beyond 2^53 unless all come as bigints, which is slow. */
const isBeyond = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_OUT_OF_RANGE"

const rounded = (value: SQLOutputValue): SQLOutputValue => typeof value === "bigint" ? Number(value) : value

/**
 * Connects to an open database. `look` throws where the connection must not be used; inside a transaction only its COMMIT asks,
 * so that a transaction can always be undone.
 */
const connect = (db: DatabaseSync, look: () => void): Connection => {
  const attempt = <A>(sql: string, evaluate: () => A): Effect.Effect<A, SqlError> =>
    trying(() => {
      if (!db.isTransaction || sql === "COMMIT") look()
      return evaluate()
    })
  const prepare = (sql: string): StatementSync => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    statement.setReadBigInts(!isReading(sql))
    return statement
  }
  const known = kept(prepare)

  const exactly = (statement: StatementSync, params: ReadonlyArray<unknown>): ReadonlyArray<Values> =>
    statement.all(...bindable(params)).map((row) => valuesOf(row).map(rounded))

  /** No sound row has such a number: it comes rounded, so that the row's checksum differs and nothing else fails. */
  const values = (sql: string, statement: StatementSync, params: ReadonlyArray<unknown>): ReadonlyArray<Values> => {
    if (!isReading(sql)) return exactly(statement, params)
    const found = Result.try(() => statement.all(...bindable(params)).map(valuesOf))
    if (Result.isSuccess(found)) return found.success
    if (!isBeyond(found.failure)) throw found.failure
    const again = prepare(sql)
    again.setReadBigInts(true)
    return exactly(again, params)
  }

  /** `node:sqlite` makes rows that are slow to read, at twice the time of these. */
  const rows = (sql: string, statement: StatementSync, params: ReadonlyArray<unknown>): ReadonlyArray<Row> => {
    const found = values(sql, statement, params)
    if (found.length === 0) return []
    const names = statement.columns().map(({ name }) => name)
    return found.map((values) => {
      const named: Record<string, SQLOutputValue> = {}
      for (let place = 0; place < names.length; place++) named[names[place] ?? ""] = values[place] ?? null
      return named
    })
  }
  const execute: Connection["execute"] = (sql, params, transformRows) =>
    Effect.map(attempt(sql, () => rows(sql, known(sql), params)), transformRows ?? identity)

  return {
    execute,
    executeRaw: (sql, params) => attempt(sql, () => known(sql).run(...bindable(params))),
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, params, transformRows), (rows) => Stream.fromIterable(rows))),
    executeValues: (sql, params) => attempt(sql, () => values(sql, known(sql), params)),
    executeValuesUnprepared: (sql, params) => attempt(sql, () => values(sql, prepare(sql), params)),
    executeUnprepared: (sql, params, transformRows) =>
      Effect.map(attempt(sql, () => rows(sql, prepare(sql), params)), transformRows ?? identity)
  }
}

/**
 * Makes a client of an open connection. Its transactions write from their start, so that none fails half-way for want of the
 * lock.
 */
export const make = (db: DatabaseSync, look: () => void = () => {}): Effect.Effect<SqlClient.SqlClient> =>
  SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connect(db, look)),
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
