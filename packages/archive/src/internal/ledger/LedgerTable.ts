/** The ledger's table: decisions are read as they were written, or the archive is damaged. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import type * as Database from "../sql/Database.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as Chain from "./Chain.ts"

/** So many rows are read at once. */
const PAGE = 1000

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Decision.Body))

/** The name under which the archive keeps an entry: a deposit's transaction, which its id begins with, or a transfer's id. */
export const recordOf = ({ id, side }: Pick<Decision.Subject, "id" | "side">): string => {
  const end = id.lastIndexOf("~")
  return side === "transfer" || end < 0 ? id : id.slice(0, end)
}

/** This is a row of `ledger_entries`; texts are as they are stored. */
interface EntryRow {
  readonly side: string
  readonly record: string
  readonly id: string
  readonly number: number
}

const entryRows = ({ body, number }: { readonly number: number; readonly body: Decision.Body }) =>
  Decision.subjects(body).map(({ id, side }): EntryRow => ({
    side,
    record: StoredText.encode(recordOf({ side, id })),
    id: StoredText.encode(id),
    number
  }))

const keyOf = ({ id, number, record, side }: EntryRow): string => JSON.stringify([number, side, record, id])

/** What was found wrong, and what the chain's end is. */
export interface Verified {
  readonly head: Chain.Head
  /** The first fault in order of the rows; nothing where all is as it was written. */
  readonly fault?: string
}

