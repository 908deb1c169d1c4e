/**
 * The ledger is read from its beginning to its end each time, and each row is held against its hash and the row before it: what is
 * read of it is as it was written. Reading 20,000 decisions takes less than a second.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import type * as Database from "../sql/Database.ts"
import * as Chain from "./Chain.ts"

/** So many rows are read at once. */
const PAGE = 1000

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Decision.Body))

/** Reads the text of a row as a decision; nothing where it does not say what the row's columns say. */
export const decode = ({ body, number, previous }: Chain.Row): Option.Option<Decision.Body> =>
  Option.filter(decodeBody(body), (decoded) => decoded.number === number && decoded.previous === previous)

/** What was found wrong, and what the end of the sound part is. */
export interface Verified {
  readonly head: Chain.Head
  /** The first fault in order of the rows; nothing where all is as it was written. */
  readonly fault?: string
}

export interface Read extends Verified {
  /** The decisions up to the head, the first one first. */
  readonly decisions: ReadonlyArray<Decision.Decision>
}

/** Gives each decision with the number of what took it back. */
const withRevocations = (
  rows: ReadonlyArray<{ readonly id: string; readonly body: Decision.Body }>
): ReadonlyArray<Decision.Decision> => {
  const by = new Map(rows.flatMap(({ body }) => body.kind === "revoke" ? [[body.decision, body.number] as const] : []))
  return rows.map(({ body, id }) => {
    const revokedBy = by.get(body.number)
    return revokedBy === undefined ? { id, body } : { id, body, revokedBy }
  })
}

export const make = ({ error, sql }: Database.Service) => {
  /** Reads up to the first row that is not as it was written. */
  const read: Effect.Effect<Read, DatabaseError> = Effect.gen(function*() {
    const rows: Array<{ readonly id: string; readonly body: Decision.Body }> = []
    let head = Chain.GENESIS
    for (let after = Number.MIN_SAFE_INTEGER;;) {
      const page = yield* Chain.behind(sql, after, PAGE)
      for (const row of page) {
        const body = decode(row)
        const fault = Chain.fault(head, row) ??
          (Option.isNone(body) ? `row ${row.number} of the ledger is no decision` : undefined)
        if (fault !== undefined) return { head, decisions: withRevocations(rows), fault }
        if (Option.isSome(body)) rows.push({ id: row.id, body: body.value })
        head = { number: row.number, id: row.id }
      }
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return { head, decisions: withRevocations(rows) }
      after = last.number
    }
  }).pipe(Effect.mapError(error))

  /** Writes rows that follow one another. It runs inside the transaction in which the head was read. */
  const append = (rows: ReadonlyArray<Chain.Row>) =>
    Effect.mapError(Effect.forEach(rows, (row) => Chain.append(sql, row), { discard: true }), error)

  /** Holds the ledger against itself, and against a head that somebody kept elsewhere. */
  const verify = (kept: Chain.Head = Chain.GENESIS): Effect.Effect<Verified, DatabaseError> =>
    Effect.map(read, ({ decisions, fault, head }) => {
      if (fault !== undefined) return { head, fault }
      const { id } = kept.number === 0 ? Chain.GENESIS : decisions[kept.number - 1] ?? { id: undefined }
      return id === kept.id ? { head } : {
        head,
        fault: `row ${kept.number} of the ledger is not the one that was kept elsewhere: ` +
          (kept.number > head.number ? "the ledger ends before it" : "the ledger was written anew")
      }
    })

  return { append, read, verify }
}
