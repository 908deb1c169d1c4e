/** Writes those pages of a site whose facts changed, and remembers of what each was made. */
import * as Archive from "@tallystick/archive/Archive"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as BookSite from "@tallystick/report/BookSite"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as SiteBooks from "./SiteBooks.ts"
import * as Books from "./SiteBooks.ts"
import * as SiteDays from "./SiteDays.ts"
import * as SiteFolder from "./SiteFolder.ts"
import * as SiteIndex from "./SiteIndex.ts"
import * as SiteState from "./SiteState.ts"
import * as SiteStory from "./SiteStory.ts"

/** A file of the site: what it is made of, and its text, which is made only where that is new. */
interface Planned<E, R> {
  readonly name: string
  readonly of: string
  /** The item that waits of which it tells, whose outcome the text is made of. */
  readonly item?: OpenItem.OpenItem
  readonly text: (outcomes: SiteStory.Outcomes) => Effect.Effect<string, E, R>
}

/** So many files are written at once. */
const AT_ONCE = 8

/** The outcomes of so many items are read at once. */
const BATCH = 500

const ITEM = /^items\/(i[0-9a-f]{16})\.html$/

const DAY = /^days\/(\d{4}-\d\d-\d\d)\.html$/

const INDEX = "index.html"

const ready = (name: string, text: string): Planned<never, never> => ({
  name,
  of: SiteState.digest(text),
  text: () => Effect.succeed(text)
})

const planOfItems = Effect.fnUntraced(function*(
  books: SiteBooks.SiteBooks,
  names: Iterable<string>,
  look: BookSite.Look
) {
  const story = SiteStory.make(books, look)
  const ids = new Set(books.waiting.map(({ item }) => item.id))
  // People have the address of an item that was settled since: its page goes on.
  const old = Array.from(names).flatMap((name) => ITEM.exec(name)?.[1] ?? []).filter((id) => !ids.has(id))
  const former = yield* SiteStory.former(books, old)
  const planned = (known: SiteStory.Known, item?: OpenItem.OpenItem) => {
    const [first] = known.entries
    return first === undefined ? [] : [{
      name: `items/${known.id}.html`,
      of: SiteState.digestOf([known, look.currency ?? null]),
      ...item === undefined ? {} : { item },
      text: (outcomes: SiteStory.Outcomes) =>
        Effect.map(story(known, first, outcomes), (told) => BookSite.item(told, look))
    }]
  }
  return [
    ...books.waiting.flatMap((one) => planned(SiteStory.waiting(one, books), one.item)),
    ...old.flatMap((id) => {
      const known = former.get(id)
      // These books never had it: other ones were in the folder before.
      return known === undefined ? [ready(`items/${id}.html`, BookSite.unknownItem(id, look))] : planned(known)
    })
  ]
})

/** The pages of all days, also of one of which nothing waits any more and that no run judged. */
const planOfDays = (days: ReadonlyArray<BookSite.Day>, names: Iterable<string>, look: BookSite.Look) => {
  const told = new Set(days.map(({ day }) => day))
  const old = Array.from(names).flatMap((name) => DAY.exec(name)?.[1] ?? []).filter((day) => !told.has(day))
  const others = old.flatMap((day) => SiteDays.named(day, look.zone)).map(({ day, from, to }): BookSite.Day => ({
    day,
    from,
    to,
    judged: [],
    unread: [],
    unsettled: [],
    due: [],
    unreadable: [],
    items: []
  }))
  return [...days, ...others].map((day) => ready(`days/${day.day}.html`, BookSite.day(day, look)))
}

const plan = Effect.fnUntraced(function*(books: SiteBooks.SiteBooks, names: Iterable<string>, asked: BookSite.Look) {
  const look: BookSite.Look = { ...asked, currency: books.prices?.currency }
  const index = yield* SiteIndex.of(books, look)
  return [
    ready(BookSite.style.name, BookSite.style.text),
    ...yield* planOfItems(books, names, look),
    ...planOfDays(index.days, names, look),
    ready(INDEX, BookSite.index(index, look))
  ]
})

