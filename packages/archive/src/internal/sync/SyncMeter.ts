/** Counts what became of rounds of sync. */
import * as Span from "@tallystick/core/Span"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { SyncError } from "../../ArchiveError.ts"
import * as Metrics from "../../Metrics.ts"

/** What is counted of a round. */
interface Ended {
  readonly added: number
  readonly gaps: ReadonlyArray<unknown>
  readonly holes: ReadonlyArray<unknown>
  readonly emptied: ReadonlyArray<unknown>
  readonly clockAhead: number
}

const NANOS = 1e9

const failureOf = <E extends SyncError | { readonly _tag: "BrokerError" }>(cause: Cause.Cause<E>): string => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  return error?._tag === "ArchiveError" ? error.reason._tag : Span.failureType(cause)
}

const outcomeOf = ({ clockAhead, emptied, gaps }: Ended, isDoubted: boolean): string => {
  if (gaps.length > 0) return "gaps"
  return isDoubted || emptied.length > 0 || clockAhead !== 0 ? "doubtful" : "ok"
}

const ended = Effect.fnUntraced(function*(outcome: string) {
  const now = (yield* Clock.currentTimeMillis) / 1000
  yield* Metric.update(Metrics.lastRound, now)
  yield* Metric.update(Metrics.lastRoundOk, outcome === "ok" ? 1 : 0)
  if (outcome === "ok") yield* Metric.update(Metrics.lastSuccess, now)
})

const summed = Effect.fnUntraced(function*({ added, gaps, holes }: Ended) {
  yield* Metric.update(Metrics.recordsAdded, added)
  yield* Metric.update(Metrics.gaps, gaps.length)
  yield* Metric.update(Metrics.holes, holes.length)
})

/** Measures a round; `isDoubted` says that the caller doubts whether it asked for everything. */
export const round =
  (isDoubted: boolean) =>
  <A extends Ended, E extends SyncError | { readonly _tag: "BrokerError" }, R>(
    self: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.monotonicTimeNanos, (began) =>
      Effect.onExit(
        self,
        Effect.fnUntraced(function*(exit) {
          const outcome = Exit.isFailure(exit) ? failureOf(exit.cause) : outcomeOf(exit.value, isDoubted)
          const took = Number((yield* Clock.monotonicTimeNanos) - began) / NANOS
          yield* Metric.update(Metric.withAttributes(Metrics.rounds, { outcome }), 1)
          yield* Metric.update(Metrics.roundDuration, took)
          if (Exit.isSuccess(exit)) yield* summed(exit.value)
          if (outcome !== "interrupted") yield* ended(outcome)
        })
      ))
