/**
 * Work that is done in steps of some milliseconds. Whoever drives it may do something else between two steps, because a long
 * calculation holds up everything else in its process.
 */
import * as Effect from "effect/Effect"

/** Work that ends with `A`, and may give something after each step. */
export type Steps<A, Given = void> = Generator<Given, A, void>

/** Does all steps at once. */
export const run = <A>(steps: Steps<A, unknown>): A => {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Lets other fibers, timers and signals have their turn between two steps, and then does something else. */
export const effect = <A>(steps: Steps<A, unknown>, between: Effect.Effect<void> = Effect.void): Effect.Effect<A> =>
  Effect.gen(function*() {
    let step = steps.next()
    while (step.done !== true) {
      yield* Effect.yieldNow
      yield* between
      step = steps.next()
    }
    return step.value
  })

/** The number of items that are worked on in a step, where each takes some microseconds. */
const AT_ONCE = 512

const one = (): number => 1

/** Visits each item, so many in a step. An item may count for several. */
export const forEach = function*<A>(
  items: Iterable<A>,
  visit: (item: A) => void,
  atOnce = AT_ONCE,
  countOf: (item: A) => number = one
): Steps<void> {
  let count = 0
  for (const item of items) {
    visit(item)
    count += countOf(item)
    if (count < atOnce) continue
    count = 0
    yield
  }
}
