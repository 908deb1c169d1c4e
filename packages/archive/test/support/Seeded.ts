/** Random choices that a seed repeats, so that a failing case can be named and run again. */

export interface Seeded {
  /** From 0 to 1. */
  readonly next: () => number
  /** A whole number from `low` to `high`, both inclusive. */
  readonly int: (low: number, high: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(values: ReadonlyArray<A>) => A
}

/** Mulberry32. */
export const make = (seed: number): Seeded => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return { next, int, chance: (share) => next() < share, pick: (values) => values[int(0, values.length - 1)]! }
}

/** Whether this is the long run, which tries everything: it sets `TALLYSTICK_CASES`. */
export const isLong = process.env["TALLYSTICK_CASES"] !== undefined

/** How many cases a property test tries: `TALLYSTICK_CASES`, or the number given. */
export const cases = (fallback: number): number => Number(process.env["TALLYSTICK_CASES"] ?? fallback)
