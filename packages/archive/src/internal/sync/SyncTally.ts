/** The tally counts what a sync does, and tells it to the caller. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Change } from "../history/History.ts"

/** Progress says how far a sync has come. Counts only grow. */
export interface Progress {
  /** This operation and query is read now; several are read at once, and this is the one that was heard of last. */
  readonly operation: Coverage.Coverage["operation"]
  readonly query: Coverage.TransferQuery | undefined
  /** So many queries of this round are done, that of deposits among them. */
  readonly queriesDone: number
  /**
   * The round reads so many queries. It tells so before it asks for a record; of more than 100 queries of transfers the accounts at
   * which a deposit arrived decide, so that it is 0 until the deposits are read. It does not change afterwards.
   */
  readonly queries: number
  readonly pages: number
  /** The service showed so many records; records that were known, or were read again, count too. */
  readonly records: number
  /** So many records were not known before. */
  readonly added: number
}

/** These counts are of the whole sync. */
export interface Counts extends Omit<Progress, "operation" | "query"> {
  readonly changed: number
  readonly vanished: number
  /** So many records had vanished before, and are shown again. */
  readonly returned: number
  /** So many different texts could not be read. */
  readonly bad: number
}

/** One operation and query, of which a sync reads what it lacks. */
type Scope = Pick<Coverage.Coverage, "operation" | "query">

export interface Tally {
  /** The round will read so many queries. */
  readonly planned: (queries: number) => Effect.Effect<void>
  readonly begun: (scope: Scope) => Effect.Effect<void>
  readonly page: (scope: Scope, page: Seen.Seen<unknown>, change: Change) => Effect.Effect<void>
  readonly slice: (scope: Scope, slice: Pick<Slice.Slice<unknown>, "coverage">, change: Change) => Effect.Effect<void>
  /** A query was read, or refused. */
  readonly done: Effect.Effect<void>
  readonly counts: () => Counts
  /** Gives the operations of which hardly any record was shown again that was read before of the same time. */
  readonly emptied: () => ReadonlyArray<Scope["operation"]>
  /**
   * Gives the parts that were read without a proof. Time that the service has forgotten is not among them: nobody could read
   * that.
   */
  readonly unproven: () => ReadonlyArray<Coverage.Coverage>
}

const operations = ["deposits", "transfers"] as const

/** So few records may go at once without a word, and so many times as many as are shown again are nearly all. */
const HANDFUL = 5
const MOST = 9

export const make = (watch: (progress: Progress) => Effect.Effect<void>): Tally => {
  let scope: Scope = { operation: "deposits" }
  let [queries, queriesDone, pages, records, added, changed, vanished, returned] = [0, 0, 0, 0, 0, 0, 0, 0]
  const bad = new Set<string>()
  const unproven: Array<Coverage.Coverage> = []

  /** So many known records were shown again of each operation, and so many were not. */
  const again = { deposits: 0, transfers: 0 }
  const gone = { deposits: 0, transfers: 0 }

  const count = ({ operation }: Scope, change: Change): void => {
    added += change.added
    changed += change.changed
    vanished += change.vanished
    returned += change.returned
    gone[operation] += change.vanished
  }
  /**
   * Callers are served one at a time: a fiber that is suspended before it is heard would tell less than one that came behind
   * it.
   */
  const turn = Semaphore.makeUnsafe(1)
  const tell = (step: () => void): Effect.Effect<void> =>
    turn.withPermit(Effect.suspend(() => {
      step()
      return watch({ operation: scope.operation, query: scope.query, queries, queriesDone, pages, records, added })
    }))

  return {
    planned: (known) =>
      tell(() => {
        queries = known
      }),
    begun: (now) =>
      tell(() => {
        scope = now
      }),
    page: (of, page, change) =>
      tell(() => {
        scope = of
        pages++
        records += page.records.length
        for (const { raw } of page.bad) bad.add(raw)
        again[of.operation] += page.records.length - change.added
        count(of, change)
      }),
    slice: (of, { coverage }, change) =>
      tell(() => {
        unproven.push(...coverage.filter(({ gap, state }) => state === "incomplete" && gap?.code !== "retention"))
        count(of, change)
      }),
    done: tell(() => {
      queriesDone++
    }),
    counts: () => ({ queries, queriesDone, pages, records, added, changed, vanished, returned, bad: bad.size }),
    emptied: () => operations.filter((one) => gone[one] > HANDFUL && gone[one] >= MOST * again[one]),
    unproven: () => unproven
  }
}
