/** An archive of an earlier version had no table of items: it is filled when this version opens the archive for the first time. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../sql/Database.ts"
import * as Keeping from "./Keeping.ts"

/**
 * Where it cannot be filled, because the ledger is damaged, nothing may be written or somebody else writes, the archive opens all the
 * same, and no list is shown of an empty table: it is filled when the archive is opened again, or by the next decision or execution.
 * `archive check` tells of damage.
 */
const filled = Effect.gen(function*() {
  const database = yield* Database
  const { fill, isLacking } = Keeping.make(database)
  const filling = Effect.flatMap(isLacking, (isLacking) => isLacking ? database.sql.withTransaction(fill) : Effect.void)
  yield* Effect.ignore(filling)
  return database
})

/** Fills the table of a database. */
export const layer = <E>(database: Layer.Layer<Database, E>): Layer.Layer<Database, E> =>
  Layer.provide(Layer.effect(Database, filled), database)
