/** A hash of all that a run came to, which a person can compute from the database with a tool of their own. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import type * as Run from "../../Run.ts"
import * as Pages from "../sql/Pages.ts"

/** So many digests are read at once. */
const PAGE = 4096

/** SHA-256 of the digests, a line each: those of the rows by id and digest, then those of the packs in their order. */
export const of = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  { id }: Pick<Run.Run, "id">
): Effect.fn.Return<string, SqlError> {
  const hash = createHash("sha256")
  const take = (rows: ReadonlyArray<{ readonly digest: string }>): boolean => {
    for (const { digest } of rows) hash.update(`${digest}\n`)
    return true
  }
  const run = sql`run = (SELECT number FROM runs WHERE id = ${id})`
  yield* Pages.read({
    first: { id: "", digest: "" },
    most: PAGE,
    page: (after) =>
      sql<{ id: string; digest: string }>`SELECT id, digest FROM run_outcomes
        WHERE ${run} AND (id, digest) > (${after.id}, ${after.digest}) ORDER BY id, digest LIMIT ${PAGE}`,
    take
  })
  yield* Pages.read({
    first: { place: -1, digest: "" },
    most: PAGE,
    page: (after) =>
      sql<{ place: number; digest: string }>`SELECT place, digest FROM run_packs
        WHERE ${run} AND place > ${after.place} ORDER BY place LIMIT ${PAGE}`,
    take
  })
  return hash.digest("hex")
})
