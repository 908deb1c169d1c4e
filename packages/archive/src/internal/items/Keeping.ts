/**
 * The table of items follows from the entries that wait, from the outcomes in which they stand, and from the ledger. It is written anew of
 * each item that a transaction touches, in that transaction.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import type * as Derived from "../books/Derived.ts"
import * as EntryStates from "../books/EntryStates.ts"
import * as Items from "../books/Items.ts"
import * as About from "../ledger/About.ts"
import * as Holding from "../ledger/Holding.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type * as Database from "../sql/Database.ts"
import * as Acts from "./Acts.ts"
import * as Differences from "./Differences.ts"
import * as ItemRow from "./ItemRow.ts"
import * as ItemTable from "./ItemTable.ts"
import * as Terms from "./Terms.ts"

/** So many items are made at once. */
const BATCH = 500

type Waiting = ReadonlyArray<EntryStates.EntryState>

/** The outcomes of the entries that wait. */
const outcomesOf = (entries: Waiting): ReadonlyArray<string> =>
  Array.from(new Set(entries.filter(Items.isWaiting).map(({ outcome }) => outcome)))

const isSame = (a: ItemRow.Prices, b: ItemRow.Prices): boolean =>
  a.size === b.size && Array.from(a).every(([asset, price]) => b.get(asset) === price)

const textOf = (row: ItemRow.ItemRow): string => JSON.stringify(ItemRow.valuesOf(row))

export interface Keeping extends Derived.Derived {
  /** Writes anew of which items these decisions are, made in the transaction; the ledger is as it was before them. */
  readonly decided: (
    made: ReadonlyArray<Decision.Decision>,
    before: Derived.Followed
  ) => Effect.Effect<void, DatabaseError | SqlError>
  /**
   * Tells whether there are no items although entries wait: an archive of an earlier version had no such table. Whatever is written to
   * the table next fills it.
   */
  readonly isLacking: Effect.Effect<boolean, SqlError>
  /** Fills the table where it is lacking. It runs in a transaction. */
  readonly fill: Effect.Effect<void, DatabaseError | SqlError>
}

