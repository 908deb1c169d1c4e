/** What waits in the books, page by page: filtered, searched and sorted by the database, and summed up. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "./ArchiveError.ts"
import * as Cursor from "./internal/items/Cursor.ts"
import * as ItemQuery from "./internal/items/ItemQuery.ts"
import * as ItemRow from "./internal/items/ItemRow.ts"
import * as Keeping from "./internal/items/Keeping.ts"
import * as Summing from "./internal/items/Summing.ts"
import * as Unknowns from "./internal/items/Unknowns.ts"
import * as Ledger from "./internal/ledger/Ledger.ts"
import { Database } from "./internal/sql/Database.ts"
import * as Limit from "./internal/sql/Limit.ts"
import type * as ItemFilter from "./ItemFilter.ts"
import type * as ItemSummary from "./ItemSummary.ts"
import type * as ListedItem from "./ListedItem.ts"
import type * as OpenItem from "./OpenItem.ts"

/** A page has so many items at most. */
export const LARGEST = 1000

export interface Asked {
  /** Default: all items are shown. */
  readonly filter?: ItemFilter.ItemFilter
  /** Default: the oldest comes first. */
  readonly order?: ItemFilter.Order
  /** So many items at most, 1 to 1000. Default: 100. */
  readonly size?: number
  /** The `next` of the page before, asked with the same filter and order. Default: the page is the first one. */
  readonly after?: string
}

export interface Page {
  /** What the books do not know, and the filter shows: it comes before all items, in any order. */
  readonly withoutEntries: ReadonlyArray<OpenItem.WithoutEntries>
  readonly items: ReadonlyArray<ListedItem.ListedItem>
  /** Where the next page begins; absent where this is the last one. */
  readonly next?: string
}

export interface SummaryOptions {
  /** Ages count backwards from here, Unix ms. Default: the last whole minute, so that many who ask share an answer. */
  readonly at?: number
  /** Bounds of the ages, ms, ascending. Default: 1, 3, 7 and 30 days. */
  readonly bounds?: ReadonlyArray<number>
}

/** The prices at which items are worth what they are worth. */
export interface Prices {
  /** The number of the last execution that was made with prices. */
  readonly execution: number
  /** When it was made, Unix ms. */
  readonly at: number
  /** Absent where nobody said which it is. */
  readonly currency?: string
}

/** A page is asked for behind a position that is none of the asked order. */
export class UnknownPosition
  extends Schema.TaggedError<UnknownPosition>("@tallystick/archive/ItemPages/UnknownPosition")("UnknownPosition", {
    after: Schema.String
  })
{
  override get message(): string {
    return `${
      JSON.stringify(this.after)
    } names no position in this order; give the "next" of a page that was asked in the same order`
  }
}

export interface Service {
  /**
   * Gives a page of what waits now. A position names an item by what it is sorted by, and stays where it is while others write: an item
   * that is there throughout, and does not change what it is sorted by, is in one page, whatever comes and goes beside it. It fails with
   * `Damaged` where the table of items is not that of the books.
   */
  readonly page: (asked?: Asked) => Effect.Effect<Page, ArchiveError.OutcomesError | UnknownPosition>
  /**
   * Counts the items of a filter, and adds them up by age and asset. The numbers are of one moment. Until somebody decides or brings the
   * books forward, the same question is answered from memory.
   */
  readonly summary: (
    filter?: ItemFilter.ItemFilter,
    options?: SummaryOptions
  ) => Effect.Effect<ItemSummary.ItemSummary, ArchiveError.OutcomesError>
  /**
   * Tells which prices the worth of items is at; none where no execution was made with prices. Like `Decisions.page`, it does not hold
   * the rows of the ledger anew that the program read before.
   */
  readonly prices: Effect.Effect<Option.Option<Prices>, ArchiveError.DatabaseError>
}

const MINUTE = 60_000

const DAY = 1440 * MINUTE

const BOUNDS = [1, 3, 7, 30].map((days) => days * DAY)

const SIZE = 100

/** A summary reads so many items at once, so that a page comes in between. */
const STEP = 1000

/** So many summaries are kept. */
const KEPT = 32

const OLDEST_FIRST: ItemFilter.Order = { by: "age" }

