/** One writer at a time, and who it is. */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hostname } from "node:os"
import { pid } from "node:process"
import * as ArchiveError from "../ArchiveError.ts"

const Row = Schema.Struct({
  purpose: Schema.String,
  process: Schema.Int,
  host: Schema.String,
  since: Schema.Int
})
type Row = typeof Row.Type

const describe = ({ host, process, purpose, since }: Row): string =>
  `${purpose}, process ${process} on ${host} since ${DateTime.formatIso(DateTime.makeUnsafe(since))}`

/** This process, now. */
const self = (purpose: string): Effect.Effect<Row> =>
  Effect.map(Clock.currentTimeMillis, (since) => ({ purpose, process: pid, host: hostname(), since }))

export const words = (purpose: string): Effect.Effect<string> => Effect.map(self(purpose), describe)

export const held = (place: string, holder: string): ArchiveError.ArchiveError =>
  new ArchiveError.ArchiveError({ reason: new ArchiveError.Held({ place, holder }) })

const isLocked = (error: ArchiveError.ArchiveError): boolean => error.reason._tag === "Locked"

export interface Options {
  readonly sql: SqlClient.SqlClient
  readonly place: string
  readonly error: (error: SqlError) => ArchiveError.ArchiveError
  /** Takes the lock for the scope, or is false at once where another has it. */
  readonly take: Effect.Effect<boolean, ArchiveError.ArchiveError, Scope.Scope>
}

/**
 * The lock is asked for and the words are written inside one transaction that only one can be in: whoever does not get
 * the lock reads the words of its present holder, never of one that was killed.
 */
export const claim = ({ error, place, sql, take }: Options) =>
(
  purpose: string
): Effect.Effect<void, ArchiveError.ArchiveError, Scope.Scope> => {
  const refuse = sql`SELECT purpose, process, host, since FROM holder`.pipe(
    Effect.mapError(error),
    Effect.flatMap((rows) => Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(Row))(rows))),
    Effect.flatMap(([row]) => Effect.fail(held(place, row === undefined ? "another process" : describe(row))))
  )
  const write = Effect.gen(function*() {
    yield* sql`DELETE FROM holder`
    yield* sql`INSERT INTO holder ${sql.insert(yield* self(purpose))}`
  }).pipe(Effect.mapError(error))

  const inTurn = take.pipe(
    Effect.flatMap((taken) => taken ? write : refuse),
    sql.withTransaction,
    Effect.mapError((failure) => failure._tag === "SqlError" ? error(failure) : failure)
  )
  /** A holder that writes for longer than one waits is still a holder, not just some other program. */
  const outOfTurn = (failure: ArchiveError.ArchiveError) =>
    Effect.scoped(take).pipe(Effect.flatMap((free) => free ? Effect.fail(failure) : refuse))

  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const scope = yield* Scope.fork(yield* Scope.Scope)
      yield* restore(Scope.provide(Effect.catchIf(inTurn, isLocked, outOfTurn), scope)).pipe(
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
    })
  )
}
