/** One page of a list: what is visible in an interval, in the order and with the faults of this server. */
import type * as Faults from "../Faults.ts"
import * as Book from "./Book.ts"
import * as Prng from "./Prng.ts"

export interface Asked<A> {
  /** First and last ms asked for, as the client named them; absent ones are open. */
  readonly start: number | undefined
  readonly end: number | undefined
  /** The service knows nothing older. */
  readonly oldest: number
  readonly page: number
  readonly limit: number
  readonly filter: ((record: A) => boolean) | undefined
}

/** The moment of an answer. */
export interface Moment {
  readonly now: number
  /** When the exchange was made. */
  readonly madeAt: number
  /** The ordinal of this list request, from 1. */
  readonly ordinal: number
}

export interface Page<A> {
  readonly records: ReadonlyArray<A>
  /** How many records all pages together hold. */
  readonly total: number
}

const LATE = 1
const ARRIVING = 2
const ARRIVAL = 3
const ORDER = 4
const TIES = 5

const visibility = (faults: Faults.Faults, salt: number, moment: Moment) => {
  const { arrivals, lateVisible, seed = 0 } = faults
  if (arrivals === undefined && lateVisible === undefined) return undefined
  return (index: number, at: number): boolean => {
    if (lateVisible !== undefined && Prng.fraction(seed, LATE, salt, index) < lateVisible.share) {
      if (at + lateVisible.delay > moment.now) return false
    }
    if (arrivals === undefined || at < moment.madeAt - arrivals.within) return true
    if (Prng.fraction(seed, ARRIVING, salt, index) >= arrivals.share) return true
    return moment.ordinal > 1 + Math.floor(Prng.fraction(seed, ARRIVAL, salt, index) * arrivals.overRequests)
  }
}

/** Half-open range of positions whose time is asked for and not in the future. */
const range = <A>(book: Book.Book<A>, asked: Asked<A>, ends: Faults.Ends, now: number) => {
  const afterStart = ends === "start-exclusive" || ends === "exclusive" ? 1 : 0
  const beforeEnd = ends === "end-exclusive" || ends === "exclusive" ? 1 : 0
  const from = Math.max(asked.oldest, asked.start === undefined ? asked.oldest : asked.start + afterStart)
  const to = Math.min(now, asked.end === undefined ? now : asked.end - beforeEnd)
  const low = Book.below(book.times, from)
  return { low, high: Math.max(low, Book.below(book.times, to + 1)) }
}

/** Positions in the order in which this request sees them. */
const arrange = <A>(book: Book.Book<A>, positions: Array<number>, faults: Faults.Faults, moment: Moment) => {
  const { looseTies = false, order = "oldest-first", seed = 0 } = faults
  if (order === "shuffled") return Prng.shuffle(Prng.make(seed, ORDER, moment.ordinal), positions)
  if (looseTies) {
    const time = (position: number) => book.times[position] ?? 0
    const rank = new Map(positions.map((position) => [position, Prng.hash(seed, TIES, moment.ordinal, position)]))
    positions.sort((a, b) => time(a) - time(b) || (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
  }
  return order === "newest-first" ? positions.toReversed() : positions
}

/** The page that is answered, and the number of all records behind it. */
export const page = <A>(book: Book.Book<A>, asked: Asked<A>, faults: Faults.Faults, moment: Moment): Page<A> => {
  const limit = asked.page > (faults.lastPage ?? asked.page) ? 0 : Math.min(asked.limit, faults.pageCap ?? asked.limit)
  const first = faults.ignorePage === true ? 0 : (asked.page - 1) * limit
  const { high, low } = range(book, asked, faults.ends ?? "inclusive", moment.now)
  const visible = visibility(faults, book.salt, moment)
  const plainOrder = faults.order !== "shuffled" && faults.looseTies !== true

  if (asked.filter === undefined && visible === undefined && plainOrder) {
    const total = high - low
    if (faults.order !== "newest-first") {
      return { records: book.records.slice(Math.min(low + first, high), Math.min(low + first + limit, high)), total }
    }
    const end = Math.max(high - first, low)
    return { records: book.records.slice(Math.max(end - limit, low), end).toReversed(), total }
  }

  const positions: Array<number> = []
  for (let position = low; position < high; position++) {
    const record = book.records[position]
    if (record === undefined) continue
    if (asked.filter !== undefined && !asked.filter(record)) continue
    if (visible !== undefined && !visible(position, book.times[position] ?? 0)) continue
    positions.push(position)
  }
  const shown = arrange(book, positions, faults, moment).slice(first, first + limit)
  return { records: shown.flatMap((position) => book.records[position] ?? []), total: positions.length }
}
