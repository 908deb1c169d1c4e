/** Coverage of which an archive also knows who says it. */
import type * as Coverage from "@tallystick/core/Coverage"

/** Coverage, and whether the service proved it or a person vouched for it. */
export interface Covered extends Coverage.Coverage {
  readonly vouched: boolean
}
