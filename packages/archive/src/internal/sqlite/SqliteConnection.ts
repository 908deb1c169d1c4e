/**
 * This module makes a connection of Effect's `SqlClient` over `node:sqlite`: it runs one statement at a time, keeps statements
 * prepared, and reads the rows of a stream as they are pulled.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type * as Reactivity from "effect/reactivity/Reactivity"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite"

export interface OpenOptions {
  /** The file is a path, a `file:` address, or `:memory:`. */
  readonly file: string
  readonly readOnly?: boolean
  /** It switches on SQLite's own guard against a connection that means harm. The default is true. */
  readonly defensive?: boolean
  /** A statement waits so long, in ms, for a lock that another connection holds. The default is 0. */
  readonly busyTimeout?: number
}

/** Effect's classification reads SQLite's own code from `errno`; `node:sqlite` calls it `errcode`. */
const failure = (operation: "connect" | "execute") => (cause: unknown): SqlError => {
  if (cause instanceof Error && "errcode" in cause) Object.assign(cause, { errno: cause.errcode })
  const message = operation === "connect" ? "Failed to open database" : "Failed to execute statement"
  return new SqlError({ reason: classifySqliteError(cause, { message, operation }) })
}

const trying = <A>(evaluate: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({ try: evaluate, catch: failure("execute") })

/** Opens a connection that ends with the scope. */
export const open = (
  { busyTimeout = 0, defensive = true, file, readOnly = false }: OpenOptions
): Effect.Effect<DatabaseSync, SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(
      Effect.promise(() => import("node:sqlite")),
      ({ DatabaseSync }) =>
        Effect.try({
          try: () => new DatabaseSync(file, { readOnly, defensive, timeout: busyTimeout }),
          catch: failure("connect")
        })
    ),
    (db) => Effect.sync(() => db.close())
  )

/** Keeps the statements that were used last. */
const kept = (prepare: (sql: string) => StatementSync, most: number) => {
  const statements = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    const known = statements.get(sql)
    const statement = known ?? prepare(sql)
    if (known !== undefined) statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > most) statements.delete(statements.keys().next().value ?? sql)
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

/** Tells whether a statement may be run again, because it only reads. Where the words do not show it, it may not. */
const isReading = (sql: string): boolean =>
  /^\s*(?:SELECT|VALUES|PRAGMA)\b/i.test(sql) ||
  (/^\s*WITH\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(sql))

/** `node:sqlite` refuses whole numbers beyond 2^53 unless all come as bigints, which is slow. */
const isBeyond = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_OUT_OF_RANGE"

interface Options {
  /**
   * It throws where the connection must not be used; inside a transaction only its COMMIT asks, so that a transaction can always
   * be undone.
   */
  readonly look?: () => void
  /** It throws where what a statement has read must not be believed; it comes after each that read. */
  readonly lookAgain?: () => void
  /** Gives what stands for a whole number that no `number` holds exactly. By default it stays a bigint. */
  readonly beyond?: (value: bigint) => number | bigint
  /** So many statements stay prepared; a multi-row INSERT is prepared once for each number of rows. The default is 100. */
  readonly prepared?: number
}

/** The rows of a stream are read in chunks of so many. */
const CHUNK = 256

