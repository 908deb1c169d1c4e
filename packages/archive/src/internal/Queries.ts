/** Transfer queries by number. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Checksum from "./Checksum.ts"
import * as Insert from "./Insert.ts"
import * as StoredText from "./StoredText.ts"

/** Everything of an operation, or a query that nobody knows. */
export const EVERYTHING = 0

/** There are never so many queries: a row with a greater number is damaged. */
const ENDLESS = 0x7fff_ffff

interface Row {
  readonly id: number
  readonly from_account: string | null
  readonly to_account: string | null
  readonly from_account_type: string
  readonly to_account_type: string
  readonly checksum: number
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
  /** The numbers of those whose rows are lost, or not as they were written. */
  readonly lost: Effect.Effect<ReadonlyArray<number>, SqlError>
  /** All queries by their numbers. */
  readonly all: Effect.Effect<ReadonlyMap<number, Coverage.TransferQuery>, SqlError>
}

export const make = (sql: SqlClient.SqlClient): Queries => {
  const all = sql<Row>`SELECT id, from_account, to_account, from_account_type, to_account_type, checksum FROM queries`
  // A damaged one is no query of ours: what it was asked for is not known any more.
  const rows = Effect.map(all, (known) => known.filter(Checksum.holds))

  /** Of each query the checksum that its row had when it was written. */
  const controlled = sql<{ readonly query: number; readonly asked: number }>`SELECT query, asked FROM scopes
    WHERE operation = 'transfers' AND query <> ${EVERYTHING}`

  /** The queries of which anything is known. */
  const covered = sql<{ readonly query: number }>`SELECT DISTINCT query FROM coverage
    WHERE operation = 'transfers' AND query <> ${EVERYTHING}`

  const insert = Insert.into(
    sql,
    "queries",
    ["id", "from_account", "to_account", "from_account_type", "to_account_type", "checksum"]
  )

  const add = Effect.fnUntraced(function*(query: Coverage.TransferQuery) {
    const known = yield* rows
    const same = known.find((row) => key(decode(row)) === key(query))
    if (same !== undefined) return same.id
    const { fromAccount, fromAccountType, toAccount, toAccountType } = query
    const values = [
      fromAccount === undefined ? null : StoredText.encode(fromAccount),
      toAccount === undefined ? null : StoredText.encode(toAccount),
      StoredText.encode(fromAccountType),
      StoredText.encode(toAccountType)
    ]
    const written = yield* controlled
    const own = written.find(({ asked, query }) =>
      asked === Checksum.of([query, ...values]) && known.every(({ id }) => id !== query)
    )
    // Also a damaged one keeps its number: what was kept under it must not become another query's.
    const [last] = yield* sql<{ readonly id: number | null }>`SELECT MAX(id) AS id FROM
      (SELECT MAX(id) AS id FROM queries WHERE id < ${ENDLESS}
        UNION ALL SELECT MAX(query) FROM scopes WHERE query < ${ENDLESS}
        UNION ALL SELECT MAX(query) FROM coverage WHERE query < ${ENDLESS}) AS numbers`
    const row = [own?.query ?? (last?.id ?? EVERYTHING) + 1, ...values]
    const [id, checksum] = [Number(row[0]), Checksum.of(row)]
    yield* sql`DELETE FROM queries WHERE id = ${id}`
    yield* insert([[...row, checksum]])
    yield* sql`INSERT INTO scopes ${
      sql.insert({ operation: "transfers", query: id, asked: checksum, records: 0 })
    } ON CONFLICT (operation, query) DO UPDATE SET asked = excluded.asked`
    return id
  })

  return {
    number: (query) => query === undefined ? Effect.succeed(EVERYTHING) : add(query),
    // Queries last: one that is asked for the first time meanwhile is written with what tells of it.
    lost: Effect.map(Effect.all([controlled, covered, all]), ([written, covered, found]) => {
      const asked = new Set([...found.map(({ id }) => id), ...[...written, ...covered].map(({ query }) => query)])
      for (const { id } of found.filter(Checksum.holds)) asked.delete(id)
      return Array.from(asked)
    }),
    all: Effect.map(rows, (known) => new Map(known.map((row) => [row.id, decode(row)])))
  }
}