export const make = ({ error, place, sql }: Database.Service) => {
  const damaged = (detail: string) => ArchiveError.ArchiveError.of(new ArchiveError.Damaged({ place, detail }))

  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)

  /** Reads a row as a decision, provided that its text is what its id was made of. */
  const decode = (row: Chain.Row): Effect.Effect<Decision.Body, ArchiveError.DatabaseError> => {
    const body = Chain.hash(row.body) === row.id ? decodeBody(row.body) : Option.none()
    return Option.isSome(body) && body.value.number === row.number
      ? Effect.succeed(body.value)
      : Effect.fail(damaged(`row ${row.number} of the ledger is not as it was written`))
  }

  const withRevocation = Effect.fnUntraced(function*(rows: ReadonlyArray<Chain.Row>) {
    const bodies = yield* Effect.forEach(rows, decode)
    const revoked = yield* query(
      rows.length === 0
        ? Effect.succeed([])
        : sql<{ number: number; revokes: number }>`SELECT number, revokes FROM ledger
          WHERE ${sql.in("revokes", rows.map(({ number }) => number))}`
    )
    const by = new Map(revoked.map(({ number, revokes }) => [revokes, number]))
    return rows.flatMap((row, index): ReadonlyArray<Decision.Decision> => {
      const body = bodies[index]
      const revokedBy = by.get(row.number)
      return body === undefined ? [] : [{ id: row.id, body, ...(revokedBy === undefined ? {} : { revokedBy }) }]
    })
  })

  /** Gives the decisions of these numbers, in their order. */
  const decisions = (numbers: ReadonlyArray<number>) =>
    Effect.map(
      Effect.forEach(
        Arr.chunksOf(numbers.toSorted((a, b) => a - b), PAGE),
        (some) => Effect.flatMap(query(Chain.rows(sql, some)), withRevocation)
      ),
      (pages) => pages.flat()
    )

  /** Gives all decisions behind a number, in their order. */
  const behind = Effect.fnUntraced(function*(number: number) {
    const found: Array<Decision.Decision> = []
    for (let after = number;;) {
      const rows = yield* query(Chain.behind(sql, after, PAGE))
      found.push(...(yield* withRevocation(rows)))
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) return found
      after = last.number
    }
  })

  /** Gives the decisions about any of these entries, in the order of their numbers. */
  const about = Effect.fnUntraced(function*(entries: ReadonlyArray<Pick<Decision.Subject, "id" | "side">>) {
    const numbers = new Set<number>()
    for (const { id, side } of entries) {
      const rows = yield* query(sql<{ number: number }>`SELECT number FROM ledger_entries
        WHERE side = ${side} AND record = ${StoredText.encode(recordOf({ side, id }))} AND id = ${
        StoredText.encode(id)
      }`)
      for (const { number } of rows) numbers.add(number)
    }
    return yield* decisions(Array.from(numbers))
  })

  /** Gives the rulings that held at a head and name a record whose own time lies in `[from, to)`. */
  const within = Effect.fnUntraced(function*({ from, to }: Coverage.Interval, head: Chain.Head) {
    const rows = yield* query(sql<{ number: number }>`SELECT DISTINCT e.number FROM ledger_entries e
      JOIN ledger l ON l.number = e.number
      WHERE l.kind IN ('link', 'forbid', 'exclude') AND l.number <= ${head.number}
        AND NOT EXISTS (SELECT 1 FROM ledger r WHERE r.revokes = l.number AND r.number <= ${head.number})
        AND ((e.side = 'deposit' AND EXISTS
            (SELECT 1 FROM deposits d WHERE d.tx_id = e.record AND d.at >= ${from} AND d.at < ${to}))
          OR (e.side = 'transfer' AND EXISTS
            (SELECT 1 FROM transfers t WHERE t.id = e.record AND t.at >= ${from} AND t.at < ${to})))`)
    return yield* decisions(rows.map(({ number }) => number))
  })

  /** The end of the chain. A last row that is not as it was written lets nothing follow it. */
  const head = Effect.gen(function*() {
    const row = yield* query(Chain.last(sql))
    if (row === undefined) return Chain.GENESIS
    yield* decode(row)
    return { number: row.number, id: row.id }
  })

  const insertEntries = Insert.into(sql, "ledger_entries", ["side", "record", "id", "number"])

  /** Writes rows that follow one another. It runs inside the transaction in which the head was read. */
  const append = Effect.fnUntraced(function*(rows: ReadonlyArray<Chain.Row>) {
    for (const row of rows) {
      yield* query(Chain.append(sql, row))
      const entries = entryRows({ number: row.number, body: yield* decode(row) })
      yield* query(insertEntries(entries.map(({ id, number, record, side }) => [side, record, id, number])))
    }
  })

  /** Reads the whole ledger, and holds the chain, the columns and `ledger_entries` against the texts. */
  const verify = Effect.fnUntraced(function*(
    kept: Chain.Head = Chain.GENESIS
  ): Effect.fn.Return<Verified, ArchiveError.DatabaseError> {
    let head = Chain.GENESIS
    let isThrough = kept.number === 0 && kept.id === Chain.GENESIS.id
    for (;;) {
      const rows = yield* query(Chain.behind(sql, head.number, PAGE))
      const [first, last] = [rows[0], rows.at(-1)]
      const found = first === undefined || last === undefined ? [] : yield* query(
        sql<EntryRow>`SELECT side, record, id, number FROM ledger_entries
          WHERE number >= ${first.number} AND number <= ${last.number}`
      )
      const entries = Map.groupBy(found, ({ number }) => number)
      for (const row of rows) {
        const fault = Chain.fault(head, row)
        if (fault !== undefined) return { head, fault }
        const body = decodeBody(row.body)
        const isDerived = Option.isSome(body) && body.value.number === row.number &&
          body.value.previous === row.previous && body.value.kind === row.kind &&
          (body.value.kind === "revoke" ? body.value.decision : null) === row.revokes
        if (!isDerived) return { head, fault: `row ${row.number} of the ledger does not say what its text says` }
        const written = entryRows({ number: row.number, body: body.value }).map(keyOf).toSorted()
        const index = (entries.get(row.number) ?? []).map(keyOf).toSorted()
        if (JSON.stringify(written) !== JSON.stringify(index)) {
          return { head, fault: `what the ledger's index says of row ${row.number} is not what its text says` }
        }
        head = { number: row.number, id: row.id }
        isThrough ||= kept.number === head.number && kept.id === head.id
      }
      if (rows.length < PAGE) break
    }
    const beyond = yield* query(
      sql<{ number: number }>`SELECT number FROM ledger_entries WHERE number > ${head.number} OR number < 1 LIMIT 1`
    )
    if (beyond.length > 0) return { head, fault: `rows behind row ${head.number} of the ledger are gone` }
    return isThrough ? { head } : {
      head,
      fault: `row ${kept.number} of the ledger is not the one that was kept elsewhere: ` +
        (kept.number > head.number ? "the ledger ends before it" : "the ledger was written anew")
    }
  })

  return { about, append, behind, decisions, decode, head, verify, within }
}
