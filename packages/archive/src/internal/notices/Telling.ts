/** Notices are written into the outbox, in the transaction that makes them true. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type * as Execution from "../../Execution.ts"
import type * as Notice from "../../Notice.ts"
import * as EntryStates from "../books/EntryStates.ts"
import type * as Database from "../sql/Database.ts"
import * as Letters from "./Letters.ts"
import * as News from "./News.ts"
import * as Outbox from "./Outbox.ts"
import type { Receiver } from "./Port.ts"

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

export const make = ({ sql }: Pick<Database.Service, "sql">) => {
  const outbox = Outbox.make(sql)
  const states = EntryStates.make(sql)

  const news = Effect.fnUntraced(function*(
    occasion: Letters.Occasion
  ): Effect.fn.Return<ReadonlyArray<Outbox.Letter>, SqlError> {
    const told = yield* outbox.mark(occasion.receiver.id, BOOKS)
    if (told === undefined) return [Letters.ofMany(occasion, "open-items", yield* News.open(states))]
    const found = yield* News.behind(states, told)
    return found.length > MOST
      ? [Letters.ofMany(occasion, "many-items", found.map(({ item }) => item))]
      : found.map((one) => Letters.ofItem(occasion, one))
  })

  return {
    /** Tells of an execution whose changes were just written. It runs inside their transaction; `at` in Unix ms. */
    ofExecution: (
      execution: Execution.Execution,
      { prices = new Map(), receivers }: Audience,
      at: number
    ): Effect.Effect<void, SqlError> =>
      Effect.forEach(receivers, (receiver) =>
        Effect.andThen(
          Effect.flatMap(
            news({ execution, at, receiver, prices }),
            (letters) => outbox.put(receiver.id, letters, at)
          ),
          outbox.setMark(receiver.id, BOOKS, execution.body.number, at)
        ), { discard: true }),
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
      yield* isOn ? outbox.setMark(receiver.id, kind, at, at) : outbox.clearMark(receiver.id, kind)
    })
  }
}
