/** Plants breaks. No amount of a break's records is found elsewhere in the history. */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import type * as Truth from "../../Truth.ts"
import type { Prng } from "../Prng.ts"
import * as Misdirected from "./Misdirected.ts"
import type { Lane } from "./RecordFactory.ts"
import { one, ordinaryLag, type Scenario, type Stage, unswept } from "./Scenario.ts"
import * as SweepsAndSplits from "./SweepsAndSplits.ts"

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PENDING = [2, 3, 4, 6, 9] as const

const burst = (stage: Stage, lane: Lane, at: number, kind: Truth.Kind, unsweptCount: number): Scenario => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const size = prng.between(3, 6)
  const deposits: Array<SubAccountDeposit> = []
  const transfers: Array<UniversalTransfer> = []
  let time = at
  for (let i = 0; i < size; i++) {
    deposits.push(factory.deposit(lane, time, units))
    time += prng.between(2, 20) * SECOND
  }
  time += prng.between(5, 30) * MINUTE
  for (let i = unsweptCount; i < size; i++) {
    transfers.push(factory.sweep(lane, time, units))
    time += prng.between(2, 40) * SECOND
  }
  return { deposits, transfers, kind, pairs: transfers.map((_, i) => [i, i] as const), stamped: false }
}

/** Short by 0.2 to 8 percent. */
const cut = (prng: Prng, units: number): number => {
  const short = Math.floor(units * (1 - 0.002 - 0.078 * prng.fraction()))
  return short - short % 10 + 3
}

/** Makes a deposit of a unique amount and one sweep, which may carry its id. The earlier of the two is at `at`. */
const swept = (
  stage: Stage,
  lane: Lane,
  at: number,
  kind: Truth.Kind,
  how: { readonly lag: number; readonly cut?: boolean; readonly status?: string; readonly stampable?: boolean }
): Scenario => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const arrivedAt = at + Math.max(0, -how.lag)
  const deposit = factory.deposit(lane, arrivedAt, units)
  const stamped = how.stampable !== false && prng.chance(stage.stamped)
  const sweep = factory.sweep(lane, arrivedAt + how.lag, how.cut === true ? cut(prng, units) : units, {
    stampOf: stamped ? deposit : undefined,
    status: how.status ?? "SUCCESS"
  })
  return { deposits: [deposit], transfers: [sweep], kind, pairs: one, stamped }
}

const sweptTwice = (stage: Stage, lane: Lane, at: number, kind: Truth.Kind): Scenario => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const lag = prng.between(2 * MINUTE, 8 * MINUTE)
  const later = Math.floor(lag * (3.2 + 1.8 * prng.fraction()))
  return {
    deposits: [factory.deposit(lane, at, units)],
    transfers: [factory.sweep(lane, at + lag, units), factory.sweep(lane, at + later, units)],
    kind,
    pairs: one,
    stamped: false
  }
}

const sweepOfNothing = ({ factory }: Stage, lane: Lane, at: number, kind: Truth.Kind): Scenario => ({
  deposits: [],
  transfers: [factory.sweep(lane, at, factory.uniqueUnits(lane.asset))],
  kind,
  pairs: [],
  stamped: false
})

const alone = (stage: Stage, lane: Lane, at: number, kind: Truth.Kind): Scenario =>
  unswept(stage, lane, at, stage.factory.uniqueUnits(lane.asset), kind)

const pending = ({ factory, prng }: Stage, lane: Lane, at: number, kind: Truth.Kind): Scenario => ({
  deposits: [factory.deposit(lane, at, factory.uniqueUnits(lane.asset), prng.pick(PENDING))],
  transfers: [],
  kind,
  pairs: [],
  stamped: false
})

type Plant = (stage: Stage, lane: Lane, at: number, kind: Truth.Kind) => Scenario

const plants: Readonly<Record<Truth.Kind, Plant>> = {
  "deposit-without-transfer": alone,
  "in-flight": alone,
  "crowd-unswept": alone,
  "transfer-without-deposit": sweepOfNothing,
  "pending-deposit": pending,
  "amount-off": (stage, lane, at, kind) => swept(stage, lane, at, kind, { lag: ordinaryLag(stage.prng), cut: true }),
  late: (stage, lane, at, kind) => swept(stage, lane, at, kind, { lag: stage.prng.between(65 * MINUTE, 6 * HOUR) }),
  early: (stage, lane, at, kind) =>
    swept(stage, lane, at, kind, { lag: -stage.prng.between(5 * MINUTE, 2 * HOUR), stampable: false }),
  "failed-transfer": (stage, lane, at, kind) =>
    swept(stage, lane, at, kind, { lag: ordinaryLag(stage.prng), status: "FAILED", stampable: false }),
  "duplicate-transfer": sweptTwice,
  "interchangeable-burst": (stage, lane, at, kind) => burst(stage, lane, at, kind, 0),
  "burst-short-of-one": (stage, lane, at, kind) => burst(stage, lane, at, kind, 1),
  "deposit-left-out": SweepsAndSplits.leavingOut,
  "incomplete-sweep": SweepsAndSplits.incompleteSweep,
  "incomplete-split": SweepsAndSplits.incompleteSplit,
  "account-mismatch": Misdirected.fromAnother,
  "asset-mismatch": Misdirected.asAnother,
  reversed: Misdirected.backAgain,
  "wrong-direction": Misdirected.outward
}

/** Makes a break of this kind, its first record at `at`. */
export const planted: Plant = (stage, lane, at, kind) => plants[kind](stage, lane, at, kind)
