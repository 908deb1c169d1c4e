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

/**
 * Several records of one identity cannot be told apart: they go out as the last response showed them that showed as many of
 * them, and otherwise as they were read.
 */
export const make = <Record>(identity: (record: Record) => string): Latest<Record> => {
  /** By identity, and by how many of it a response showed. */
  const latest = new Map<string, Map<number, ReadonlyArray<Record>>>()
  return {
    show: (records) => {
      for (const [id, alike] of Map.groupBy(records, identity)) {
        const known = latest.get(id)
        if (known === undefined) latest.set(id, new Map([[alike.length, alike]]))
        else known.set(alike.length, alike)
      }
    },
    take: (records) =>
      Array.from(Map.groupBy(records, identity)).flatMap(([id, alike]) => {
        const shown = latest.get(id)?.get(alike.length)
        latest.delete(id)
        return shown ?? alike
      })
  }
}
