/** Notices are written into the outbox, in the transaction that makes them true. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type * as ArchiveError from "../../ArchiveError.ts"
import type * as Execution from "../../Execution.ts"
import type * as Notice from "../../Notice.ts"
import * as EntryStates from "../books/EntryStates.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import type * as Database from "../sql/Database.ts"
import * as BrokenCloses from "./BrokenCloses.ts"
import * as Letters from "./Letters.ts"
import * as News from "./News.ts"
import * as Outbox from "./Outbox.ts"
import type { Receiver } from "./Port.ts"
import * as Told from "./Told.ts"

/** Who is told of an execution, and with which prices. */
export interface Audience {
  readonly receivers: ReadonlyArray<Receiver>
  /** Prices of one unit by asset, exact decimal text: notices then tell what entries are worth. Default: none. */
  readonly prices?: Letters.Prices
}

/** If more items are news at once, one notice tells of all of them. */
const MOST = 100

/** The subject under which the last execution is marked of which a destination was told. */
const BOOKS = "books"

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const brokenCloses = BrokenCloses.make(database)
  const outbox = Outbox.make(sql)
  const states = EntryStates.make(sql)

  /** Tells of the items that a destination was told one by one, and of which no entry waits any more. It forgets them then. */
  const settled = Effect.fnUntraced(function*(
    occasion: Letters.Occasion
  ): Effect.fn.Return<ReadonlyArray<Outbox.Letter>, SqlError> {
    const { id } = occasion.receiver
    const told = Told.items(yield* outbox.subjects(id, Told.WORD))
    if (told.size === 0) return []
    const stand = yield* states.ofItems(Array.from(new Set(Array.from(told.values()).flat())))
    const over = Told.settled(told, stand)
    yield* outbox.clearMarks(id, over.flatMap(Told.subjectsOf))
    return over.flatMap((item) => Letters.ofSettled(occasion, item))
  })

  const news = Effect.fnUntraced(function*(
    occasion: Letters.Occasion
  ): Effect.fn.Return<ReadonlyArray<Outbox.Letter>, SqlError> {
    const { at, execution, receiver: { id } } = occasion
    const told = yield* outbox.mark(id, BOOKS)
    if (told === undefined) return [Letters.ofMany(occasion, "open-items", yield* News.open(states))]
    const over = yield* settled(occasion)
    const found = yield* News.behind(states, told)
    if (found.length > MOST) return [...over, Letters.ofMany(occasion, "many-items", found.map(({ item }) => item))]
    yield* outbox.setMarks(id, found.flatMap(({ item }) => Told.subjectsOf(item)), execution.body.number, at)
    return [...over, ...found.map((one) => Letters.ofItem(occasion, one))]
  })

  return {
    /**
     * Tells of an execution whose changes were just written, and which is the end of the ledger as it is given. It runs inside their
     * transaction; `at` in Unix ms.
     */
    ofExecution: Effect.fnUntraced(function*(
      execution: Execution.Execution,
      ledger: Ledger.Read,
      { prices = new Map(), receivers }: Audience,
      at: number
    ): Effect.fn.Return<void, ArchiveError.OutcomesError> {
      const closes = brokenCloses(ledger)
      for (const receiver of receivers) {
        const occasion = { execution, at, receiver, prices }
        const ofItems = yield* Effect.mapError(news(occasion), error)
        const letters = [...ofItems, ...yield* closes(occasion)]
        yield* Effect.mapError(outbox.put(receiver.id, letters, at), error)
        yield* Effect.mapError(outbox.setMarks(receiver.id, [BOOKS], execution.body.number, at), error)
      }
    }),
    /** Tells of a condition where it began or is over since the receiver was told of it. It runs inside a transaction. */
    ofCondition: Effect.fnUntraced(function*(
      receiver: Receiver,
      found: Letters.Found,
      at: number
    ): Effect.fn.Return<void, SqlError> {
      const { isOn, kind }: { readonly isOn: boolean; readonly kind: Notice.Condition } = found
      const since = yield* outbox.mark(receiver.id, kind)
      if (isOn === (since !== undefined)) return
      yield* outbox.put(receiver.id, [Letters.ofCondition(receiver, found, since ?? at, at)], at)
      yield* isOn ? outbox.setMarks(receiver.id, [kind], at, at) : outbox.clearMarks(receiver.id, [kind])
    })
  }
}
