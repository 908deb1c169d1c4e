/**
 * Keeps the latest contents of records that `onPage` was shown and that are not delivered yet.
 *
 * A slice that waits may be shown again meanwhile, with a later status. The caller's `onPage` has then seen the later status, and
 * must not get the older one with the slice.
 */

export interface Latest<Record> {
  /** Keeps the records of a response. */
  readonly show: (records: ReadonlyArray<Record>) => void
  /** Returns the given records as the responses showed them last, and forgets them. */
  readonly take: (records: ReadonlyArray<Record>) => ReadonlyArray<Record>
}

/**
 * Several records of one identity cannot be told apart. They are delivered as the last response with equally many of them showed
 * them, or as they were read where there is no such response.
 */
export const make = <Record>(identity: (record: Record) => string): Latest<Record> => {
  /** Records by identity, and by the number of records with that identity in one response. */
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
