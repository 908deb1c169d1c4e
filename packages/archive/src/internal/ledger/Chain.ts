/** The chain: each row of the ledger holds the id of the row before it, and its own id is the hash of its text. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import * as Canonical from "./Canonical.ts"

/** This is a row of `ledger`. */
export interface Row {
  readonly number: number
  readonly id: string
  readonly previous: string
  readonly kind: string
  /** The number of the decision that a revocation takes back. */
  readonly revokes: number | null
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
export const hash = (body: string): string => createHash("sha256").update(body).digest("hex")

/** What is written, without what the chain adds to it. */
export interface Content {
  readonly kind: string
  /** The number of the decision that a revocation takes back. */
  readonly decision?: number
  readonly [key: string]: unknown
}

/** Makes the row that follows the head. */
export const next = (head: Head, content: Content): Row => {
  const number = head.number + 1
  const body = Canonical.stringify({ ...content, number, previous: head.id })
  return {
    number,
    id: hash(body),
    previous: head.id,
    kind: content.kind,
    revokes: content.decision ?? null,
    body
  }
}

/** Says what is wrong with a row behind the head; nothing where it follows. */
export const fault = (head: Head, row: Row): string | undefined => {
  if (row.number !== head.number + 1) {
    return head.number + 2 === row.number
      ? `row ${head.number + 1} of the ledger is missing`
      : `rows ${head.number + 1} to ${row.number - 1} of the ledger are missing`
  }
  if (hash(row.body) !== row.id) return `row ${row.number} of the ledger is not as it was written`
  if (row.previous !== head.id) return `row ${row.number} of the ledger does not follow row ${head.number}`
  return undefined
}

const columns = (sql: SqlClient.SqlClient) => sql.literal("number, id, previous, kind, revokes, body")

/** Gives rows in order of their numbers, at most `most` of them behind one. */
export const behind = (
  sql: SqlClient.SqlClient,
  number: number,
  most: number
): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
  sql<Row>`SELECT ${columns(sql)} FROM ledger WHERE number > ${number} ORDER BY number LIMIT ${most}`

/** Gives the rows of these numbers, in their order. */
export const rows = (
  sql: SqlClient.SqlClient,
  numbers: ReadonlyArray<number>
): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
  sql<Row>`SELECT ${columns(sql)} FROM ledger WHERE ${sql.in("number", numbers)} ORDER BY number`

/** Gives the last row; there is none in an empty ledger. */
export const last = (sql: SqlClient.SqlClient): Effect.Effect<Row | undefined, SqlError> =>
  Effect.map(
    sql<Row>`SELECT ${columns(sql)} FROM ledger ORDER BY number DESC LIMIT 1`,
    ([row]) => row
  )

/** Writes a row. It runs inside a transaction in which the head was read. */
export const append = (sql: SqlClient.SqlClient, row: Row): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`INSERT INTO ledger ${sql.insert({ ...row })}`)
