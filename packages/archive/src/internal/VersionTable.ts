/** Superseded versions and contradicting contents of one operation's records, in their table. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Insert from "./Insert.ts"
import * as Lists from "./Lists.ts"
import type * as Merge from "./Merge.ts"
import * as StoredText from "./StoredText.ts"
import type * as Table from "./Table.ts"

interface Row {
  readonly id: string
  readonly number: number
  readonly kind: Merge.Past<unknown>["kind"]
  readonly content: string
  readonly seen_at: number
  readonly last_seen: number | null
  readonly imported: number
}

type Pasts<Record> = Effect.Effect<ReadonlyArray<Merge.Past<Record>>, SqlError>

export interface VersionTable<Record> {
  /** Inside a transaction. */
  readonly insert: (past: ReadonlyArray<Merge.Past<Record>>) => Effect.Effect<void, SqlError>
  /** All of those rows that have any, by id and number. */
  readonly of: (rows: ReadonlyArray<Pick<Merge.Stored<Record>, "id" | "history">>) => Pasts<Record>
  /** Contradicting contents whose own time lies in `[from, to)`. */
  readonly conflicts: (interval: Coverage.Interval) => Pasts<Record>
}

export const make = <Record, Columns extends Table.Common>(
  sql: SqlClient.SqlClient,
  { at, content, operation, parse }: Table.Table<Record, Columns>
): VersionTable<Record> => {
  const past = (rows: ReadonlyArray<Row>): ReadonlyArray<Merge.Past<Record>> =>
    rows.map((row) => ({
      id: StoredText.decode(row.id),
      number: row.number,
      kind: row.kind,
      record: parse(row.content),
      seenAt: row.seen_at,
      ...(row.last_seen === null ? {} : { lastSeenAt: row.last_seen }),
      imported: row.imported === 1
    }))

  return {
    insert: Insert.into(
      sql,
      "versions",
      ["operation", "id", "number", "kind", "at", "content", "seen_at", "last_seen", "imported"],
      (into, { id, imported, kind, lastSeenAt, number, record, seenAt }) =>
        into.push(
          operation,
          StoredText.encode(id),
          number,
          kind,
          at(record),
          content(record),
          seenAt,
          lastSeenAt ?? null,
          imported ? 1 : 0
        )
    ),
    of: (rows) => {
      const ids = rows.filter(({ history }) => history > 0).map(({ id }) => StoredText.encode(id))
      return ids.length === 0 ? Effect.succeed([]) : Effect.map(
        sql<Row>`SELECT id, number, kind, content, seen_at, last_seen, imported FROM versions
          WHERE operation = ${operation} AND ${Lists.within(sql, "id", ids)} ORDER BY id, number`,
        past
      )
    },
    conflicts: ({ from, to }) =>
      Effect.map(
        sql<Row>`SELECT id, number, kind, content, seen_at, last_seen, imported FROM versions
          WHERE operation = ${operation} AND kind = 'conflict' AND at >= ${from} AND at < ${to} ORDER BY at, id, number`,
        past
      )
  }
}
