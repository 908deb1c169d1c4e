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

/** It is apart from what is decoded: a schema of both takes five times as long. */
const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const isOf = ({ number, previous }: Chain.Row) => (body: Body): boolean =>
  body.number === number && body.previous === previous

const decodeBody = {
  decision: Schema.decodeUnknownOption(Decision.Body),
  execution: Schema.decodeUnknownOption(Execution.Body),
  closing: Schema.decodeUnknownOption(Closing.Body)
}

const decoded = <B extends Body>(decode: (value: unknown) => Option.Option<B>) => (row: Chain.Row): Option.Option<B> =>
  Option.filter(Option.flatMap(parse(row.body), decode), isOf(row))

/** Reads the text of a row as a decision; nothing where it does not say what the row's columns say. */
export const decode = decoded(decodeBody.decision)

/** Reads the text of a row as an execution, in the same way. */
export const decodeExecution = decoded(decodeBody.execution)

/** Reads the text of a row as a close or a reopening, in the same way. */
export const decodeClosing = decoded(decodeBody.closing)

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

/** Tells whether a ledger that was read goes through a head, so that nothing up to there is otherwise than its holder knew it. */
export const goesThrough = (
  { closings, decisions, executions }: Pick<Read, "closings" | "decisions" | "executions">,
  kept: Chain.Head
): boolean =>
  [{ id: Chain.GENESIS.id, body: Chain.GENESIS }, ...decisions, ...executions, ...closings]
    .some(({ body, id }) => body.number === kept.number && id === kept.id)

/** What a row says, and of which kind that is. */
type Told =
  | { readonly of: "closing"; readonly body: Closing.Body }
  | { readonly of: "decision"; readonly body: Decision.Body }
  | { readonly of: "execution"; readonly body: Execution.Body }

const toldBy = (row: Chain.Row): Option.Option<Told> =>
  Option.flatMap(
    parse(row.body),
    (value) =>
      Option.map(decodeBody.decision(value), (body): Told => ({ of: "decision", body })).pipe(
        Option.orElse(() => Option.map(decodeBody.execution(value), (body): Told => ({ of: "execution", body }))),
        Option.orElse(() => Option.map(decodeBody.closing(value), (body): Told => ({ of: "closing", body })))
      )
  ).pipe(Option.filter(({ body }) => isOf(row)(body)))

/** What the rows up to a head say, taken together; further rows can be added. */
interface Taken {
  readonly add: (row: Chain.Row, told: Told) => void
  readonly head: () => Chain.Head
  /** Tells whether a row is one of those that were taken. */
  readonly has: (row: Chain.Row) => boolean
  readonly all: () => Omit<Read, keyof Verified>
}

const taken = (): Taken => {
  const holder = Holding.make()
  const executions: Array<Execution.Execution> = []
  const closings: Array<Closing.Closing> = []
  const ids: Array<string> = []
  let head = Chain.GENESIS
  return {
    add: ({ id, number }, { body, of }) => {
      if (of === "decision") holder.add({ id, body })
      else if (of === "execution") executions.push({ id, body })
      else closings.push({ id, body })
      ids.push(id)
      head = { number, id }
    },
    head: () => head,
    has: ({ id, number }) => ids[number - 1] === id,
    all: () => ({ ...holder.held(), executions: [...executions], closings: [...closings] })
  }
}

/** What the rows of a database said when they were read last. Whoever reads takes it away meanwhile, because it changes. */
const takenLast = new WeakMap<SqlClient.SqlClient, Taken>()

export const make = ({ error, place, sql }: Database.Service) => {
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

  /**
   * Reads all rows, of which those that were taken are not decoded again: their texts are those of their hashes. Gives nothing where one
   * of them is another one now.
   */
  const behind = Effect.fnUntraced(function*(known: Taken): Effect.fn.Return<Option.Option<Read>, SqlError> {
    const from = known.head()
    let isSame = from.number === 0
    const verified = yield* walk((row) => {
      if (row.number <= from.number) {
        const isTaken = known.has(row)
        isSame = isTaken && row.number === from.number
        return isTaken
      }
      const told = toldBy(row)
      if (Option.isSome(told)) known.add(row, told.value)
      return Option.isSome(told)
    })
    if (!isSame) return Option.none()
    takenLast.set(sql, known)
    return Option.some({ ...verified, ...known.all() })
  })

  const read: Effect.Effect<Read, ArchiveError.DatabaseError> = Effect.gen(function*() {
    const known = takenLast.get(sql)
    takenLast.delete(sql)
    const again = known === undefined ? Option.none() : yield* behind(known)
    return Option.getOrThrow(Option.isSome(again) ? again : yield* behind(taken()))
  }).pipe(Effect.mapError(error))

  /** The same, but nothing is told of a ledger that is not as it was written, and nothing follows it: it fails with `Damaged`. */
  const sound = Effect.flatMap(read, (found) =>
    found.fault === undefined
      ? Effect.succeed(found)
      : Effect.fail(ArchiveError.ArchiveError.of(new ArchiveError.Damaged({ place, detail: found.fault }))))

  const swallowed = ({ number }: Chain.Row) =>
    ArchiveError.ArchiveError.of(
      new ArchiveError.Failed({
        place,
        detail:
          `row ${number} of the ledger was not written, although the database reported no failure: look for triggers, rules and ` +
          "policies on the table ledger (tallystick archive check names them)"
      })
    )

  /** Fails where the database did not keep a row that was just written. */
  const isKept = (row: Chain.Row) =>
    Chain.behind(sql, row.number - 1, 1).pipe(
      Effect.mapError(error),
      Effect.filterOrFail(([kept]) => kept?.id === row.id && kept.body === row.body, () => swallowed(row))
    )

  /** Writes rows that follow one another. It runs inside the transaction in which the head was read. */
  const append = (rows: ReadonlyArray<Chain.Row>) =>
    Effect.andThen(
      Effect.mapError(Effect.forEach(rows, (row) => Chain.append(sql, row), { discard: true }), error),
      Effect.forEach(rows, isKept, { discard: true })
    )

  /** Holds the ledger against itself, and against a head that somebody kept elsewhere. */
  const verify = (kept: Chain.Head = Chain.GENESIS): Effect.Effect<Verified, ArchiveError.DatabaseError> =>
    Effect.map(read, (found) => {
      const { fault, head } = found
      if (fault !== undefined) return { head, fault }
      return goesThrough(found, kept) ? { head } : {
        head,
        fault: `row ${kept.number} of the ledger is not the one that was kept elsewhere: ` +
          (kept.number > head.number ? "the ledger ends before it" : "the ledger was written anew")
      }
    })

  return { append, read, sound, verify }
}
