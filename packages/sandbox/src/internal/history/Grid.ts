/** Chooses when the scenarios of a history happen. */
import * as Prng from "../Prng.ts"

export interface Grid {
  readonly size: number
  readonly timeOf: (index: number) => number
  /** Returns the first index whose time is certainly not before `time`. */
  readonly indexAt: (time: number) => number
}

const GRID = 4

/** Takes one time in each of `size` equal stretches, so that the times ascend and none has to be kept. */
export const make = (seed: number, from: number, to: number, size: number): Grid => {
  const step = (to - from) / size
  return {
    size,
    timeOf: (index) => from + Math.floor((index + Prng.fraction(seed, GRID, index)) * step),
    indexAt: (time) => Math.min(size, Math.max(0, Math.ceil((time - from) / step)))
  }
}
