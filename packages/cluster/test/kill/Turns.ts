/** Whose turn it is to sync, as the database tells it at this moment. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"

export interface Turn {
  readonly turn: number
  /** The runner that syncs, as `HOST:PORT`. */
  readonly runner: string
  /** When a round last ended, Unix ms. */
  readonly readAt: number
  /** The process that last held the archive, and its number. */
  readonly process: number
  readonly fence: number
}

/** So often the database is looked at. */
const LOOK = "50 millis"

/** Makes what waits until `until` is so of whose turn it is, and gives it. */
export const watching = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const sql = yield* PgClient.make({ url, maxConnections: 1 }).pipe(Effect.provide(Reactivity.layer))
  const look = sql<Turn>`SELECT s.turn::float8 AS turn, runner, coalesce(read_at, 0)::float8 AS "readAt",
    process::float8 AS process, fence::float8 AS fence FROM tallystick_cluster_sync s, holder`
  return (until: (turn: Turn) => boolean): Effect.Effect<Turn> =>
    Effect.gen(function*() {
      for (;;) {
        const [row] = yield* look
        if (row !== undefined && until(row)) return row
        yield* Effect.sleep(LOOK)
      }
    }).pipe(Effect.orDie)
})
