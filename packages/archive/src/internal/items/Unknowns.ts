/** What the books do not know comes before the items of a list: time that was not read, then records that could not be read. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { DatabaseError, OutcomesError } from "../../ArchiveError.ts"
import * as ItemFilter from "../../ItemFilter.ts"
import type * as OpenItem from "../../OpenItem.ts"
import * as BadRecords from "../books/BadRecords.ts"
import * as Gaps from "../books/Gaps.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type * as Database from "../sql/Database.ts"
import type * as Cursor from "./Cursor.ts"

type Unknown = OpenItem.WithoutEntries

/** Its place in the list. */
export type Place = Pick<Cursor.BehindUnknown, "at" | "id" | "kind">

export const placeOf = (item: Unknown): Place =>
  item._tag === "Gap" ? { kind: 0, at: item.from, id: item.id } : { kind: 1, at: item.metAt, id: item.id }

export const compare = (a: Place, b: Place): number =>
  a.kind - b.kind || a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const sideOf = (item: Unknown) =>
  item._tag === "BadRecord" ? item.record.side : item.operation === "deposits" ? "deposit" : "transfer"

const hasWord = (item: Unknown) => (word: string): boolean =>
  item.id.startsWith(word) || (item._tag === "BadRecord" && item.record.raw.toLowerCase().includes(word))

/** Whether a filter shows it: it may be of any asset, account and amount. */
export const isShown = (item: Unknown, filter: ItemFilter.ItemFilter): boolean => {
  const { before = Number.POSITIVE_INFINITY, codes, decided, from = Number.NEGATIVE_INFINITY, side, states } = filter
  const { at } = placeOf(item)
  return states === undefined && at < before && at >= from &&
    (side === undefined || side === sideOf(item)) &&
    (codes === undefined || codes.includes(item._tag === "Gap" ? ItemFilter.UNREAD : "bad-record")) &&
    (decided === undefined || decided.includes("none")) &&
    (filter.text ?? "").toLowerCase().split(/\s+/u).every(hasWord(item))
}

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const gaps = Gaps.make(database)
  const badRecords = BadRecords.make(database)
  const turn = Semaphore.makeUnsafe(1)
  let known: { readonly head: number; readonly items: ReadonlyArray<Unknown> } | undefined

  /** The number of the last row of the ledger. What items are follows from it, and is another only where it is another. */
  const head: Effect.Effect<number, DatabaseError> = Effect.mapError(
    Effect.map(
      sql<{ readonly head: number | null }>`SELECT MAX(number) AS head FROM ledger`,
      ([row]) => row?.head ?? 0
    ),
    error
  )

  /** Gives all of it; it is found once for each head of the ledger, because it takes reading runs. */
  const all: Effect.Effect<ReadonlyArray<Unknown>, OutcomesError> = turn.withPermits(1)(
    Effect.gen(function*() {
      const now = yield* head
      if (known?.head === now) return known.items
      const read = yield* ledger.sound
      const executions = read.executions.map(({ body }) => body)
      const items = [...yield* gaps(executions), ...yield* badRecords.all(executions)]
        .toSorted((a, b) => compare(placeOf(a), placeOf(b)))
      known = { head: read.head.number, items }
      return items
    })
  )

  return { all, head }
}
