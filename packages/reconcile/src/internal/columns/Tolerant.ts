/** Tier `tolerant`: what hangs together with unlike amounts, asset by asset. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "../../Policy.ts"
import { i32, indicesWhere, pick } from "../kernel/Column.ts"
import { bucket } from "../matching/Column.ts"
import * as Acceptance from "./Acceptance.ts"
import * as Candidates from "./Candidates.ts"
import * as Decisions from "./Decisions.ts"
import * as Pairs from "./Pairs.ts"

const byAsset = (assets: Int32Array, taken: Uint8Array, count: number) => {
  const left = indicesWhere(taken, 0)
  const places = bucket(pick(assets, left), count, () => true)
  return (asset: number): Int32Array => pick(left, places.of(asset))
}

/** The least number of whole units that is not below an amount. */
const unitsFrom = (amount: string, scale: number): number => {
  const digits = Math.max(Amount.scale(amount) - scale, 0)
  const finer = 10n ** BigInt(digits)
  return Number((Amount.units(amount, scale + digits) + finer - 1n) / finer)
}

export const state = (
  pairs: Pairs.Pairs,
  policy: Pick<Policy.Resolved, "window" | "tolerance" | "ambiguity">,
  scales: Int32Array
): void => {
  const lefts = byAsset(pairs.deposits.asset, pairs.taken.deposits, scales.length)
  const rights = byAsset(pairs.transfers.asset, pairs.taken.transfers, scales.length)
  for (let asset = 0; asset < scales.length; asset++) {
    const left = lefts(asset)
    const right = rights(asset)
    if (left.length === 0 || right.length === 0) continue
    const noise = unitsFrom(policy.ambiguity.residual, i32(scales, asset))
    const accepted = Acceptance.make(policy.tolerance, i32(scales, asset))
    Candidates.visit(pairs, left, right, policy.window, accepted, ({ deposits, edges, transfers }) => {
      if (edges !== undefined) Decisions.state(pairs, { deposits, transfers, edges }, policy.ambiguity, noise)
      else Pairs.leave(pairs, { code: "search-exhausted", deposits, transfers, matched: 0 })
    })
  }
}
