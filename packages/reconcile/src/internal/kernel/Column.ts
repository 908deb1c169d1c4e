/**
 * Reads of typed arrays that check the index: an index out of range is a defect of the kernel, and must not travel on as
 * `NaN`. There is one function for each kind of element, so that each stays monomorphic and is inlined.
 */
const outOfRange = (index: number, length: number): never => {
  throw new RangeError(`index ${index} in a column of ${length}`)
}

export const i32 = (column: Int32Array, index: number): number => column[index] ?? outOfRange(index, column.length)

export const f64 = (column: Float64Array, index: number): number => column[index] ?? outOfRange(index, column.length)

export const u8 = (column: Uint8Array, index: number): number => column[index] ?? outOfRange(index, column.length)

/** Finds the indices at which a column has a value, in ascending order. */
export const indicesWhere = (column: Int32Array | Uint8Array, value: number): Int32Array => {
  const indices = new Int32Array(column.length)
  let size = 0
  for (let index = 0; index < column.length; index++) if (column[index] === value) indices[size++] = index
  return indices.subarray(0, size)
}

/** Reads the values at some indices. */
export const take = (column: Float64Array, indices: Int32Array): Float64Array => {
  const taken = new Float64Array(indices.length)
  for (let position = 0; position < taken.length; position++) taken[position] = f64(column, i32(indices, position))
  return taken
}

/** Reads the values of a column of integers at some indices. */
export const pick = (column: Int32Array, indices: Int32Array): Int32Array => {
  const picked = new Int32Array(indices.length)
  for (let position = 0; position < picked.length; position++) picked[position] = i32(column, i32(indices, position))
  return picked
}
