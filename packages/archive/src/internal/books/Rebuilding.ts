/** The books are computed again from the ledger and from the runs that it names, and held against what stands in them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as BookState from "../../BookState.ts"
import * as Execution from "../../Execution.ts"
import type * as Chain from "../ledger/Chain.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Lookup from "../runs/Lookup.ts"
import * as Counter from "../sql/Counter.ts"
import type * as Database from "../sql/Database.ts"
import * as BookedRun from "./BookedRun.ts"
import * as CloseFaults from "./CloseFaults.ts"
import type * as Derived from "./Derived.ts"
import * as EntryStates from "./EntryStates.ts"
import * as Judged from "./Judged.ts"
import * as Judgement from "./Judgement.ts"
import * as Moves from "./Moves.ts"
import * as Standing from "./Standing.ts"

/** The books as the ledger has them. */
interface Rebuilt {
  readonly ledger: Derived.Followed
  /** The end of the ledger. */
  readonly head: Chain.Head
  readonly states: ReadonlyMap<string, EntryStates.EntryState>
  readonly changes: ReadonlyMap<string, EntryStates.EntryState>
  /** Where closes say something else of these books. */
  readonly faults: ReadonlyArray<string>
}

const changeKey = (change: EntryStates.EntryState): string => `${change.execution} ${Subjects.keyOf(change)}`

const named = ({ id, side }: Pick<EntryStates.EntryState, "id" | "side">): string => `${side} "${id}"`

/** One text for what two of them say alike. */
const textOf = (row: EntryStates.EntryState): string =>
  JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Names what stands otherwise than it should, is lacking, or is too much. */
const differences = (
  rows: ReadonlyArray<EntryStates.EntryState>,
  rebuilt: ReadonlyMap<string, EntryStates.EntryState>,
  keyOf: (row: EntryStates.EntryState) => string,
  say: (row: EntryStates.EntryState, what: string) => string
): ReadonlyArray<string> => {
  const kept = new Map(rows.map((row) => [keyOf(row), row]))
  return [
    ...rows.flatMap((row) => kept.get(keyOf(row)) === row ? [] : [say(row, "stands twice")]),
    ...Array.from(rebuilt).flatMap(([key, row]) => {
      const stands = kept.get(key)
      if (stands === undefined) return [say(row, "is lacking")]
      return textOf(stands) === textOf(row) ? [] : [say(row, "is not as the ledger and its runs have it")]
    }),
    ...Array.from(kept).flatMap(([key, row]) => rebuilt.has(key) ? [] : [say(row, "comes from no execution")])
  ]
}

/** Gives the entries that wait, in the order of their times. */
const waitingOf = ({ states }: Rebuilt): ReadonlyArray<EntryStates.EntryState> =>
  Array.from(states.values()).filter(({ state }) => BookState.isWaiting(state)).toSorted(EntryStates.compare)

export const make = (database: Database.Service, derived: Derived.Derived) => {
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const entries = EntryStates.make(sql)
  const runs = Lookup.make(database)
  const standing = Standing.make(database)
  const rebuilds = Counter.make(sql, "rebuilds")

  const runOf = BookedRun.make(database)

  const judge = Effect.fnUntraced(function*(
    number: number,
    judging: Execution.Judging,
    states: ReadonlyMap<string, EntryStates.EntryState>
  ) {
    const { run } = yield* runOf(number, judging)
    const all = Array.from(states.values())
    const known = all.filter(Judgement.isOf(judging.range)).map(Subjects.keyOf)
    const far = Judged.inClasses(all.filter(({ state }) => BookState.isWaiting(state)))
    const judged = yield* Judged.of((unless) => runs.outcomes(run, unless), judging, new Set(known), far)
    return { known, judged }
  })

  const rebuilt = Effect.gen(function*() {
    const { closings, decisions, executions, head } = yield* ledger.sound
    const states = new Map<string, EntryStates.EntryState>()
    const changes = new Map<string, EntryStates.EntryState>()
    for (const { body } of executions) {
      const told = yield* Effect.forEach(
        Execution.judgings(body),
        (judging) => judge(body.number, judging, states)
      )
      const judged = Judged.join(told.map(({ judged }) => judged))
      const keys = new Set([...told.flatMap(({ known }) => known), ...judged.judged.keys()])
      const moves = Moves.make(body.number, Array.from(keys).flatMap((key) => states.get(key) ?? []), judged)
      for (const state of moves.states) states.set(Subjects.keyOf(state), state)
      for (const change of moves.changes) changes.set(changeKey(change), change)
    }
    const closes = closings.flatMap(({ body }) => body.kind === "close" ? [body] : [])
    const faults = CloseFaults.of(closes, Array.from(changes.values()))
    return { ledger: { decisions, executions }, head, states, changes, faults } satisfies Rebuilt
  })

  /** Whether the ledger went on, so that the books of before are not those of now. */
  const hasGoneOn = ({ number }: Chain.Head) =>
    Effect.map(sql`SELECT number FROM ledger WHERE number > ${number} LIMIT 1`, ({ length }) => length > 0)

  /** Says what stands otherwise; nothing where the ledger went on meanwhile. */
  const compared = Effect.fnUntraced(function*(books: Rebuilt) {
    const { changes, faults, head, states } = books
    const stands = yield* entries.within(null)
    const told = yield* entries.changes()
    const days = yield* standing.faults
    const items = yield* derived.faults(waitingOf(books), books.ledger)
    if (yield* hasGoneOn(head)) return Option.none()
    return Option.some([
      ...faults,
      ...days,
      ...differences(stands, states, Subjects.keyOf, (row, what) => `in the books the state of ${named(row)} ${what}`),
      ...differences(
        told,
        changes,
        changeKey,
        (row, what) => `in the books what execution ${row.execution} changed of ${named(row)} ${what}`
      ),
      ...items
    ])
  })

  const write = Effect.fnUntraced(function*(books: Rebuilt) {
    const { changes, head, ledger, states } = books
    if (yield* hasGoneOn(head)) return Option.none()
    yield* entries.clear
    yield* entries.write(Array.from(states.values()))
    yield* entries.tell(Array.from(changes.values()))
    yield* derived.rebuild(waitingOf(books), ledger)
    yield* rebuilds.raise
    return Option.some(true)
  })

  /** Computes the books, and once more where the ledger went on before they were used. */
  const using = <A>(use: (books: Rebuilt) => Effect.Effect<Option.Option<A>, DatabaseError | SqlError>) =>
    Effect.gen(function*() {
      for (;;) {
        const used = yield* Effect.flatMap(
          rebuilt,
          (books) => Effect.mapError(use(books), (failure) => failure._tag === "SqlError" ? error(failure) : failure)
        )
        if (Option.isSome(used)) return used.value
      }
    })

  /** Says in sentences what stands otherwise in the books than the ledger and its runs have it. */
  const verify = using(compared)

  /** Writes the books anew. */
  const rebuild = Effect.asVoid(using((books) => sql.withTransaction(write(books))))

  return { verify, rebuild }
}
