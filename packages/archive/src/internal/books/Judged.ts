/** What a run says of the entries that the books care for. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as BookState from "../../BookState.ts"
import * as Subjects from "../ledger/Subjects.ts"
import type * as EntryStates from "./EntryStates.ts"
import * as Judgement from "./Judgement.ts"

export interface Judged {
  /** The time over which the run was made. */
  readonly range: Coverage.Interval | null
  /** Judgements of entries of the range, and of classes that have one there, by `Subjects.keyOf`. */
  readonly judged: ReadonlyMap<string, Judgement.Judgement>
  /** Entries that are known to have waited in the range, and of which the run tells at times outside of it. */
  readonly elsewhere: ReadonlySet<string>
}

/** Streams the outcomes of a run: what waits, and then, unless nobody needs it, what is matched and set aside. */
type Outcomes<E> = (unless: () => boolean) => Stream.Stream<Outcome.Outcome, E>

/** Gives the entries that wait in classes of equal amounts: such a class may be as long as it likes, so that any run may tell of them. */
export const inClasses = (waiting: ReadonlyArray<EntryStates.EntryState>): ReadonlySet<string> =>
  new Set(waiting.filter(({ code }) => code === "class-short" || code === "ambiguous").map(Subjects.keyOf))

/** What a run is about, and whether time that it did not read may change what it says (`Report.Summary`). */
export interface About {
  readonly range: Coverage.Interval | null
  readonly mayChange?: boolean
}

/**
 * Keeps what a run says of entries that wait, and of those that are `known` to have waited: all others were settled from the first. What
 * nothing can change any more counts for entries `far` from the range as well. What is matched is not looked for where the run told every
 * such entry before. Where further reading may change what the run says, nothing but what is final counts for entries of other days: the
 * run may know a class of equal amounts in part. Of an entry that is told twice, because the service told it with several contents, the first in order of time counts.
 */
export const of = <E>(
  outcomes: Outcomes<E>,
  { mayChange = false, range }: About,
  known: ReadonlySet<string>,
  far: ReadonlySet<string>
): Effect.Effect<Judged, E> =>
  Effect.suspend(() => {
    const isOf = Judgement.isOf(range)
    const judged = new Map<string, Judgement.Judgement>()
    const elsewhere = new Set<string>()
    const left = new Set([...known, ...far])
    const take = (outcome: Outcome.Outcome): void => {
      const judgements = Judgement.of(outcome)
      const isAll = Judgement.isWhole(outcome) && (outcome.final || !mayChange) && judgements.some(isOf)
      for (const judgement of judgements) {
        const key = Subjects.keyOf(judgement)
        const isKnown = known.has(key)
        const isSure = outcome.final && far.has(key)
        if (!isAll && !isKnown && !isSure && !BookState.isWaiting(judgement.state)) continue
        left.delete(key)
        if (!isAll && !isSure && !isOf(judgement)) {
          if (isKnown) elsewhere.add(key)
          continue
        }
        const other = judged.get(key)
        if (other === undefined || judgement.at < other.at) judged.set(key, judgement)
      }
    }
    const all = outcomes(() => left.size === 0)
    return Effect.as(
      Stream.runForEachArray(all, (chunk) => Effect.sync(() => chunk.forEach(take))),
      { range, judged, elsewhere }
    )
  })

/**
 * Makes one of what several runs say whose ranges are apart. A class of equal amounts that lies in two ranges is told twice: what is
 * said of an entry by the run over its own time counts.
 */
export const join = (all: ReadonlyArray<Judged>): Judged => {
  const judged = new Map<string, Judgement.Judgement>()
  const own = new Set<string>()
  for (const one of all) {
    for (const [key, judgement] of one.judged) {
      const isOwn = Judgement.isOf(one.range)(judgement)
      if (own.has(key) && !isOwn) continue
      judged.set(key, judgement)
      if (isOwn) own.add(key)
    }
  }
  return { range: null, judged, elsewhere: new Set(all.flatMap(({ elsewhere }) => Array.from(elsewhere))) }
}
