/** Reconciles the last day again and again, and publishes what it finds. */
import * as Broker from "@tallystick/core/Broker"
import * as Span from "@tallystick/core/Span"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Reports from "@tallystick/report/Reports"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

const HOUR = 3_600_000
const accounts = { list: ["sub00001", "sub00002"], complete: false }

const round = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const reports = yield* Reports.Reports
  const to = (yield* broker.serverTime) - 9 * HOUR
  // Those who watch hear of an outcome as soon as it is decided.
  yield* reports.publishEvents(BrokerReconciliation.events({ range: { from: to - 24 * HOUR, to }, accounts }))
}).pipe(
  // Unlike `Effect.withSpan`, this span tells only the kind of a failure: messages name accounts.
  Span.within("round"),
  // The last report is served until a round succeeds.
  Effect.catch((error) => Effect.logError(`This round failed: ${Span.failureType(Cause.fail(error))}`))
)

export const RoundsLayer = Layer.effectDiscard(
  round.pipe(Effect.repeat(Schedule.spaced("10 minutes")), Effect.forkScoped)
)
