/** Tells which time of earlier executions has to be judged again, because something changed that may change what they said. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import { wider } from "../coverage/Wider.ts"
import * as Settling from "../history/Settling.ts"
import * as About from "../ledger/About.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"
import * as EntryStates from "./EntryStates.ts"
import * as Executing from "./Executing.ts"
import * as PolicyLines from "./PolicyLines.ts"
import * as Question from "./Question.ts"
import type * as Standing from "./Standing.ts"

/** A run over earlier time is at most so long: its report is held in memory. */
const LONGEST = 7 * 86_400_000

/** Divides time into stretches that are not too long. */
const divided = ({ from, to }: Coverage.Interval): ReadonlyArray<Coverage.Interval> =>
  Array.from({ length: Math.ceil((to - from) / LONGEST) }, (_, index) => ({
    from: from + index * LONGEST,
    to: Math.min(from + (index + 1) * LONGEST, to)
  }))

const ALWAYS: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Tells whether a stretch of time was judged by another policy than a question's, or by other lists of accounts or addresses. */
export const isOfOtherQuestion = ({ accounts, addresses, policy }: Question.Question) => {
  const digest = Executing.policyOf(policy)
  return ({ by }: Execution.Judged): boolean =>
    by.policy !== digest || Question.listed(by.accounts) !== Question.listed(accounts) ||
    by.addresses.digest !== addresses.digest
}

/** An entry of which something else is said than before. */
type Told = Pick<Decision.Subject, "at" | "side">

const operations = { deposit: "deposits", transfer: "transfers" } as const

const momentOf = ({ at, side }: Told): Standing.Changed => ({
  operation: operations[side],
  from: at,
  to: at + 1,
  hasOtherRecords: true,
  hasOtherCoverage: false
})

/**
 * Gives the entries on which somebody decided, each with the number of the row from which on that counts. Words change nothing, and
 * what is only proposed changes nothing before its approval.
 */
const decided = (decisions: ReadonlyArray<Decision.Decision>) => {
  const aboutOf = About.make(decisions)
  return decisions.filter(({ proposed }) => proposed !== true).flatMap((decision) => {
    const about = aboutOf(decision)
    return about === undefined || about.body.kind === "note" || !Decision.everCounted(about)
      ? []
      : Decision.subjects(about.body).map(({ at, side }) => ({ at, side, number: decision.body.number }))
  })
}

const isIn = (times: ReadonlyArray<Coverage.Interval>) => ({ at }: Told): boolean =>
  Timeline.covers(times, { from: at, to: at + 1 })

/** A link holds as long as every one of its entries is as it was: where one lies in time that changed, all of them are due. */
const linked = (decisions: ReadonlyArray<Decision.Decision>, changed: ReadonlyArray<Standing.Changed>) => {
  const hasChanged = isIn(Timeline.union(changed.filter(({ hasOtherRecords }) => hasOtherRecords)))
  return decisions.flatMap((decision): ReadonlyArray<Told> =>
    decision.body.kind === "link" && Decision.holds(decision) && decision.body.entries.some(hasChanged)
      ? decision.body.entries
      : []
  )
}

