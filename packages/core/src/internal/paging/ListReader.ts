/**
 * Reads a list that is not cut by time, and says whether all of it was seen.
 *
 * The service promises no order, no end mark and no total, so only agreement proves anything. The list is read with pages of one
 * length, and again with shorter ones, until two such readings are sound and hold every record that any reading showed. A reading
 * is sound when it ends in an empty page, all its pages before the last are equally long, and no record stands in it twice: then
 * the lengths of its pages add up to the number of distinct records, in any order. Two readings whose pages begin at different
 * places do not leave out the same records by a mistake of pages. What they cannot find is a list that the service always ends
 * behind the same number of records; so a number that looks like such an end proves nothing.
 */
import * as Effect from "effect/Effect"

/** A list operation of which everything but the page is fixed. */
export interface Source<Record, E> {
  /** Requests a page, from 1, of at most `limit` records. */
  readonly page: (number: number, limit: number) => Effect.Effect<ReadonlyArray<Record>, E>
  readonly identity: (record: Record) => string
  /** The longest page that may be requested. */
  readonly longest: number
  /** Whether a list of this length looks like one that the service ends there, however many records there are. */
  readonly looksCut: (length: number) => boolean
}

/** A list as far as it was seen. */
interface Listed<Record> {
  /** Every record that any reading showed, as it came last, in the order in which they came first. */
  readonly records: ReadonlyArray<Record>
  /** Why these may not be all; undefined where they are proven to be all. */
  readonly doubt: string | undefined
}

interface Reading {
  /** The length of page that was requested. */
  readonly limit: number
  /** The lengths of its pages, without the empty one at its end. */
  readonly lengths: ReadonlyArray<number>
  /** The number of distinct records. */
  readonly count: number
  /** Why it is not sound. */
  readonly problem: string | undefined
  /** Whether it came to an end: the list that has none is not read again. */
  readonly hasEnd: boolean
}

/** So many readings are tried: a record that arrives while a list is read spoils one or two of them. */
const MOST_READINGS = 4

/** The most requests and records for one reading. A server that needs more could make a list go on for ever. */
const MOST_REQUESTS = 10_000
const MOST_RECORDS = 200_000

const firstLength = ({ lengths: [first = 0] }: Reading): number => first

/** Whether its last page was shorter than it could have been, so that the list ended and not the pages. */
const endsShort = ({ lengths, limit }: Reading): boolean =>
  (lengths.at(-1) ?? 0) < (lengths.length > 1 ? lengths[0] ?? 0 : limit)

export const read = Effect.fnUntraced(function*<Record, E>({ identity, longest, looksCut, page }: Source<Record, E>) {
  const shown = new Map<string, Record>()
  const readings: Array<Reading> = []

  const readOnce = Effect.fnUntraced(function*(limit: number): Effect.fn.Return<Reading, E> {
    const lengths: Array<number> = []
    const seen = new Set<string>()
    const ended = (problem?: string, hasEnd = true): Reading => ({ limit, lengths, count: seen.size, problem, hasEnd })
    for (let number = 1; number <= MOST_REQUESTS; number++) {
      const records = yield* page(number, limit)
      if (records.length === 0) return ended()
      let repeated: string | undefined
      for (const record of records) {
        const id = identity(record)
        if (seen.has(id)) repeated ??= id
        seen.add(id)
        shown.set(id, record)
      }
      const [first = records.length] = lengths
      const last = lengths.at(-1) ?? first
      lengths.push(records.length)
      if (repeated !== undefined) return ended(`page ${number} shows ${JSON.stringify(repeated)} a second time`)
      if (records.length > limit) return ended(`page ${number} holds ${records.length}, and ${limit} were asked for`)
      if (records.length > last || last !== first) return ended("pages before the last differ in length")
      if (seen.size >= MOST_RECORDS) break
    }
    return ended(`it has no end after ${seen.size}`, false)
  })

  /**
   * Finds a length for the next reading that is shorter than every first page that came, so that its pages begin at other places, and that
   * does not divide the number of records, so that its last page is shorter than the others.
   */
  const nextLimit = (): number | undefined => {
    const used = new Set(readings.map(({ limit }) => limit))
    const shortest = readings.map(firstLength).filter((length) => length > 0)
      .reduce((least, length) => Math.min(least, length), longest)
    for (let limit = shortest - 1; limit > 1; limit--) {
      if (!used.has(limit) && shown.size % limit !== 0) return limit
    }
    return used.has(1) ? undefined : 1
  }

  /**
   * Whether two sound readings hold all that was shown. One of them ends in a shorter page: two that end in full ones may both be
   * the whole pages that fit into as many records as the service shows of any list.
   */
  const isAgreed = (): boolean => {
    const whole = readings.filter(({ count, problem }) => problem === undefined && count === shown.size)
    return whole.length > 1 && whole.some(endsShort)
  }

  const doubtOf = (): string | undefined => {
    if (shown.size === 0) return "it is empty, which proves nothing"
    if (isAgreed()) {
      return looksCut(shown.size)
        ? `it ends behind exactly ${shown.size}, where the exchange may cut it off`
        : undefined
    }
    const problem = readings.find(({ problem }) => problem !== undefined)?.problem
    if (problem !== undefined) return problem
    return readings.some(({ count }) => count < shown.size)
      ? "one reading showed what another one did not"
      : "the exchange does not keep the lengths of page that are asked for, so that no reading can check another"
  }

  let limit: number | undefined = longest
  while (limit !== undefined && readings.length < MOST_READINGS && !isAgreed()) {
    const reading: Reading = yield* readOnce(limit)
    readings.push(reading)
    limit = reading.hasEnd ? nextLimit() : undefined
  }
  const listed: Listed<Record> = { records: Array.from(shown.values()), doubt: doubtOf() }
  return listed
})
