/** A book as two streams of slices, cut in several ways. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Stream from "effect/Stream"
import type { Book } from "./Book.ts"

export interface Sides {
  readonly deposits: Reconciliation.Side
  readonly transfers: Reconciliation.Side
}

type Name = keyof Sides

/** The ends of everything that a book holds. */
const ends = ({ coverage, deposits, transfers }: Book): Coverage.Interval => {
  const entries = [...deposits, ...transfers]
  return {
    from: Math.min(...entries.map(({ at }) => at), ...coverage.map(({ from }) => from), 0),
    to: Math.max(...entries.map(({ at }) => at + 1), ...coverage.map(({ to }) => to), 0)
  }
}

/** Slices between these times; records that could not be read stand in the first of them. */
const slices = (book: Book, name: Name, cuts: ReadonlyArray<number>): ReadonlyArray<Slice.Slice<Entry.Entry>> => {
  const { from, to } = ends(book)
  const bounds = [from, ...cuts.filter((cut) => cut > from && cut < to), to]
  const coverage = book.coverage.filter(({ operation }) => operation === name)
  const entries = book[name].toSorted((a, b) => a.at - b.at)
  return bounds.slice(1).map((end, index) => {
    const begin = bounds[index] ?? from
    return {
      from: begin,
      to: end,
      records: entries.filter(({ at }) => at >= begin && at < end),
      bad: index === 0 ? book.bad.filter(({ side }) => `${side}s` === name) : [],
      coverage: Coverage.clip(coverage, { from: begin, to: end })
    }
  })
}

/** Times that cut the entries into so many parts of about as many. */
const cuts = ({ deposits, transfers }: Book, parts: number): ReadonlyArray<number> => {
  const times = [...deposits, ...transfers].map(({ at }) => at).toSorted((a, b) => a - b)
  const found = Array.from({ length: parts - 1 }, (_, index) => times[Math.floor((index + 1) * times.length / parts)])
  return Array.from(new Set(found.filter((time) => time !== undefined)))
}

const one = <A>(values: ReadonlyArray<A>): Stream.Stream<A> => Stream.rechunk(Stream.fromIterable(values), 1)

/** Everything in one slice a side. */
export const whole = (book: Book): Sides => ({
  deposits: one(slices(book, "deposits", [])),
  transfers: one(slices(book, "transfers", []))
})

/** In so many slices, which are decided together all the same where they are few entries. */
export const parts = (book: Book, count: number): Sides => {
  const times = cuts(book, count)
  return { deposits: one(slices(book, "deposits", times)), transfers: one(slices(book, "transfers", times)) }
}

/** So many entries are enough to look at what was read so far. */
const ENOUGH = 8192

/** Each slice but the last tells one of its records so often that what was read so far is decided. */
const swollen = (side: ReadonlyArray<Slice.Slice<Entry.Entry>>): ReadonlyArray<Slice.Slice<Entry.Entry>> =>
  side.map((slice, index) => {
    const [first, ...rest] = slice.records
    if (first === undefined || index === side.length - 1) return slice
    return { ...slice, records: [...Array.from({ length: ENOUGH }, () => first), ...rest] }
  })

/** In slices after each of which outcomes are decided. */
export const steps = (book: Book): Sides => {
  const times = cuts(book, 3)
  return { deposits: one(slices(book, "deposits", times)), transfers: one(swollen(slices(book, "transfers", times))) }
}
