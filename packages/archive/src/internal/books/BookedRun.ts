/** A run of an execution, held against what the ledger says that it came to. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ArchiveError from "../../ArchiveError.ts"
import type * as Execution from "../../Execution.ts"
import type * as Run from "../../Run.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"
import * as RunDigest from "./RunDigest.ts"
import * as SummaryDigest from "./SummaryDigest.ts"

export const make = (database: Database.Service) => {
  const { error, place, sql } = database
  const runs = Lookup.make(database)

  const damaged = (detail: string) => ArchiveError.ArchiveError.of(new ArchiveError.Damaged({ place, detail }))

  /** Gives a run of the execution of a number with its summary. It fails with `Damaged` where it did not come to what the ledger says. */
  return Effect.fnUntraced(function*(
    number: number,
    { outcomes, run: id, summary }: Execution.Judging
  ): Effect.fn.Return<Run.Recorded, ArchiveError.DatabaseError> {
    const found = yield* Effect.catchTag(runs.get(id), "Ambiguous", () => Effect.succeed(Option.none()))
    if (Option.isNone(found)) return yield* damaged(`run ${id} of execution ${number} of the books is gone`)
    if ((yield* Effect.mapError(RunDigest.of(sql, found.value.run), error)) !== outcomes) {
      return yield* damaged(`run ${id} did not come to what execution ${number} of the books says`)
    }
    if (summary === undefined) return found.value
    const told = yield* Effect.mapError(SummaryDigest.of(sql, found.value.run), error)
    return Option.contains(told, summary)
      ? found.value
      : yield* damaged(`the summary of run ${id} is not the one that execution ${number} of the books followed`)
  })
}
