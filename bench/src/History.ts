/** Two sides as columns, and which transfer each deposit was really swept by. */

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

/** What every contender is asked for: candidates in this window, amounts equal or off by at most this share. */
export const window = { before: 60_000, after: 3_600_000 } as const
export const relative = 0.005