export const make = (database: Database.Service): Keeping => {
  const { sql } = database
  const table = ItemTable.make(sql)
  const states = EntryStates.make(sql)
  const differences = Differences.make(database)
  const ledger = Ledger.make(database)

  /** Makes items of entries, some at a time, and hands on what is to be written of them. */
  const making = <E>(
    waiting: Waiting,
    { decisions, executions }: Derived.Followed,
    use: (made: ReadonlyArray<ItemTable.Written>) => Effect.Effect<void, E>
  ) => {
    const prices = ItemRow.pricesOf(executions)
    const actsOn = Acts.make(decisions)
    const differencesOf = differences(executions)
    return Effect.forEach(
      Arr.chunksOf(Items.make(waiting.filter(Items.isWaiting)), BATCH),
      (items) =>
        Effect.flatMap(differencesOf(items), (found) =>
          use(items.map((item) => ({
            row: ItemRow.make(item, { ...actsOn(item), difference: found.get(item.outcome) }, prices),
            terms: Terms.of(item)
          })))),
      { discard: true }
    )
  }

  /** Writes all items at the prices of the last execution, where these are others; what is written at them already stays. */
  const reprice = Effect.fnUntraced(function*({ executions }: Derived.Followed) {
    const prices = ItemRow.pricesOf(executions)
    if (isSame(prices, ItemRow.pricesOf(executions.slice(0, -1)))) return
    yield* Stream.runForEachArray(table.rows, (rows) =>
      table.rewrite(rows.flatMap((row) => {
        const now = ItemRow.priced(row, prices)
        return now.worth === row.worth ? [] : [now]
      })))
  })

  /** So much of the tables is held in memory while all items are written, because their terms come in no order. */
  const roomy = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    sql.onDialectOrElse({
      sqlite: () =>
        Effect.flatMap(sql<{ readonly cache_size: number }>`PRAGMA cache_size`, ([row]) =>
          Effect.acquireUseRelease(
            sql`PRAGMA cache_size = -65536`,
            () => effect,
            () => Effect.ignore(sql`PRAGMA cache_size = ${sql.literal(String(row?.cache_size ?? -2000))}`)
          )),
      orElse: () => effect
    })

  const rebuild = (waiting: Waiting, ledger: Derived.Followed) =>
    Effect.andThen(table.clear, roomy(making(waiting, ledger, table.write)))

  const isLacking = Effect.map(
    sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM items)
      AND EXISTS (SELECT 1 FROM entry_states WHERE state IN ('open', 'pending', 'undetermined'))`,
    ({ length }) => length > 0
  )

  /** Writes anew the items of some outcomes. All items are written where there are none: the list would be taken for whole. */
  const refresh = Effect.fnUntraced(function*(outcomes: ReadonlyArray<string>, ledger: Derived.Followed) {
    if (yield* isLacking) yield* rebuild(yield* states.waiting, ledger)
    else if (outcomes.length > 0) {
      yield* table.remove(outcomes)
      yield* making(yield* states.waitingIn(outcomes), ledger, table.write)
    }
  })

  const faults = Effect.fnUntraced(function*(waiting: Waiting, ledger: Derived.Followed) {
    const rows = new Map<string, string>()
    const terms = new Map<string, ReadonlySet<string>>()
    const named = new Map<string, string>()
    yield* making(waiting, ledger, (made) =>
      Effect.sync(() => {
        for (const { row, terms: own } of made) {
          rows.set(row.key, textOf(row))
          terms.set(row.key, own)
          named.set(row.key, row.id)
        }
      }))
    const found = new Set<string>()
    const lacking = new Map(rows)
    yield* Stream.runForEachArray(table.rows, (kept) =>
      Effect.sync(() => {
        for (const row of kept) {
          lacking.delete(row.key)
          const text = rows.get(row.key)
          if (text === undefined) found.add(`in the list of items ${row.id} comes from no entry that waits`)
          else if (text !== textOf(row)) found.add(`in the list of items ${row.id} is not as the books have it`)
        }
      }))
    for (const key of lacking.keys()) found.add(`in the list of items ${named.get(key) ?? key} is lacking`)
    const counts = new Map<string, number>()
    const misfiled = (key: string): void => {
      found.add(`in the list of items ${named.get(key) ?? key} is found by other words than its own`)
    }
    yield* Stream.runForEachArray(table.terms, (kept) =>
      Effect.sync(() => {
        for (const { key, term } of kept) {
          if (key === null) found.add("in the list of items words are kept of an item that is not there")
          else {
            if (terms.get(key)?.has(term) !== true) misfiled(key)
            counts.set(key, (counts.get(key) ?? 0) + 1)
          }
        }
      }))
    for (const [key, own] of terms) if (counts.get(key) !== own.size) misfiled(key)
    return Array.from(found)
  })

  const decided: Keeping["decided"] = Effect.fnUntraced(function*(made, before) {
    const holder = Holding.make()
    for (const { body, id } of [...before.decisions, ...made]) holder.add({ id, body })
    const { decisions } = holder.held()
    const aboutOf = About.make(decisions)
    const entries = yield* states.of(made.flatMap((decision) => {
      const about = aboutOf(decision)
      return about === undefined ? [] : Decision.subjects(about.body)
    }))
    yield* refresh(outcomesOf(entries), { ...Struct.pick(before, ["executions"]), decisions })
  })

  const fill = Effect.gen(function*() {
    if (!(yield* isLacking)) return
    yield* rebuild(yield* states.waiting, yield* ledger.sound)
  })

  return {
    isLacking,
    fill,
    executed: (outcomes, ledger) => Effect.andThen(refresh(outcomes, ledger), reprice(ledger)),
    decided,
    faults,
    rebuild
  }
}
