/** The chain: each row of the ledger holds the id of the row before it, and its own id is the hash of its text. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hash } from "node:crypto"
import * as Canonical from "./Canonical.ts"

/** This is a row of `ledger`. */
export interface Row {
  readonly number: number
  readonly id: string
  readonly previous: string
  readonly body: string
}

/** The end of a chain. */
export interface Head {
  readonly number: number
  readonly id: string
}

/** An empty ledger ends here, and the first row names this id. */
export const GENESIS: Head = { number: 0, id: "0".repeat(64) }

/** SHA-256 of the UTF-8 bytes, 64 hexadecimal digits. */
const idOf = (body: string): string => hash("sha256", body)

/** Makes the row that follows the head. */
export const next = (head: Head, content: object): Row => {
  const number = head.number + 1
  const body = Canonical.stringify({ ...content, number, previous: head.id })
  return { number, id: idOf(body), previous: head.id, body }
}

/** Says what is wrong with a row behind the head; nothing where it follows. */
export const fault = (head: Head, row: Row): string | undefined => {
  if (row.number <= head.number) return `row ${row.number} of the ledger stands before the first one`
  if (row.number > head.number + 2) return `rows ${head.number + 1} to ${row.number - 1} of the ledger are missing`
  if (row.number > head.number + 1) return `row ${head.number + 1} of the ledger is missing`
  if (idOf(row.body) !== row.id) return `row ${row.number} of the ledger is not as it was written`
  return row.previous === head.id ? undefined : `row ${row.number} of the ledger does not follow row ${head.number}`
}

/** Gives the last row as it stands, of which nothing is verified. */
export const end = (sql: SqlClient.SqlClient): Effect.Effect<Head, SqlError> =>
  Effect.map(
    sql<Head>`SELECT number, id FROM ledger ORDER BY number DESC LIMIT 1`,
    ([row]) => row === undefined ? GENESIS : { number: row.number, id: row.id }
  )

/** Gives rows in order of their numbers, at most `most` of them behind one. */
export const behind = (
  sql: SqlClient.SqlClient,
  number: number,
  most: number
): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
  sql<Row>`SELECT number, id, previous, body FROM ledger WHERE number > ${number} ORDER BY number LIMIT ${most}`

/** Writes a row. It runs inside a transaction in which the head was read. */
export const append = (sql: SqlClient.SqlClient, row: Row): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`INSERT INTO ledger ${sql.insert({ ...row })}`)
