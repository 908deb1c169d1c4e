/** Makes transfers that go the wrong way: from another account, as another asset, back, or in the wrong direction. */
import type { Lane } from "./RecordFactory.ts"
import { one, ordinaryLag, type Scenario, type Stage } from "./Scenario.ts"

const MINUTE = 60_000

/** Chooses another account, whose own breaks are as far away as those of any account. */
const across = ({ subAccounts }: Stage, lane: Lane): Lane => ({
  ...lane,
  account: (lane.account + Math.floor(subAccounts / 2)) % subAccounts
})

/** Makes a deposit of one sub-account that is swept from another. */
export const fromAnother = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const deposits = [factory.deposit(lane, at, units)]
  const transfers = [factory.sweep(across(stage, lane), at + ordinaryLag(prng), units)]
  return { deposits, transfers, kind: "account-mismatch", pairs: one, stamped: false }
}

/** The token standards that an asset is also named after. */
const STANDARDS = ["TRC20", "ERC20", "BEP20"] as const

/** Makes a deposit that is swept under the name that its asset has on some network. */
export const asAnother = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const deposits = [factory.deposit(lane, at, units)]
  const asset = `${lane.asset.coin}-${prng.pick(STANDARDS)}`
  const transfers = [factory.sweep(lane, at + ordinaryLag(prng), units, { asset })]
  return { deposits, transfers, kind: "asset-mismatch", pairs: one, stamped: false }
}

/** Makes a sweep that is moved back, and in half of the cases made again, all within 40 minutes. */
export const backAgain = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const deposits = [factory.deposit(lane, at, units)]
  const sweptAt = at + prng.between(2 * MINUTE, 8 * MINUTE)
  const backAt = sweptAt + prng.between(5 * MINUTE, 15 * MINUTE)
  const transfers = [factory.sweep(lane, sweptAt, units), factory.sweep(lane, backAt, units, { outward: true })]
  const again = prng.chance(0.5)
    ? [factory.sweep(lane, backAt + prng.between(5 * MINUTE, 15 * MINUTE), units)]
    : []
  return {
    deposits,
    transfers: [...transfers, ...again],
    kind: "reversed",
    pairs: again.length === 0 ? [] : [[0, 2]],
    stamped: false
  }
}

/** Makes a deposit and, instead of a sweep, a transfer from the master account to the sub-account. */
export const outward = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const deposits = [factory.deposit(lane, at, units)]
  const transfers = [factory.sweep(lane, at + ordinaryLag(prng), units, { outward: true })]
  return { deposits, transfers, kind: "wrong-direction", pairs: one, stamped: false }
}
