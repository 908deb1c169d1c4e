/** On which page of a slice each record was seen first. */

/** How records are told apart. */
export interface Identified<Record> {
  readonly identity: (record: Record) => string
  /** What equal identities have in common, and hardly any others: a number where there is one, it is much cheaper. */
  readonly mark: (record: Record) => number | string
}

export interface Sightings<Record> {
  /** The page on which the record was seen first: `page` itself when that is now. */
  readonly firstPage: (record: Record, page: number) => number
  /** The same for a record that cannot be read, by its text. */
  readonly firstPageOfText: (raw: string, page: number) => number
}

interface Seen<Record> {
  readonly record: Record
  readonly page: number
  /** Made when another record has the same mark. */
  pages?: Map<string, number>
}

const firstIn = (pages: Map<string, number>, key: string, page: number): number => {
  const known = pages.get(key)
  if (known !== undefined) return known
  pages.set(key, page)
  return page
}

/** Identities are long, and making and hashing them costs as much as parsing: only records with a common mark need theirs. */
export const make = <Record>({ identity, mark }: Identified<Record>): Sightings<Record> => {
  const byMark = new Map<number | string, Seen<Record>>()
  const texts = new Map<string, number>()
  return {
    firstPage: (record, page) => {
      const key = mark(record)
      const seen = byMark.get(key)
      if (seen === undefined) {
        byMark.set(key, { record, page })
        return page
      }
      seen.pages ??= new Map([[identity(seen.record), seen.page]])
      return firstIn(seen.pages, identity(record), page)
    },
    firstPageOfText: (raw, page) => firstIn(texts, raw, page)
  }
}
