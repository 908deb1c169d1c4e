/** Sorts a column of safe integers from 0, and returns the permutation. Long columns are sorted by radix. */
import { f64, i32 } from "../Column.ts"

const radix = 256
const word = 2 ** 32

/** Up to this length an insertion sort is cheaper than the passes of a radix sort. */
const few = 32

const inserted = (column: Float64Array): Int32Array => {
  const order = new Int32Array(column.length)
  for (let index = 0; index < column.length; index++) {
    const value = f64(column, index)
    let place = index
    for (; place > 0 && f64(column, i32(order, place - 1)) > value; place--) order[place] = i32(order, place - 1)
    order[place] = index
  }
  return order
}

/** Returns the indices in ascending order of their values. Equal values keep their order. */
export const ascending = (column: Float64Array): Int32Array => {
  if (column.length <= few) return inserted(column)
  let most = 0
  for (let index = 0; index < column.length; index++) most = Math.max(most, f64(column, index))
  let order = Int32Array.from({ length: column.length }, (_, index) => index)
  let sorted = new Int32Array(column.length)
  const ends = new Int32Array(radix)
  for (let unit = 1; unit <= most; unit *= radix) {
    // A digit is taken from a word of 32 bits, by integer operations, which are faster.
    const [within, whole] = unit < word ? [unit, 1] : [unit / word, word]
    const shift = Math.log2(within)
    ends.fill(0)
    for (let index = 0; index < column.length; index++) {
      const digit = ((f64(column, index) / whole) >>> shift) & (radix - 1)
      ends[digit] = i32(ends, digit) + 1
    }
    let end = 0
    for (let digit = 0; digit < radix; digit++) {
      const size = i32(ends, digit)
      ends[digit] = end
      end += size
    }
    for (let position = 0; position < order.length; position++) {
      const index = i32(order, position)
      const digit = ((f64(column, index) / whole) >>> shift) & (radix - 1)
      const place = i32(ends, digit)
      sorted[place] = index
      ends[digit] = place + 1
    }
    const spare = order
    order = sorted
    sorted = spare
  }
  return order
}
