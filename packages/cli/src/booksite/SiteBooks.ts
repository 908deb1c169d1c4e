/** Reads from the archive what pages of the books are made of, at one moment as far as the books go. */
import * as Archive from "@tallystick/archive/Archive"
import * as Books from "@tallystick/archive/Books"
import type * as Decision from "@tallystick/archive/Decision"
import * as DecisionOf from "@tallystick/archive/Decision"
import * as Decisions from "@tallystick/archive/Decisions"
import type * as Execution from "@tallystick/archive/Execution"
import * as ItemPages from "@tallystick/archive/ItemPages"
import type * as ItemSummary from "@tallystick/archive/ItemSummary"
import type * as ListedItem from "@tallystick/archive/ListedItem"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import type * as Period from "@tallystick/archive/Period"
import * as Periods from "@tallystick/archive/Periods"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"

/** An item that waits, as a row of a list and with its entries. */
export interface Waiting {
  readonly listed: ListedItem.ListedItem
  readonly item: OpenItem.OpenItem
}

/** What the books say at one moment. */
export interface SiteBooks {
  readonly place: string
  readonly marks: Archive.Marks
  readonly ledger: Archive.Head
  readonly lastReading: number | null
  /** The first one first. */
  readonly executions: ReadonlyArray<Execution.Execution>
  /** What waits, the most worth first. */
  readonly waiting: ReadonlyArray<Waiting>
  readonly withoutEntries: ReadonlyArray<OpenItem.WithoutEntries>
  readonly open: ItemSummary.ItemSummary
  readonly undetermined: ItemSummary.ItemSummary
  /** Ages count up to here, Unix ms. */
  readonly agedAt: number
  readonly prices: ItemPages.Prices | undefined
  readonly reported: Report.Books | undefined
  readonly periods: ReadonlyArray<Period.Period>
  /** The decisions on an entry, the first one first. */
  readonly decisionsOn: (entry: Pick<Decision.Subject, "id" | "side">) => ReadonlyArray<Decision.Decision>
}

const keyOf = ({ id, side }: Pick<Decision.Subject, "id" | "side">): string => `${side} ${id}`

const byEntry = (decisions: ReadonlyArray<Decision.Decision>): SiteBooks["decisionsOn"] => {
  const found = new Map<string, Array<Decision.Decision>>()
  for (const decision of decisions) {
    for (const key of new Set(DecisionOf.subjects(decision.body).map(keyOf))) {
      const own = found.get(key)
      if (own === undefined) found.set(key, [decision])
      else own.push(decision)
    }
  }
  return (entry) => found.get(keyOf(entry)) ?? []
}

const listed = Stream.paginate(
  undefined as string | undefined,
  (after) =>
    Effect.map(
      ItemPages.ItemPages.use(({ page }) =>
        page({ order: { by: "worth" }, size: ItemPages.LARGEST, ...after === undefined ? {} : { after } })
      ),
      ({ items, next }) => [items, next === undefined ? Option.none() : Option.some(next)] as const
    )
)

/** So often the books are read anew, because somebody decided, reconciled or wrote the books anew meanwhile. */
const AGAIN = 5

const read = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const { summary } = yield* ItemPages.ItemPages
  const items = yield* OpenItems.OpenItems
  const marks = yield* archive.marks
  const executions = yield* Books.Books.use(({ executions }) => executions)
  const last = executions.at(-1)
  const lastReading = yield* archive.lastReading
  const agedAt = Math.max(lastReading ?? 0, last?.body.at ?? 0)
  const withEntries = new Map((yield* items.list()).map((item) => [item.id, item]))
  const rows = yield* Stream.runCollect(listed)
  // Where a row has no item, somebody brought the books forward in between.
  const waiting = rows.flatMap((listed): ReadonlyArray<Waiting> => {
    const item = withEntries.get(listed.id)
    return item === undefined ? [] : [{ listed, item }]
  })
  const found: SiteBooks = {
    place: archive.place,
    marks,
    ledger: yield* Decisions.Decisions.use(({ head }) => head),
    lastReading,
    executions,
    waiting,
    withoutEntries: yield* items.withoutEntries(),
    open: yield* summary({ states: ["open"] }, { at: agedAt }),
    undetermined: yield* summary({ states: ["undetermined"] }, { at: agedAt }),
    agedAt,
    prices: Option.getOrUndefined(yield* ItemPages.ItemPages.use(({ prices }) => prices)),
    reported: last === undefined ? undefined : yield* items.reported(last),
    periods: yield* Periods.Periods.use(({ list }) => list()),
    decisionsOn: byEntry(yield* Decisions.Decisions.use(({ all }) => all))
  }
  return { found, isWhole: waiting.length === rows.length && waiting.length === withEntries.size }
})

/** The books are of several moments, however often they were read. */
const moved = Failure.unfinished(
  "somebody decided, reconciled or ran archive rebuild each time that the books were read: run it again when nobody does. Nothing was written"
)

/**
 * Makes something of the books, which may read more of the archive: where the ledger went on or the books were written anew until it was
 * made, all is read and made anew, some times at most.
 */
export const atOneMoment = <A, E, R>(make: (books: SiteBooks) => Effect.Effect<A, E, R>) => {
  const once = Effect.gen(function*() {
    const { found, isWhole } = yield* read
    const made = yield* make(found)
    const { ledger, rebuilt } = yield* Archive.Archive.use(({ marks }) => marks)
    const isOfOneMoment = isWhole && ledger === found.marks.ledger && rebuilt === found.marks.rebuilt
    return { made, isOfOneMoment }
  })
  return Effect.flatMap(
    Effect.repeat(once, { times: AGAIN, until: ({ isOfOneMoment }) => isOfOneMoment }),
    ({ isOfOneMoment, made }) => isOfOneMoment ? Effect.succeed(made) : Effect.fail(moved)
  )
}
