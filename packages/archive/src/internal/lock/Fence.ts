/**
 * A fence is the number of an archive's holder. Each holder has a greater one than the one before it, and every transaction of
 * a holder looks whether its number is still the present one: where a lock was lost unnoticed and another process took the
 * archive, the former holder writes nothing more. With the same statement each transaction counts itself: where the database
 * went back to a state before the holder's last commit, the holder writes nothing more either.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import * as HolderRow from "./HolderRow.ts"

export interface Fence {
  /** Makes transactions this holder's from now on until the scope closes. */
  readonly hold: (number: number) => Effect.Effect<void, never, Scope.Scope>
  /**
   * Fails with `Superseded` where another process became the holder meanwhile, and with `Reverted` where the database lost a
   * commit of this one. It runs inside a transaction, at its start.
   */
  readonly check: Effect.Effect<void, SqlError>
}

/** Makes a fence over `sql`, whose transactions are not guarded yet. */
export const make = (sql: SqlClient.SqlClient, place: string): Fence => {
  /** `turn` is the last transaction of which the database said that it was committed. */
  let mine: { readonly number: number; turn: number } | undefined

  /** Says what was lost. A row that cannot be read names no process that took over. */
  const lost = (number: number) =>
    Effect.flatMap(HolderRow.read(sql), (row) => {
      const reason = row !== undefined && row.fence > number
        ? new ArchiveError.Superseded({ place, holder: HolderRow.words(row) })
        : new ArchiveError.Reverted({ place })
      return Effect.fail(
        new SqlError({
          reason: new UnknownError({ cause: ArchiveError.ArchiveError.of<ArchiveError.DatabaseReason>(reason) })
        })
      )
    })

  return {
    hold: (number) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          mine = { number, turn: 0 }
        }),
        () =>
          Effect.sync(() => {
            mine = undefined
          })
      ),
    check: Effect.suspend(() => {
      const holder = mine
      if (holder === undefined) return Effect.void
      return Effect.flatMap(HolderRow.count(sql, holder.number), (turn) =>
        // A number that is greater by more than one belongs to a commit whose answer was lost.
        turn === undefined || turn <= holder.turn
          ? lost(holder.number)
          : sql.afterCommit(Effect.sync(() => {
            holder.turn = Math.max(holder.turn, turn)
          })))
    })
  }
}

/** Guards a client: every transaction looks at the fence first. */
export const guard = (sql: SqlClient.SqlClient, { check }: Fence): SqlClient.SqlClient => {
  const { withTransaction } = sql
  return Object.assign(sql, {
    withTransaction: <R, E, A>(self: Effect.Effect<A, E, R>) => withTransaction(Effect.andThen(check, self))
  })
}
