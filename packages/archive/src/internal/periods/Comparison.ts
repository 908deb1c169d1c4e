/** Holds where the entries of a closed period stand now against where they stood when it was closed. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as BookState from "../../BookState.ts"
import type * as Closing from "../../Closing.ts"
import * as Execution from "../../Execution.ts"
import type * as Period from "../../Period.ts"
import * as BookedRun from "../books/BookedRun.ts"
import * as EntryStates from "../books/EntryStates.ts"
import * as Judgement from "../books/Judgement.ts"
import * as StateDigest from "../books/StateDigest.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"
import * as Causes from "./Causes.ts"
import * as OtherLines from "./OtherLines.ts"

/** What a run said of an entry, and of which entries in one breath. */
interface Told {
  readonly judgement: Period.Stands
  readonly beside: ReadonlyArray<string>
}

interface Suspect {
  readonly before: EntryStates.EntryState | undefined
  readonly after: Period.Stands | undefined
}

type Stood = Judgement.Judgement

type Named = Pick<Stood, "at" | "id" | "side">

const byTime = (a: Stood | undefined, b: Stood | undefined): number => (a?.at ?? 0) - (b?.at ?? 0)

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const states = EntryStates.make(sql)
  const runs = Lookup.make(database)
  const runOf = BookedRun.make(database)
  const otherLines = OtherLines.make(database)

  /** Whether the tables say otherwise than a close what stood then, or otherwise than one another what stands now. */
  const isAltered = Effect.fnUntraced(function*(close: Closing.Close, standing: ReadonlyArray<EntryStates.EntryState>) {
    if (StateDigest.of(standing).digest !== close.states.digest) return true
    return StateDigest.of(yield* states.waitingAfter(close.number, close.to)).digest !== close.carried.digest ||
      (yield* states.disagree(close))
  }, Effect.mapError(error))

  /** Reads what a run of an execution said of entries. */
  const toldBy = Effect.fnUntraced(function*({ by, judging }: Execution.Judged, keys: ReadonlySet<string>) {
    const { run } = yield* runOf(by.number, judging)
    const left = new Set(keys)
    return yield* Stream.runFold(
      runs.outcomes(run, () => left.size === 0),
      () => new Map<string, Told>(),
      (found, outcome) => {
        const judgements = Judgement.of(outcome)
        for (const judgement of judgements) {
          const key = Subjects.keyOf(judgement)
          if (!keys.has(key)) continue
          left.delete(key)
          const other = found.get(key)
          if (other !== undefined && other.judgement.at <= judgement.at) continue
          found.set(key, { judgement: { ...judgement, execution: by.number }, beside: judgements.map(Subjects.keyOf) })
        }
        return found
      }
    )
  })

  /** Reads what the last of these executions said of entries at their times. */
  const told = Effect.fnUntraced(function*(executions: ReadonlyArray<Execution.Body>, entries: ReadonlyArray<Named>) {
    const judged = Execution.judged(executions)
    const byRun = Map.groupBy(entries, ({ at }) => judged.find(({ from, to }) => from <= at && at < to))
    const found = yield* Effect.forEach(
      byRun,
      ([judged, entries]) =>
        judged === undefined
          ? Effect.succeed(new Map<string, Told>())
          : toldBy(judged, new Set(entries.map(Subjects.keyOf)))
    )
    return new Map(found.flatMap((one) => Array.from(one)))
  })

  return (ledger: Ledger.Read) => {
    const hasOtherLines = otherLines(ledger.decisions)
    const executions = ledger.executions.map(({ body }) => body)

    /** Gives a close with what became of its period; the close must be one of the ledger that was read. */
    return Effect.fnUntraced(function*(
      closed: Period.Closed
    ): Effect.fn.Return<Period.Period, ArchiveError.OutcomesError> {
      const { close } = closed
      if (closed.reopened !== undefined) {
        return { ...closed, broken: [], settled: [], waitsOtherwise: [], isAltered: false }
      }
      const causes = Causes.make(ledger, close.number, hasOtherLines)
      const standing = yield* Effect.mapError(states.standing(close, close.number), error)
      const then = new Map(standing.map((state) => [Subjects.keyOf(state), state]))
      const within = yield* Effect.mapError(states.within(close), error)
      const inside = new Set(within.map(Subjects.keyOf))
      const elsewhere = yield* Effect.mapError(
        states.of(standing.filter((state) => !inside.has(Subjects.keyOf(state)))),
        error
      )
      const now = new Map([...within, ...elsewhere].map((state) => [Subjects.keyOf(state), state]))

      const isOf = Judgement.isOf(close)
      const isKnown = (entry: Named): boolean => {
        const key = Subjects.keyOf(entry)
        return then.has(key) || now.has(key)
      }

      const settled: Array<Period.Settled> = []
      const waitsOtherwise: Array<Period.WaitsOtherwise> = []
      const suspects: Array<Suspect> = []
      for (const key of new Set([...then.keys(), ...now.keys()])) {
        const [before, after] = [then.get(key), now.get(key)]
        if (before !== undefined && after !== undefined && causes.isExpected(before, after)) {
          if (!BookState.isWaiting(after.state)) settled.push({ before, after })
          else if (before.state !== after.state) waitsOtherwise.push({ before, after })
        } else if (before === undefined || after === undefined || !Causes.isSame(before, after)) {
          suspects.push({ before, after })
        }
      }

      // The books know nothing of what never waited: of that, what somebody decided on since is looked up in the runs.
      const ruled = causes.ruled.filter((entry) => isOf(entry) && !isKnown(entry))
      const found = yield* told(executions, ruled)
      suspects.push(...Array.from(found.values(), ({ judgement }) => ({ before: undefined, after: judgement })))

      const earlier = executions.filter(({ number }) => number < close.number)
      const known = yield* told(earlier, suspects.flatMap(({ after, before }) => before ?? after ?? []))
      const broken: Array<Period.Break> = []
      for (const suspect of suspects) {
        const entry = suspect.before ?? suspect.after
        if (entry === undefined) continue
        const then = known.get(Subjects.keyOf(entry))
        const { after, before = then?.judgement } = suspect
        // An entry that was settled from the first and is settled so again has not moved.
        if (before !== undefined && after !== undefined && Causes.isSame(before, after)) continue
        broken.push({
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
          causes: yield* causes.of({ before, after, beside: [Subjects.keyOf(entry), ...then?.beside ?? []] })
        })
      }
      return {
        ...closed,
        broken: broken.toSorted((a, b) => byTime(a.before ?? a.after, b.before ?? b.after)),
        settled: settled.toSorted((a, b) => byTime(a.before, b.before)),
        waitsOtherwise: waitsOtherwise.toSorted((a, b) => byTime(a.before, b.before)),
        isAltered: yield* isAltered(close, standing)
      }
    })
  }
}
