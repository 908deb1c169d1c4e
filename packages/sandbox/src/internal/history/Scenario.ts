/** Makes the scenarios of a deposit: the records of each, and the truth about them. */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import { accountName } from "../../Addresses.ts"
import type * as Truth from "../../Truth.ts"
import type { Prng } from "../Prng.ts"
import type { Lane, RecordFactory } from "./RecordFactory.ts"

export interface Scenario {
  readonly deposits: ReadonlyArray<SubAccountDeposit>
  readonly transfers: ReadonlyArray<UniversalTransfer>
  /** The kind of break; undefined for an ordinary pair or group. */
  readonly kind: Truth.Kind | undefined
  /** Positions in `deposits` and `transfers` that belong together, one and one. */
  readonly pairs: ReadonlyArray<readonly [deposit: number, transfer: number]>
  /** The records that belong together, several and one, or one and several. */
  readonly group?: {
    readonly deposits: ReadonlyArray<SubAccountDeposit>
    readonly transfers: ReadonlyArray<UniversalTransfer>
  }
  /** Whether the sweep carries the id of its deposit. */
  readonly stamped: boolean
}

export interface Stage {
  readonly prng: Prng
  readonly factory: RecordFactory
  readonly subAccounts: number
  /** The share of sweeps that carry the id of their deposit. */
  readonly stamped: number
  /** The most deposits of one sweep, and the most parts of one deposit. */
  readonly largest: { readonly sweep: number; readonly split: number }
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The longest lag of an ordinary sweep, well inside a window of one hour. */
const LONGEST_LAG = 50 * MINUTE

/** Chooses how long after its deposit a sweep comes. */
export const ordinaryLag = (prng: Prng): number => {
  const u = prng.fraction()
  return 20 * SECOND + Math.floor((LONGEST_LAG - 20 * SECOND) * u * u * u)
}

/** Returns the pairs of a scenario that has some. */
export const one: Scenario["pairs"] = [[0, 0]]

/** Makes a deposit that is swept in time, at the latest at `end`. */
export const ordinary = (stage: Stage, lane: Lane, at: number, units: number, end: number): Scenario => {
  const { factory, prng } = stage
  const deposit = factory.deposit(lane, at, units)
  const stamped = prng.chance(stage.stamped)
  const sweptAt = Math.min(at + ordinaryLag(prng), end)
  const sweep = factory.sweep(lane, sweptAt, units, { stampOf: stamped ? deposit : undefined })
  return { deposits: [deposit], transfers: [sweep], kind: undefined, pairs: one, stamped }
}

/** Makes a deposit that nothing follows. */
export const unswept = (stage: Stage, lane: Lane, at: number, units: number, kind: Truth.Kind): Scenario => ({
  deposits: [stage.factory.deposit(lane, at, units)],
  transfers: [],
  kind,
  pairs: [],
  stamped: false
})

/** One statement of the truth about some records. */
export type Told =
  | { readonly _tag: "Pair"; readonly pair: Truth.Pair }
  | { readonly _tag: "Group"; readonly group: Truth.Group }
  | { readonly _tag: "Break"; readonly break: Truth.Break }

const named = ({ deposits, transfers }: NonNullable<Scenario["group"]>): Truth.Group => ({
  deposits: deposits.map(({ txId }) => txId),
  transfers: transfers.map(({ tranId }) => tranId)
})

/** Returns the truth about a scenario. */
export const truthOf = (scenario: Scenario, lane: Lane): Told => {
  const { group, kind, stamped } = scenario
  const { deposits, transfers } = named(scenario)
  const pairs = scenario.pairs.flatMap(([d, t]): Truth.Pair | [] => {
    const [deposit, transfer] = [deposits[d], transfers[t]]
    return deposit === undefined || transfer === undefined ? [] : { deposit, transfer, stamped }
  })
  const [pair] = pairs
  if (kind === undefined && group !== undefined) return { _tag: "Group", group: named(group) }
  if (kind === undefined && pair !== undefined) return { _tag: "Pair", pair }
  return {
    _tag: "Break",
    break: {
      kind: kind ?? "deposit-without-transfer",
      account: accountName(lane.account),
      asset: lane.asset.coin,
      deposits,
      transfers,
      pairs,
      groups: group === undefined ? [] : [named(group)]
    }
  }
}
