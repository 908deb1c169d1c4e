/** Whatever number somebody asks for, so many are given: a whole number, at least 1. */
import * as Num from "effect/Number"

/** Gives a whole number from 1 to `most`: what was asked for, without its fraction, where that is one. */
export const clipped = (asked: number, most: number): number =>
  Num.clamp(Math.trunc(asked), { minimum: 1, maximum: most })
