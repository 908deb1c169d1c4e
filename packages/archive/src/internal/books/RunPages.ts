/** Finds the runs of a page, and tells which of them brought the books forward. */
import * as Effect from "effect/Effect"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Execution from "../../Execution.ts"
import type * as Run from "../../Run.ts"
import type * as RunPage from "../../RunPage.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"
import * as Limit from "../sql/Limit.ts"

const USUAL = 50

const MOST = 1000

/** Gives the numbers of the executions of each run that has any, the first one first. */
const executionsOf = (executions: ReadonlyArray<Execution.Execution>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const { body } of executions) {
    for (const run of new Set(Execution.judgings(body).map(({ run }) => run))) {
      const numbers = found.get(run)
      if (numbers === undefined) found.set(run, [body.number])
      else numbers.push(body.number)
    }
  }
  return found
}

export const make = (database: Database.Service) => {
  const lookup = Lookup.make(database)
  const { recent } = Ledger.make(database)

  const page = Effect.fnUntraced(function*(
    { before = Number.MAX_SAFE_INTEGER, limit = USUAL, ...asked }: RunPage.Asked = {}
  ): Effect.fn.Return<RunPage.RunPage, DatabaseError> {
    const most = Limit.clipped(limit, MOST)
    const { count, runs } = yield* lookup.paged(asked, most + 1, before)
    const executions = executionsOf((yield* recent).executions)
    const shown = runs.slice(0, most)
    const last = shown.at(-1)
    return {
      runs: shown.map(({ run }) => ({ run, executions: executions.get(run.id) ?? [] })),
      ...(last === undefined || runs.length === shown.length ? {} : { next: last.number }),
      count
    }
  })

  /** The numbers of the executions that brought the books forward by a run. */
  const executions = ({ id }: Pick<Run.Run, "id">): Effect.Effect<ReadonlyArray<number>, DatabaseError> =>
    Effect.map(recent, (read) => executionsOf(read.executions).get(id) ?? [])

  return { executions, page }
}
