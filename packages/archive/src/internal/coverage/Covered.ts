/** An archive knows of its coverage whether the service proved it or a person said it. */
import type * as Coverage from "@tallystick/core/Coverage"

/** `vouched` means that a person vouched for it, and the service did not prove it. */
export interface Covered extends Coverage.Coverage {
  /** It is true where a person vouched for the interval, and false where the service proved it. */
  readonly vouched: boolean
}
