/**
 * Transfer queries have numbers. The number of a query follows from its text, so that no other query has it in any state of an
 * archive: the number under which a record is kept says by itself what was asked.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hash } from "node:crypto"
import * as Checksum from "../sql/Checksum.ts"
import * as StoredText from "../sql/StoredText.ts"

/** This number stands for everything of an operation, or for a query that is not known. */
export const EVERYTHING = 0

export interface Text {
  readonly from_account: string | null
  readonly to_account: string | null
  readonly from_account_type: string
  readonly to_account_type: string
}

interface Row extends Text {
  readonly id: number
}

/** 48 bits: a million queries share none, and a database keeps them in eight bytes. */
const DIGITS = 12

const textOf = ({ from_account, from_account_type, to_account, to_account_type }: Text): string =>
  JSON.stringify([from_account, to_account, from_account_type, to_account_type])

/** Computes the number of a query from the text in its row. */
export const numberOf = (text: Text): number => Number.parseInt(hash("sha256", textOf(text)).slice(0, DIGITS), 16)

/** Computes the value by which `scopes` tells that a number was given to a query. */
export const toldOf = (number: number): number => Checksum.of([number])

const holds = (row: Row): boolean => numberOf(row) === row.id

const encode = (query: Coverage.TransferQuery): Text => ({
  from_account: query.fromAccount === undefined ? null : StoredText.encode(query.fromAccount),
  to_account: query.toAccount === undefined ? null : StoredText.encode(query.toAccount),
  from_account_type: StoredText.encode(query.fromAccountType),
  to_account_type: StoredText.encode(query.toAccountType)
})

const decode = (row: Row): Coverage.TransferQuery => ({
  ...(row.from_account === null ? {} : { fromAccount: StoredText.decode(row.from_account) }),
  ...(row.to_account === null ? {} : { toAccount: StoredText.decode(row.to_account) }),
  fromAccountType: StoredText.decode(row.from_account_type),
  toAccountType: StoredText.decode(row.to_account_type)
})

export interface Queries {
  /** Gives the number of a query, whose text is kept from now on. It runs inside a transaction that writes. */
  readonly number: (query: Coverage.TransferQuery | undefined) => Effect.Effect<number, SqlError>
  /** These are the numbers of queries whose rows are lost, or not as they were written. */
  readonly lost: Effect.Effect<ReadonlyArray<number>, SqlError>
  /** The map holds all queries by their numbers, in the order of their texts. */
  readonly all: Effect.Effect<ReadonlyMap<number, Coverage.TransferQuery>, SqlError>
}

export const make = (sql: SqlClient.SqlClient): Queries => {
  const columns = sql.literal("id, from_account, to_account, from_account_type, to_account_type")
  const all = Effect.map(
    sql<Row>`SELECT ${columns} FROM queries`,
    (rows) => rows.toSorted((a, b) => textOf(a) < textOf(b) ? -1 : 1)
  )

  /** Reads the queries that were asked, so that one is missed even where nothing else of it is kept. */
  const told = Effect.map(
    sql<{ readonly query: number; readonly asked: number }>`SELECT query, asked FROM scopes
      WHERE operation = 'transfers'`,
    (rows) => rows.filter(({ asked, query }) => asked === toldOf(query))
  )

  /** Reads the queries of which anything is known. */
  const covered = sql<{ readonly query: number }>`SELECT DISTINCT query FROM coverage
    WHERE operation = 'transfers' AND query <> ${EVERYTHING}`

  const add = Effect.fnUntraced(function*(query: Coverage.TransferQuery) {
    const text = encode(query)
    const [id, asked] = [numberOf(text), toldOf(numberOf(text))]
    const [known] = yield* sql<Row & { readonly asked: number | null }>`SELECT ${columns},
      (SELECT asked FROM scopes WHERE operation = 'transfers' AND scopes.query = queries.id) AS asked
      FROM queries WHERE id = ${id}`
    if (known !== undefined && holds(known) && known.asked === asked) return id
    // The text may stand under another number, and another text under its number: neither row is then a query of this archive.
    yield* sql`DELETE FROM queries WHERE id = ${id} OR (
      from_account IS NOT DISTINCT FROM ${text.from_account} AND to_account IS NOT DISTINCT FROM ${text.to_account}
      AND from_account_type = ${text.from_account_type} AND to_account_type = ${text.to_account_type})`
    yield* sql`INSERT INTO queries ${sql.insert({ id, ...text })}`
    yield* sql`INSERT INTO scopes ${sql.insert({ operation: "transfers", query: id, asked, records: 0 })}
      ON CONFLICT (operation, query) DO UPDATE SET asked = excluded.asked`
    return id
  })

  return {
    number: (query) => query === undefined ? Effect.succeed(EVERYTHING) : add(query),
    // Queries are read last: one that is asked for the first time meanwhile is written together with its row in `scopes`.
    lost: Effect.map(Effect.all([told, covered, all]), ([told, covered, found]) => {
      const asked = new Set([...found.map(({ id }) => id), ...[...told, ...covered].map(({ query }) => query)])
      for (const { id } of found.filter(holds)) asked.delete(id)
      return Array.from(asked)
    }),
    all: Effect.map(all, (known) => new Map(known.filter(holds).map((row) => [row.id, decode(row)])))
  }
}
