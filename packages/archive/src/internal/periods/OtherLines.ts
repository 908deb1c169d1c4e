/** Tells whether the policy said something else of single entries in one execution than in another, but for what decisions say. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ArchiveError from "../../ArchiveError.ts"
import type * as Decision from "../../Decision.ts"
import type * as Execution from "../../Execution.ts"
import * as PolicyLines from "../books/PolicyLines.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"

export type OtherLines = (
  then: Execution.Body,
  now: Execution.Body
) => Effect.Effect<boolean, ArchiveError.DatabaseError>

export const make = (database: Database.Service) => {
  const runs = Lookup.make(database)

  /**
   * `decisions` are all that the ledger has: one that says the same as a line of the policy file makes no difference, whenever it came.
   * Each run is read once.
   */
  return (decisions: ReadonlyArray<Decision.Decision>): OtherLines => {
    const known = new Map<string, Option.Option<PolicyLines.Lines>>()
    const linesOf = Effect.fnUntraced(function*({ run }: Execution.Body) {
      const before = known.get(run)
      if (before !== undefined) return before
      const found = yield* Effect.catchTag(runs.get(run), "Ambiguous", () => Effect.succeed(Option.none()))
      const lines = Option.map(found, ({ summary }) => PolicyLines.make(summary.policy, decisions))
      known.set(run, lines)
      return lines
    })
    return Effect.fnUntraced(function*(then, now) {
      if (then.lines !== undefined && then.lines === now.lines) return false
      const [before, after] = [yield* linesOf(then), yield* linesOf(now)]
      return Option.isSome(before) && Option.isSome(after) &&
        PolicyLines.differing(before.value, after.value).length > 0
    })
  }
}
