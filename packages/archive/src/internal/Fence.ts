/**
 * The number of an archive's holder. Each holder has a greater one than the one before it, and every transaction of a holder
 * looks whether its number is still the present one: where a lock was lost unnoticed and another process took the archive,
 * the former holder writes nothing more.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as ArchiveError from "../ArchiveError.ts"
import * as HolderRow from "./HolderRow.ts"

export interface Fence {
  /** From now on, and until the scope closes, transactions are this holder's. */
  readonly hold: (number: number) => Effect.Effect<void, never, Scope.Scope>
  /** Fails with `Superseded` where somebody else became the holder meanwhile. Inside a transaction, at its start. */
  readonly check: Effect.Effect<void, SqlError>
}

/** `sql`: before its transactions are guarded. */
export const make = (sql: SqlClient.SqlClient, place: string): Fence => {
  let mine: number | undefined
  const superseded = (row: HolderRow.HolderRow | undefined) =>
    new SqlError({
      reason: new UnknownError({
        cause: new ArchiveError.ArchiveError({
          reason: new ArchiveError.Superseded({ place, holder: HolderRow.words(row) })
        })
      })
    })
  return {
    hold: (number) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          mine = number
        }),
        () =>
          Effect.sync(() => {
            mine = undefined
          })
      ),
    check: Effect.suspend(() =>
      mine === undefined
        ? Effect.void
        : Effect.flatMap(
          HolderRow.read(sql),
          (row) => row !== undefined && row.fence === mine ? Effect.void : Effect.fail(superseded(row))
        )
    )
  }
}

/** Every transaction of the client looks at the fence first. */
export const guard = (sql: SqlClient.SqlClient, { check }: Fence): SqlClient.SqlClient => {
  const { withTransaction } = sql
  return Object.assign(sql, {
    withTransaction: <R, E, A>(self: Effect.Effect<A, E, R>) => withTransaction(Effect.andThen(check, self))
  })
}
