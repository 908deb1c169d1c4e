/** Notices are written into the outbox: those of items and conditions in the transaction that makes them true, those of closes behind it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type * as Execution from "../../Execution.ts"
import type * as Notice from "../../Notice.ts"
import * as EntryStates from "../books/EntryStates.ts"
import * as Ledger from "../ledger/Ledger.ts"
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
  const { sql } = database
  const ledgers = Ledger.make(database)
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
    /** Tells of the items of an execution whose changes were just written. It runs inside their transaction; `at` in Unix ms. */
    ofExecution: Effect.fnUntraced(function*(
      execution: Execution.Execution,
      { prices = new Map(), receivers }: Audience,
      at: number
    ): Effect.fn.Return<void, SqlError> {
      for (const receiver of receivers) {
        yield* outbox.put(receiver.id, yield* news({ execution, at, receiver, prices }), at)
        yield* outbox.setMarks(receiver.id, [BOOKS], execution.body.number, at)
      }
    }),
    /**
     * Tells of the closes that an execution broke or healed, which is the end of the ledger as it is given. Holding a period against its
     * close takes time, so that nothing is locked meanwhile. What fails here fails no execution: it is said, and tried again with the next
     * one. So is what another process may have told by then.
     */
    ofCloses: Effect.fnUntraced(
      function*(
        execution: Execution.Execution,
        ledger: Ledger.Read,
        { prices = new Map(), receivers }: Audience,
        at: number
      ) {
        const closes = brokenCloses(ledger)
        for (const receiver of receivers) {
          const news = yield* closes({ execution, at, receiver, prices })
          if (news === undefined) continue
          yield* sql.withTransaction(Effect.gen(function*() {
            const { head } = yield* ledgers.sound
            if (head.number !== ledger.head.number || head.id !== ledger.head.id) return
            yield* outbox.put(receiver.id, news.letters, at)
            yield* outbox.clearMarks(receiver.id, news.over)
            yield* outbox.setMarks(receiver.id, news.marks, execution.body.number, at)
          }))
        }
      },
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.interrupt
          : Effect.logWarning(
            "no notice tells whether a close is broken, until the next execution",
            Cause.squash(cause)
          )
      )
    ),
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
