/** Reads typed columns over entries: the tiers work on indices, never on objects. */

/** Reads a column at an index that the caller knows to be inside. */
export const at = (column: Int32Array | Float64Array | Uint8Array, index: number): number => column[index] ?? 0

/** Reads a list at an index that the caller knows to be inside. */
export const item = <A>(list: ReadonlyArray<A>, index: number): A => {
  const value = list[index]
  if (value === undefined) throw new RangeError(`no item ${index} in a list of ${list.length}`)
  return value
}

/** Adds items to a list one by one, because a single call cannot take that many arguments. */
export const append = <A>(list: Array<A>, more: Iterable<A>): void => {
  for (const one of more) list.push(one)
}

/** Returns the first position whose time is not before `time`; the times are ascending. */
export const lowerBound = (times: Float64Array, time: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(times, middle) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the first position whose time is not before `time`; `indices` are ordered by time. */
export const firstNotBefore = (times: Float64Array, indices: Int32Array, time: number): number => {
  let low = 0
  let high = indices.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(times, at(indices, middle)) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Indices listed by key, each list in ascending order. */
export interface Buckets {
  readonly of: (key: number) => Int32Array
  /** Returns the number of indices, without making a list. */
  readonly size: (key: number) => number
  /** The number of indices in all lists. */
  readonly total: number
}

/** Lists the indices that `include` accepts by their key. Keys run from 0 to `count - 1`; negative ones are left out. */
export const bucket = (keys: Int32Array, count: number, include: (index: number) => boolean): Buckets => {
  const starts = new Int32Array(count + 1)
  const included = new Uint8Array(keys.length)
  for (let index = 0; index < keys.length; index++) {
    const key = at(keys, index)
    if (key < 0 || !include(index)) continue
    included[index] = 1
    starts[key + 1] = at(starts, key + 1) + 1
  }
  for (let key = 0; key < count; key++) starts[key + 1] = at(starts, key + 1) + at(starts, key)
  const filled = starts.slice()
  const items = new Int32Array(at(starts, count))
  for (let index = 0; index < keys.length; index++) {
    if (included[index] !== 1) continue
    const key = at(keys, index)
    const position = at(filled, key)
    items[position] = index
    filled[key] = position + 1
  }
  return {
    of: (key) => items.subarray(at(starts, key), at(starts, key + 1)),
    size: (key) => at(starts, key + 1) - at(starts, key),
    total: items.length
  }
}
