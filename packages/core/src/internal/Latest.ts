/**
 * The latest contents of records that were shown and are not delivered yet.
 *
 * A slice that waits may be shown again meanwhile, with a later status. Whoever watches the pages has seen that, and is not
 * handed an older one with the slice.
 */

export interface Latest<Record> {
  /** A response showed these. */
  readonly show: (records: ReadonlyArray<Record>) => void
  /** These go out, as they were shown last. */
  readonly take: (records: ReadonlyArray<Record>) => ReadonlyArray<Record>
}

/** Several records of one identity cannot be told apart: they stay as they were read. */
export const make = <Record>(identity: (record: Record) => string): Latest<Record> => {
  const latest = new Map<string, Record>()
  const several = new Set<string>()
  return {
    show: (records) => {
      const here = new Set<string>()
      for (const record of records) {
        const id = identity(record)
        if (here.has(id)) several.add(id)
        here.add(id)
        latest.set(id, record)
      }
    },
    take: (records) => {
      const ids = records.map(identity)
      const taken = records.map((record, index) => {
        const id = ids[index] ?? ""
        return several.has(id) ? record : latest.get(id) ?? record
      })
      for (const id of ids) latest.delete(id)
      return taken
    }
  }
}
