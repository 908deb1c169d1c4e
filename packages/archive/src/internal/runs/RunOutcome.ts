/** The table `run_outcomes` says which outcomes a run came to; their number and checksums are totals of the run. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Checksum from "../sql/Checksum.ts"
import * as Content from "./Content.ts"

/** This is a row of `run_outcomes`, without the run. */
export interface RunOutcome {
  readonly id: string
  readonly digest: string
  readonly at: number
}

/** The totals say how many outcomes there are, and what 32 bits of their checksums add up to: that is the same in any order. */
export interface Totals {
  readonly outcomes: number
  readonly checksums: number
}

export const NONE: Totals = { outcomes: 0, checksums: 0 }

export const add = (totals: Totals, seen: Iterable<RunOutcome>): Totals => {
  let { checksums, outcomes } = totals
  for (const { at, digest, id } of seen) {
    outcomes++
    checksums = (checksums + Checksum.of([id, digest, at])) >>> 0
  }
  return { outcomes, checksums }
}

export const plus = (left: Totals, right: Totals): Totals => ({
  outcomes: left.outcomes + right.outcomes,
  checksums: (left.checksums + right.checksums) >>> 0
})

export const areEqual = (left: Totals, right: Totals): boolean =>
  left.outcomes === right.outcomes && left.checksums === right.checksums

/** One INSERT writes so many rows: few texts of statements have to be prepared, and a database takes far more. */
const ROWS = 128

/** Replaces those outcomes that are there already and are not as they were written. */
const heal = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, contents: ReadonlyArray<Content.Content>) {
  const kept = yield* sql<Content.Content>`SELECT ${sql.literal(Content.COLUMNS.join(", "))} FROM outcomes WHERE ${
    sql.or(contents.map(({ at, digest }) => sql`(at = ${at} AND digest = ${digest})`))
  }`
  const sound = new Set(kept.filter(Content.holds).map(({ at, digest }) => `${at} ${digest}`))
  for (const content of contents.filter(({ at, digest }) => !sound.has(`${at} ${digest}`))) {
    yield* sql`DELETE FROM outcomes WHERE at = ${content.at} AND digest = ${content.digest}`
    yield* sql`INSERT INTO outcomes ${sql.insert({ ...content })}`
  }
})

/**
 * Writes outcomes as those of a run, always in one order, so that no two recordings wait for each other. Gives those to which
 * the run had not come before.
 */
export const write = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  run: number,
  contents: ReadonlyArray<Content.Content>
): Effect.fn.Return<ReadonlyArray<RunOutcome>, SqlError> {
  const ordered = contents.toSorted((a, b) => a.at - b.at || (a.digest < b.digest ? -1 : 1))
  const written: Array<RunOutcome> = []
  for (const rows of Arr.chunksOf(ordered, ROWS)) {
    const added = yield* sql<Content.Content>`INSERT INTO outcomes ${
      sql.insert(Arr.map(rows, (row) => ({ ...row })))
    } ON CONFLICT DO NOTHING RETURNING digest`
    const digests = new Set(added.map(({ digest }) => digest))
    const known = rows.filter(({ digest }) => !digests.has(digest))
    if (known.length > 0) yield* heal(sql, known)
    const seen = yield* sql<RunOutcome>`INSERT INTO run_outcomes ${
      sql.insert(Arr.map(rows, ({ at, digest, id }) => ({ run, id, digest, at })))
    } ON CONFLICT DO NOTHING RETURNING id, digest, at`
    for (const row of seen) written.push(row)
  }
  return written
})
