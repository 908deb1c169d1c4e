/**
 * Transfer queries have numbers. The number of a query follows from its text, so that no other query has it in any state of an
 * archive: the number under which a record is kept says by itself what was asked.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hash } from "node:crypto"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
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

/** A number, and the text of which it is. */
type Asked = readonly [id: number, text: Text]

/** One statement writes so many rows. */
const TOGETHER = 250

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
  /** Gives the numbers of several queries in the same way, in their order. */
  readonly numbers: (
    queries: ReadonlyArray<Coverage.TransferQuery | undefined>
  ) => Effect.Effect<ReadonlyArray<number>, SqlError>
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

  /** Reads which of these numbers stand for queries that are kept as they were written. */
  const kept = (ids: ReadonlyArray<number>) =>
    Effect.map(
      sql<Row & { readonly asked: number | null }>`SELECT ${columns},
        (SELECT asked FROM scopes WHERE operation = 'transfers' AND scopes.query = queries.id) AS asked
        FROM queries WHERE ${InList.of(sql, "queries.id", ids)}`,
      (rows) => new Set(rows.filter((row) => holds(row) && row.asked === toldOf(row.id)).map(({ id }) => id))
    )

  /** Keeps texts whose numbers and texts stand in no row. */
  const insert = Effect.fnUntraced(function*(asked: ReadonlyArray<Asked>) {
    for (const piece of Arr.chunksOf(asked, TOGETHER)) {
      const scope = (id: number) => ({ operation: "transfers", query: id, asked: toldOf(id), records: 0 })
      yield* sql`INSERT INTO queries ${sql.insert(Arr.map(piece, ([id, text]) => ({ id, ...text })))}`
      yield* sql`INSERT INTO scopes ${sql.insert(Arr.map(piece, ([id]) => scope(id)))}
        ON CONFLICT (operation, query) DO UPDATE SET asked = excluded.asked`
    }
  })

  /** Keeps a text. It may stand under another number, and another text under its number: neither row is a query of this archive. */
  const replace = Effect.fnUntraced(function*(asked: Asked) {
    const [id, text] = asked
    yield* sql`DELETE FROM queries WHERE id = ${id} OR (
      from_account IS NOT DISTINCT FROM ${text.from_account} AND to_account IS NOT DISTINCT FROM ${text.to_account}
      AND from_account_type = ${text.from_account_type} AND to_account_type = ${text.to_account_type})`
    yield* insert([asked])
  })

  /** Keeps texts that are not kept as they should be; those of many new queries by few statements. */
  const add = Effect.fnUntraced(function*(asked: ReadonlyArray<Asked>) {
    const rows = asked.length > 1 ? yield* all : []
    const taken = new Set(rows.map(({ id }) => id))
    const areSound = asked.length > 1 && rows.every(holds)
    const isFree = ([id]: Asked): boolean => areSound && !taken.has(id)
    yield* insert(asked.filter(isFree))
    yield* Effect.forEach(asked.filter((one) => !isFree(one)), replace, { discard: true })
  })

  const numbers: Queries["numbers"] = Effect.fnUntraced(function*(queries) {
    const texts = queries.map((query) => query && encode(query))
    const ids = texts.map((text) => text === undefined ? EVERYTHING : numberOf(text))
    const asked = new Map(
      texts.flatMap((text, index): ReadonlyArray<Asked> => text === undefined ? [] : [[ids[index] ?? EVERYTHING, text]])
    )
    if (asked.size === 0) return ids
    const known = yield* kept([...asked.keys()])
    yield* add(Array.from(asked).filter(([id]) => !known.has(id)))
    return ids
  })

  return {
    number: (query) => Effect.map(numbers([query]), ([number = EVERYTHING]) => number),
    numbers,
    // Queries are read last: one that is asked for the first time meanwhile is written together with its row in `scopes`.
    lost: Effect.map(Effect.all([told, covered, all]), ([told, covered, found]) => {
      const asked = new Set([...found.map(({ id }) => id), ...[...told, ...covered].map(({ query }) => query)])
      for (const { id } of found.filter(holds)) asked.delete(id)
      return Array.from(asked)
    }),
    all: Effect.map(all, (known) => new Map(known.filter(holds).map((row) => [row.id, decode(row)])))
  }
}
