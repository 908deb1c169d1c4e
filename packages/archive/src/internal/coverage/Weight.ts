/**
 * The weight of a row is what the row of a record adds to the sum of its control totals: its checksum and, where the record was
 * seen to change, the time of that.
 *
 * A report reads few of the deposits of the week before, but must know which of them settled late. The database adds up these
 * weights by itself, so that the rows need not be read for that.
 */
import type * as SqlClient from "effect/sql/SqlClient"

export interface Weighed {
  readonly at: number
  readonly seen_at: number
  readonly imported: number
  readonly history: number
  readonly checksum: number
}

/** These are the low 32 bits: a damaged number with more of them must not overflow a sum. */
const LOW = 0xffff_ffff

const WORD = LOW + 1

/** These bits of the checksum weigh a time: two rows that exchanged their times do not add up to the same. */
const SPREAD = 7

/** Computes the same weight as `ofRow`, for a row that holds what was written; it is below 2^36. */
export const of = ({ at, checksum, history, imported, seen_at }: Weighed): number =>
  history > 0 && imported === 0
    ? checksum + (1 + checksum % (SPREAD + 1)) * ((seen_at >>> 0) + Math.floor(seen_at / WORD)) + (at >>> 0)
    : checksum

/** Computes the weight in SQL, from whatever stands in a row. */
export const ofRow = (sql: SqlClient.SqlClient) =>
  sql.literal(`(checksum & ${LOW}) + CASE WHEN history > 0 AND imported = 0
    THEN (1 + (checksum & ${SPREAD})) * ((seen_at & ${LOW}) + (seen_at >> 32)) + (at & ${LOW}) ELSE 0 END`)
