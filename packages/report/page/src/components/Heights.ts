/**
 * The heights of the rows of a long list, px: guessed until a row was measured. The top of a row, and the row at a height, are found in a
 * number of steps that grows with the logarithm of the rows (sums of blocks, as in a Fenwick tree).
 */
export interface Heights {
  readonly total: () => number
  /** Where a row begins; the end of the list at the number of rows. */
  readonly top: (index: number) => number
  /** The row that lies at a height; the first above the list, the last below it. */
  readonly at: (y: number) => number
  /** Notes a height, and returns by how much it differs from the one before. */
  readonly set: (index: number, height: number) => number
}

export const make = (count: number, heightOf: (index: number) => number): Heights => {
  const heights = new Float64Array(count)
  const blocks = new Float64Array(count + 1)
  for (let index = 0; index < count; index++) heights[index] = heightOf(index)
  for (let block = 1; block <= count; block++) {
    blocks[block] = (blocks[block] ?? 0) + (heights[block - 1] ?? 0)
    const parent = block + (block & -block)
    if (parent <= count) blocks[parent] = (blocks[parent] ?? 0) + (blocks[block] ?? 0)
  }
  const top = (index: number): number => {
    let sum = 0
    for (let block = Math.min(index, count); block > 0; block -= block & -block) sum += blocks[block] ?? 0
    return sum
  }
  const widest = count === 0 ? 0 : 2 ** Math.floor(Math.log2(count))
  return {
    total: () => top(count),
    top,
    at: (y) => {
      let [place, rest] = [0, y]
      for (let step = widest; step > 0; step >>= 1) {
        const next = place + step
        const sum = blocks[next]
        if (next <= count && sum !== undefined && sum <= rest) {
          place = next
          rest -= sum
        }
      }
      return Math.max(0, Math.min(count - 1, place))
    },
    set: (index, height) => {
      const difference = height - (heights[index] ?? height)
      if (difference === 0) return 0
      heights[index] = height
      for (let block = index + 1; block <= count; block += block & -block) {
        blocks[block] = (blocks[block] ?? 0) + difference
      }
      return difference
    }
  }
}
