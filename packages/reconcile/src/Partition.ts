/**
 * Splits a run into parts that are decided apart. No entry of a family of assets is compared with one of another family, so the reports
 * of parts that have whole families make that of the run.
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

/** What the parts of a run have in common, and none of them can know alone. It is the same for all of them. */
export interface Whole {
  /** The coverage of the run: all that its slices gave of deposits, and then all of transfers, in their order. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** The families of all its assets. All assets of a family stand in one part. An entry that comes twice counts twice. */
  readonly families: ReadonlyArray<Family>
  /** The number of records of each side that could not be used. */
  readonly bad: Readonly<Record<Entry.Side, number>>
}
