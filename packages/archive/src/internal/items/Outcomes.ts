/** The outcomes of items, as the execution told them that judged the item last. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import * as Execution from "../../Execution.ts"
import type * as OpenItem from "../../OpenItem.ts"
import * as Content from "../runs/Content.ts"
import * as Stored from "../runs/Stored.ts"
import type * as Database from "../sql/Database.ts"
import * as InList from "../sql/InList.ts"

/** Gives an outcome by its id. */
export type Outcomes = ReadonlyMap<string, Outcome.Outcome>

export const make = ({ place, sql }: Database.Service) => {
  const stored = Stored.make(place)
  const contents = sql.literal(Content.COLUMNS.map((name) => `c.${name}`).join(", "))

  const numberOf = (run: string) =>
    Effect.map(sql<{ readonly number: number }>`SELECT number FROM runs WHERE id = ${run}`, ([row]) => row?.number)

  /** What waits stands in rows of its own, and never in packs. */
  const ofRun = Effect.fnUntraced(function*(number: number, outcomes: ReadonlyArray<string>) {
    const rows = yield* sql<Content.Content>`SELECT ${contents}
      FROM run_outcomes o JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
      WHERE o.run = ${number} AND ${InList.of(sql, "o.id", outcomes)}`
    return yield* Effect.forEach(rows, (row) => Effect.option(stored.ofRow(row, `outcome ${row.id}`)))
  })

  /**
   * Makes a reader for some executions, which knows the numbers of their runs. Of an outcome that cannot be read any more it gives
   * nothing: a damaged run keeps nobody from the rest.
   */
  return (executions: ReadonlyArray<Execution.Execution>) => {
    const bodies = new Map(executions.map(({ body }) => [body.number, body]))
    const numbers = new Map<string, number | undefined>()

    const known = Effect.fnUntraced(function*({ run }: Execution.Judging) {
      if (!numbers.has(run)) numbers.set(run, yield* numberOf(run))
      return numbers.get(run)
    })

    /** Looks into the runs of an execution, one by one, until each outcome is found. */
    const ofExecution = Effect.fnUntraced(function*(
      body: Execution.Body,
      items: ReadonlyArray<OpenItem.OpenItem>,
      found: Map<string, Outcome.Outcome>
    ) {
      const left = new Set(items.map(({ outcome }) => outcome))
      for (const judging of Execution.judgings(body)) {
        if (left.size === 0) return
        const number = yield* known(judging)
        if (number === undefined) continue
        for (const outcome of (yield* ofRun(number, Array.from(left))).flatMap(Option.toArray)) {
          found.set(outcome.id, outcome)
          left.delete(outcome.id)
        }
      }
    })

    return Effect.fnUntraced(function*(
      items: ReadonlyArray<OpenItem.OpenItem>
    ): Effect.fn.Return<Outcomes, SqlError> {
      const found = new Map<string, Outcome.Outcome>()
      for (const [number, own] of Map.groupBy(items, ({ execution }) => execution)) {
        const body = bodies.get(number)
        if (body !== undefined) yield* ofExecution(body, own, found)
      }
      return found
    })
  }
}
