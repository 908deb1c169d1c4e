/** Time that was not read is an item of its own: one for each stretch of an operation, however many runs and lists lack it. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Effect from "effect/Effect"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as Execution from "../../Execution.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type * as Database from "../sql/Database.ts"
import * as BookedRun from "./BookedRun.ts"
import * as ItemId from "./ItemId.ts"

const OPERATIONS = ["deposits", "transfers"] as const

type Operation = typeof OPERATIONS[number]

/** What one run of an execution did not read. */
interface Unread {
  readonly by: Execution.Body
  readonly parts: ReadonlyArray<Coverage.Coverage>
}

const ofOperation = (operation: Operation) => (part: Coverage.Coverage): boolean => part.operation === operation

export const make = (database: Database.Service) => {
  const runOf = BookedRun.make(database)

  /** Gives what is unread as the runs found it that are the last ones over some time, as of the last of the executions. */
  return Effect.fnUntraced(function*(
    executions: ReadonlyArray<Execution.Body>
  ): Effect.fn.Return<ReadonlyArray<OpenItem.GapItem>, ArchiveError.DatabaseError> {
    const known = new Map<string, ReadonlyArray<Coverage.Coverage>>()
    const unreadOf = Effect.fnUntraced(function*(by: Execution.Body, judging: Execution.Judging) {
      const found = known.get(judging.run) ?? (yield* runOf(by.number, judging)).summary.unread
      known.set(judging.run, found)
      return found
    })

    const last = Execution.judged(executions).filter(({ from, judging, to }) =>
      judging.unread.some((part) => Timeline.overlaps(part, { from, to }))
    )
    const unread = yield* Effect.forEach(
      last,
      ({ by, from, judging, to }) =>
        Effect.map(unreadOf(by, judging), (parts): Unread => ({ by, parts: Timeline.clip(parts, { from, to }) }))
    )

    /** Gives the first execution that was about any of a stretch and found it unread. */
    const firstOf = Effect.fnUntraced(function*(operation: Operation, stretch: Coverage.Interval) {
      for (const body of executions) {
        for (const judging of Execution.judgings(body)) {
          if (!judging.unread.some((part) => Timeline.overlaps(part, stretch))) continue
          // A damaged run that counts no more keeps nobody from the rest.
          const parts = yield* Effect.catchIf(
            unreadOf(body, judging),
            ({ reason }) => reason._tag === "Damaged",
            () => Effect.succeed([])
          )
          const own = Timeline.clip(parts, judging.range ?? stretch).filter(ofOperation(operation))
          if (own.some((part) => Timeline.overlaps(part, stretch))) return body.number
        }
      }
      return undefined
    })

    const itemsOf = (operation: Operation) => {
      const parts = unread.flatMap(({ parts }) => parts.filter(ofOperation(operation)))
      return Effect.forEach(
        Timeline.union(parts),
        Effect.fnUntraced(function*({ from, to }) {
          const within = unread.filter(({ parts }) =>
            parts.some((part) => part.operation === operation && Timeline.overlaps(part, { from, to }))
          )
          const execution = Math.max(...within.map(({ by }) => by.number))
          return {
            _tag: "Gap",
            id: ItemId.ofGap(operation, from),
            operation,
            from,
            to,
            parts: Coverage.merge(Timeline.clip(parts, { from, to })),
            since: (yield* firstOf(operation, { from, to })) ?? execution,
            execution
          } satisfies OpenItem.GapItem
        })
      )
    }
    const items = (yield* Effect.forEach(OPERATIONS, itemsOf)).flat()
    return items.toSorted((a, b) => a.from - b.from || (a.operation < b.operation ? -1 : 1))
  })
}
