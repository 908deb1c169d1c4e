/** Two sides as columns, and the transfer that swept each deposit. */

export interface Side {
  readonly asset: Int32Array
  /** Units of `10^-8`. */
  readonly amount: Float64Array
  /** Unix ms, ascending. */
  readonly at: Float64Array
}

export interface History {
  readonly deposits: Side
  readonly transfers: Side
  /** Per deposit, its transfer or -1. */
  readonly truth: Int32Array
}

export const ASSETS = 50