/** So does an acceptance, as long as its outcome is as it was, which a change near any of its entries may end. */
const accepted = (decisions: ReadonlyArray<Decision.Decision>, reached: ReadonlyArray<Coverage.Interval>) => {
  const isReached = isIn(Timeline.union(reached))
  return decisions.flatMap((decision): ReadonlyArray<Told> =>
    Decision.isAcceptance(decision.body) && Decision.holds(decision) && decision.body.entries.some(isReached)
      ? decision.body.entries
      : []
  )
}

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const states = EntryStates.make(sql)
  const settling = Settling.make(database)
  const runs = Lookup.make(database)
  const records = Subjects.records(database)

  /**
   * Gives the time in which outcomes may be others because of a change. What changed may have a counterpart as far away as the policy
   * looks, and an entry that loses its counterpart to it may take one that is as far from there.
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

  /** Gives the entries of which the policy says something else now than in a run of an execution. */
  const otherLines = Effect.fnUntraced(function*(
    { run }: Execution.Body,
    now: PolicyLines.Lines,
    decisions: ReadonlyArray<Decision.Decision>
  ) {
    const found = yield* Effect.catchTag(runs.get(run), "Ambiguous", () => Effect.succeed(Option.none()))
    if (Option.isNone(found)) return []
    const named = PolicyLines.differing(PolicyLines.make(found.value.summary.policy, decisions), now)
    return named.length === 0 ? [] : yield* Subjects.beside(records, named)
  })

  /**
   * Makes a reader of times by a question. It gives the ranges of a time, apart and in order, that were judged and are to be judged
   * again. They begin and end where earlier executions did, but for long ones.
   */
  const reader = Effect.fnUntraced(function*(
    { changed }: Standing.Standing,
    { accounts, addresses, policy }: Question.Question
  ): Effect.fn.Return<
    (time: Coverage.Interval) => Effect.Effect<ReadonlyArray<Coverage.Interval>, ArchiveError.DatabaseError>,
    ArchiveError.DatabaseError
  > {
    const { decisions, executions } = yield* ledger.sound
    const judged = Execution.judged(executions.map(({ body }) => body))
    const isOfOther = isOfOtherQuestion({ accounts, addresses, policy })
    const waiting = judged.some(isOfOther) ? yield* Effect.mapError(states.waiting, error) : []
    const on = decided(decisions)
    const lines = PolicyLines.make(policy, decisions)
    const linesNow = PolicyLines.digest(lines)

    const near = yield* Effect.forEach(
      [...changed, ...linked(decisions, changed).map(momentOf)],
      (one) => reach(one, policy)
    )
    const changes = [...near, ...accepted(decisions, near).map(momentOf)]
    /** The reach of what is said of entries, each looked up once. */
    const known = new Map<string, Coverage.Interval>()
    const around = Effect.fnUntraced(function*(entry: Told) {
      const key = `${entry.side} ${entry.at}`
      const found = known.get(key) ?? (yield* reach(momentOf(entry), policy))
      known.set(key, found)
      return found
    })
    /** The time near what changed since each execution, and near what is said otherwise of entries than it said. */
    const since = new Map<number, ReadonlyArray<Coverage.Interval>>()
    const reachedSince = Effect.fnUntraced(function*(by: Execution.Body) {
      const known = since.get(by.number)
      if (known !== undefined) return known
      const told = by.lines === linesNow ? [] : yield* otherLines(by, lines, decisions)
      const entries = [...on.filter(({ number }) => number > by.number), ...told.map(({ subject }) => subject)]
      const found = Timeline.union([...changes, ...yield* Effect.forEach(entries, around)])
      since.set(by.number, found)
      return found
    })
    const ofPiece = Effect.fnUntraced(function*(piece: Execution.Judged) {
      // What waits may have been settled by what is asked now. It lies in the piece, so that nothing is looked up for it.
      const asked = isOfOther(piece) ? waiting.filter(({ at }) => at >= piece.from && at < piece.to) : []
      const reached = [
        ...yield* reachedSince(piece.by),
        ...Timeline.union(asked.map(({ at }) => wider({ from: at, to: at + 1 }, 2 * Policy.horizon(policy))))
      ]
      return divided(piece).filter((part) =>
        // Where records could not be read, only all of the time over which that was found tells that they can be now.
        reached.some((one) => Timeline.overlaps(one, piece.judging.badRecords > 0 ? piece : part))
      )
    })
    return (time) =>
      Effect.map(
        Effect.forEach(Timeline.clip(judged, time), ofPiece),
        (due) => due.flat().toSorted((a, b) => a.from - b.from)
      )
  })

  /** Gives what is to be judged again with a run that was just made, whose summary this is. Its own range is left out. */
  const beside = Effect.fnUntraced(function*(
    standing: Standing.Standing,
    summary: Report.Summary
  ): Effect.fn.Return<ReadonlyArray<Coverage.Interval>, ArchiveError.DatabaseError> {
    const { range } = summary
    if (range === null) return []
    const due = yield* (yield* reader(standing, summary))(ALWAYS)
    return due.flatMap((part) => Timeline.subtract([part], [range]))
  })

  return { beside, reader }
}
