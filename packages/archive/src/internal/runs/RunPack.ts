/** The table `run_packs` says to which packs a run came, in their order. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Checksum from "../sql/Checksum.ts"
import * as Pack from "./Pack.ts"
import type * as RunOutcome from "./RunOutcome.ts"

/** This is a row of `run_packs`, without the run. */
export interface RunPack {
  readonly place: number
  readonly digest: string
  readonly outcomes: number
}

/** Counts the outcomes of packs; their checksums are those of the rows that name the packs. */
export const add = (totals: RunOutcome.Totals, seen: Iterable<RunPack>): RunOutcome.Totals => {
  let { checksums, outcomes } = totals
  for (const { digest, outcomes: count, place } of seen) {
    outcomes += count
    checksums = (checksums + Checksum.of([place, digest, count])) >>> 0
  }
  return { outcomes, checksums }
}

/** Writes a pack, unless it is there already as it was written. */
const put = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, pack: Pack.Pack) {
  const added = yield* sql`INSERT INTO packs ${sql.insert({ ...pack })} ON CONFLICT DO NOTHING RETURNING digest`
  if (added.length > 0) return
  const [kept] = yield* sql<Pack.Pack>`SELECT ${sql.literal(Pack.COLUMNS.join(", "))} FROM packs
    WHERE digest = ${pack.digest}`
  if (kept !== undefined && Pack.isSound(kept)) return
  yield* sql`UPDATE packs SET ${sql.update({ ...pack }, ["digest"])} WHERE digest = ${pack.digest}`
})

/** Writes packs as those of a run, from a place on, and gives their rows. */
export const write = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  run: number,
  packs: ReadonlyArray<Pack.Pack>,
  from: number
): Effect.fn.Return<ReadonlyArray<RunPack>, SqlError> {
  const seen = packs.map((pack, index): RunPack => ({
    place: from + index,
    digest: pack.digest,
    outcomes: Pack.count(pack)
  }))
  for (const pack of packs) yield* put(sql, pack)
  for (const row of seen) yield* sql`INSERT INTO run_packs ${sql.insert({ run, ...row })}`
  return seen
})
