/** An archive of an earlier version had no table of items: it is filled when this version opens the archive for the first time. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../sql/Database.ts"
import * as Keeping from "./Keeping.ts"

/**
 * Where it cannot be filled, because the ledger is damaged or nothing may be written, the archive opens all the same: `archive check`
 * tells why, and no list is shown of an empty table.
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
