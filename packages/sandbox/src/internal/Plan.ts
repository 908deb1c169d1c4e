/** A history as a sequence of events in time order, planned while it is read. */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import type * as AddressBook from "../AddressBook.ts"
import { type HistoryOptions, room } from "../HistoryOptions.ts"
import type * as Truth from "../Truth.ts"
import * as Asset from "./Asset.ts"
import * as Clerk from "./Clerk.ts"
import * as Prng from "./Prng.ts"
import * as Scenario from "./Scenario.ts"
import * as Timeline from "./Timeline.ts"

/** Records in time order; what is true of some records comes before them. */
export type Event =
  | { readonly _tag: "Deposit"; readonly deposit: SubAccountDeposit }
  | { readonly _tag: "Transfer"; readonly transfer: UniversalTransfer }
  | Scenario.Told

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Breaks keep away from both ends, so that the windows of all but in-flight ones are closed and covered. */
const EDGE = 70 * MINUTE
/** A late sweep comes at most 6 hours after its deposit. */
const LATE_EDGE = 7 * HOUR
/** Deposits of the last half hour may be in flight. */
const FLIGHT = 30 * MINUTE
/** Equal amounts near the end would mix with deposits whose window is open. */
const CROWD_EDGE = 3 * HOUR
/** The last ordinary deposit has this long to be swept. */
const LAST_LAG = MINUTE
/** One break in so many is an in-flight deposit. */
const IN_FLIGHT_SHARE = 0.05

const CLERK = 3
const GRID = 4
const BREAKS = 5

/** `count` of the whole numbers in [low, high), ascending, one from each of `count` equal stretches. */
const spread = (prng: Prng.Prng, low: number, high: number, count: number): ReadonlyArray<number> => {
  const width = Math.max(0, high - low)
  const taken = Math.min(count, width)
  return Array.from({ length: taken }, (_, j) => {
    const from = Math.floor(j * width / taken)
    return low + prng.between(from, Math.floor((j + 1) * width / taken) - 1)
  })
}

interface Grid {
  readonly size: number
  readonly timeOf: (index: number) => number
  /** The first index that stands for certain at or after `time`. */
  readonly indexAt: (time: number) => number
}

/** Scenario times: one in each of `size` equal stretches, so that they ascend without being held. */
const makeGrid = (seed: number, from: number, to: number, size: number): Grid => {
  const step = (to - from) / size
  return {
    size,
    timeOf: (index) => from + Math.floor((index + Prng.fraction(seed, GRID, index)) * step),
    indexAt: (time) => Math.min(size, Math.max(0, Math.ceil((time - from) / step)))
  }
}

/** Which scenarios are breaks, and of which kind. */
const planBreaks = (options: HistoryOptions, grid: Grid, from: number): ReadonlyMap<number, Truth.Kind> => {
  const { breaks, kinds, seed, to } = options
  const prng = Prng.make(seed, BREAKS)
  const total = Math.min(breaks, room(options))
  const inTurn = kinds.filter((kind) => kind !== "in-flight" && kind !== "crowd-unswept")
  const flying = inTurn.length === 0 ? total : Math.ceil(total * IN_FLIGHT_SHARE)
  const inFlight = spread(prng, grid.indexAt(to - FLIGHT), grid.size, flying)
  const closed = spread(
    prng,
    grid.indexAt(from + EDGE),
    grid.indexAt(to - EDGE),
    inTurn.length === 0 ? 0 : total - inFlight.length
  )
  const planned = new Map<number, Truth.Kind>()
  let turn: Array<Truth.Kind> = []
  for (const index of closed) {
    if (turn.length === 0) turn = Prng.shuffle(prng, [...inTurn])
    const kind = turn.pop() ?? "deposit-without-transfer"
    const tooLate = kind === "late" && grid.timeOf(index) > to - LATE_EDGE
    planned.set(index, tooLate ? "deposit-without-transfer" : kind)
  }
  for (const index of inFlight) planned.set(index, "in-flight")
  return planned
}

/** Breaks take the assets in turn, and with each round the next account: two in one lane are far apart. */
const laneOfBreak = (ordinal: number, subAccounts: number): Clerk.Lane => ({
  account: Math.floor(ordinal / Asset.assets.length) % subAccounts,
  asset: Asset.assets[ordinal % Asset.assets.length] ?? Asset.assets[0]
})

export function* events(options: HistoryOptions, book: ReadonlyArray<AddressBook.Entry>): Generator<Event, void> {
  const { crowd, seed, subAccounts, to } = options
  const prng = Prng.make(seed, CLERK)
  const clerk = Clerk.make(prng, book, options.master)
  const stage: Scenario.Stage = { prng, clerk, stamped: options.stamped }
  const from = to - options.span
  const end = to - options.quiet
  const grid = makeGrid(seed, from, end - LAST_LAG, options.deposits)
  const breaks = planBreaks(options, grid, from)
  const timeline = Timeline.make<Event>()
  let planted = 0

  const ordinary = (at: number): readonly [Scenario.Scenario, Clerk.Lane] => {
    const lane = { account: prng.between(0, subAccounts - 1), asset: prng.pick(Asset.assets) }
    if (at > to - CROWD_EDGE || !prng.chance(crowd.share)) {
      return [Scenario.ordinary(stage, lane, at, clerk.ordinaryUnits(lane.asset), end), lane]
    }
    const units = prng.pick(lane.asset.round)
    return prng.chance(crowd.unswept)
      ? [Scenario.unswept(stage, lane, at, units, "crowd-unswept"), lane]
      : [Scenario.ordinary(stage, lane, at, units, end), lane]
  }

  const scenarioAt = (index: number, at: number): readonly [Scenario.Scenario, Clerk.Lane] => {
    const kind = breaks.get(index)
    if (kind === undefined) return ordinary(at)
    const lane = laneOfBreak(planted++, subAccounts)
    return [Scenario.planted(stage, lane, at, kind), lane]
  }

  function* due(time: number): Generator<Event, void> {
    for (let event = timeline.takeBefore(time); event !== undefined; event = timeline.takeBefore(time)) yield event
  }

  for (let index = 0; index < grid.size; index++) {
    const at = grid.timeOf(index)
    yield* due(at)
    const [scenario, lane] = scenarioAt(index, at)
    yield Scenario.truthOf(scenario, lane)
    for (const deposit of scenario.deposits) timeline.add(deposit.insertTime, { _tag: "Deposit", deposit })
    for (const transfer of scenario.sweeps) timeline.add(transfer.timestamp, { _tag: "Transfer", transfer })
  }
  yield* due(Number.POSITIVE_INFINITY)
}
