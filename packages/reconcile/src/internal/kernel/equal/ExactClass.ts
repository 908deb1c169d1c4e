/**
 * Entries of equal amount that only the window keeps apart: one optimum, the pairs that may be stated as facts, and what
 * remains, regrouped. Linear in time (but for a logarithm in finding rivals) and memory, however many candidates there are.
 */
import { f64, i32, indicesWhere, pick, take, u8 } from "../Column.ts"
import { type Pairs, unspanned, unswappable } from "./Certainty.ts"
import { type Choice, choose } from "./LeastLag.ts"
import { type Component, regroup } from "./Regroup.ts"
import * as Rivals from "./Rivals.ts"
import * as Staircase from "./Staircase.ts"
import { type Surplus, surplus } from "./Surplus.ts"

export interface Input {
  /** Integer ms, ascending. */
  readonly deposits: Float64Array
  /** Integer ms, ascending. */
  readonly transfers: Float64Array
  /** A pair is a candidate when `-before <= transfer - deposit <= after`; either may be negative, `-before <= after`. */
  readonly before: number
  readonly after: number
  /** A decisive pair's rivals are more than this many times as far in time; at least 1. */
  readonly ratio: number
  /** A decisive pair has at most this many rivals. */
  readonly rivals: number
}

export interface Result {
  /** Per deposit, its transfer in an optimum (most pairs, then least total |lag|) without crossings, or -1. */
  readonly partner: Int32Array
  /** Per deposit, the transfer it is stated with, or -1. */
  readonly stated: Int32Array
  /** Per stated deposit: 1 = forced (in every maximum matching), 2 = decisive (in every optimum, rivals few and far). */
  readonly decidedBy: Uint8Array
  /** Per decisive deposit, the nearest other candidate of either entry, or -1. */
  readonly rival: Int32Array
  /** Which side that is: 0 = another transfer for the deposit, 1 = another deposit for the transfer. */
  readonly rivalSide: Uint8Array
  /** What remains without the stated pairs; entries without a remaining candidate are in none. */
  readonly components: ReadonlyArray<Component>
}

export const solve = (input: Input): Result => {
  const { after, before, deposits, transfers } = input
  const staircase = Staircase.make(deposits, transfers, before, after)
  const most = Staircase.firstInFirstOut(staircase.ofDeposit)
  const inverted = Staircase.inverse(most, transfers.length)
  const depositSurplus = surplus(staircase.ofDeposit, most, inverted)
  const transferSurplus = surplus(staircase.ofTransfer, inverted, most)
  const chosenDeposits = chooseIn(depositSurplus, deposits, transfers, after, before)
  const chosenTransfers = chooseIn(transferSurplus, transfers, deposits, before, after)

  const pairs = inOrder(chosenDeposits.earliest, chosenTransfers.earliest)
  const partner = new Int32Array(deposits.length).fill(-1)
  for (let pair = 0; pair < pairs.deposits.length; pair++) {
    partner[i32(pairs.deposits, pair)] = i32(pairs.transfers, pair)
  }

  const stated = new Int32Array(deposits.length).fill(-1)
  const decidedBy = new Uint8Array(deposits.length)
  const rival = new Int32Array(deposits.length).fill(-1)
  const rivalSide = new Uint8Array(deposits.length)

  const core = inCore(pairs, depositSurplus, transferSurplus)
  const forced = unswappable(staircase, core)
  for (let pair = 0; pair < forced.length; pair++) {
    if (u8(forced, pair) === 0) continue
    const deposit = i32(core.deposits, pair)
    stated[deposit] = i32(core.transfers, pair)
    decidedBy[deposit] = 1
  }

  const certain = before >= 0 && after >= 0
    ? unspanned(staircase, pairs, chosenDeposits, chosenTransfers)
    : unswappable(staircase, pairs)
  for (let pair = 0; pair < certain.length; pair++) {
    const deposit = i32(pairs.deposits, pair)
    const transfer = i32(pairs.transfers, pair)
    if (u8(certain, pair) === 0 || u8(decidedBy, deposit) !== 0) continue
    if (Rivals.count(staircase, deposit, transfer) > input.rivals) continue
    const nearest = Rivals.nearest(staircase, deposit, transfer)
    if (nearest.distance <= input.ratio * Math.abs(f64(transfers, transfer) - f64(deposits, deposit))) continue
    stated[deposit] = transfer
    decidedBy[deposit] = 2
    rival[deposit] = nearest.index
    rivalSide[deposit] = nearest.side
  }

  return { partner, stated, decidedBy, rival, rivalSide, components: regroup(input, partner, stated) }
}

/**
 * The entries of one side that the optima choose. Outside the side's own surplus every maximum matching matches whatever
 * some maximum matching can match, so only there is a choice: which of them serve the others, all of which are matched.
 */
const chooseIn = (
  surplus: Surplus,
  times: Float64Array,
  others: Float64Array,
  before: number,
  after: number
): Choice => {
  const optional = indicesWhere(surplus.entries, 1)
  const required = indicesWhere(surplus.others, 1)
  const choice = choose(take(others, required), take(times, optional), before, after)
  const earliest = new Uint8Array(times.length).fill(1)
  const latest = new Uint8Array(times.length).fill(1)
  for (let position = 0; position < optional.length; position++) {
    earliest[i32(optional, position)] = u8(choice.earliest, position)
    latest[i32(optional, position)] = u8(choice.latest, position)
  }
  return { earliest, latest }
}

/** The chosen entries of each side, first to first. That crosses nothing, so no other pairing of them has a lesser lag. */
const inOrder = (deposits: Uint8Array, transfers: Uint8Array): Pairs => ({
  deposits: indicesWhere(deposits, 1),
  transfers: indicesWhere(transfers, 1)
})

/** The pairs outside both surpluses: every maximum matching is perfect there, so they are where pairs can be forced. */
const inCore = (pairs: Pairs, depositSurplus: Surplus, transferSurplus: Surplus): Pairs => {
  const kept = new Uint8Array(pairs.deposits.length)
  for (let pair = 0; pair < kept.length; pair++) {
    const deposit = i32(pairs.deposits, pair)
    kept[pair] = depositSurplus.entries[deposit] === 1 || transferSurplus.others[deposit] === 1 ? 0 : 1
  }
  const indices = indicesWhere(kept, 1)
  return { deposits: pick(pairs.deposits, indices), transfers: pick(pairs.transfers, indices) }
}