/** Of the files these are the pages. */
const isPage = (name: string): boolean => name.endsWith(".html")

/** How far an archive went. A backup that was restored may come to the same numbers another way: its ledger has another end then. */
const reached = (
  { lastReading, ledger, marks }: Pick<SiteBooks.SiteBooks, "lastReading" | "ledger" | "marks">
): string => SiteState.digestOf([marks, ledger.id, lastReading])

/** Gives the pages of a state whose files are still as they were written. */
const intactOf = Effect.fnUntraced(function*(state: SiteState.State | undefined, folder: SiteFolder.SiteFolder) {
  const pages = Object.entries(state?.pages ?? {})
  return new Map(
    yield* Effect.filter(pages, ([name, { text }]) => folder.holds(name, text), { concurrency: AT_ONCE })
  )
})

/** Brings the pages in a folder up to date. */
export const write = Effect.fnUntraced(function*(out: string, look: BookSite.Look) {
  const folder = yield* SiteFolder.make(out)
  const archive = yield* Archive.Archive
  const outcomesOf = (yield* OpenItems.OpenItems).outcomes
  const names = yield* folder.names
  const place = SiteState.digest(archive.place)
  const asked = SiteState.look(look, BookSite.style.text)
  const before = Option.getOrUndefined(
    Option.filter(yield* folder.state, (state) => state.archive === place && state.look === asked)
  )
  const intact = yield* intactOf(before, folder)
  if (before !== undefined && intact.size === Object.keys(before.pages).length) {
    const marks = yield* archive.marks
    const now = reached({ marks, ledger: yield* archive.ledgerEnd, lastReading: yield* archive.lastReading })
    if (before.reached === now) return { written: 0, of: Array.from(intact.keys()).filter(isPage).length }
  }

  const { books, planned } = yield* Books.atOneMoment((books) =>
    Effect.map(plan(books, names, look), (planned) => ({ books, planned }))
  )
  const { executions, marks: { rebuilt } } = books
  const isContinued = before?.rebuilt === rebuilt &&
    (before.execution === null || executions.some(({ id }) => id === before.execution))
  const known: ReadonlyMap<string, SiteState.Page> = isContinued ? intact : new Map()
  const changed = planned.filter(({ name, of }) => known.get(name)?.of !== of)
  yield* Effect.forEach(changed.filter(({ name }) => names.has(name)), ({ name }) => folder.refuse(name), {
    concurrency: AT_ONCE,
    discard: true
  })
  let written = 0
  const made: Array<readonly [name: string, page: SiteState.Page]> = []
  const makeSome = Effect.fnUntraced(function*(some: typeof changed) {
    const outcomes = yield* outcomesOf(some.flatMap(({ item }) => item ?? []))
    yield* Effect.forEach(
      some,
      Effect.fnUntraced(function*({ name, of, text }) {
        const page = yield* text(outcomes)
        const digest = SiteState.digest(page)
        if (intact.get(name)?.text !== digest) {
          yield* folder.write(name, page)
          if (isPage(name)) written += 1
        }
        made.push([name, { of, text: digest }])
      }),
      { concurrency: AT_ONCE, discard: true }
    )
  })
  // What leads to the pages is written behind them.
  const isIndex = ({ name }: { readonly name: string }): boolean => name === INDEX
  yield* Effect.forEach(Arr.chunksOf(changed.filter((one) => !isIndex(one)), BATCH), makeSome)
  yield* makeSome(changed.filter(isIndex))
  const pages = Object.fromEntries([...known, ...made])
  const execution = executions.at(-1)?.id ?? null
  yield* folder.write(
    SiteState.NAME,
    SiteState.written({ archive: place, look: asked, reached: reached(books), execution, rebuilt, pages })
  )
  return { written, of: Object.keys(pages).filter(isPage).length }
})
