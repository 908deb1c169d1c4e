/** A seeded generator of random numbers: a seed means the same book on every machine. */

export interface Random {
  /** A whole number from `low` to `high`, both inclusive. */
  readonly int: (low: number, high: number) => number
  readonly chance: (share: number) => boolean
  /** One of a list that is not empty. */
  readonly pick: <const A>(values: ReadonlyArray<A>) => A
  /** One of any list, or nothing where it is empty. */
  readonly some: <A>(values: ReadonlyArray<A>) => A | undefined
}

/** Mulberry32. */
export const make = (seed: number): Random => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    int,
    chance: (share) => next() < share,
    pick: (values) => {
      const at = int(0, values.length - 1)
      // An element may be `undefined` itself.
      for (const [index, value] of values.entries()) if (index === at) return value
      throw new RangeError("there is nothing to pick from")
    },
    some: (values) => values[int(0, values.length - 1)]
  }
}

/** A number for a text, so that two kinds do not begin alike. */
export const seedOf = (name: string, seed: number): number => {
  let hash = 0x811c9dc5
  for (const character of `${name} ${seed}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
