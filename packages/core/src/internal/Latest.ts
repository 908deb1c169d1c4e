/**
 * The latest contents of records that were read and are not delivered yet.
 *
 * A slice that waits may be shown again meanwhile, with a later status. Whoever watches the pages has seen that, and is not
 * handed an older one with the slice.
 */

export interface Latest<Record> {
  /** These are read, and wait. */
  readonly wait: (records: ReadonlyArray<Record>) => void
  /** A response showed these. */
  readonly show: (records: ReadonlyArray<Record>) => void
  /** These go out, as they were shown last. */
  readonly take: (records: ReadonlyArray<Record>) => ReadonlyArray<Record>
}

/** Several records of one identity cannot be told apart: they stay as they were read. */
export const make = <Record>(identity: (record: Record) => string): Latest<Record> => {
  const waiting = new Map<string, Record | undefined>()
  return {
    wait: (records) => {
      for (const record of records) {
        const id = identity(record)
        waiting.set(id, waiting.has(id) ? undefined : record)
      }
    },
    show: (records) => {
      if (waiting.size === 0) return
      for (const record of records) {
        const id = identity(record)
        if (waiting.get(id) !== undefined) waiting.set(id, record)
      }
    },
    take: (records) => {
      const taken = records.map((record) => waiting.get(identity(record)) ?? record)
      for (const record of records) waiting.delete(identity(record))
      return taken
    }
  }
}
