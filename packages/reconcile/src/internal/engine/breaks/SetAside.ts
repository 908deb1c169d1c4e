/** Settles entries that the policy keeps out of matching: they are excluded by hand, too small, or in no flow. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "../../../Policy.ts"
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import type { Workbench } from "../Workbench.ts"

const isBelow = (amount: string, least: string): boolean => {
  const scale = Math.max(Amount.scale(amount), Amount.scale(least))
  return Amount.units(amount, scale) < Amount.units(least, scale)
}

/**
 * Finds the smallest amount that counts for an asset. If the asset has no bound of its own, the bound of another asset that
 * counts as equal holds.
 */
const leastOf = ({ assets, minAmount }: Policy.Resolved): (asset: string) => string | undefined => {
  // Asset names come from outside, and an object has properties of its own, so a map is used.
  const bounds = new Map(Object.entries(minAmount))
  const least = new Map<string, string>()
  for (const names of assets.aliases) {
    const shared = names.map((name) => bounds.get(name)).find((amount) => amount !== undefined)
    if (shared !== undefined) { for (const name of names) least.set(name, shared) }
  }
  for (const [asset, amount] of bounds) least.set(asset, amount)
  return (asset) => least.get(asset)
}

/** Makes the draft of a transfer that no flow names. */
export const outOfFlow = (index: number, finality: "always" | "horizon"): Draft => ({
  deposits: [],
  transfers: [index],
  code: "out-of-flow",
  finality,
  because: { code: "out-of-flow" }
})

/**
 * Settles the entries that take no part. A transfer that goes against a flow is left for later, because
 * it may cancel another one or have the wrong direction.
 */
export const setAside = ({ ledger, settle }: Workbench): void => {
  const { policy } = ledger
  const sides = [ledger.deposits, ledger.transfers]

  const named = new Set(policy.exclude.map(({ id }) => id))
  const positions = sides.map((side) => {
    const found = new Map<string, number>()
    if (named.size > 0) side.entries.forEach(({ id }, index) => named.has(id) && found.set(id, index))
    return { side, found }
  })
  for (const { by, id, reason, side: only } of policy.exclude) {
    for (const { found: known, side } of positions) {
      if (only !== undefined && only !== side.side) continue
      const index = known.get(id)
      if (index === undefined) continue
      if (side.open[index] !== 1) continue
      settle({
        ...side.alone(index),
        code: "excluded",
        finality: "always",
        because: {
          code: "excluded",
          ...(by === undefined ? {} : { by }),
          ...(reason === undefined ? {} : { reason })
        }
      })
    }
  }

  const least = leastOf(policy)
  for (const side of sides) {
    for (let index = 0; index < side.entries.length; index++) {
      if (side.open[index] !== 1) continue
      const entry = item(side.entries, index)
      const bound = least(entry.asset)
      if (bound !== undefined && isBelow(entry.amount, bound)) {
        settle({
          ...side.alone(index),
          code: "excluded",
          finality: "always",
          because: { code: "below-least", least: bound }
        })
      } else if (
        side.inFlow[index] !== 1 && entry.status === "settled" && side.against[index] !== 1 &&
        !side.objections.has(index)
      ) {
        settle(outOfFlow(index, "always"))
      }
    }
  }
}
