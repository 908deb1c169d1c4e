/**
 * Splits a run into parts that are decided apart. No entry of a family of assets is compared with one of another family, so the reports
 * of parts that have whole families make that of the run. A family may be cut in time as well, where it is silent for longer than any rule
 * looks.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "./Entry.ts"
import type { Family } from "./internal/engine/ledger/Families.ts"

export {
  /** How many entries there are of an asset, as records write its name. */
  type Count,
  /**
   * Returns the families of some assets, in the order of their names. Two assets are of one family if the policy calls them equal, if
   * they or any names that it calls equal to them look alike, or if a tie joins them, at once or through others.
   */
  families,
  /** Assets whose entries may be compared with each other. */
  type Family,
  /** Assets that are of one family because an id joins their entries. */
  type Tie
} from "./internal/engine/ledger/Families.ts"

/** The times of a part, `[from, to)` in Unix ms. What is left out is no bound. */
export interface Times {
  readonly from?: number
  readonly to?: number
}

/** Times of a family between two silences, each of which is longer than any rule looks. */
export interface Stretch extends Times {
  /** The number of its entries. */
  readonly entries: number
}

/** A family of a run, and where it may be cut in time. */
export interface Surveyed extends Family {
  /**
   * The stretches of the family in order of time, which together are all time. Nothing that is said of one depends on another. A part may
   * have several that follow each other. There is one where no cut is proven.
   */
  readonly stretches: ReadonlyArray<Stretch>
}

/** What the parts of a run have in common, and none of them can know alone. It is the same for all of them. */
export interface Whole {
  /** The coverage of the run: all that its slices gave of deposits, and then all of transfers, in their order. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** 16 hex digits of the policy and the accounts that the families follow from. */
  readonly rules: string
  /**
   * The families of all its assets, in the order of their names. All assets of a family stand in one part, or all of them in each of its
   * stretches. An entry that comes twice counts twice.
   */
  readonly families: ReadonlyArray<Surveyed>
  /** The number of records of each side that could not be used. */
  readonly bad: Readonly<Record<Entry.Side, number>>
}

/** Assets that are decided together, and how many entries they have. */
export interface Spread extends Omit<Family, "name"> {}

/**
 * Spreads families over so many parts, 1 or more. The largest families are given out first, each to the part with the fewest entries so
 * far. Where there are fewer families, there are fewer parts, though at least one. The same families in the same order give the same
 * parts.
 */
export const balanced = (families: ReadonlyArray<Family>, parts: number): ReadonlyArray<Spread> => {
  const spread = Array.from({ length: Math.max(1, Math.min(parts, families.length)) }, () => ({
    assets: new Array<string>(),
    entries: 0
  }))
  for (const { assets, entries } of families.toSorted((one, other) => other.entries - one.entries)) {
    const least = spread.reduce((least, part) => (part.entries < least.entries ? part : least))
    least.assets.push(...assets)
    least.entries += entries
  }
  return spread
}
