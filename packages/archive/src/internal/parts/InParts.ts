/** Decides a run over an archive, all at once or in parts, each of which reads its own assets alone. */
import * as Partition from "@tallystick/reconcile/Partition"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Archive from "../../Archive.ts"
import type { Workers } from "../../Workers.ts"
import * as Deciding from "./Deciding.ts"
import type * as Order from "./Order.ts"

/** How a run is decided. */
export interface How {
  /** In so many parts; 1 decides it as a whole. */
  readonly parts: number
  /** They decide the parts. Default: this thread, one part after the other. */
  readonly workers?: Workers | undefined
  readonly tell?: Deciding.Tell | undefined
}

/** Reads everything once, and decides it. */
const whole = (asked: Order.Asked, { tell }: How) => {
  const { deposits, transfers } = Deciding.sides(asked)
  return Reconciliation.reconcile(deposits, transfers, Deciding.options(asked, tell))
}

/** Tells how far the run is: of the entries of a part so many count as done as its own share says. */
const telling = (tell: Deciding.Tell, parts: ReadonlyArray<Partition.Spread>) => {
  const all = parts.reduce((sum, { entries }) => sum + entries, 0)
  const ended = parts.map(() => 0)
  return (index: number, entries: number): Deciding.Tell => ({ done, of }) => {
    ended[index] = of === 0 ? entries : Math.floor(entries * done / of)
    return tell({ done: ended.reduce((sum, done) => sum + done, 0), of: all })
  }
}

/**
 * Reads everything for what the parts have in common, because records of any asset decide about that, and then for each part its own
 * assets. It gives nothing where something was written meanwhile: parts of several states of the archive are no run.
 */
const apart = Effect.fnUntraced(function*(asked: Order.Asked, { parts, tell, workers }: How) {
  const archive = yield* Archive.Archive
  const state = yield* archive.state
  const { deposits, transfers } = Deciding.sides(asked)
  const options = Deciding.options(asked)
  const { bad, whole } = yield* Reconciliation.survey(deposits, transfers, options)
  const spread = Partition.balanced(whole.families, parts)
  const tellOf = tell === undefined ? undefined : telling(tell, spread)
  const decide = workers?.decide ?? Deciding.decide
  const decided = yield* Effect.forEach(
    spread,
    ({ assets, entries }, index) => decide({ ...asked, state, assets, whole }, tellOf?.(index, entries)),
    { concurrency: workers?.count ?? 1 }
  )
  const made = Option.all(decided)
  return Option.isSome(made) && (yield* archive.state) === state
    ? Option.some(yield* Reconciliation.merge(made.value, { ...options, whole, bad }))
    : Option.none()
}, Effect.catchTag("NotParts", Effect.die))

/** Makes the report. It is the same whatever the number of parts. */
export const report = Effect.fnUntraced(function*(asked: Order.Asked, how: How) {
  const made = how.parts > 1 ? yield* apart(asked, how) : Option.none()
  return Option.isSome(made) ? made.value : yield* whole(asked, how)
})
