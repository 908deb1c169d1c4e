/** The lock lets in one writer at a time, and tells others which process it is. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { MigrationError } from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hostname } from "node:os"
import { pid } from "node:process"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Migrations from "../migrations/Migrations.ts"
import type * as Fence from "./Fence.ts"
import * as HolderRow from "./HolderRow.ts"

/** Describes this process at this moment. */
const self = (purpose: string) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    purpose,
    process: pid,
    host: hostname(),
    since: Math.floor(now)
  }))

export const words = (purpose: string): Effect.Effect<string> => Effect.map(self(purpose), HolderRow.words)

export const held = (place: string, holder: string): ArchiveError.ArchiveError<ArchiveError.Held> =>
  ArchiveError.ArchiveError.of(new ArchiveError.Held({ place, holder }))

/** Makes this process the holder of which the archive tells, with a number greater than any before it. It runs inside a transaction. */
export const replace = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, purpose: string) {
  const row = yield* self(purpose)
  const number = yield* HolderRow.next(sql, row.since)
  yield* sql`DELETE FROM holder`
  yield* sql`INSERT INTO holder ${sql.insert({ ...row, fence: number })}`
  return number
})

const isLocked = (error: ArchiveError.ArchiveError): boolean => error.reason._tag === "Locked"

/** Names the holder of the archive at this moment, if there is one. It writes nothing, and changes nobody's number. */
export const look = (
  { error, isFree, sql }: Pick<Options, "error" | "sql"> & {
    readonly isFree: Effect.Effect<boolean, ArchiveError.DatabaseError>
  }
): Effect.Effect<Option.Option<string>, ArchiveError.DatabaseError> =>
  Effect.flatMap(isFree, (isFree) =>
    isFree
      ? Effect.succeedNone
      : HolderRow.read(sql).pipe(
        Effect.map((row) => Option.some(HolderRow.words(row))),
        Effect.mapError(error)
      ))

export interface Options {
  readonly sql: SqlClient.SqlClient
  readonly place: string
  readonly error: (error: SqlError | MigrationError) => ArchiveError.DatabaseError
  readonly fence: Fence.Fence
  /** Takes the lock for the scope, or gives false at once where another process has it. */
  readonly take: Effect.Effect<boolean, ArchiveError.DatabaseError, Scope.Scope>
}

/**
 * Claims an archive. The lock is asked for and the words are written inside one transaction that only one process can be in. A
 * process that does not get the lock reads the words of its present holder, never of one that was killed.
 */
export const claim = ({ error, fence, place, sql, take }: Options) =>
(
  purpose: string
): Effect.Effect<void, ArchiveError.HoldError, Scope.Scope> => {
  const refuse = HolderRow.read(sql).pipe(
    Effect.mapError(error),
    Effect.flatMap((row) => Effect.fail(held(place, HolderRow.words(row))))
  )
  const write = Migrations.found(sql, place).pipe(
    Effect.andThen(replace(sql, purpose)),
    Effect.mapError((failure) => failure._tag === "ArchiveError" ? failure : error(failure))
  )

  const inTurn = take.pipe(
    Effect.flatMap((taken): Effect.Effect<number, ArchiveError.HoldError> => taken ? write : refuse),
    sql.withTransaction,
    Effect.mapError((failure): ArchiveError.HoldError => failure._tag === "SqlError" ? error(failure) : failure)
  )
  /**
   * Runs where the database stayed locked: a holder that writes for longer than others wait is still a holder, not some other
   * program.
   */
  const outOfTurn = (failure: ArchiveError.HoldError) =>
    Effect.scoped(take).pipe(
      Effect.flatMap((free): Effect.Effect<never, ArchiveError.HoldError> => free ? Effect.fail(failure) : refuse)
    )

  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const scope = yield* Scope.fork(yield* Scope.Scope)
      const number = yield* restore(Scope.provide(Effect.catchIf(inTurn, isLocked, outOfTurn), scope)).pipe(
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
      yield* Scope.provide(fence.hold(number), scope)
    })
  )
}
