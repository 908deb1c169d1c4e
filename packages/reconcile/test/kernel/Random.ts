/** Deterministic random instances, and how many of them a property is tried on. */

/** mulberry32: integers from 0 to `below - 1`. */
export const random = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
export type Random = ReturnType<typeof random>

const cases = (typical: number): number => Number(process.env["TALLYSTICK_CASES"] ?? typical)

/** Tries a property on seeded instances; a failure names the seed that shows it. `TALLYSTICK_CASES` sets how many. */
export const forSeeds = (typical: number, property: (next: Random, seed: number) => void): void => {
  for (let seed = 1; seed <= cases(typical); seed++) {
    try {
      property(random(seed), seed)
    } catch (cause) {
      throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }
}
