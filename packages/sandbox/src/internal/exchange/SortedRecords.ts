/** Keeps records in time order, and finds them by time. */

export interface SortedRecords<A> {
  readonly records: ReadonlyArray<A>
  readonly times: Float64Array
  /** A number that tells the records of one list from those of another where chance decides. */
  readonly salt: number
}

export const make = <A>(records: ReadonlyArray<A>, at: (record: A) => number, salt: number): SortedRecords<A> => {
  const sorted = records.every((record, i) => i === 0 || at(records[i - 1] ?? record) <= at(record))
    ? records
    : records.toSorted((a, b) => at(a) - at(b))
  return { records: sorted, times: Float64Array.from(sorted, at), salt }
}

/** Returns the number of records with a time below `time`. */
export const below = (times: Float64Array, time: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
