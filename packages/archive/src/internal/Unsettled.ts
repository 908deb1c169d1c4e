/** Records whose status may still change, and those that have vanished: they may come back. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Service } from "../Archive.ts"
import type * as Database from "./Database.ts"
import * as DepositTable from "./DepositTable.ts"
import type * as Queries from "./Queries.ts"
import * as TransferTable from "./TransferTable.ts"

type Operation = Coverage.Coverage["operation"]

export const make = ({ error, sql }: Database.Service, queries: Queries.Queries): Service["unsettled"] => {
  const of = (operation: Operation, ended: ReadonlyArray<string | number | null>, since: number) =>
    sql<{ readonly query: number; readonly at: number }>`SELECT DISTINCT query, at FROM ${sql(operation)}
      WHERE at >= ${since} AND (vanished_at IS NOT NULL OR NOT (${sql.in("status", ended)})) ORDER BY query, at`

  return Effect.fnUntraced(function*(since: number) {
    const known = yield* queries.all
    const [deposits, transfers] = yield* Effect.all([
      of("deposits", DepositTable.table.ended, since),
      of("transfers", TransferTable.table.ended, since)
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
}
