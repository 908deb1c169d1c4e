/**
 * Makes deposits that are swept together, and deposits that are moved in parts. No amount of theirs is found elsewhere in the
 * history.
 */
import type * as Truth from "../../Truth.ts"
import type { Prng } from "../Prng.ts"
import type { Lane, RecordFactory } from "./RecordFactory.ts"
import type { Scenario, Stage } from "./Scenario.ts"

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The time from the first record of a group to the last, well inside a window of one hour. */
const LONGEST = 50 * MINUTE
/** The last of several deposits is swept after at most this long. */
const REST = 10 * MINUTE

/** Chooses the size of a group: small groups are many, large ones few. */
const sizeOf = (prng: Prng, low: number, high: number): number => {
  const u = prng.fraction()
  return low + Math.floor((high - low + 1) * u * u)
}

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amount) => total + amount, 0)

/** Chooses `size` times from `at` on, all within `span`. */
const times = (prng: Prng, at: number, span: number, size: number): ReadonlyArray<number> => {
  let time = at
  return Array.from({ length: size }, () => {
    const here = time
    time += prng.between(5 * SECOND, Math.max(5 * SECOND, Math.floor(span / size)))
    return here
  })
}

/** Makes deposits of one lane close together, and chooses when they are swept. */
const gather = ({ factory, prng }: Stage, lane: Lane, at: number, size: number) => {
  const all = times(prng, at, LONGEST - REST, size)
  const amounts = all.map(() => factory.uniqueUnits(lane.asset))
  return {
    amounts,
    deposits: all.map((time, i) => factory.deposit(lane, time, amounts[i] ?? 0)),
    sweptAt: (all.at(-1) ?? at) + prng.between(MINUTE, REST)
  }
}

const scenario = (kind: Truth.Kind | undefined, group: Required<Scenario>["group"]): Scenario => ({
  ...group,
  group,
  kind,
  pairs: [],
  stamped: false
})

/** Makes several deposits that one transfer of their sum moves. */
export const sweep = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { amounts, deposits, sweptAt } = gather(stage, lane, at, sizeOf(stage.prng, 2, stage.largest.sweep))
  return scenario(undefined, { deposits, transfers: [stage.factory.sweep(lane, sweptAt, sum(amounts))] })
}

/** Makes the same, but leaves one of the deposits out of the sum. The group is small enough for a client to find its members. */
export const leavingOut = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { factory, prng } = stage
  const { amounts, deposits, sweptAt } = gather(stage, lane, at, sizeOf(prng, 3, 7))
  const left = prng.between(0, deposits.length - 1)
  const transfers = [factory.sweep(lane, sweptAt, sum(amounts.toSpliced(left, 1)))]
  return { ...scenario("deposit-left-out", { deposits: deposits.toSpliced(left, 1), transfers }), deposits }
}

/** Makes the same, but adds to the sum one deposit that never came. */
export const incompleteSweep = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { factory, prng } = stage
  const { amounts, deposits, sweptAt } = gather(stage, lane, at, sizeOf(prng, 2, 6))
  const transfers = [factory.sweep(lane, sweptAt, sum(amounts) + factory.uniqueUnits(lane.asset))]
  return scenario("incomplete-sweep", { deposits, transfers })
}

/** Cuts `units` into parts: parts of any size, or equal ones and a rest, as under a limit. */
const parts = (prng: Prng, units: number, size: number): ReadonlyArray<number> => {
  const limit = Math.floor(units / (size - 0.1 - 0.8 * prng.fraction()))
  const weights = Array.from({ length: size - 1 }, () => prng.between(10, 30))
  const whole = sum(weights) + 20
  const heads = prng.chance(0.3)
    ? weights.map(() => limit)
    : weights.map((weight) => Math.floor(units * weight / whole))
  return [...heads, units - sum(heads)]
}

const moved = (factory: RecordFactory, lane: Lane, all: ReadonlyArray<number>, amounts: ReadonlyArray<number>) =>
  amounts.map((amount, i) => factory.sweep(lane, all[i] ?? 0, amount))

const inParts = (stage: Stage, lane: Lane, at: number, size: number) => {
  const { factory, prng } = stage
  const units = factory.uniqueUnits(lane.asset)
  const deposit = factory.deposit(lane, at, units)
  const start = at + prng.between(MINUTE, 5 * MINUTE)
  return {
    deposits: [deposit],
    transfers: moved(factory, lane, times(prng, start, LONGEST - 5 * MINUTE, size), parts(prng, units, size))
  }
}

/** Makes a deposit that several transfers move. */
export const split = (stage: Stage, lane: Lane, at: number): Scenario =>
  scenario(undefined, inParts(stage, lane, at, sizeOf(stage.prng, 2, stage.largest.split)))

/** Makes the same, but at least two of the parts came and at least one did not. */
export const incompleteSplit = (stage: Stage, lane: Lane, at: number): Scenario => {
  const { deposits, transfers } = inParts(stage, lane, at, sizeOf(stage.prng, 3, Math.max(3, stage.largest.split)))
  const came = stage.prng.between(2, transfers.length - 1)
  return scenario("incomplete-split", { deposits, transfers: transfers.slice(0, came) })
}
