/** What can happen to a deposit: each scenario writes its records and says what is true of them. */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import { accountName } from "../AddressBook.ts"
import type * as Truth from "../Truth.ts"
import type { Clerk, Lane } from "./Clerk.ts"
import type { Prng } from "./Prng.ts"

export interface Scenario {
  readonly deposits: ReadonlyArray<SubAccountDeposit>
  readonly sweeps: ReadonlyArray<UniversalTransfer>
  /** Undefined: an ordinary pair. */
  readonly kind: Truth.Kind | undefined
  /** Positions in `deposits` and `sweeps` that belong together. */
  readonly pairs: ReadonlyArray<readonly [deposit: number, sweep: number]>
  /** Whether the sweep carries the id of its deposit. */
  readonly stamped: boolean
}

export interface Stage {
  readonly prng: Prng
  readonly clerk: Clerk
  /** The share of sweeps that carry the id of their deposit. */
  readonly stamped: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The longest lag of an ordinary sweep, well inside a window of one hour. */
const LONGEST_LAG = 50 * MINUTE

const one = [[0, 0]] as const

const ordinaryLag = (prng: Prng): number => {
  const u = prng.fraction()
  return 20 * SECOND + Math.floor((LONGEST_LAG - 20 * SECOND) * u * u * u)
}

/** A deposit swept in time, at the latest at `end`. */
export const ordinary = (stage: Stage, lane: Lane, at: number, units: number, end: number): Scenario => {
  const { clerk, prng } = stage
  const deposit = clerk.deposit(lane, at, units)
  const stamped = prng.chance(stage.stamped)
  const sweptAt = Math.min(at + ordinaryLag(prng), end)
  const sweep = clerk.sweep(lane, sweptAt, units, { stampOf: stamped ? deposit : undefined })
  return { deposits: [deposit], sweeps: [sweep], kind: undefined, pairs: one, stamped }
}

/** A deposit that nothing follows. */
export const unswept = (stage: Stage, lane: Lane, at: number, units: number, kind: Truth.Kind): Scenario => ({
  deposits: [stage.clerk.deposit(lane, at, units)],
  sweeps: [],
  kind,
  pairs: [],
  stamped: false
})

const PENDING = [2, 3, 4, 6, 9] as const

const burst = (stage: Stage, lane: Lane, at: number, kind: Truth.Kind, unsweptCount: number): Scenario => {
  const { clerk, prng } = stage
  const units = clerk.uniqueUnits(lane.asset)
  const size = prng.between(3, 6)
  const deposits: Array<SubAccountDeposit> = []
  const sweeps: Array<UniversalTransfer> = []
  let time = at
  for (let i = 0; i < size; i++) {
    deposits.push(clerk.deposit(lane, time, units))
    time += prng.between(2, 20) * SECOND
  }
  time += prng.between(5, 30) * MINUTE
  for (let i = unsweptCount; i < size; i++) {
    sweeps.push(clerk.sweep(lane, time, units))
    time += prng.between(2, 40) * SECOND
  }
  return { deposits, sweeps, kind, pairs: sweeps.map((_, i) => [i, i] as const), stamped: false }
}

/** Short by 0.2 to 8 percent. */
const cut = (prng: Prng, units: number): number => {
  const short = Math.floor(units * (1 - 0.002 - 0.078 * prng.fraction()))
  return short - short % 10 + 3
}

/** A deposit of a unique amount and one sweep, which carries its id or not. */
const swept = (
  stage: Stage,
  lane: Lane,
  at: number,
  kind: Truth.Kind,
  how: { readonly lag: number; readonly cut?: boolean; readonly status?: string; readonly stampable?: boolean }
): Scenario => {
  const { clerk, prng } = stage
  const units = clerk.uniqueUnits(lane.asset)
  const deposit = clerk.deposit(lane, at, units)
  const stamped = how.stampable !== false && prng.chance(stage.stamped)
  const sweep = clerk.sweep(lane, at + how.lag, how.cut === true ? cut(prng, units) : units, {
    stampOf: stamped ? deposit : undefined,
    status: how.status ?? "SUCCESS"
  })
  return { deposits: [deposit], sweeps: [sweep], kind, pairs: one, stamped }
}

const sweptTwice = (stage: Stage, lane: Lane, at: number, kind: Truth.Kind): Scenario => {
  const { clerk, prng } = stage
  const units = clerk.uniqueUnits(lane.asset)
  const lag = prng.between(2 * MINUTE, 8 * MINUTE)
  const later = Math.floor(lag * (3.2 + 1.8 * prng.fraction()))
  return {
    deposits: [clerk.deposit(lane, at, units)],
    sweeps: [clerk.sweep(lane, at + lag, units), clerk.sweep(lane, at + later, units)],
    kind,
    pairs: one,
    stamped: false
  }
}

/** A planted break. Its amount is found nowhere else in the history. */
export const planted = (stage: Stage, lane: Lane, at: number, kind: Truth.Kind): Scenario => {
  const { clerk, prng } = stage
  switch (kind) {
    case "interchangeable-burst":
      return burst(stage, lane, at, kind, 0)
    case "burst-short-of-one":
      return burst(stage, lane, at, kind, 1)
    case "duplicate-transfer":
      return sweptTwice(stage, lane, at, kind)
    case "amount-off":
      return swept(stage, lane, at, kind, { lag: ordinaryLag(prng), cut: true })
    case "late":
      return swept(stage, lane, at, kind, { lag: prng.between(65 * MINUTE, 6 * HOUR) })
    case "failed-transfer":
      return swept(stage, lane, at, kind, { lag: ordinaryLag(prng), status: "FAILED", stampable: false })
    case "transfer-without-deposit": {
      const sweeps = [clerk.sweep(lane, at, clerk.uniqueUnits(lane.asset))]
      return { deposits: [], sweeps, kind, pairs: [], stamped: false }
    }
    case "pending-deposit": {
      const deposits = [clerk.deposit(lane, at, clerk.uniqueUnits(lane.asset), prng.pick(PENDING))]
      return { deposits, sweeps: [], kind, pairs: [], stamped: false }
    }
    default:
      return unswept(stage, lane, at, clerk.uniqueUnits(lane.asset), kind)
  }
}

const pairsOf = (scenario: Scenario): ReadonlyArray<Truth.Pair> =>
  scenario.pairs.flatMap(([d, s]) => {
    const deposit = scenario.deposits[d]
    const transfer = scenario.sweeps[s]
    return deposit === undefined || transfer === undefined
      ? []
      : { deposit: deposit.txId, transfer: transfer.tranId, stamped: scenario.stamped }
  })

/** One true sentence about some records. */
export type Told =
  | { readonly _tag: "Pair"; readonly pair: Truth.Pair }
  | { readonly _tag: "Break"; readonly break: Truth.Break }

/** What is true of a scenario. */
export const truthOf = (scenario: Scenario, lane: Lane): Told => {
  const pairs = pairsOf(scenario)
  const [pair] = pairs
  if (scenario.kind === undefined && pair !== undefined) return { _tag: "Pair", pair }
  return {
    _tag: "Break",
    break: {
      kind: scenario.kind ?? "deposit-without-transfer",
      account: accountName(lane.account),
      asset: lane.asset.coin,
      deposits: scenario.deposits.map((deposit) => deposit.txId),
      transfers: scenario.sweeps.map((transfer) => transfer.tranId),
      pairs
    }
  }
}