const make = Effect.gen(function*() {
  const database = yield* Database
  const { error, place, sql } = database
  const unknowns = Unknowns.make(database)
  const query = ItemQuery.make(sql)
  const ledger = Ledger.make(database)
  const items = Keeping.make(database)
  const asked = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)

  /** Nothing is shown of a table that lacks what waits. */
  const filled = Effect.flatMap(asked(items.isLacking), (isLacking) =>
    isLacking
      ? Effect.fail(ArchiveError.ArchiveError.of(
        new ArchiveError.Damaged({
          place,
          detail: "the list of items is empty, and entries wait in the books",
          remedy: "tallystick archive rebuild writes it anew"
        })
      ))
      : Effect.void)

  /** Reads the position behind which a page is asked for. */
  const position = Effect.fnUntraced(function*(after: string, { by, reversed = false }: ItemFilter.Order) {
    const unknown = new UnknownPosition({ after })
    const cursor = yield* Effect.fromOption(Cursor.decode(after), () => unknown)
    const isOfOrder = cursor.by === by && cursor.reversed === reversed
    const isSound = !Cursor.isBehindItem(cursor) || ItemQuery.isValue(cursor.value, by)
    return isOfOrder && isSound ? cursor : yield* unknown
  })

  const page = Effect.fnUntraced(function*({ after, filter = {}, order = OLDEST_FIRST, size = SIZE }: Asked = {}) {
    const { by, reversed = false } = order
    const cursor = after === undefined ? undefined : yield* position(after, order)
    const limit = Limit.clipped(size, LARGEST)
    const behind = cursor !== undefined && Cursor.isBehindItem(cursor) ? cursor : undefined

    const shown = behind === undefined
      ? (yield* unknowns.all).filter((item) =>
        Unknowns.isShown(item, filter) &&
        (cursor === undefined || Cursor.isBehindItem(cursor) || Unknowns.compare(cursor, Unknowns.placeOf(item)) < 0)
      )
      : []
    const withoutEntries = shown.slice(0, limit)
    const last = withoutEntries.at(-1)
    const left = limit - withoutEntries.length
    // One more than the page has tells whether another page follows.
    const rows = yield* asked(query.page({ filter, by, reversed, limit: left + 1, after: behind }))
    if (cursor === undefined && rows.length === 0) yield* filled
    const inPage = rows.slice(0, left)
    const lastRow = inPage.at(-1)
    const next = shown.length + rows.length <= limit
      ? undefined
      : lastRow !== undefined
      ? Cursor.encode({ by, reversed, value: ItemQuery.valueOf(lastRow, by), key: lastRow.key })
      : last === undefined
      ? undefined
      : Cursor.encode({ by, reversed, ...Unknowns.placeOf(last) })
    return {
      withoutEntries,
      items: inPage.map(ItemRow.toItem),
      ...(next === undefined ? {} : { next })
    } satisfies Page
  })

  /** Adds up all items of a filter, as they were while the ledger had one end. */
  const summed = Effect.fnUntraced(function*(
    filter: ItemFilter.ItemFilter,
    at: number,
    bounds: ReadonlyArray<number>
  ) {
    for (;;) {
      const before = yield* unknowns.head
      const without = (yield* unknowns.all).filter((item) => Unknowns.isShown(item, filter))
      const plan = yield* asked(query.plan(filter))
      const summing = Summing.make(at, bounds)
      let last: Summing.Row | undefined
      for (;;) {
        const rows: ReadonlyArray<Summing.Row> = yield* asked(query.step(plan, STEP, last))
        for (const row of rows) summing.add(row)
        last = rows.at(-1) ?? last
        if (rows.length < STEP) break
      }
      if (last === undefined) yield* filled
      if (before === (yield* unknowns.head)) {
        return { head: before, summary: { ...summing.told(), withoutEntries: without.length } }
      }
    }
  })

  const kept = new Map<string, { readonly head: number; readonly summary: ItemSummary.ItemSummary }>()

  /** Many who ask the same at once wait for one answer. */
  const turn = Semaphore.makeUnsafe(1)

  const summary = Effect.fnUntraced(function*(filter: ItemFilter.ItemFilter = {}, options: SummaryOptions = {}) {
    const { bounds = BOUNDS } = options
    const { at = Math.floor((yield* Clock.currentTimeMillis) / MINUTE) * MINUTE } = options
    const key = JSON.stringify([at, bounds, Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1))])
    const known = kept.get(key)
    if (known !== undefined && known.head === (yield* unknowns.head)) return known.summary
    const found = yield* summed(filter, at, bounds)
    kept.delete(key)
    kept.set(key, found)
    if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? key)
    return found.summary
  }, turn.withPermits(1))

  return ItemPages.of({
    page,
    summary,
    prices: Effect.map(ledger.soundRecent, ({ executions }) =>
      Option.map(
        Option.fromUndefinedOr(executions.findLast(({ body }) => body.prices !== undefined)),
        ({ body: { at, number, prices } }): Prices => ({
          execution: number,
          at,
          ...(prices?.currency === undefined ? {} : { currency: prices.currency })
        })
      ))
  })
})

export class ItemPages extends Context.Service<ItemPages, Service>()("@tallystick/archive/ItemPages") {
  /** This layer stands over a database that is open; the layers of `Archive` bring it along. */
  static readonly layer: Layer.Layer<ItemPages, never, Database> = Layer.effect(ItemPages, make)
}
