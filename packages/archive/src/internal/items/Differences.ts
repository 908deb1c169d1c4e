/** What is missing or too much in an item: the difference of its outcome, as the execution told it that judged the item last. */
import * as Difference from "@tallystick/reconcile/Difference"
import * as Effect from "effect/Effect"
import type * as Execution from "../../Execution.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type * as Database from "../sql/Database.ts"
import * as Outcomes from "./Outcomes.ts"

export const make = (database: Database.Service) => {
  const outcomes = Outcomes.make(database)

  /** Makes a reader for some executions. Of an outcome that cannot be read any more it gives nothing. */
  return (executions: ReadonlyArray<Execution.Execution>) => {
    const read = outcomes(executions)
    return (items: ReadonlyArray<OpenItem.OpenItem>) =>
      Effect.map(
        read(items),
        (found): ReadonlyMap<string, Difference.Difference> =>
          new Map(
            Array.from(found).flatMap(([id, outcome]) => {
              const difference = Difference.of(outcome)
              return difference === undefined ? [] : [[id, difference] as const]
            })
          )
      )
  }
}
