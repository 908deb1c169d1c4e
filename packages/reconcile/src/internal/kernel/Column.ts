/**
 * Checked reads of typed arrays, one function per element kind so that each stays monomorphic and is inlined: an index
 * out of range is a defect of the kernel and must not travel on as `NaN`.
 */
const outOfRange = (index: number, length: number): never => {
  throw new RangeError(`index ${index} in a column of ${length}`)
}

export const i32 = (column: Int32Array, index: number): number => column[index] ?? outOfRange(index, column.length)

export const f64 = (column: Float64Array, index: number): number => column[index] ?? outOfRange(index, column.length)

export const u8 = (column: Uint8Array, index: number): number => column[index] ?? outOfRange(index, column.length)
