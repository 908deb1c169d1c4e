/** How far before and behind a range deposits and transfers have to be looked at because deposits settled late. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type { Service } from "../Archive.ts"
import type * as Database from "./Database.ts"

/** A service shows no deposit for longer, so none is seen to settle later, ms. */
export const MEMORY = 7 * 86_400_000

interface Row {
  readonly earliest: number | null
  readonly latest: number | null
}

/**
 * A deposit that changed was perhaps seen to settle then, under some policy: more are counted than settled, and none is
 * left out. A damaged row may widen the interval for nothing; what it should have said is a gap (`LostDeposits`).
 */
export const make = ({ error, sql }: Database.Service): Service["settling"] =>
  Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const [row] = yield* sql<Row>`SELECT
      (SELECT MIN(at) FROM deposits
        WHERE at >= ${
      from - MEMORY
    } AND at < ${from} AND history > 0 AND imported = 0 AND seen_at >= ${from}) AS earliest,
      (SELECT MAX(seen_at) FROM deposits
        WHERE at >= ${from} AND at < ${to} AND history > 0 AND imported = 0) AS latest`
    return { from: row?.earliest ?? from, to: Math.min(Math.max(to, row?.latest ?? to), to + MEMORY) }
  }, Effect.mapError(error))
