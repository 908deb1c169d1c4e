/** Makes the facts of the page of an item: of one that waits, and of one that waited once and is settled, or waits within another one. */
import * as BookState from "@tallystick/archive/BookState"
import * as Execution from "@tallystick/archive/Execution"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Runs from "@tallystick/archive/Runs"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as BookSite from "@tallystick/report/BookSite"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as DecisionText from "../archive/DecisionText.ts"
import type * as SiteBooks from "./SiteBooks.ts"
import * as SiteDays from "./SiteDays.ts"

/** What a page is made of besides what the executions made of its entries, which never changes afterwards. */
export interface Known {
  readonly id: string
  readonly entries: ReadonlyArray<OpenItem.EntryState>
  readonly decisions: ReadonlyArray<BookSite.Decision>
  /** Its row in the list of what waits, under this id. */
  readonly listed?: SiteBooks.Waiting["listed"]
  /** The item in which it waits, where that is another one. */
  readonly within?: string
  /** Other items in which entries wait that once waited with it, the first ids first. */
  readonly others: ReadonlyArray<string>
}

const decisionsOn = (
  entries: ReadonlyArray<OpenItem.EntryState>,
  { decisionsOn }: SiteBooks.SiteBooks
): ReadonlyArray<BookSite.Decision> => {
  const found = new Map(entries.flatMap(decisionsOn).map((decision) => [decision.body.number, decision]))
  return Array.from(found.values()).toSorted((a, b) => a.body.number - b.body.number).map((decision) => ({
    at: decision.body.at,
    text: `${decision.body.by}: ${DecisionText.sentence(decision)}`
  }))
}

/** What is known of an item that waits. */
export const waiting = ({ item, listed }: SiteBooks.Waiting, books: SiteBooks.SiteBooks): Known => ({
  id: item.id,
  entries: item.entries,
  decisions: decisionsOn(item.entries, books),
  listed,
  others: []
})

const keyOf = ({ id, side }: Pick<OpenItem.EntryState, "id" | "side">): string => `${side} ${id}`

/** Gives what is known of items that wait no more under their ids; nothing of an id that the archive does not know. */
export const former = Effect.fnUntraced(function*(books: SiteBooks.SiteBooks, ids: ReadonlyArray<string>) {
  const items = new Map(
    books.waiting.flatMap(({ item }) => item.entries.map((entry) => [keyOf(entry), item.id] as const))
  )
  const found = yield* OpenItems.OpenItems.use(({ former }) => former(ids))
  return new Map(Array.from(found, ([id, { entry, waiting }]): [string, Known] => {
    const within = items.get(keyOf(entry))
    const others = new Set(waiting.flatMap((one) => items.get(keyOf(one)) ?? []))
    return [id, {
      id,
      entries: [entry],
      decisions: decisionsOn([entry], books),
      ...within === undefined ? {} : { within },
      others: Array.from(others).filter((other) => other !== within).toSorted()
    }]
  }))
})

/** The outcome that an entry stands in that waits no more, as the run of the books told it; nothing where that is gone. */
const outcomeOf = Effect.fnUntraced(function*(
  { at, execution, outcome }: OpenItem.EntryState,
  bodies: ReadonlyMap<number, Execution.Body>
) {
  if (outcome === "") return undefined
  const sighting = yield* Runs.Runs.use((runs) => runs.outcome(outcome)).pipe(
    Effect.catchTag("Ambiguous", () => Effect.succeedNone),
    Effect.catchIf((error) => error.reason._tag === "Damaged", () => Effect.succeedNone)
  )
  const body = bodies.get(execution)
  const run = body === undefined ? undefined : Execution.judgingAt(body, at).run
  const versions = Option.match(sighting, { onNone: () => [], onSome: ({ versions }) => versions })
  return versions.find(({ runs }) => runs.some(({ id }) => id === run))?.outcome
})

/** The outcomes of what waits, by their ids. */
export type Outcomes = ReadonlyMap<string, Outcome.Outcome>

/** So many entries of an item have their history told. */
const TOLD = 20

/** The change by which an entry came to stand where it stands. */
const lastStep = (changes: ReadonlyArray<OpenItem.EntryState>, state: BookState.BookState) => {
  const waits = BookState.isWaiting(state)
  const other = changes.findLastIndex((change) => BookState.isWaiting(change.state) !== waits)
  return changes[other + 1]
}

const entriesOf = (
  { entries, listed }: Known,
  outcome: Outcome.Outcome | undefined
): BookSite.Story["entries"] =>
  listed !== undefined || outcome === undefined ? entries : [...outcome.deposits, ...outcome.transfers]

const changeOf = (
  { account, amount, asset, code, execution, id, side, state }: OpenItem.EntryState,
  made: (execution: number) => BookSite.Made
): BookSite.Change => ({ account, amount, asset, code, id, side, state, made: made(execution) })

/** Makes a reader of the rest: the words, and what became of the entries. */
export const make = (books: SiteBooks.SiteBooks, { zone }: BookSite.Look) => {
  const bodies = new Map(books.executions.map(({ body }) => [body.number, body]))
  const made = (execution: number): BookSite.Made => ({ execution, at: bodies.get(execution)?.at })
  return Effect.fnUntraced(function*(known: Known, first: OpenItem.EntryState, outcomes: Outcomes) {
    const { decisions, entries, id, listed, others, within } = known
    const { story } = yield* OpenItems.OpenItems
    const stories = (yield* Effect.forEach(entries.slice(0, TOLD), story)).flatMap(Option.toArray)
    const outcome = listed === undefined ? yield* outcomeOf(first, bodies) : outcomes.get(first.outcome)
    const own = stories.find(({ entry }) => entry.item === first.item)
    const at = listed?.at ?? first.at
    const told: BookSite.Story = {
      id,
      state: first.state,
      code: first.code,
      within,
      others,
      by: made(lastStep(own?.changes ?? [], first.state)?.execution ?? first.execution),
      since: made(listed?.since ?? first.since),
      day: SiteDays.nameAt(at, zone),
      at,
      outcome,
      difference: listed?.difference,
      worth: listed?.worth,
      entries: entriesOf(known, outcome),
      history: stories.flatMap(({ changes }) => changes)
        .toSorted((a, b) => a.execution - b.execution)
        .map((change) => changeOf(change, made)),
      untold: Math.max(entries.length - TOLD, 0),
      decisions
    }
    return told
  })
}
