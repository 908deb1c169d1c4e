/** Transfer queries by number. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as StoredText from "./StoredText.ts"

/** Everything of an operation, or a query that nobody knows. */
export const EVERYTHING = 0

interface Row {
  readonly id: number
  readonly from_account: string | null
  readonly to_account: string | null
  readonly from_account_type: string
  readonly to_account_type: string
}

const key = (query: Coverage.TransferQuery): string =>
  JSON.stringify([query.fromAccount ?? null, query.toAccount ?? null, query.fromAccountType, query.toAccountType])

const decode = (row: Row): Coverage.TransferQuery => ({
  ...(row.from_account === null ? {} : { fromAccount: StoredText.decode(row.from_account) }),
  ...(row.to_account === null ? {} : { toAccount: StoredText.decode(row.to_account) }),
  fromAccountType: StoredText.decode(row.from_account_type),
  toAccountType: StoredText.decode(row.to_account_type)
})

export interface Queries {
  /** The number of a query, which it gets when it is first kept. Inside a transaction that writes. */
  readonly number: (query: Coverage.TransferQuery | undefined) => Effect.Effect<number, SqlError>
  /** All queries by their numbers. */
  readonly all: Effect.Effect<ReadonlyMap<number, Coverage.TransferQuery>, SqlError>
}

export const make = (sql: SqlClient.SqlClient): Queries => {
  const rows = sql<Row>`SELECT id, from_account, to_account, from_account_type, to_account_type FROM queries`

  const add = Effect.fnUntraced(function*(query: Coverage.TransferQuery) {
    const known = yield* rows
    const same = known.find((row) => key(decode(row)) === key(query))
    if (same !== undefined) return same.id
    const id = known.reduce((highest, row) => Math.max(highest, row.id), EVERYTHING) + 1
    const { fromAccount, fromAccountType, toAccount, toAccountType } = query
    yield* sql`INSERT INTO queries ${
      sql.insert({
        id,
        from_account: fromAccount === undefined ? null : StoredText.encode(fromAccount),
        to_account: toAccount === undefined ? null : StoredText.encode(toAccount),
        from_account_type: StoredText.encode(fromAccountType),
        to_account_type: StoredText.encode(toAccountType)
      })
    }`
    return id
  })

  return {
    number: (query) => query === undefined ? Effect.succeed(EVERYTHING) : add(query),
    all: Effect.map(rows, (known) => new Map(known.map((row) => [row.id, decode(row)])))
  }
}
