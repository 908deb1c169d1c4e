/** Finds records of one side around a moment, by their assets, without reading all of them. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as StoredText from "../sql/StoredText.ts"

/** A record in short, as its row says it: nothing of it is held against its checksum yet. */
export interface NearRecord {
  /** The key of the record: a transfer's id, or the `clientTranId` of a deposit. */
  readonly key: string
  /** The name by which records are read: a transfer's id, or the transaction of a deposit. */
  readonly name: string
  readonly at: number
  readonly amount: string
  /** It has the reference that was asked for. */
  readonly isReferred: boolean
}

export interface Asked extends Coverage.Interval {
  readonly side: Entry.Side
  /** The moment around which records are looked for, Unix ms. */
  readonly at: number
  readonly assets: ReadonlyArray<string>
  /** Records with this reference count, whatever their asset, also where nearer ones leave out others. */
  readonly reference: string
}

interface Row {
  readonly key: string
  readonly name: string
  readonly at: number
  readonly amount: string
  readonly reference: string
}

interface Found {
  readonly records: ReadonlyArray<NearRecord>
  /** All records of the assets in this time were found. */
  readonly searched: Coverage.Interval
}

/** So many are looked at on either side of the moment, the nearest ones. */
const MOST = 5000

/** `most` records are looked at on either side of the moment, the nearest ones. */
export const make = (sql: SqlClient.SqlClient, most = MOST) => {
  const table = {
    deposit: {
      name: sql("deposits"),
      asset: "coin",
      reference: sql("id"),
      columns: sql.literal("id AS key, tx_id AS name, at, amount, id AS reference")
    },
    transfer: {
      name: sql("transfers"),
      asset: "asset",
      reference: sql("client_tran_id"),
      columns: sql.literal("id AS key, id AS name, at, amount, client_tran_id AS reference")
    }
  }

  return Effect.fnUntraced(function*(
    { assets, at, from, reference, side, to }: Asked
  ): Effect.fn.Return<Found, SqlError> {
    const { asset, columns, name, reference: column } = table[side]
    const referred = StoredText.encode(reference)
    const isOfAsset = sql.in(asset, assets.map(StoredText.encode))
    const isAsked = reference === "" ? isOfAsset : sql.or([isOfAsset, sql`${column} = ${referred}`])
    const before = yield* sql<Row>`SELECT ${columns} FROM ${name} WHERE at >= ${from} AND at < ${at} AND ${isAsked}
      ORDER BY at DESC LIMIT ${most}`
    const behind = yield* sql<Row>`SELECT ${columns} FROM ${name} WHERE at >= ${at} AND at < ${to} AND ${isAsked}
      ORDER BY at LIMIT ${most}`
    const isCut = before.length === most || behind.length === most
    const others = isCut && reference !== ""
      ? yield* sql<Row>`SELECT ${columns} FROM ${name} WHERE at >= ${from} AND at < ${to} AND ${column} = ${referred}
        ORDER BY at LIMIT ${most}`
      : []
    const rows = new Map([...before, ...behind, ...others].map((row) => [`${row.at} ${row.key}`, row]))
    return {
      records: Array.from(rows.values(), ({ amount, at, key, name, reference }): NearRecord => ({
        key: StoredText.decode(key),
        name: StoredText.decode(name),
        at,
        amount,
        isReferred: referred !== "" && reference === referred
      })),
      // The last moment of those that were cut off may have more records.
      searched: {
        from: before.length < most ? from : (before.at(-1)?.at ?? from) + 1,
        to: behind.length < most ? to : behind.at(-1)?.at ?? to
      }
    }
  })
}
