/** The order of a column of safe integers from 0: a radix sort of many, because a permutation is what is needed. */
import { f64, i32 } from "../Column.ts"

const radix = 256
const word = 2 ** 32

/** Up to here the passes of a radix sort cost more than moving the indices one by one. */
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

/** The indices in ascending order of their values; equal values keep their order. */
export const ascending = (column: Float64Array): Int32Array => {
  if (column.length <= few) return inserted(column)
  let most = 0
  for (let index = 0; index < column.length; index++) most = Math.max(most, f64(column, index))
  let order = Int32Array.from({ length: column.length }, (_, index) => index)
  let sorted = new Int32Array(column.length)
  const ends = new Int32Array(radix)
  for (let unit = 1; unit <= most; unit *= radix) {
    // Within its word of 32 bits a digit comes by integer division, which is faster.
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
