/** What the books tell of an outcome that somebody wants to accept. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Execution from "../../Execution.ts"
import type * as Acceptable from "../ledger/Acceptable.ts"
import * as Content from "../runs/Content.ts"
import * as Lookup from "../runs/Lookup.ts"
import * as Stored from "../runs/Stored.ts"
import type * as Database from "../sql/Database.ts"
import * as EntryStates from "./EntryStates.ts"

export const make = (database: Database.Service): Acceptable.Breaks => {
  const { error, place, sql } = database
  const runs = Lookup.make(database)
  const states = EntryStates.make(sql)
  const stored = Stored.make(place)
  const contents = sql.literal(Content.COLUMNS.map((name) => `c.${name}`).join(", "))

  /** Gives what any run tells of what is no break, so that it can be told why nobody can accept it. */
  const settled = Effect.fnUntraced(function*(id: string) {
    const sighting = yield* Effect.catchTag(runs.outcome(id), "Ambiguous", () => Effect.succeed(Option.none()))
    return Option.flatMap(sighting, ({ versions }) => Option.fromUndefinedOr(versions.at(-1)?.outcome)).pipe(
      Option.filter(({ outcome }) => outcome !== "discrepancy"),
      Option.map((outcome): Acceptable.Break => ({ outcome, elsewhere: [] }))
    )
  })

  /** Breaks stand in rows of their own, and never in packs. */
  const seen = (id: string) =>
    Effect.mapError(
      sql<Content.Content & { readonly run: string }>`SELECT r.id AS run, ${contents}
        FROM runs r CROSS JOIN run_outcomes o JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
        WHERE o.run = r.number AND r.id IS NOT NULL AND o.id = ${id}`,
      error
    )

  return Effect.fnUntraced(function*(
    id: string,
    executions: ReadonlyArray<Execution.Execution>
  ): Effect.fn.Return<Option.Option<Acceptable.Break>, DatabaseError> {
    const rows = yield* seen(id)
    const told = new Map(rows.map((row) => [row.run, row]))
    const last = executions.findLast(({ body }) => Execution.judgings(body).some(({ run }) => told.has(run)))
    const judging = last === undefined ? undefined : Execution.judgings(last.body).find(({ run }) => told.has(run))
    const row = judging === undefined ? undefined : told.get(judging.run)
    if (row === undefined) return yield* settled(id)
    const outcome: Outcome.Outcome = yield* stored.ofRow(row, `outcome ${id}`)
    const stand = yield* Effect.mapError(states.of([...outcome.deposits, ...outcome.transfers]), error)
    return Option.some({ outcome, elsewhere: stand.filter((state) => state.outcome !== id) })
  })
}
