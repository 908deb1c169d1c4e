/** One side in order of time; entries of one time stay in the order in which they came. */
import { f64, pick, take } from "../kernel/Column.ts"
import * as Order from "../kernel/Order.ts"

interface Columns {
  readonly asset: Int32Array
  readonly amount: Float64Array
  readonly at: Float64Array
}

export interface Sorted extends Columns {
  /** Per position, the index in the input; absent where the input is in order. */
  readonly order: Int32Array | undefined
}

const isAscending = (column: Float64Array): boolean => {
  for (let index = 1; index < column.length; index++) if (f64(column, index - 1) > f64(column, index)) return false
  return true
}

const least = (column: Float64Array): number => {
  let value = Number.POSITIVE_INFINITY
  for (let index = 0; index < column.length; index++) value = Math.min(value, f64(column, index))
  return value
}

export const byTime = ({ amount, asset, at }: Columns): Sorted => {
  if (isAscending(at)) return { amount, asset, at, order: undefined }
  const first = least(at)
  const order = Order.ascending(at.map((time) => time - first))
  return { amount: take(amount, order), asset: pick(asset, order), at: take(at, order), order }
}
