/**
 * What people decided about entries: a ledger to which decisions are appended, and from which nothing is ever taken. Each row
 * names the one before it by its hash, so that whoever holds a head of the ledger can tell whether anything up to there was changed.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DatabaseError } from "./ArchiveError.ts"
import type * as Decision from "./Decision.ts"
import type { DecisionError } from "./DecisionError.ts"
import type * as Chain from "./internal/ledger/Chain.ts"
import * as LedgerTable from "./internal/ledger/LedgerTable.ts"
import * as Subjects from "./internal/ledger/Subjects.ts"
import * as Trial from "./internal/ledger/Trial.ts"
import { Database } from "./internal/sql/Database.ts"

export type { Head } from "./internal/ledger/Chain.ts"

export interface Options {
  readonly author: Decision.Author
  /**
   * The number of the last decision that the author knew of: one that others made on the same entries since is a conflict. Absent,
   * the author is taken to know all of them.
   */
  readonly seen?: number
}

export interface Service {
  /**
   * Appends decisions in their order, all of them or none, in one transaction. It fails where an entry is unknown, where the
   * ledger says otherwise and that was not revoked, and where others decided on the same entries since `seen`.
   */
  readonly decide: (
    acts: ReadonlyArray<Decision.Act>,
    options: Options
  ) => Effect.Effect<ReadonlyArray<Decision.Decision>, DatabaseError | DecisionError>
  /** Gives what `decide` would append at this moment, and appends nothing. It fails as `decide` does. */
  readonly attempt: (
    acts: ReadonlyArray<Decision.Act>,
    options: Options
  ) => Effect.Effect<ReadonlyArray<Decision.Decision>, DatabaseError | DecisionError>
  /** Gives all decisions, the first one first. */
  readonly all: Effect.Effect<ReadonlyArray<Decision.Decision>, DatabaseError>
  /** Gives the decisions on an entry, the first one first; revocations of them are not among them. */
  readonly of: (
    entry: Pick<Decision.Subject, "id" | "side">
  ) => Effect.Effect<ReadonlyArray<Decision.Decision>, DatabaseError>
  /**
   * Finds entries by what a person has at hand: a transfer's id, and a deposit's id or its transaction. There are several where a
   * transaction has several outputs.
   */
  readonly find: (name: string) => Effect.Effect<ReadonlyArray<Decision.Subject>, DatabaseError>
  /** Gives the end of the ledger: number 0 and 64 zeros where nothing was ever decided. */
  readonly head: Effect.Effect<Chain.Head, DatabaseError>
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { error, sql } = database
  const table = LedgerTable.make(database)
  const records = Subjects.records(database)
  const trial = Trial.make(records, table)

  const now = Effect.map(Clock.currentTimeMillis, Math.floor)

  const transaction = <A, E extends DatabaseError | DecisionError>(effect: Effect.Effect<A, E>) =>
    sql.withTransaction(effect).pipe(
      Effect.mapError((failure) => failure._tag === "SqlError" ? error(failure) : failure)
    )

  const rowsOf = Effect.fnUntraced(function*(acts: ReadonlyArray<Decision.Act>, options: Options) {
    return yield* trial({ acts, ...options, at: yield* now })
  })

  const decisions = (rows: ReadonlyArray<Trial.Made>) => rows.map(({ body, row: { id } }) => ({ id, body }))

  return Decisions.of({
    decide: (acts, options) =>
      transaction(Effect.gen(function*() {
        const made = yield* rowsOf(acts, options)
        yield* table.append(made.map(({ row }) => row))
        return decisions(made)
      })),
    attempt: (acts, options) => transaction(Effect.map(rowsOf(acts, options), decisions)),
    all: table.behind(0),
    of: (entry) => table.about([entry]),
    find: Effect.fnUntraced(function*(name) {
      const kept = yield* Subjects.beside(records, [{ side: "deposit", id: name }, { side: "transfer", id: name }])
      const found = kept.map(({ subject }) => subject)
      const exact = found.filter(({ id }) => id === name)
      return exact.length > 0 ? exact : found.filter((one) => LedgerTable.recordOf(one) === name)
    }),
    head: table.head
  })
})

export class Decisions extends Context.Service<Decisions, Service>()("@tallystick/archive/Decisions") {
  /** This layer stands over a database that is open. */
  static readonly layer: Layer.Layer<Decisions, never, Database> = Layer.effect(Decisions, make)
}
