/** A disk that is full, and later is not. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type * as PostgresServer from "../../../archive/test/support/PostgresServer.ts"

export interface Disk {
  /** Leaves so many KiB. */
  readonly fill: (leaving: number) => Effect.Effect<void>
  readonly free: Effect.Effect<void>
}

export const real = ({ fill, free }: PostgresServer.Cramped): Disk => ({
  fill: (leaving) => Effect.promise(() => fill(leaving)),
  free: Effect.promise(free)
})

/** Runs a statement for each table. */
const forTables = (statement: string): string =>
  `DO $do$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP EXECUTE format('${statement}', name); END LOOP;
  END $do$`

/** Where no disk can be made that is small enough: the server refuses new rows as if its disk were full. It keeps its log, and lives. */
export const feigned = (sql: SqlClient.SqlClient): Disk => {
  const fill = Effect.andThen(
    sql.unsafe(`CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
      $f$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $f$`),
    sql.unsafe(forTables("CREATE TRIGGER no_room BEFORE INSERT ON %I EXECUTE FUNCTION no_room()"))
  )
  // A lock that another session has may be a reason to try again.
  const asked = <A, E>(effect: Effect.Effect<A, E>) => Effect.asVoid(Effect.orDie(Effect.retry(effect, { times: 100 })))
  return { fill: () => asked(fill), free: asked(sql.unsafe(forTables("DROP TRIGGER no_room ON %I"))) }
}
