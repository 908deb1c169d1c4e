/** Tells which time of earlier executions has to be judged again, because something changed that may change what they said. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import * as Settling from "../history/Settling.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type * as Database from "../sql/Database.ts"
import * as EntryStates from "./EntryStates.ts"
import * as Executing from "./Executing.ts"
import type * as Standing from "./Standing.ts"

/** A run over earlier time is at most so long: its report is held in memory. */
const LONGEST = 7 * 86_400_000

const wider = ({ from, to }: Coverage.Interval, by: number): Coverage.Interval => ({
  from: Math.max(from - by, 0),
  to: Math.min(to + by, Number.MAX_SAFE_INTEGER)
})

const moment = (at: number): Coverage.Interval => ({ from: at, to: at + 1 })

/** Divides time into stretches that are not too long. */
const divided = ({ from, to }: Coverage.Interval): ReadonlyArray<Coverage.Interval> =>
  Array.from({ length: Math.ceil((to - from) / LONGEST) }, (_, index) => ({
    from: from + index * LONGEST,
    to: Math.min(from + (index + 1) * LONGEST, to)
  }))

/**
 * Gives the entries on which somebody decided, each with the number of the last decision. Words change nothing, and a revocation is
 * about what it takes back.
 */
const decided = (decisions: ReadonlyArray<Decision.Decision>) => {
  const byNumber = new Map(decisions.map((decision) => [decision.body.number, decision.body]))
  return decisions.flatMap(({ body }) => {
    const about = body.kind === "revoke" ? byNumber.get(body.decision) : body
    return about === undefined || about.kind === "note"
      ? []
      : Decision.subjects(about).map(({ at }) => ({ at, number: body.number }))
  })
}

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const states = EntryStates.make(sql)
  const settling = Settling.make(database)

  /**
   * Gives the time in which outcomes may be others because of a change. What changed may have a counterpart as far away as the policy
   * looks; an entry that loses its counterpart to it is as far from there.
   */
  const reach = Effect.fnUntraced(function*(
    { from, hasOtherCoverage, operation, to }: Standing.Changed,
    policy: Policy.Resolved
  ) {
    const far = Policy.horizon(policy)
    const near = wider({ from, to }, 2 * far)
    if (policy.lagFrom === "seen") return near
    if (operation === "transfers") {
      // A deposit that settled near the transfer may have come long before it.
      const settled = yield* settling(wider({ from, to }, far))
      return { from: Math.min(near.from, Math.max(settled.from - far, 0)), to: near.to }
    }
    const settled = yield* settling({ from, to })
    // Where it is not known which deposits there were, none can be told that settled later.
    const last = hasOtherCoverage ? to + Settling.MEMORY : settled.to
    return { from: near.from, to: wider({ from, to: Math.max(to, last) }, 2 * far).to }
  })

  /**
   * Gives ranges, apart and in order of time, that are to be judged again with a run that was just made, whose summary this is. Its
   * own range is left out.
   */
  return Effect.fnUntraced(function*(
    { changed }: Standing.Standing,
    { accounts, addresses, policy, range }: Report.Summary
  ): Effect.fn.Return<ReadonlyArray<Coverage.Interval>, ArchiveError.DatabaseError> {
    const { decisions, executions } = yield* ledger.sound
    const pieces = Execution.judged(executions.map(({ body }) => body))
    if (pieces.length === 0 || range === null) return []
    const far = Policy.horizon(policy)
    const digest = Executing.policyOf(policy)
    const isOfOther = ({ by }: Execution.Judged): boolean =>
      by.policy !== digest || by.accounts.digest !== accounts.digest || by.addresses.digest !== addresses.digest
    const waiting = pieces.some(isOfOther) ? yield* Effect.mapError(states.waiting, error) : []

    const changes = yield* Effect.forEach(changed, (one) => reach(one, policy))
    const on = decided(decisions)
    const due = pieces.flatMap((piece) => {
      const isLater = ({ number }: { readonly number: number }): boolean => number > piece.by.number
      // What waits may have been settled by what is asked now.
      const asked = isOfOther(piece) ? waiting.filter(({ at }) => at >= piece.from && at < piece.to) : []
      const reached = [...on.filter(isLater), ...asked].map(({ at }) => wider(moment(at), far))
      const found = Timeline.intersect([piece], Timeline.union([...changes, ...reached]))
      // A run over a whole day again may be the same as the one before, which is recorded once.
      const isDay = piece.to - piece.from <= LONGEST && Timeline.intersect([piece], changes).length > 0
      return isDay ? [{ from: piece.from, to: piece.to }] : found
    })
    return Timeline.subtract(Timeline.union(due), [range]).flatMap(divided)
  })
}
