/** Finds the outcome of a run in which an entry stands, also where it was settled from the first. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ArchiveError from "../../ArchiveError.ts"
import type * as Database from "../sql/Database.ts"
import * as Content from "./Content.ts"
import * as Pack from "./Pack.ts"
import * as Stored from "./Stored.ts"

type Named = Pick<Entry.Entry, "id" | "side">

type Found = Effect.Effect<Option.Option<Outcome.Outcome>, ArchiveError.DatabaseError>

/** So many packs are read at once. */
const PACKS = 8

interface PackRow extends Pack.Pack {
  readonly place: number
}

const holds = ({ id, side }: Named) => (outcome: Outcome.Outcome): boolean =>
  outcome[`${side}s`].some((entry) => entry.id === id)

export const make = ({ error, place, sql }: Database.Service) => {
  const stored = Stored.make(place)
  const contents = sql.literal(Content.COLUMNS.map((name) => `c.${name}`).join(", "))
  const columns = sql.literal(Pack.COLUMNS.map((name) => `p.${name}`).join(", "))

  const inRows = Effect.fnUntraced(function*(run: string, entry: Named) {
    const text = JSON.stringify(entry.id)
    const mentions = sql.onDialectOrElse({
      sqlite: () => sql`instr(c.content, ${text}) > 0`,
      orElse: () => sql`position(${text} IN c.content) > 0`
    })
    const rows = yield* Effect.mapError(
      sql<Content.Content>`SELECT ${contents} FROM runs r CROSS JOIN run_outcomes o
        JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
        WHERE r.id = ${run} AND o.run = r.number AND ${mentions}`,
      error
    )
    const outcomes = yield* Effect.forEach(rows, (row) => stored.ofRow(row, `run ${run}`))
    return Option.fromUndefinedOr(outcomes.find(holds(entry)))
  })

  /** A text that does not mention the id is not decoded: of all that takes the longest. */
  const inPack = Effect.fnUntraced(function*(run: string, entry: Named, row: PackRow) {
    const mention = JSON.stringify(entry.id)
    for (const text of yield* stored.textsOf(row, `run ${run}`)) {
      if (!text.includes(mention)) continue
      const outcome = yield* stored.ofText(text, `run ${run}`)
      if (holds(entry)(outcome)) return Option.some(outcome)
    }
    return Option.none()
  })

  const inPacks = Effect.fnUntraced(function*(run: string, entry: Named): Effect.fn.Return<
    Option.Option<Outcome.Outcome>,
    ArchiveError.DatabaseError
  > {
    for (let after = -1;;) {
      const rows = yield* Effect.mapError(
        sql<PackRow>`SELECT o.place, ${columns} FROM runs r JOIN run_packs o ON o.run = r.number
          JOIN packs p ON p.digest = o.digest WHERE r.id = ${run} AND o.place > ${after} ORDER BY o.place LIMIT ${PACKS}`,
        error
      )
      for (const row of rows) {
        const found = yield* inPack(run, entry, row)
        if (Option.isSome(found)) return found
      }
      const last = rows.at(-1)
      if (last === undefined) return Option.none()
      after = last.place
    }
  })

  return (run: string, entry: Named): Found =>
    Effect.flatMap(inRows(run, entry), (found) => Option.isSome(found) ? Effect.succeed(found) : inPacks(run, entry))
}
