/** Reads the outcomes to which one run came and another did not: all others are the same, word by word, and need no look. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Database from "../sql/Database.ts"
import * as Pages from "../sql/Pages.ts"
import * as Content from "./Content.ts"
import * as IdSet from "./IdSet.ts"
import * as Pack from "./Pack.ts"
import * as Stored from "./Stored.ts"

/** So many outcomes in rows of their own are read at once. */
const BATCH = 512

/** So many lists of ids are read at once. */
const LISTS = 64

/** This is an outcome of a run in a row of its own; its content is null where that is gone. */
interface OutcomeRow extends Content.Content {
  readonly seen_id: string
  readonly seen_digest: string
}

/** This is a pack of a run; its ids are null where it is gone. */
interface ListRow {
  readonly place: number
  readonly digest: string
  readonly ids: Uint8Array | null
}

type Take = (outcomes: ReadonlyArray<Outcome.Outcome>) => void

export const make = ({ error, place, sql }: Database.Service) => {
  const stored = Stored.make(place)
  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)
  const numberOf = (run: string) => sql`(SELECT number FROM runs WHERE id = ${run})`
  const contents = sql.literal(Content.COLUMNS.map((name) => `c.${name}`).join(", "))

  /** Takes the outcomes in rows of their own: what is open, pending or undetermined, and what was not wholly read. */
  const rows = Effect.fnUntraced(function*(
    run: string,
    other: string,
    take: Take
  ): Effect.fn.Return<void, DatabaseError> {
    let after = { id: "", digest: "" }
    for (;;) {
      const found = yield* query(
        sql<OutcomeRow>`SELECT ${contents}, o.id AS seen_id, o.digest AS seen_digest
          FROM run_outcomes o LEFT JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
          WHERE o.run = ${numberOf(run)} AND (o.id, o.digest) > (${after.id}, ${after.digest}) AND NOT EXISTS (
            SELECT 1 FROM run_outcomes s WHERE s.run = ${numberOf(other)} AND s.id = o.id AND s.digest = o.digest
          )
          ORDER BY o.id, o.digest LIMIT ${BATCH}`
      )
      take(yield* Effect.forEach(found, (row) => stored.ofRow(row, `run ${run}`)))
      const last = found.at(-1)
      if (last === undefined || found.length < BATCH) return
      after = { id: last.seen_id, digest: last.seen_digest }
    }
  })

  const listsBehind = (run: string, other: string, place: number) =>
    sql<ListRow>`SELECT o.place, o.digest, p.ids FROM run_packs o LEFT JOIN packs p ON p.digest = o.digest
      WHERE o.run = ${numberOf(run)} AND o.place > ${place} AND NOT EXISTS (
        SELECT 1 FROM run_packs s WHERE s.digest = o.digest AND s.run = ${numberOf(other)}
      )
      ORDER BY o.place LIMIT ${LISTS}`

  /** Gives the ids of what is matched or set aside, but for those in packs that the other run has as they are. */
  const packed = Effect.fnUntraced(function*(run: string, other: string) {
    const lists: Array<Uint8Array> = []
    yield* query(Pages.read<Pick<ListRow, "place">, ListRow>({
      first: { place: -1 },
      most: LISTS,
      page: ({ place }) => listsBehind(run, other, place),
      take: (rows) => {
        for (const { ids } of rows) if (ids !== null) lists.push(ids)
        return true
      }
    }))
    return IdSet.make(lists)
  })

  const present = ({ ids }: ListRow, what: string) =>
    ids === null ? Effect.fail(stored.damaged(what)) : Effect.succeed(ids)

  /** Gives the outcomes of a pack that are not among those ids. */
  const opened = Effect.fnUntraced(function*(digest: string, what: string, isKnown: (position: number) => boolean) {
    const [pack] = yield* query(
      sql<Pack.Pack>`SELECT ${sql.literal(Pack.COLUMNS.join(", "))} FROM packs WHERE digest = ${digest}`
    )
    const texts = yield* stored.textsOf(pack, what)
    return yield* Effect.forEach(
      texts.filter((_, position) => !isKnown(position)),
      (text) => stored.ofText(text, what)
    )
  })

  /** Takes the outcomes in packs, but for those whose ids the other run has too: they are of the same code and entries. */
  const packs = Effect.fnUntraced(function*(
    run: string,
    other: string,
    known: IdSet.IdSet,
    take: Take
  ): Effect.fn.Return<void, DatabaseError> {
    const what = `run ${run}`
    let after = -1
    for (;;) {
      const lists = yield* query(listsBehind(run, other, after))
      for (const list of lists) {
        const ids = yield* present(list, what)
        const isKnown = IdSet.within(known, ids)
        if (Array.from({ length: Pack.count({ ids }) }, (_, position) => isKnown(position)).every(Boolean)) continue
        take(yield* opened(list.digest, what, isKnown))
      }
      const last = lists.at(-1)
      if (last === undefined || lists.length < LISTS) return
      after = last.place
    }
  })

  return { rows, packed, packs }
}
