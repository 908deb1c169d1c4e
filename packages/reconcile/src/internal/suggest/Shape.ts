/** What several links have in common. */
import type { Link } from "./Linked.ts"

/** So many links make a shape. */
export const FEWEST = 3

/** What links have in common, as data. Amounts are decimal text, in units of the asset; times are ms. */
export type Shape =
  /** Each transfer is less than its deposit by one amount. */
  | { readonly code: "fee"; readonly asset: string; readonly flat: string }
  /** Each transfer is less than its deposit by one share of it, but for a rounding of `rounding` at most. */
  | { readonly code: "share"; readonly asset: string; readonly rate: string; readonly rounding: string }
  /** The amounts differ by little, `absolute` at most. */
  | { readonly code: "difference"; readonly asset: string; readonly network?: string; readonly absolute: string }
  /** The transfers come behind the window, `after` the deposit at most. Without an asset, they are of several. */
  | { readonly code: "late"; readonly asset?: string; readonly network?: string; readonly after: number }
  /** The transfers come before the window, `before` the deposit at most. */
  | { readonly code: "early"; readonly asset?: string; readonly network?: string; readonly before: number }
  /** The deposits and the transfers have different names of one asset. */
  | { readonly code: "alias"; readonly names: ReadonlyArray<string> }

export interface Draft {
  readonly shape: Shape
  readonly links: ReadonlyArray<Link>
}

/** Gives the groups of enough members. */
export const groups = <Key>(links: ReadonlyArray<Link>, keyOf: (link: Link) => Key) =>
  Array.from(Map.groupBy(links, keyOf)).filter(([, { length }]) => length >= FEWEST)
