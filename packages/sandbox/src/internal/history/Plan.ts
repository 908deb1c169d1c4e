/** Plans a history as a sequence of events in time order, while it is read. */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import type * as Addresses from "../../Addresses.ts"
import type { HistoryOptions } from "../../HistoryOptions.ts"
import * as Prng from "../Prng.ts"
import * as Agenda from "./Agenda.ts"
import * as Asset from "./Asset.ts"
import * as Breaks from "./Breaks.ts"
import * as Grid from "./Grid.ts"
import * as RecordFactory from "./RecordFactory.ts"
import * as Scenario from "./Scenario.ts"
import * as Schedule from "./Schedule.ts"
import * as SweepsAndSplits from "./SweepsAndSplits.ts"

/** Records in time order. The truth about some records comes before them. */
export type Event =
  | { readonly _tag: "Deposit"; readonly deposit: SubAccountDeposit }
  | { readonly _tag: "Transfer"; readonly transfer: UniversalTransfer }
  | Scenario.Told

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Equal amounts near the end would mix with deposits whose window is open. */
const CROWD_EDGE = 3 * HOUR
/** The last ordinary deposit has this long to be swept. */
const LAST_LAG = MINUTE

const RECORDS = 3

const planted = (
  stage: Scenario.Stage,
  lane: RecordFactory.Lane,
  at: number,
  plot: Schedule.Plot
): Scenario.Scenario => {
  if (plot === "sweep") return SweepsAndSplits.sweep(stage, lane, at)
  return plot === "split" ? SweepsAndSplits.split(stage, lane, at) : Breaks.planted(stage, lane, at, plot)
}

export function* events(options: HistoryOptions, book: ReadonlyArray<Addresses.Entry>): Generator<Event, void> {
  const { crowd, largest, seed, stamped, subAccounts, to } = options
  const prng = Prng.make(seed, RECORDS)
  const factory = RecordFactory.make(prng, book, options.master)
  const stage: Scenario.Stage = { prng, factory, subAccounts, stamped, largest }
  const from = to - options.span
  const end = to - options.quiet
  const grid = Grid.make(seed, from, end - LAST_LAG, options.deposits)
  const plots = Schedule.make(options, grid, from)
  const agenda = Agenda.make<Event>()
  let ordinal = 0

  const ordinary = (at: number): readonly [Scenario.Scenario, RecordFactory.Lane] => {
    const lane = { account: prng.between(0, subAccounts - 1), asset: prng.pick(Asset.assets) }
    if (at > to - CROWD_EDGE || !prng.chance(crowd.share)) {
      return [Scenario.ordinary(stage, lane, at, factory.ordinaryUnits(lane.asset), end), lane]
    }
    const units = prng.pick(lane.asset.round)
    return prng.chance(crowd.unswept)
      ? [Scenario.unswept(stage, lane, at, units, "crowd-unswept"), lane]
      : [Scenario.ordinary(stage, lane, at, units, end), lane]
  }

  const scenarioAt = (index: number, at: number): readonly [Scenario.Scenario, RecordFactory.Lane] => {
    const plot = plots.get(index)
    if (plot === undefined) return ordinary(at)
    const lane = Schedule.laneOf(ordinal++, subAccounts)
    return [planted(stage, lane, at, plot), lane]
  }

  function* due(time: number): Generator<Event, void> {
    for (let event = agenda.takeBefore(time); event !== undefined; event = agenda.takeBefore(time)) yield event
  }

  for (let index = 0; index < grid.size; index++) {
    const at = grid.timeOf(index)
    yield* due(at)
    const [scenario, lane] = scenarioAt(index, at)
    yield Scenario.truthOf(scenario, lane)
    for (const deposit of scenario.deposits) agenda.add(deposit.insertTime, { _tag: "Deposit", deposit })
    for (const transfer of scenario.transfers) agenda.add(transfer.timestamp, { _tag: "Transfer", transfer })
  }
  yield* due(Number.POSITIVE_INFINITY)
}
