/** Returns one page of a list: the records that are visible in an interval, in the order and with the faults of this server. */
import type * as Faults from "../../Faults.ts"
import * as Prng from "../Prng.ts"
import * as SortedRecords from "./SortedRecords.ts"

export interface Asked<A> {
  /** The first and the last ms of the request, as the client named them. An absent end is open. */
  readonly start: number | undefined
  readonly end: number | undefined
  /** The oldest time that the service still knows. */
  readonly oldest: number
  /** The number of the page; absent: the first one. */
  readonly page: number | undefined
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

/** Returns the first and the last ms that are answered, of those that were requested. */
const answered = <A>(asked: Asked<A>, { ends = "inclusive", filterUnit = 1, span }: Faults.Faults, now: number) => {
  const whole = (time: number): number => Math.floor(time / filterUnit) * filterUnit
  const afterStart = ends === "start-exclusive" || ends === "exclusive" ? 1 : 0
  const beforeEnd = ends === "end-exclusive" || ends === "exclusive" || filterUnit > 1 ? 1 : 0
  const from = Math.max(asked.oldest, asked.start === undefined ? asked.oldest : whole(asked.start) + afterStart)
  const to = Math.min(now, asked.end === undefined ? now : whole(asked.end) - beforeEnd)
  if (span === undefined) return { from, to }
  return span.part === "oldest"
    ? { from, to: Math.min(to, from + span.length - 1) }
    : { from: Math.max(from, to - span.length + 1), to }
}

/** Returns the half-open range of positions whose time is requested and not in the future. */
const range = <A>(book: SortedRecords.SortedRecords<A>, asked: Asked<A>, faults: Faults.Faults, now: number) => {
  const { from, to } = answered(asked, faults, now)
  const low = SortedRecords.below(book.times, from)
  return { low, high: Math.max(low, SortedRecords.below(book.times, to + 1)) }
}

/** Returns the positions in the order in which this request sees them. */
const arrange = <A>(
  book: SortedRecords.SortedRecords<A>,
  positions: Array<number>,
  faults: Faults.Faults,
  moment: Moment
) => {
  const { looseTies = false, order = "oldest-first", seed = 0 } = faults
  if (order === "shuffled") return Prng.shuffle(Prng.make(seed, ORDER, moment.ordinal), positions)
  if (looseTies) {
    const time = (position: number) => book.times[position] ?? 0
    const rank = new Map(positions.map((position) => [position, Prng.hash(seed, TIES, moment.ordinal, position)]))
    positions.sort((a, b) => time(a) - time(b) || (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
  }
  return order === "newest-first" ? positions.toReversed() : positions
}

/** Returns which of `total` records, in their order, the page shows: a half-open range of places. */
const places = <A>(asked: Asked<A>, faults: Faults.Faults, total: number) => {
  const { ignorePage, lastPage, offsetByLimit, pageCap, pagesFromZero, repeatsLastPage, skipped = 0 } = faults
  const length = Math.min(asked.limit, pageCap ?? asked.limit)
  const step = (offsetByLimit === true ? asked.limit : length) + skipped
  const wanted = asked.page === undefined || ignorePage === true ? 0 : asked.page - (pagesFromZero === true ? 0 : 1)
  const last = Math.max(0, Math.ceil(total / step) - 1)
  const page = repeatsLastPage === true ? Math.min(wanted, last) : wanted
  const end = Math.min(total, faults.listEnd ?? total)
  const from = Math.min(page * step, end)
  return { from, to: lastPage !== undefined && wanted >= lastPage ? from : Math.min(from + length, end) }
}

const shown = <A>(records: ReadonlyArray<A>, { doubled }: Faults.Faults): ReadonlyArray<A> =>
  doubled === true ? records.flatMap((record) => [record, record]) : records

/** Returns the page, and the number of records on all pages. */
export const page = <A>(
  book: SortedRecords.SortedRecords<A>,
  asked: Asked<A>,
  faults: Faults.Faults,
  moment: Moment
): Page<A> => {
  const { high, low } = range(book, asked, faults, moment.now)
  const visible = visibility(faults, book.salt, moment)
  const plainOrder = faults.order !== "shuffled" && faults.looseTies !== true

  if (asked.filter === undefined && visible === undefined && plainOrder) {
    const total = high - low
    const { from, to } = places(asked, faults, total)
    const records = faults.order === "newest-first"
      ? book.records.slice(high - to, high - from).toReversed()
      : book.records.slice(low + from, low + to)
    return { records: shown(records, faults), total }
  }

  const positions: Array<number> = []
  for (let position = low; position < high; position++) {
    const record = book.records[position]
    if (record === undefined) continue
    if (asked.filter !== undefined && !asked.filter(record)) continue
    if (visible !== undefined && !visible(position, book.times[position] ?? 0)) continue
    positions.push(position)
  }
  const { from, to } = places(asked, faults, positions.length)
  const records = arrange(book, positions, faults, moment).slice(from, to)
    .flatMap((position) => book.records[position] ?? [])
  return { records: shown(records, faults), total: positions.length }
}
