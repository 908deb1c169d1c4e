/** Decides which scenarios of a history are breaks and groups, and gives each a time, an account and an asset. */
import { type HistoryOptions, room } from "../../HistoryOptions.ts"
import type * as Truth from "../../Truth.ts"
import * as Prng from "../Prng.ts"
import * as Asset from "./Asset.ts"
import type { Grid } from "./Grid.ts"
import type { Lane } from "./RecordFactory.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Breaks keep away from both ends, so that the windows of all but in-flight ones are closed and covered. */
const EDGE = 70 * MINUTE
/** A late sweep comes at most 6 hours after its deposit, an early one at most 2 hours before. */
const LATE_EDGE = 7 * HOUR
/**
 * Some breaks are judged by neighbours of any amount. The windows of these neighbours must be closed too; their records come
 * within 50 minutes.
 */
const GROUP_EDGE = 2 * HOUR
/** Deposits of the last half hour may be in flight. */
const FLIGHT = 30 * MINUTE
/** One break in so many is an in-flight deposit. */
const IN_FLIGHT_SHARE = 0.05

const BREAKS = 5

const edges: { readonly [kind in Truth.Kind]?: number } = {
  late: LATE_EDGE,
  early: LATE_EDGE,
  "amount-off": GROUP_EDGE,
  "deposit-left-out": GROUP_EDGE,
  "incomplete-sweep": GROUP_EDGE,
  "incomplete-split": GROUP_EDGE
}

/** Chooses `count` of the whole numbers in [low, high), ascending, one from each of `count` equal stretches. */
const spread = (prng: Prng.Prng, low: number, high: number, count: number): ReadonlyArray<number> => {
  const width = Math.max(0, high - low)
  const taken = Math.min(count, width)
  return Array.from({ length: taken }, (_, j) => {
    const from = Math.floor(j * width / taken)
    return low + prng.between(from, Math.floor((j + 1) * width / taken) - 1)
  })
}

export type Plot = Truth.Kind | "sweep" | "split"

/** Returns the planted kinds by their position in the grid. A break that cannot stand at its turn becomes a plain missing one. */
export const make = (options: HistoryOptions, grid: Grid, from: number): ReadonlyMap<number, Plot> => {
  const { kinds, seed, subAccounts, to } = options
  const prng = Prng.make(seed, BREAKS)
  const most = room(options)
  const breaks = Math.min(options.breaks, most)
  const groups = Math.min(options.sweeps + options.splits, most - breaks)
  const inTurn = kinds.filter((kind) => kind !== "in-flight" && kind !== "crowd-unswept")
  const flying = inTurn.length === 0 ? breaks : Math.ceil(breaks * IN_FLIGHT_SHARE)
  const inFlight = spread(prng, grid.indexAt(to - FLIGHT), grid.size, flying)
  const closed = inTurn.length === 0 ? 0 : breaks - inFlight.length
  const last = to - (closed === 0 ? GROUP_EDGE : EDGE)
  const indexes = spread(prng, grid.indexAt(from + EDGE), grid.indexAt(last), closed + groups)

  const planned = new Map<number, Plot>()
  const early = indexes.filter((index) => grid.timeOf(index) <= to - GROUP_EDGE)
  for (const [ordinal, index] of Prng.shuffle(prng, early).slice(0, groups).entries()) {
    const isSweep = Math.floor((ordinal + 1) * options.sweeps / groups) > Math.floor(ordinal * options.sweeps / groups)
    planned.set(index, isSweep ? "sweep" : "split")
  }
  let turn: Array<Truth.Kind> = []
  for (const index of indexes.filter((index) => !planned.has(index)).slice(0, closed)) {
    if (turn.length === 0) turn = Prng.shuffle(prng, [...inTurn])
    const kind = turn.pop() ?? "deposit-without-transfer"
    const tooLate = grid.timeOf(index) > to - (edges[kind] ?? 0)
    const tooFew = kind === "account-mismatch" && subAccounts < 2
    planned.set(index, tooLate || tooFew ? "deposit-without-transfer" : kind)
  }
  for (const index of inFlight) planned.set(index, "in-flight")
  return planned
}

/** Gives planted items the assets in turn, and with each round the next account, so that two in one lane are far apart. */
export const laneOf = (ordinal: number, subAccounts: number): Lane => ({
  account: Math.floor(ordinal / Asset.assets.length) % subAccounts,
  asset: Asset.assets[ordinal % Asset.assets.length] ?? Asset.assets[0]
})
