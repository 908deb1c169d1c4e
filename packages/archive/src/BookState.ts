/** A book state says where an entry stands in the books after the last execution that judged it. */
import * as Schema from "effect/Schema"

/**
 * Of these a desk has to care: a break (`open`), an entry whose window is still open or that is not confirmed (`pending`), and one
 * that cannot be decided from what was read (`undetermined`).
 */
export const Waiting = Schema.Literals(["open", "pending", "undetermined"])
export type Waiting = typeof Waiting.Type

/**
 * A settled entry is `matched`, also late or early where nothing is left over; `decided` where a person linked it or accepted its break; or `out`: it is
 * excluded, moved nothing, is of no flow of the policy, or is gone.
 */
export const Settled = Schema.Literals(["matched", "decided", "out"])
export type Settled = typeof Settled.Type

export const BookState = Schema.Literals([...Waiting.literals, ...Settled.literals])
export type BookState = typeof BookState.Type

export const isWaiting = Schema.is(Waiting)
