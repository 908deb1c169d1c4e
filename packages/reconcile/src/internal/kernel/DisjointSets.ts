/** Sets of indices that grow by joining (union-find with path halving). */
import { i32 } from "./Column.ts"

export interface DisjointSets {
  readonly find: (index: number) => number
  readonly join: (a: number, b: number) => void
  /** Turns each of these indices into a set of its own again. All members of their sets must be among them. */
  readonly reset: (indices: Iterable<number>) => void
}

export const make = (size: number): DisjointSets => {
  const parents = new Int32Array(size)
  for (let index = 0; index < size; index++) parents[index] = index
  const find = (index: number): number => {
    let current = index
    while (i32(parents, current) !== current) {
      const above = i32(parents, i32(parents, current))
      parents[current] = above
      current = above
    }
    return current
  }
  return {
    find,
    // The smaller index stays the root, so that the roots do not depend on the order of joining.
    join: (a, b) => {
      const [left, right] = [find(a), find(b)]
      if (left < right) parents[right] = left
      else parents[left] = right
    },
    reset: (indices) => {
      for (const index of indices) parents[index] = index
    }
  }
}
