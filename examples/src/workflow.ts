import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Sync from "@tallystick/archive/Sync"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as InvalidRange from "@tallystick/core/InvalidRange"
import * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Activity from "effect/workflow/Activity"
import * as DurableClock from "effect/workflow/DurableClock"
import * as Workflow from "effect/workflow/Workflow"

const accounts = { list: ["sub00001", "sub00002"], complete: false }

/** The exchange did not show all that was asked for. */
class NotKept extends Schema.TaggedError<NotKept>()("NotKept", { gaps: Schema.Int }) {
  override get message(): string {
    return `${this.gaps} stretches of the books could not be read`
  }
}

const Failed = Schema.Union([
  NotKept,
  BrokerError.BrokerError,
  ArchiveError.ArchiveError,
  InvalidRange.InvalidRange,
  PolicyError.PolicyError
])
const Closed = Schema.Struct({ run: Schema.String, clean: Schema.Boolean })

/** Closes the books of `[from, to)`, Unix ms, once, however often it is asked to, and wherever it is killed. */
export const CloseDay = Workflow.make("CloseDay", {
  payload: { from: Schema.Int, to: Schema.Int },
  success: Closed,
  error: Failed,
  idempotencyKey: ({ from, to }) => `${from}/${to}`
})

/**
 * Each step may run twice without harm: a repeated sync adds nothing, and a run over the same data is recorded once. A sync that the
 * exchange refuses ends well and names its gaps, so it is repeated until there are none.
 */
const keep = (name: string) =>
  Activity.make({
    name,
    error: Failed,
    execute: Sync.run({ accounts }).pipe(
      Effect.filterOrFail(({ gaps }) => gaps.length === 0, ({ gaps }) => new NotKept({ gaps: gaps.length })),
      Effect.retry(Schedule.spaced("5 minutes").pipe(Schedule.upTo({ times: 100 }))),
      Effect.asVoid
    )
  })

export const CloseDayLayer = CloseDay.toLayer(Effect.fn(function*(range) {
  // The exchange shows deposits for 3 days, so they are kept before anything is waited for.
  yield* keep("keep deposits")
  yield* DurableClock.sleep({ name: "late transfers", duration: "25 hours" })
  yield* keep("keep late transfers")
  return yield* Activity.make({
    name: "reconcile",
    success: Closed,
    error: Failed,
    execute: Effect.map(
      ArchiveReconciliation.record({ range, accounts }),
      ({ report, run }) => ({ run: run.id, clean: report.clean })
    )
  })
}))
