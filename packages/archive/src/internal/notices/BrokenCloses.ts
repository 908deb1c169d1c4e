/**
 * The closes of which a destination is told: that one does not stand any more, and once that it stands again or was taken back. A close is
 * compared where something of its period may have changed since the destination was told the last time, and otherwise not.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import type * as ArchiveError from "../../ArchiveError.ts"
import type * as Closing from "../../Closing.ts"
import * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import * as Period from "../../Period.ts"
import * as EntryStates from "../books/EntryStates.ts"
import * as Judgement from "../books/Judgement.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Closes from "../periods/Closes.ts"
import * as Comparison from "../periods/Comparison.ts"
import type * as Database from "../sql/Database.ts"
import * as Letters from "./Letters.ts"
import * as Outbox from "./Outbox.ts"

/** The subject under which the last execution is marked up to which no change of a closed period was left uncompared. */
const COMPARED = "closes"

/** The closes that were told to be broken are marked under this word, with the execution after which they were. */
const WORD = "close"

/** What a destination is to be told, and which marks that takes away and sets. */
export interface News {
  readonly letters: ReadonlyArray<Outbox.Letter>
  readonly over: ReadonlyArray<string>
  readonly marks: ReadonlyArray<string>
}

const subjectOf = ({ number }: Pick<Closing.Close, "number">): string => `${WORD} ${number}`

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const outbox = Outbox.make(sql)
  const states = EntryStates.make(sql)
  const comparison = Comparison.make(database)

  /** Prepares to tell of the closes of a ledger, whose last row is an execution. Each close is compared once, for whomever it is told. */
  return (ledger: Ledger.Read) => {
    const all = Closes.all(ledger.closings)
    const standing = all.filter(({ reopened }) => reopened === undefined)
    const compare = comparison(ledger)
    const compared = new Map<number, Option.Option<Period.Period>>()
    /** When the entries lie on which somebody ever decided. */
    const decided = ledger.decisions.flatMap(({ body }) => Decision.subjects(body))

    /** Compares a close; nothing comes of one that needs a run which is damaged. */
    const became = Effect.fnUntraced(function*(closed: Period.Closed) {
      const { number } = closed.close
      const known = compared.get(number)
      if (known !== undefined) return known
      const found = yield* Effect.map(compare(closed), Option.some).pipe(
        Effect.catchTag(
          "ArchiveError",
          (failure) =>
            failure.reason._tag === "Damaged" ? Effect.succeed(Option.none<Period.Period>()) : Effect.fail(failure)
        )
      )
      compared.set(number, found)
      return found
    })

    /** Finds the closes that may stand otherwise than after an execution. */
    const touched = Effect.fnUntraced(function*(since: number, told: ReadonlySet<string>) {
      const [first, last] = [standing[0]?.close, standing.at(-1)?.close]
      if (first === undefined || last === undefined) return []
      const moved = yield* Effect.mapError(
        states.movedBehind(Math.max(since, first.number), { from: first.from, to: last.to }),
        error
      )
      const later = ledger.executions.filter(({ body }) => body.number > since)
      const isJudgedBehind = ({ number }: Closing.Close, period: Coverage.Interval): boolean =>
        later.some(({ body }) =>
          body.number > number &&
          Execution.judgings(body).some(({ range }) => range === null || Timeline.overlaps(range, period))
        )
      return standing.filter(({ close }) => {
        const isOf = Judgement.isOf(close)
        if (moved.some(({ at, execution }) => execution > close.number && isOf({ at }))) return true
        // What was decided on an entry that never waited moves nothing in the books, and may break a close all the same.
        return (told.has(subjectOf(close)) || decided.some(isOf)) && isJudgedBehind(close, close)
      })
    })

    /** Gives what a destination is to be told, with the marks that are due once it is; undefined where no close was ever made. */
    return Effect.fnUntraced(function*(
      occasion: Letters.Occasion
    ): Effect.fn.Return<News | undefined, ArchiveError.OutcomesError> {
      if (all.length === 0) return undefined
      const { execution: { body: { number } }, receiver: { id } } = occasion
      const marks = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)
      const told = new Set(yield* marks(outbox.subjects(id, WORD)))
      const since = yield* marks(outbox.mark(id, COMPARED))
      const letters: Array<Outbox.Letter> = []
      const over: Array<string> = []
      const began: Array<string> = []

      /** An episode of a close ends: it has the number with which it began. */
      const end = Effect.fnUntraced(function*(closed: Period.Closed) {
        const subject = subjectOf(closed.close)
        const episode = yield* marks(outbox.mark(id, subject))
        letters.push(Letters.ofClose(occasion, subject, { period: closed, state: "over", episode: episode ?? number }))
        over.push(subject)
      })

      for (const closed of all) {
        if (closed.reopened !== undefined && told.has(subjectOf(closed.close))) yield* end(closed)
      }
      let isComplete = true
      for (const closed of yield* touched(since ?? 0, told)) {
        const subject = subjectOf(closed.close)
        const found = yield* became(closed)
        if (Option.isNone(found)) isComplete = false
        else if (!Period.isBroken(found.value)) {
          if (told.has(subject)) yield* end(closed)
        } else if (!told.has(subject)) {
          letters.push(Letters.ofClose(occasion, subject, { period: found.value, state: "began", episode: number }))
          began.push(subject)
        }
      }
      // What could not be compared is compared again after the next execution.
      return { letters, over, marks: isComplete ? [...began, COMPARED] : began }
    })
  }
}
