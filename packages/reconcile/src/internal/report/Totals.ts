/**
 * Control totals: the entries that came in on each side of each asset, and what became of them. The lines count entries of the
 * range; entries of other days, which stand in outcomes with them, have lines of their own.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"
import * as Policy from "../../Policy.ts"
import * as InRange from "../InRange.ts"
import { Sum } from "../Sum.ts"
import type { Additive } from "./Additive.ts"
import * as Buckets from "./Buckets.ts"

/** A number of entries, and their sum. */
const Line = Schema.Struct({ count: Schema.Int, sum: Sum }).annotate({ identifier: "ControlTotalLine" })
type Line = typeof Line.Type

/** One side of one asset. Both for count and sum, `in = matched + open + pending + undetermined + setAside`. */
const Side = Schema.Struct({
  /** All entries of this side: the sum of the five below. */
  in: Line.annotateKey({ description: "All entries of this side: the sum of the five below." }),
  /** In matches, and the certain pairs of classes. */
  matched: Line.annotateKey({ description: "In matches, and the certain pairs of classes." }),
  /** In breaks. */
  open: Line.annotateKey({ description: "In breaks." }),
  /** What may still settle. */
  pending: Line.annotateKey({ description: "What may still settle." }),
  /** What nobody can know, because something was not read. */
  undetermined: Line.annotateKey({ description: "What nobody can know, because something was not read." }),
  /** What does not count. */
  setAside: Line.annotateKey({ description: "What does not count." })
}).annotate({ identifier: "ControlTotalSide" })
type Side = typeof Side.Type

/** Deposits minus transfers. */
const Net = Schema.Struct({
  /** Of all entries. */
  total: Sum.annotateKey({ description: "Of all entries." }),
  /**
   * Of matched entries: fees, what the tolerance allowed, and what the counterparts of other days come to. Together with the
   * `residual` of `ofOtherDays` it is fees and tolerance alone.
   */
  residual: Sum.annotateKey({
    description:
      "Of matched entries: fees, what the tolerance allowed, and what the counterparts of other days come to. Together " +
      "with the `residual` of `ofOtherDays` it is fees and tolerance alone."
  }),
  open: Sum,
  pending: Sum,
  undetermined: Sum,
  setAside: Sum
}).annotate({ identifier: "ControlTotalNet" })

const sides = {
  deposits: Side,
  transfers: Side,
  /** Deposits minus transfers: `total = residual + open + pending + undetermined + setAside`. */
  net: Net.annotateKey({
    description: "Deposits minus transfers: `total = residual + open + pending + undetermined + setAside`."
  })
}

const Sides = Schema.Struct(sides)
type Sides = typeof Sides.Type

/** The totals of one asset, or of the assets that the policy's aliases call equal. */
export class Total extends Schema.Opaque<Total>()(
  Schema.Struct({
    /** The first name of the group. */
    asset: Schema.String.annotateKey({ description: "The first name of the group." }),
    /** The names that occur in the records, sorted. */
    assets: Schema.Array(Schema.String).annotateKey({ description: "The names that occur in the records, sorted." }),
    ...sides,
    /**
     * The entries outside of the range that stand in one outcome with entries inside. They count in no line above. Absent where
     * there are none, and in reports of version 1, whose lines above count them too.
     */
    ofOtherDays: Schema.optionalKey(Sides).annotateKey({
      description:
        "The entries outside of the range that stand in one outcome with entries inside. They count in no line above. " +
        "Absent where there are none, and in reports of version 1, whose lines above count them too."
    })
  }).annotate({ identifier: "ControlTotal" })
) {}

interface Tally {
  count: number
  units: bigint
}

type Tallies = Record<Buckets.Bucket, Tally>

const tallies = (): Tallies => ({
  matched: { count: 0, units: 0n },
  open: { count: 0, units: 0n },
  pending: { count: 0, units: 0n },
  undetermined: { count: 0, units: 0n },
  setAside: { count: 0, units: 0n }
})

const bothSides = ["deposits", "transfers"] as const

const allBuckets: ReadonlyArray<Buckets.Bucket> = Array.from(new Set(Object.values(Buckets.buckets)))

interface SideTallies {
  readonly deposits: Tallies
  readonly transfers: Tallies
}

/** Sums in units of one scale for the whole group. A finer amount refines the sums so far. */
interface Group {
  readonly assets: Set<string>
  scale: number
  readonly ofRange: SideTallies
  readonly ofOtherDays: SideTallies
}

