/**
 * The ledger is read from its beginning to its end each time, and each row is held against its hash and the row before it: what is
 * read of it is as it was written. A process decodes a text once, because its hash names it: that is most of the work.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Closing from "../../Closing.ts"
import * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import type * as Database from "../sql/Database.ts"
import * as Chain from "./Chain.ts"
import * as Holding from "./Holding.ts"

/** So many rows are read at once. */
const PAGE = 1000

/** What a row of the ledger says. */
type Body = Closing.Body | Decision.Body | Execution.Body

const decoded =
  <B extends Body>(decode: (text: string) => Option.Option<B>) => ({ body, number, previous }: Chain.Row) =>
    Option.filter(decode(body), (decoded) => decoded.number === number && decoded.previous === previous)

/** Reads the text of a row as a decision; nothing where it does not say what the row's columns say. */
export const decode = decoded(Schema.decodeUnknownOption(Schema.fromJsonString(Decision.Body)))

/** Reads the text of a row as an execution, in the same way. */
export const decodeExecution = decoded(Schema.decodeUnknownOption(Schema.fromJsonString(Execution.Body)))

/** Reads the text of a row as a close or a reopening, in the same way. */
export const decodeClosing = decoded(Schema.decodeUnknownOption(Schema.fromJsonString(Closing.Body)))

/** What was found wrong, and what the end of the sound part is. */
export interface Verified {
  readonly head: Chain.Head
  /** The first fault in order of the rows; nothing where all is as it was written. */
  readonly fault?: string
}

export interface Read extends Verified {
  /** The decisions up to the head, the first one first. */
  readonly decisions: ReadonlyArray<Decision.Decision>
  /** How decisions are made now. */
  readonly settings: Decision.Settings
  /** The executions of the books up to the head, the first one first. */
  readonly executions: ReadonlyArray<Execution.Execution>
  /** The closes and reopenings up to the head, the first one first. */
  readonly closings: ReadonlyArray<Closing.Closing>
}

/** What a row says, and of which kind that is. */
type Told =
  | { readonly of: "closing"; readonly body: Closing.Body }
  | { readonly of: "decision"; readonly body: Decision.Body }
  | { readonly of: "execution"; readonly body: Execution.Body }

const toldBy = (row: Chain.Row): Option.Option<Told> =>
  Option.map(decode(row), (body): Told => ({ of: "decision", body })).pipe(
    Option.orElse(() => Option.map(decodeExecution(row), (body): Told => ({ of: "execution", body }))),
    Option.orElse(() => Option.map(decodeClosing(row), (body): Told => ({ of: "closing", body })))
  )

/** What the rows of a database said that were decoded before, by their ids. */
const decodedBefore = new WeakMap<SqlClient.SqlClient, Map<string, Told>>()

export const make = ({ error, place, sql }: Database.Service) => {
  const before = decodedBefore.get(sql) ?? new Map<string, Told>()
  decodedBefore.set(sql, before)

  /** Tells what a row says that was held against its hash. */
  const told = (row: Chain.Row): Told | undefined => {
    const known = before.get(row.id)
    if (known !== undefined && known.body.number === row.number && known.body.previous === row.previous) return known
    const found = Option.getOrUndefined(toldBy(row))
    if (found !== undefined) before.set(row.id, found)
    return found
  }

  /** Reads up to the first row that is not as it was written, and tells each row that is. */
  const walk = Effect.fnUntraced(function*(take: (row: Chain.Row) => boolean): Effect.fn.Return<Verified, SqlError> {
    let head = Chain.GENESIS
    for (let after = Number.MIN_SAFE_INTEGER;;) {
      const page = yield* Chain.behind(sql, after, PAGE)
      for (const row of page) {
        const fault = Chain.fault(head, row) ??
          (take(row) ? undefined : `row ${row.number} of the ledger says nothing that this version knows`)
        if (fault !== undefined) return { head, fault }
        head = { number: row.number, id: row.id }
      }
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return { head }
      after = last.number
    }
  })

  const read: Effect.Effect<Read, ArchiveError.DatabaseError> = Effect.gen(function*() {
    const rows: Array<{ readonly id: string; readonly body: Decision.Body }> = []
    const executions: Array<Execution.Execution> = []
    const closings: Array<Closing.Closing> = []
    const verified = yield* walk((row) => {
      const found = told(row)
      if (found?.of === "decision") rows.push({ id: row.id, body: found.body })
      else if (found?.of === "execution") executions.push({ id: row.id, body: found.body })
      else if (found?.of === "closing") closings.push({ id: row.id, body: found.body })
      return found !== undefined
    })
    return { ...verified, ...Holding.of(rows), executions, closings }
  }).pipe(Effect.mapError(error))

  /** The same, but nothing is told of a ledger that is not as it was written, and nothing follows it: it fails with `Damaged`. */
  const sound = Effect.flatMap(read, (found) =>
    found.fault === undefined
      ? Effect.succeed(found)
      : Effect.fail(ArchiveError.ArchiveError.of(new ArchiveError.Damaged({ place, detail: found.fault }))))

  /** Writes rows that follow one another. It runs inside the transaction in which the head was read. */
  const append = (rows: ReadonlyArray<Chain.Row>) =>
    Effect.mapError(Effect.forEach(rows, (row) => Chain.append(sql, row), { discard: true }), error)

  /** Holds the ledger against itself, and against a head that somebody kept elsewhere. */
  const verify = (kept: Chain.Head = Chain.GENESIS): Effect.Effect<Verified, ArchiveError.DatabaseError> =>
    Effect.map(read, ({ closings, decisions, executions, fault, head }) => {
      if (fault !== undefined) return { head, fault }
      const rows = [{ id: Chain.GENESIS.id, body: Chain.GENESIS }, ...decisions, ...executions, ...closings]
      return rows.some(({ body, id }) => body.number === kept.number && id === kept.id) ? { head } : {
        head,
        fault: `row ${kept.number} of the ledger is not the one that was kept elsewhere: ` +
          (kept.number > head.number ? "the ledger ends before it" : "the ledger was written anew")
      }
    })

  return { append, read, sound, verify }
}
