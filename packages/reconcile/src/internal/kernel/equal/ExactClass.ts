/**
 * Solves a class: entries of equal amount that only the window keeps apart. It finds one optimum, the pairs that may be stated as
 * facts, and the connected parts of the rest. Time and memory are linear in the number of entries, however many candidates
 * there are; only the search for rivals adds a logarithm.
 */
import * as ByTime from "../ByTime.ts"
import { f64, i32, indicesWhere, pick, take, u8 } from "../Column.ts"
import { type Pairs, unspanned, unswappable } from "./Certainty.ts"
import { type Choice, choose } from "./LeastLag.ts"
import { type Component, regroup } from "./Regroup.ts"
import * as Rivals from "./Rivals.ts"
import * as Staircase from "./Staircase.ts"
import { type Surplus, surplus } from "./Surplus.ts"

export interface Input extends ByTime.Rules {
  /** Integer ms, ascending. */
  readonly deposits: Float64Array
  /** Integer ms, ascending. */
  readonly transfers: Float64Array
  /** A pair is a candidate when `-before <= transfer - deposit <= after`; either may be negative, `-before <= after`. */
  readonly before: number
  readonly after: number
}

export interface Result {
  /** For each deposit, its transfer in an optimum (most pairs, then least total |lag|) without crossings, or -1. */
  readonly partner: Int32Array
  /** For each deposit, the transfer of its stated pair, or -1. */
  readonly stated: Int32Array
  /**
   * For each stated deposit, 1 if its pair is forced (in every maximum matching), 2 if it is decisive (in every optimum,
   * rivals few and far).
   */
  readonly decidedBy: Uint8Array
  /** For each decisive deposit, the nearest other candidate of either entry of its pair, or -1. */
  readonly rival: Int32Array
  /** The side of that rival: 0 if it is another transfer for the deposit, 1 if it is another deposit for the transfer. */
  readonly rivalSide: Uint8Array
  /** The connected parts of the entries that are not stated. An entry without a remaining candidate is in none of them. */
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
    if (!ByTime.areFew(input, Rivals.count(staircase, deposit, transfer))) continue
    const nearest = Rivals.nearest(staircase, deposit, transfer)
    if (!ByTime.isFar(input, nearest.distance, Math.abs(f64(transfers, transfer) - f64(deposits, deposit)))) continue
    stated[deposit] = transfer
    decidedBy[deposit] = 2
    rival[deposit] = nearest.index
    rivalSide[deposit] = nearest.side
  }

  return { partner, stated, decidedBy, rival, rivalSide, components: regroup(input, partner, stated) }
}

/**
 * Finds the entries of one side that the optima choose. Outside of the side's own surplus every maximum matching matches all
 * entries that any maximum matching can match. So there is a choice inside the surplus only: which of its entries go with the
 * entries of the other side, all of which are matched.
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

/**
 * Pairs the chosen entries of both sides, first with first. No two pairs cross, so no other pairing of them has a lesser
 * total lag.
 */
const inOrder = (deposits: Uint8Array, transfers: Uint8Array): Pairs => ({
  deposits: indicesWhere(deposits, 1),
  transfers: indicesWhere(transfers, 1)
})

/** Keeps the pairs outside of both surpluses. Every maximum matching is perfect there, so only these pairs can be forced. */
const inCore = (pairs: Pairs, depositSurplus: Surplus, transferSurplus: Surplus): Pairs => {
  const kept = new Uint8Array(pairs.deposits.length)
  for (let pair = 0; pair < kept.length; pair++) {
    const deposit = i32(pairs.deposits, pair)
    kept[pair] = depositSurplus.entries[deposit] === 1 || transferSurplus.others[deposit] === 1 ? 0 : 1
  }
  const indices = indicesWhere(kept, 1)
  return { deposits: pick(pairs.deposits, indices), transfers: pick(pairs.transfers, indices) }
}
