/**
 * What people decided about entries: a ledger to which decisions are appended, and from which nothing is ever taken. Each row
 * names the one before it by its hash, so that whoever holds a head of the ledger can tell whether anything up to there was changed.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import type * as ArchiveError from "./ArchiveError.ts"
import * as Decision from "./Decision.ts"
import type { DecisionError } from "./DecisionError.ts"
import type * as DecisionPage from "./DecisionPage.ts"
import * as Breaks from "./internal/books/Breaks.ts"
import * as Keeping from "./internal/items/Keeping.ts"
import type * as Chain from "./internal/ledger/Chain.ts"
import * as EntryNames from "./internal/ledger/EntryNames.ts"
import * as Ledger from "./internal/ledger/Ledger.ts"
import * as Paging from "./internal/ledger/Paging.ts"
import * as Subjects from "./internal/ledger/Subjects.ts"
import * as Trial from "./internal/ledger/Trial.ts"
import { Database } from "./internal/sql/Database.ts"

export type { Head } from "./internal/ledger/Chain.ts"
export { isTooShort, SHORTEST } from "./internal/ledger/EntryNames.ts"

export interface Options {
  readonly author: Decision.Author
  /**
   * The end of the ledger that the author saw, or its number alone. What somebody else decided on the same entries since, or took back,
   * is a conflict, and so is an outcome to accept of which the books tell other facts since. Of a whole head the ledger must still have
   * that very row. What the same author wrote word for word since, and what still stands, is not written a second time but given as it
   * is, so that a program that got no answer may send the same again with the same `seen`; what was undone since, by anybody, is a
   * conflict. Absent, the author is taken to know everything.
   */
  readonly seen?: number | Chain.Head
}

/** A decision as the answer to an act. */
export interface Answer extends Decision.Decision {
  /** The author had made it already, behind `seen`: it was not written a second time. */
  readonly madeAlready?: true
}

/** What became of many acts. */
export interface Decided {
  /** Each act as a decision, or why it was refused, in the order of the acts. */
  readonly results: ReadonlyArray<Result.Result<Answer, DecisionError>>
  /** The end of the ledger after all of them. */
  readonly head: Chain.Head
}

export interface Service {
  /**
   * Appends decisions in their order, all of them or none, in one transaction, and gives the answer to each act. While the archive asks
   * for approvals, a decision is `proposed`: nothing can be decided otherwise on its entries, and reports do not follow it until
   * another author approves it. It fails where an entry is unknown, where an outcome
   * is not in the books or cannot be accepted, where the ledger says otherwise and that was not revoked, where something was decided
   * on the same entries since `seen`, where an author approves what no other author proposed or what is not as it was, where the
   * archive asks for a token that the author has not, and with `Damaged` where the ledger is not as it was written.
   */
  readonly decide: (
    acts: ReadonlyArray<Decision.Act>,
    options: Options
  ) => Effect.Effect<ReadonlyArray<Answer>, ArchiveError.DatabaseError | DecisionError>
  /**
   * Appends each of many decisions that can be made, and tells why the others are refused, as `decide` would refuse them behind those
   * before them. One transaction writes all that are made: a failure of the database leaves none. Others who write wait meanwhile, so
   * give it a thousand at most.
   */
  readonly decideEach: (
    acts: ReadonlyArray<Decision.Each>,
    options: Options
  ) => Effect.Effect<Decided, ArchiveError.DatabaseError>
  /** Gives what `decide` would append at this moment, and appends nothing. It fails as `decide` does. */
  readonly attempt: (
    acts: ReadonlyArray<Decision.Act>,
    options: Options
  ) => Effect.Effect<ReadonlyArray<Answer>, ArchiveError.DatabaseError | DecisionError>
  /** Gives all decisions, the first one first. */
  readonly all: Effect.Effect<ReadonlyArray<Decision.Decision>, ArchiveError.DatabaseError>
  /**
   * Gives a page of the decisions, the last one first. A program that goes on reads only the rows behind those that it read before, and
   * shows these as it read them: `all` and `tallystick archive check` hold every row against its hash anew. What is behind the first row
   * that is not as it was written is on no page, and the page says so.
   */
  readonly page: (
    asked?: DecisionPage.Asked
  ) => Effect.Effect<DecisionPage.DecisionPage, ArchiveError.DatabaseError>
  /** Gives the decisions on an entry, the first one first; revocations of them are not among them. */
  readonly of: (
    entry: Pick<Decision.Subject, "id" | "side">
  ) => Effect.Effect<ReadonlyArray<Decision.Decision>, ArchiveError.DatabaseError>
  /**
   * Finds entries by what a person has at hand: a transfer's id, and a deposit's id or its transaction; where none has that whole
   * name, those whose id begins so (4 letters at least), or begins and ends so (`40f67cef…g25x8z77`). There are several, 20 at most,
   * where a transaction has several outputs, or where several ids begin so.
   */
  readonly find: (name: string) => Effect.Effect<ReadonlyArray<Decision.Subject>, ArchiveError.DatabaseError>
  /**
   * Gives the end of the ledger: number 0 and 64 zeros where it is empty. Of the rows that a program read before, it holds the last one
   * alone against its hash, as `page` does.
   */
  readonly head: Effect.Effect<Chain.Head, ArchiveError.DatabaseError>
  /** Tells how decisions are made now; the act `setting` changes that. */
  readonly settings: Effect.Effect<Decision.Settings, ArchiveError.DatabaseError>
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const records = Subjects.records(database)
  const trial = Trial.make(records, Breaks.make(database))

