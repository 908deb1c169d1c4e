/** A sighting is an outcome with the runs that came to it; it is looked up by the beginning of its id. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Run from "../../Run.ts"
import type * as Database from "../sql/Database.ts"
import * as Content from "./Content.ts"
import * as Pack from "./Pack.ts"
import type * as RunOutcome from "./RunOutcome.ts"
import * as RunRow from "./RunRow.ts"
import * as Stored from "./Stored.ts"
import type * as Verification from "./Verification.ts"

const isPrefix = (prefix: string): boolean => /^[0-9a-f]+$/.test(prefix)

/** A content of the outcome, with the numbers of runs that came to it. */
interface Found {
  readonly digest: string
  readonly outcome: Outcome.Outcome
  readonly runs: ReadonlyArray<number>
}

interface SightingRow extends RunOutcome.RunOutcome {
  readonly run: number
}

export const make = (
  { error, place, sql }: Database.Service,
  verification: ReturnType<typeof Verification.make>
) => {
  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)
  const stored = Stored.make(place)

  /** The ids are read run by run, each in its own part of the table: SQLite takes a CROSS JOIN in the order it is written in. */
  const idsInRows = (prefix: string) =>
    query(sql<{ id: string }>`SELECT DISTINCT o.id FROM runs r CROSS JOIN run_outcomes o
      WHERE o.run = r.number AND r.id IS NOT NULL AND o.id >= ${prefix} AND o.id < ${Stored.behind(prefix)}`)

  /** The database looks for the bytes of the beginning anywhere in the ids of a pack; the ids tell whether one begins so. */
  const mayHold = (prefix: string) => {
    const bytes = Pack.beginning(prefix)
    if (bytes.length === 0) return sql`1 = 1`
    return sql.onDialectOrElse({
      sqlite: () => sql`instr(p.ids, ${bytes}) > 0`,
      orElse: () => sql`position(${bytes} IN p.ids) > 0`
    })
  }

  /** Gives the packs of finished runs in which an id begins so, with these ids. */
  const packsWith = (prefix: string) =>
    sql<Pick<Pack.Pack, "digest" | "ids">>`SELECT p.digest, p.ids FROM packs p
      WHERE ${mayHold(prefix)} AND EXISTS (SELECT 1 FROM run_packs o JOIN runs r ON r.number = o.run
        WHERE o.digest = p.digest AND r.id IS NOT NULL)`.stream.pipe(
      Stream.map(({ digest, ids }) => ({
        digest,
        ids: Pack.idsOf({ ids }).filter((id) => id.startsWith(prefix))
      })),
      Stream.filter(({ ids }) => ids.length > 0),
      Stream.runCollect,
      query
    )

  const inRows = Effect.fnUntraced(function*(id: string) {
    const what = `outcome ${id}`
    const rows = yield* query(
      sql<SightingRow>`SELECT o.run, o.id, o.at, o.digest FROM runs r CROSS JOIN run_outcomes o
        WHERE o.run = r.number AND r.id IS NOT NULL AND o.id = ${id} ORDER BY r.number`
    )
    return yield* Effect.forEach(
      Map.groupBy(rows, ({ digest }) => digest),
      Effect.fnUntraced(function*([digest, rows]) {
        const [row] = yield* query(
          sql<Content.Content>`SELECT ${sql.literal(Content.COLUMNS.join(", "))} FROM outcomes
            WHERE at = ${rows[0]?.at ?? 0} AND digest = ${digest}`
        )
        if (row === undefined || row.id !== id) return yield* stored.damaged(what)
        return { digest, outcome: yield* stored.ofRow(row, what), runs: rows.map(({ run }) => run) } satisfies Found
      })
    )
  })

  const inPack = Effect.fnUntraced(function*(digest: string, id: string) {
    const what = `outcome ${id}`
    const [pack] = yield* query(
      sql<Pack.Pack>`SELECT ${sql.literal(Pack.COLUMNS.join(", "))} FROM packs WHERE digest = ${digest}`
    )
    const texts = yield* stored.textsOf(pack, what)
    const rows = yield* query(sql<{ run: number }>`SELECT r.number AS run FROM run_packs o
      JOIN runs r ON r.number = o.run WHERE o.digest = ${digest} AND r.id IS NOT NULL ORDER BY r.number`)
    const own = pack === undefined ? [] : texts.filter((_, index) => Pack.idsOf(pack)[index] === id)
    return yield* Effect.forEach(own, (text) =>
      Effect.map(stored.ofText(text, what), (outcome): Found => ({
        digest: Content.digest(text),
        outcome,
        runs: rows.map(({ run }) => run)
      })))
  })

  /**
   * Reads runs by their numbers. A run whose outcomes are not all its own is damaged: it may never have seen the outcome that
   * was looked for.
   */
  const runsOf = Effect.fnUntraced(function*(numbers: ReadonlySet<number>) {
    const rows = yield* query(
      sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id IS NOT NULL ORDER BY number`
    )
    const listed = yield* Effect.forEach(rows.filter(({ number }) => numbers.has(number)), (row) =>
      Effect.map(
        query(verification.hasItsOutcomes(row)),
        (isSound) => [row.number, isSound ? RunRow.listed(row) : RunRow.damaged(row)] as const
      ))
    return new Map(listed)
  })

  const versionsOf = Effect.fnUntraced(function*(found: ReadonlyArray<Found>) {
    const runs = yield* runsOf(new Set(found.flatMap(({ runs }) => runs)))
    return Array.from(Map.groupBy(found, ({ digest }) => digest).values(), (same) => ({
      outcome: same[0]?.outcome,
      numbers: Array.from(new Set(same.flatMap(({ runs }) => runs))).toSorted((a, b) => a - b)
    }))
      .toSorted((a, b) => (a.numbers[0] ?? 0) - (b.numbers[0] ?? 0))
      .flatMap(({ numbers, outcome }): ReadonlyArray<Run.Version> =>
        outcome === undefined ? [] : [{ outcome, runs: numbers.flatMap((number) => runs.get(number) ?? []) }]
      )
  })

  return Effect.fnUntraced(function*(
    prefix: string
  ): Effect.fn.Return<Option.Option<Run.Sighting>, DatabaseError | Run.Ambiguous> {
    if (!isPrefix(prefix)) return Option.none()
    const packs = yield* packsWith(prefix)
    const ids = new Set([
      ...(yield* idsInRows(prefix)).map(({ id }) => id),
      ...packs.flatMap(({ ids }) => ids)
    ])
    const [id] = ids
    if (id === undefined) return Option.none()
    if (ids.size > 1) return yield* new Run.Ambiguous({ prefix, of: "outcomes", count: ids.size })
    const found = [
      ...yield* inRows(id),
      ...(yield* Effect.forEach(packs, ({ digest }) => inPack(digest, id))).flat()
    ]
    return Option.some({ id, versions: yield* versionsOf(found) })
  })
}
