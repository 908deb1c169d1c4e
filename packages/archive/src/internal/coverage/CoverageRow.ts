/** A row of `coverage` says what is known about the completeness of a stretch of time. */
import type * as Coverage from "@tallystick/core/Coverage"

export interface Fields {
  readonly operation: Coverage.Coverage["operation"]
  readonly query: number
  readonly from_ms: number
  readonly to_ms: number
  readonly read_at: number
  readonly last_read: number
  readonly state: Coverage.Coverage["state"]
  readonly gap_code: string | null
  readonly gap_detail: string | null
  readonly vouched: number
}

export interface CoverageRow extends Fields {
  readonly checksum: number
}

/** These columns are in their order, without the checksum. */
export const COLUMNS = [
  "operation",
  "query",
  "from_ms",
  "to_ms",
  "read_at",
  "last_read",
  "state",
  "gap_code",
  "gap_detail",
  "vouched"
] as const

/** Two rows differ in at least one of these columns. */
export const KEY = ["operation", "query", "from_ms"] as const