  const items = Keeping.make(database)

  const transaction = <A, E extends ArchiveError.DatabaseError | DecisionError>(
    effect: Effect.Effect<A, E | SqlError>
  ) =>
    sql.withTransaction(effect).pipe(
      Effect.mapError((failure) => failure._tag === "SqlError" ? error(failure) : failure)
    )

  const asked = (acts: ReadonlyArray<Decision.Act>, options: Options) =>
    Effect.map(Clock.currentTimeMillis, (now): Trial.Asked => ({ acts, ...options, at: Math.floor(now) }))

  const answer = ({ decision, row }: Trial.Made): Answer =>
    row === undefined ? { ...decision, madeAlready: true } : decision

  const attempt = (acts: ReadonlyArray<Decision.Act>, options: Options) =>
    Effect.flatMap(ledger.sound, (found) => Effect.flatMap(asked(acts, options), (asked) => trial.all(asked, found)))

  /** Writes decisions behind the ledger as it was read in the transaction, and of which items they are. */
  const keep = (made: ReadonlyArray<Trial.Made>, found: Ledger.Read) =>
    Effect.suspend(() => {
      const fresh = made.flatMap(({ decision, row }) => row === undefined ? [] : [{ decision, row }])
      return Effect.andThen(
        ledger.append(fresh.map(({ row }) => row)),
        items.decided(fresh.map(({ decision }) => decision), found)
      )
    })

  return Decisions.of({
    decide: (acts, options) =>
      transaction(Effect.gen(function*() {
        const found = yield* ledger.sound
        const made = yield* trial.all(yield* asked(acts, options), found)
        yield* keep(made, found)
        return made.map(answer)
      })),
    decideEach: (acts, options) =>
      transaction(Effect.gen(function*() {
        const found = yield* ledger.sound
        const results = yield* trial.each(yield* asked(acts, options), found)
        const made = results.flatMap((result) => Result.isSuccess(result) ? [result.success] : [])
        yield* keep(made, found)
        const { id, number } = made.findLast(({ row }) => row !== undefined)?.row ?? found.head
        return { results: results.map(Result.map(answer)), head: { number, id } }
      })),
    attempt: (acts, options) => Effect.map(attempt(acts, options), (made) => made.map(answer)),
    all: Effect.map(ledger.sound, ({ decisions }) => decisions),
    page: (asked = {}) => Effect.map(ledger.recent, (found) => Paging.page(found, asked)),
    of: (entry) => {
      const key = Subjects.keyOf(entry)
      const isAbout = ({ body }: Decision.Decision): boolean =>
        Decision.subjects(body).some((subject) => Subjects.keyOf(subject) === key)
      return Effect.map(ledger.sound, ({ decisions }) => decisions.filter(isAbout))
    },
    find: EntryNames.find(records),
    head: Effect.map(ledger.soundRecent, ({ head }) => head),
    settings: Effect.map(ledger.sound, ({ settings }) => settings)
  })
})

export class Decisions extends Context.Service<Decisions, Service>()("@tallystick/archive/Decisions") {
  /** This layer stands over a database that is open. */
  static readonly layer: Layer.Layer<Decisions, never, Database> = Layer.effect(Decisions, make)
}
