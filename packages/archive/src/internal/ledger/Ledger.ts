/**
 * The ledger is read from its beginning to its end, and each row is held against its hash and the row before it: what is read of it is
 * as it was written. A process decodes a text once, because its hash names it: that is most of the work. What is only shown to people
 * does with less: of rows that this process read before, the last one alone is looked at again.
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

/**
 * What the rows up to a head say, taken together. All who read a database share it: a row is compared, or added behind the head, at once,
 * so that nobody finds it between two rows.
 */
interface Taken {
  readonly head: () => Chain.Head
  /** The row before the head. */
  readonly before: () => Chain.Head
  readonly add: (row: Chain.Row, told: Told) => void
  /** Tells whether a row is one of those that were taken. */
  readonly has: (row: Chain.Row) => boolean
  readonly all: () => Omit<Read, keyof Verified>
}

const taken = (): Taken => {
  const holder = Holding.make()
  const executions: Array<Execution.Execution> = []
  const closings: Array<Closing.Closing> = []
  const ids: Array<string> = [Chain.GENESIS.id]
  /** It is made once for all who ask before the next row comes. */
  let all: ReturnType<Taken["all"]> | undefined
  const headOf = (number: number): Chain.Head => ({ number, id: ids[number] ?? Chain.GENESIS.id })
  return {
    head: () => headOf(ids.length - 1),
    before: () => headOf(Math.max(ids.length - 2, 0)),
    add: ({ id }, { body, of }) => {
      if (of === "decision") holder.add({ id, body })
      else if (of === "execution") executions.push({ id, body })
      else closings.push({ id, body })
      ids.push(id)
      all = undefined
    },
    has: ({ id, number }) => ids[number] === id,
    all: () => all ??= { ...holder.held(), executions: [...executions], closings: [...closings] }
  }
}

/** What was taken of the rows of each database. */
const takenOf = new WeakMap<SqlClient.SqlClient, Taken>()

export const make = ({ error, place, sql }: Database.Service) => {
  /** Compares a row with what was taken of it, or takes it; says what is wrong with one that cannot be taken. */
  const take = (known: Taken, row: Chain.Row): "other" | "taken" | "unknown" => {
    if (row.number <= known.head().number) return known.has(row) ? "taken" : "other"
    const told = toldBy(row)
    if (Option.isNone(told)) return "unknown"
    known.add(row, told.value)
    return "taken"
  }

  /**
   * Reads the rows behind one that was taken, up to the first that is not as it was written. Gives nothing where one that was taken is
   * another one now, or gone.
   */
  const behind = Effect.fnUntraced(function*(
    known: Taken,
    from: Chain.Head
  ): Effect.fn.Return<Option.Option<Read>, SqlError> {
    let head = from
    for (;;) {
      const after = head.number === 0 ? Number.MIN_SAFE_INTEGER : head.number
      const page = yield* Chain.behind(sql, after, PAGE)
      for (const row of page) {
        // No row before the first one is ever taken: it is a fault, however often the ledger is read.
        const isKnown = row.number > 0 && row.number <= known.head().number
        const fault = Chain.fault(head, row)
        const found = fault === undefined ? take(known, row) : "other"
        if (isKnown && found !== "taken") return Option.none()
        if (found !== "taken") {
          const told = fault ?? `row ${row.number} of the ledger says nothing that this version knows`
          return Option.some({ head, fault: told, ...known.all() })
        }
        head = { number: row.number, id: row.id }
      }
      // Somebody else may have taken rows meanwhile that were not there when this page was read.
      if (head.number === known.head().number && page.length < PAGE) return Option.some({ head, ...known.all() })
      if (page.length === 0) return Option.none()
    }
  })

  /** Reads from the beginning, and takes every row anew. */
  const anew: Effect.Effect<Read, SqlError> = Effect.suspend(() => {
    const fresh = taken()
    takenOf.set(sql, fresh)
    return Effect.flatMap(
      behind(fresh, Chain.GENESIS),
      Option.match({ onNone: () => anew, onSome: (found) => Effect.succeed(found) })
    )
  })

  /** Reads behind a row that was taken; everything anew where nothing was, or where it does not stand any more. */
  const readFrom = (from: (known: Taken) => Chain.Head): Effect.Effect<Read, ArchiveError.DatabaseError> =>
    Effect.gen(function*() {
      const known = takenOf.get(sql)
      const again = known === undefined ? Option.none() : yield* behind(known, from(known))
      return Option.isSome(again) ? again.value : yield* anew
    }).pipe(Effect.mapError(error))

  const read = readFrom(() => Chain.GENESIS)

  /**
   * The same, but of the rows that this process took before it looks at the last one alone: they are told as they were then. Time does not
   * grow with the ledger.
   */
  const recent = readFrom((known) => known.before())

  /** Tells nothing of a ledger that is not as it was written, so that nothing follows it: it fails with `Damaged`. */
  const unlessDamaged = Effect.flatMap((found: Read) =>
    found.fault === undefined
      ? Effect.succeed(found)
      : Effect.fail(ArchiveError.ArchiveError.of(new ArchiveError.Damaged({ place, detail: found.fault })))
  )

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

  return { append, read, recent, sound: unlessDamaged(read), soundRecent: unlessDamaged(recent), verify }
}
