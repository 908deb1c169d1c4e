/** Counts and sums the entries that go from one code to another. */
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"
import * as Outcome from "../../Outcome.ts"
import * as Totals from "../report/Totals.ts"
import * as Kind from "./Kind.ts"
import type * as Overlap from "./Overlap.ts"
import type { SharedAssets } from "./SharedAssets.ts"

const Line = Totals.Total.fields.deposits.fields.in
type Line = typeof Line.Type

export const Group = Schema.Struct({
  kind: Kind.Kind,
  /** Null if the entry has no outcome, because no entry of that outcome lies in the range. */
  before: Schema.NullOr(Outcome.Code),
  after: Schema.NullOr(Outcome.Code),
  /** The number of entries, including records that could not be read. */
  count: Schema.Int,
  /** The sums by asset, in the order of the names. */
  sums: Schema.Array(Schema.Struct({ asset: Schema.String, deposits: Line, transfers: Line }))
})
export type Group = typeof Group.Type

const line = (amounts: ReadonlyArray<string>): Line => {
  const scale = amounts.reduce((most, amount) => Math.max(most, Amount.scale(amount)), 0)
  const units = amounts.reduce((sum, amount) => sum + Amount.units(amount, scale), 0n)
  return { count: amounts.length, sum: Amount.format(units, scale) }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const sums = (changed: ReadonlyArray<Overlap.Changed>, { nameOf }: SharedAssets): Group["sums"] => {
  const assets = new Map<string, { readonly deposit: Array<string>; readonly transfer: Array<string> }>()
  for (const { entry, side } of changed) {
    if (entry === undefined) continue
    const name = nameOf(entry.asset)
    const amounts = assets.get(name) ?? { deposit: [], transfer: [] }
    amounts[side].push(entry.amount)
    assets.set(name, amounts)
  }
  return Array.from(assets)
    .toSorted(([a], [b]) => byText(a, b))
    .map(([asset, { deposit, transfer }]) => ({ asset, deposits: line(deposit), transfers: line(transfer) }))
}

const matched: ReadonlySet<string | null> = new Set(Outcome.codes.matched)

const rankOf = ({ before, kind }: Group): number => Kind.weight(kind, matched.has(before))

/** Makes the groups in the order of importance, then of size. */
export const make = (changed: ReadonlyArray<Overlap.Changed>, assets: SharedAssets): ReadonlyArray<Group> => {
  const groups = new Map<string, Array<Overlap.Changed>>()
  for (const one of changed) {
    const key = `${one.kind} ${one.before} ${one.after}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [one])
    else known.push(one)
  }
  return Array.from(groups.values())
    .flatMap((members): ReadonlyArray<Group> => {
      const [first] = members
      if (first === undefined) return []
      const { after, before, kind } = first
      return [{ kind, before, after, count: members.length, sums: sums(members, assets) }]
    })
    .toSorted((a, b) =>
      rankOf(a) - rankOf(b) || b.count - a.count ||
      byText(`${a.before} ${a.after}`, `${b.before} ${b.after}`)
    )
}
