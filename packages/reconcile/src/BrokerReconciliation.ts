/** Reconciles the two histories of the service itself, around a range. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Span from "@tallystick/core/Span"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as AddressBook from "./AddressBook.ts"
import * as BrokerSource from "./BrokerSource.ts"
import * as Forgotten from "./internal/report/Forgotten.ts"
import * as TransferDays from "./internal/TransferDays.ts"
import * as Policy from "./Policy.ts"
import type { PolicyError } from "./PolicyError.ts"
import * as Reconciliation from "./Reconciliation.ts"
import type * as Report from "./Report.ts"
import type { Unordered } from "./Unordered.ts"

/** The options of a run that asks the service; it needs a range. */
export interface Options extends Reconciliation.Asked {
  /**
   * Runs once, before the first request, with the number of scans of the broker that the run will make: one of deposits, and one for each
   * query of transfers and day.
   */
  readonly onPlan?: (scans: number) => Effect.Effect<void>
}

/** The time that may pass between the question for the time and that for the oldest deposits, ms. */
const MINUTE = 60_000

/** Returns the interval that is asked of the service for a range: around it, as far as the policy looks. */
const sources = Effect.fnUntraced(function*(options: Options) {
  const { accounts, addresses, policy } = yield* Reconciliation.check(options)
  const range = yield* Effect.fromResult(TimeRange.make(options.range))
  const broker = yield* Broker.Broker
  const now = yield* broker.serverTime
  const wide = Policy.horizon(policy)
  const from = Math.max(range.from - wide, 0)
  const to = Math.min(range.to + wide, Math.max(now, range.to))
  const { depositReach } = broker.conventions
  const settled = now - broker.conventions.settle
  const minute = Math.floor(settled / MINUTE) * MINUTE
  const oldest = Math.min(Math.max(now - depositReach + MINUTE, from), to)
  const source = {
    policy,
    accounts,
    to,
    // On a whole minute, where servers that count in minutes agree; a range that ends later, and is settled, is read whole.
    coverUntil: range.to <= settled ? Math.max(range.to, minute) : minute,
    ...(addresses === undefined ? {} : { account: AddressBook.lookup(addresses) })
  }
  const forgotten = from < oldest
    ? Stream.make(Forgotten.deposits({ from, to: oldest, reach: depositReach, readAt: now }))
    : Stream.empty
  const days = TransferDays.of({ from, to }, now).length
  yield* options.onPlan?.((oldest < to ? 1 : 0) + BrokerSource.queries(policy, accounts).length * days) ?? Effect.void
  const known = oldest < to ? BrokerSource.deposits({ ...source, from: oldest }) : Stream.empty
  return {
    deposits: Stream.concat(forgotten, Stream.map(known, Forgotten.told)),
    transfers: Stream.map(BrokerSource.transfers({ ...source, from }), Forgotten.told)
  }
})

/** What a report says where the broker's key changed while it read (`Broker.layerRotating`). */
const TWO_KEYS =
  "The exchange was read with more than one key. The report holds if all of them belong to one master account; " +
  "nobody could tell otherwise."

/** Returns an Effect that gives what the report has to say of the keys with which the broker read from now on. */
const keysOf = Effect.gen(function*() {
  const { origin } = yield* Broker.Broker
  const before = yield* origin
  return Effect.map(
    origin,
    (after): ReadonlyArray<string> => after.fingerprint === before.fingerprint ? [] : [TWO_KEYS]
  )
})

/**
 * Reads both histories from the service, around the range as far as the policy looks, and reconciles them. Deposits that
 * the service has forgotten are not asked for; they are a gap of the coverage, which says so, and entries that depend on
 * them end as `coverage-gap`.
 */
export const run = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<Report.Report, BrokerError.RequestError | InvalidRange | PolicyError, Broker.Broker> {
  const keys = yield* keysOf
  const { deposits, transfers } = yield* sources(options)
  const report = yield* Reconciliation.reconcile(deposits, transfers, options).pipe(
    Effect.catchTag("InvalidSlice", Effect.die)
  )
  return { ...report, warnings: [...report.warnings, ...yield* keys] }
}, Span.within("BrokerReconciliation.run"))

/** The number of slices that are read ahead. */
const AHEAD = 2

/** Gives the same as a stream. */
export const events = (
  options: Options
): Stream.Stream<
  Reconciliation.Event,
  BrokerError.RequestError | InvalidRange | PolicyError | Unordered,
  Broker.Broker
> =>
  Stream.unwrap(Effect.gen(function*() {
    const keys = yield* keysOf
    const { deposits, transfers } = yield* sources(options)
    return Reconciliation.events(
      Stream.buffer(deposits, { capacity: AHEAD }),
      Stream.buffer(transfers, { capacity: AHEAD }),
      options
    ).pipe(
      Stream.mapEffect((event): Effect.Effect<Reconciliation.Event> =>
        event._tag === "Outcome" ? Effect.succeed(event) : Effect.map(keys, (said) => ({
          ...event,
          summary: { ...event.summary, warnings: [...event.summary.warnings, ...said] }
        }))
      )
    )
  })).pipe(Stream.catchTag("InvalidSlice", Stream.die))