const sidesIn = ({ ofOtherDays, ofRange }: Group): ReadonlyArray<Tallies> => [
  ofRange.deposits,
  ofRange.transfers,
  ofOtherDays.deposits,
  ofOtherDays.transfers
]

const refine = (group: Group, scale: number): void => {
  if (scale <= group.scale) return
  const factor = 10n ** BigInt(scale - group.scale)
  for (const side of sidesIn(group)) for (const tally of Object.values(side)) tally.units *= factor
  group.scale = scale
}

const add = (group: Group, tally: Tally, count: number, sum: string): void => {
  refine(group, Amount.scale(sum))
  tally.count += count
  tally.units += Amount.units(sum, group.scale)
}

const addSides = (group: Group, into: SideTallies, told: Pick<Sides, "deposits" | "transfers">): void => {
  for (const side of bothSides) {
    for (const bucket of allBuckets) add(group, into[side][bucket], told[side][bucket].count, told[side][bucket].sum)
  }
}

const sideOf = (side: Tallies, scale: number): Side => {
  const line = ({ count, units }: Tally): Line => ({ count, sum: Amount.format(units, scale) })
  const all = Object.values(side).reduce(
    (sum, { count, units }) => ({ count: sum.count + count, units: sum.units + units }),
    { count: 0, units: 0n }
  )
  return {
    in: line(all),
    matched: line(side.matched),
    open: line(side.open),
    pending: line(side.pending),
    undetermined: line(side.undetermined),
    setAside: line(side.setAside)
  }
}

const sidesOf = ({ deposits, transfers }: SideTallies, scale: number): Sides => {
  const left = (bucket: Buckets.Bucket): bigint => deposits[bucket].units - transfers[bucket].units
  const text = (units: bigint): string => Amount.format(units, scale)
  return {
    deposits: sideOf(deposits, scale),
    transfers: sideOf(transfers, scale),
    net: {
      total: text(left("matched") + left("open") + left("pending") + left("undetermined") + left("setAside")),
      residual: text(left("matched")),
      open: text(left("open")),
      pending: text(left("pending")),
      undetermined: text(left("undetermined")),
      setAside: text(left("setAside"))
    }
  }
}

const totalOf = (asset: string, { assets, ofOtherDays, ofRange, scale }: Group): Total => {
  const others = sidesOf(ofOtherDays, scale)
  return {
    asset,
    assets: Array.from(assets).toSorted(),
    ...sidesOf(ofRange, scale),
    ...(others.deposits.in.count + others.transfers.in.count === 0 ? {} : { ofOtherDays: others })
  }
}

/** Adds up totals by alias group. They come in the order of the groups' names. */
export const collector = (
  policy: Pick<Policy.Resolved, "assets">,
  range: InRange.Range
): Additive<ReadonlyArray<Total>> => {
  const alias = Policy.aliasOf(policy)
  const isInRange = InRange.isInRange(range)
  const groups = new Map<string, Group>()
  const groupOf = (name: string): Group => {
    const known = groups.get(name)
    if (known !== undefined) return known
    const both = (): SideTallies => ({ deposits: tallies(), transfers: tallies() })
    const made: Group = { assets: new Set(), scale: 0, ofRange: both(), ofOtherDays: both() }
    groups.set(name, made)
    return made
  }
  return {
    add: (outcome) => {
      const shares = Buckets.sharesOf(outcome)
      for (const side of bothSides) {
        for (const { bucket, from, to } of shares[side]) {
          for (const entry of outcome[side].slice(from, to)) {
            const group = groupOf(alias(entry.asset))
            const { [side]: sums } = isInRange(entry) ? group.ofRange : group.ofOtherDays
            group.assets.add(entry.asset)
            add(group, sums[bucket], 1, entry.amount)
          }
        }
      }
    },
    merge: (totals) => {
      for (const { asset, assets, ofOtherDays, ...ofRange } of totals) {
        const group = groupOf(asset)
        for (const name of assets) group.assets.add(name)
        addSides(group, group.ofRange, ofRange)
        if (ofOtherDays !== undefined) addSides(group, group.ofOtherDays, ofOtherDays)
      }
    },
    sums: () =>
      Array.from(groups)
        .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([asset, group]) => totalOf(asset, group))
  }
}
