/** A sync reads again records whose status may still change, and those that have vanished, because they may come back. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Queries from "../coverage/Queries.ts"
import type * as Database from "../sql/Database.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as Inventory from "./Inventory.ts"

type Operation = Coverage.Coverage["operation"]

export const make = ({ error, sql }: Database.Service, queries: Queries.Queries) => {
  const of = (operation: Operation, ended: ReadonlyArray<string | number>, since: number, until = Inventory.LATEST) => {
    const hasEnded = ended.length === 0 ? sql`1 = 0` : sql.in("status", ended)
    return sql<{ readonly query: number; readonly at: number }>`SELECT DISTINCT query, at FROM ${sql(operation)}
      WHERE at >= ${since} AND at <= ${until} AND (vanished_at IS NOT NULL OR NOT (${hasEnded})) ORDER BY query, at`
  }
  const endedDeposits = ({ deposit }: Policy.Resolved["statuses"]) =>
    [...deposit.settled, ...deposit.failed].map(Number).filter(Number.isSafeInteger)

  const deposits = (
    { from, to }: Coverage.Interval,
    statuses: Policy.Resolved["statuses"] = Policy.defaults.statuses
  ) =>
    of("deposits", endedDeposits(statuses), from, to - 1).pipe(
      Effect.map((rows) => Array.from(new Set(rows.map(({ at }) => at)))),
      Effect.mapError(error)
    )

  const all = Effect.fnUntraced(function*(since: number, statuses = Policy.defaults.statuses) {
    const { transfer } = statuses
    const known = yield* queries.all
    const [deposits, transfers] = yield* Effect.all([
      of("deposits", endedDeposits(statuses), since),
      of("transfers", [...transfer.settled, ...transfer.failed].map(String).map(StoredText.encode), since)
    ])
    return [
      ...deposits.map(({ at }) => ({ operation: "deposits" as const, query: Option.none(), at })),
      ...transfers.map(({ at, query }) => ({
        operation: "transfers" as const,
        query: Option.fromNullishOr(known.get(query)),
        at
      }))
    ]
  }, Effect.mapError(error))

  return { all, deposits }
}