const connect = (
  db: DatabaseSync,
  { beyond = identity<number | bigint>, look = () => {}, lookAgain = () => {}, prepared = 100 }: Options
): Connection => {
  const prepare = (sql: string): StatementSync => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  const known = kept(prepare, prepared)

  const narrowed = (value: SQLOutputValue): SQLOutputValue => {
    if (typeof value !== "bigint") return value
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : beyond(value)
  }

  const all = (statement: StatementSync, params: ReadonlyArray<unknown>, bigints: boolean): ReadonlyArray<Values> => {
    statement.setReadBigInts(bigints)
    return statement.all(...bindable(params)).map(valuesOf)
  }
  const exactly = (statement: StatementSync, params: ReadonlyArray<unknown>): ReadonlyArray<Values> =>
    all(statement, params, true).map((row) => row.map(narrowed))

  /** A statement that writes is never run a second time: what it returns is read as bigints at once. */
  const values = (
    sql: string,
    statement: StatementSync,
    params: ReadonlyArray<unknown>,
    safe: boolean
  ): ReadonlyArray<Values> => {
    if (safe) return all(statement, params, true)
    if (!isReading(sql)) return exactly(statement, params)
    const found = Result.try(() => all(statement, params, false))
    if (Result.isSuccess(found)) return found.success
    if (!isBeyond(found.failure)) throw found.failure
    return exactly(statement, params)
  }

  /** `node:sqlite` makes rows that are slow to read, at twice the time of these. */
  const named = (statement: StatementSync, found: ReadonlyArray<Values>): ReadonlyArray<Row> => {
    if (found.length === 0) return []
    const names = statement.columns().map(({ name }) => name)
    return found.map((values) => {
      const row: Record<string, SQLOutputValue> = {}
      for (let place = 0; place < names.length; place++) row[names[place] ?? ""] = values[place] ?? null
      return row
    })
  }

  const attempt = <A>(sql: string, evaluate: (safe: boolean) => A): Effect.Effect<A, SqlError> =>
    Effect.withFiber((fiber) =>
      trying(() => {
        if (!db.isTransaction || sql === "COMMIT") look()
        const found = evaluate(fiber.getRef(SqlClient.SafeIntegers))
        lookAgain()
        return found
      })
    )
  const rowsOf = (take: (sql: string) => StatementSync): Connection["execute"] => (sql, params, transformRows) =>
    Effect.map(
      attempt(sql, (safe) => {
        const statement = take(sql)
        return named(statement, values(sql, statement, params, safe))
      }),
      transformRows ?? identity
    )
  const valuesOfAll = (take: (sql: string) => StatementSync): Connection["executeValues"] => (sql, params) =>
    attempt(sql, (safe) => values(sql, take(sql), params, safe))

  /** A stream has a statement of its own, which is reset when the stream ends, however it ends. */
  const stream: Connection["executeStream"] = (sql, params, transformRows) =>
    Stream.unwrap(Effect.gen(function*() {
      const { safe, statement } = yield* attempt(sql, (safe) => ({ safe, statement: prepare(sql) }))
      const rows = yield* Effect.acquireRelease(
        trying(() => {
          statement.setReadBigInts(true)
          return statement.iterate(...bindable(params))
        }),
        (rows) => Effect.sync(() => void rows.return?.())
      )
      const read = trying(() => {
        const found: Array<Values> = []
        while (found.length < CHUNK) {
          const next = rows.next()
          if (next.done === true) break
          const values = valuesOf(next.value)
          found.push(safe ? values : values.map(narrowed))
        }
        lookAgain()
        return named(statement, found)
      })
      const pull = Effect.flatMap(
        Effect.map(read, transformRows ?? identity),
        (rows) => Arr.isReadonlyArrayNonEmpty(rows) ? Effect.succeed(rows) : Cause.done()
      )
      return Stream.fromPull(Effect.succeed(pull))
    }))

  return {
    execute: rowsOf(known),
    executeRaw: (sql, params) => attempt(sql, () => known(sql).run(...bindable(params))),
    executeStream: stream,
    executeValues: valuesOfAll(known),
    executeValuesUnprepared: valuesOfAll(prepare),
    executeUnprepared: rowsOf(prepare)
  }
}

export interface ClientOptions extends Options {
  readonly beginTransaction?: string
  readonly compiler?: Statement.Compiler
  readonly spanAttributes?: ReadonlyArray<readonly [string, unknown]>
  readonly transformRows?: SqlClient.SqlClient.MakeOptions["transformRows"]
}

/**
 * Makes a client of an open connection. Its transactions write from their start, so that none fails half-way for want of the
 * lock.
 */
export const client = (
  db: DatabaseSync,
  { beginTransaction = "BEGIN IMMEDIATE", compiler, spanAttributes = [], transformRows, ...options }: ClientOptions
): Effect.Effect<SqlClient.SqlClient, never, Reactivity.Reactivity> =>
  SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connect(db, options)),
      semaphore: Semaphore.makeUnsafe(1),
      isTransaction: () => db.isTransaction
    }),
    compiler: compiler ?? Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    spanAttributes: [...spanAttributes, ["db.system.name", "sqlite"]],
    beginTransaction,
    releaseSavepoint: (name) => `RELEASE ${name}`,
    prepareTransactionControls: true,
    ...(transformRows === undefined ? {} : { transformRows })
  })
