/** Notes on which page of a slice each record was seen first. */

/** The functions by which records are told apart. */
export interface Identified<Record> {
  readonly identity: (record: Record) => string
  /**
   * Returns the identity together with all that never changes. Two readings are the same when they hold the same contents. Absent:
   * the identity says all of it.
   */
  readonly content?: ((record: Record) => string) | undefined
  /** Returns a value that equal identities share, and hardly any others do. A number is much cheaper than a text. */
  readonly mark: (record: Record) => number | string
}

export interface Sightings<Record> {
  /** Returns the page on which the record was first seen: `page` itself where it was never seen before. */
  readonly firstPage: (record: Record, page: number) => number
  /** Returns the same for a record that cannot be read, by its text. */
  readonly firstPageOfText: (raw: string, page: number) => number
}

interface Seen<Record> {
  readonly record: Record
  readonly page: number
  /** The pages by identity. The map is made when another record has the same mark. */
  pages?: Map<string, number>
}

const firstIn = (pages: Map<string, number>, key: string, page: number): number => {
  const known = pages.get(key)
  if (known !== undefined) return known
  pages.set(key, page)
  return page
}

/** The number of maps among which marks are spread. One map of 10,000 marks grew five times as slowly as these do. */
const SHARDS = 64

const shardOf = (mark: number | string): number =>
  (typeof mark === "number" ? mark : mark.charCodeAt(mark.length - 1) * 31 + mark.charCodeAt(mark.length - 2)) &
  (SHARDS - 1)

/**
 * Makes an empty record of sightings. Identities are long, and making and hashing them costs as much as parsing, so they are made
 * only for records that share a mark.
 */
export const make = <Record>({ identity, mark }: Identified<Record>): Sightings<Record> => {
  const shards = Array.from({ length: SHARDS }, () => new Map<number | string, Seen<Record>>())
  const texts = new Map<string, number>()
  return {
    firstPage: (record, page) => {
      const key = mark(record)
      const byMark = shards[shardOf(key)]
      const seen = byMark?.get(key)
      if (seen === undefined) {
        byMark?.set(key, { record, page })
        return page
      }
      seen.pages ??= new Map([[identity(seen.record), seen.page]])
      return firstIn(seen.pages, identity(record), page)
    },
    firstPageOfText: (raw, page) => firstIn(texts, raw, page)
  }
}
