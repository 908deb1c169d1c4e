/** A set of ids of outcomes, eight bytes each: of ten million outcomes it takes 80 MB. */

const BYTES = BigUint64Array.BYTES_PER_ELEMENT

/** The ids in ascending order. */
export type IdSet = BigUint64Array

/** Ids may begin at any byte of the memory that a database gives, and numbers at every eighth only. */
const numbersOf = (ids: Uint8Array): BigUint64Array => new BigUint64Array(Uint8Array.from(ids).buffer)

/** Makes a set of the ids of packs. */
export const make = (lists: ReadonlyArray<Uint8Array>): IdSet => {
  const all = new BigUint64Array(lists.reduce((sum, { length }) => sum + length / BYTES, 0))
  let place = 0
  for (const list of lists) {
    const numbers = numbersOf(list)
    all.set(numbers, place)
    place += numbers.length
  }
  return all.toSorted()
}

const has = (set: IdSet, id: bigint): boolean => {
  let [from, to] = [0, set.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const found = set[middle] ?? 0n
    if (found === id) return true
    if (found < id) from = middle + 1
    else to = middle
  }
  return false
}

/** Tells of the ids of a pack, by their positions, whether a set has them. */
export const within = (set: IdSet, ids: Uint8Array): (position: number) => boolean => {
  const numbers = numbersOf(ids)
  return (position) => {
    const id = numbers[position]
    return id !== undefined && has(set, id)
  }
}
