/** Reconciles the exchange's deposits with our ledger, and sends every break to the desk. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Desk from "./Desk.ts"
import * as Ledger from "./Ledger.ts"

/** These are all our sub-accounts: a deposit to an address that nobody knows is one of theirs. */
const accounts = { list: ["sub00001", "sub00002"], complete: true }

/** The policy is checked when the program starts, so that an unusable one does not fail at night. */
const policy = Policy.make({ window: { after: "2 hours" }, late: "6 hours" })

/** Reconciles `[from, to)`, Unix ms. Both sides are read no faster than the desk takes cases. */
export const close = Effect.fn("Books.close")(function*(range: Coverage.Interval) {
  const desk = yield* Desk.Desk
  const ledger = yield* Ledger.Ledger
  const rules = yield* policy
  const wide = Policy.horizon(rules)
  const around = { from: range.from - wide, to: range.to + wide }

  const toDesk = Effect.fnUntraced(function*(events: ReadonlyArray<Reconciliation.Event>) {
    const breaks = events.flatMap((event) =>
      event._tag === "Outcome" && event.outcome.outcome === "discrepancy" ? [event.outcome] : []
    )
    if (breaks.length > 0) yield* desk.open(breaks)
    return events.at(-1)
  })

  const last = yield* Reconciliation.events(
    BrokerSource.deposits({ policy: rules, accounts, ...around }),
    ledger.bookings(around),
    { policy: rules, accounts, range }
  ).pipe(
    Stream.grouped(50),
    Stream.mapEffect(toDesk, { concurrency: 2 }),
    Stream.runLast
  )
  const event = Option.getOrUndefined(last)
  return event?._tag === "Summary" ? event.summary : yield* Effect.die("a stream of events ends with its summary")
})
