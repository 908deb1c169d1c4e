/**
 * Entries of equal amount that only the window keeps apart: one optimum, the pairs that may be stated as facts, and what
 * remains, regrouped. Linear in time (but for a logarithm in finding rivals) and memory, however many candidates there are.
 */
import { f64, i32, u8 } from "./Column.ts"
import { choose } from "./LeastLag.ts"
import { contains, firstInFirstOut, inverse, type Ranges, ranges } from "./Staircase.ts"
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

/** Entries connected by candidates, as ascending indices into the input, and how many pairs they certainly contain. */
export interface Component {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
  readonly matched: number
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

interface Candidates {
  readonly ofDeposit: Ranges
  readonly ofTransfer: Ranges
}

/** Which entries two optima choose, as flags: the one that takes each earliest, and the one that takes each latest. */
interface Chosen {
  readonly earliest: Uint8Array
  readonly latest: Uint8Array
}

/** Pairs in order of both sides. */
interface Pairs {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
}

export const solve = (input: Input): Result => {
  const { after, before, deposits, transfers } = input
  const candidates = {
    ofDeposit: ranges(deposits, transfers, before, after),
    ofTransfer: ranges(transfers, deposits, after, before)
  }
  const most = firstInFirstOut(candidates.ofDeposit)
  const inverted = inverse(most, transfers.length)
  const depositSurplus = surplus(candidates.ofDeposit, most, inverted)
  const transferSurplus = surplus(candidates.ofTransfer, inverted, most)
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
  const forced = unswappable(core, candidates)
  for (let pair = 0; pair < forced.length; pair++) {
    if (u8(forced, pair) === 0) continue
    const deposit = i32(core.deposits, pair)
    stated[deposit] = i32(core.transfers, pair)
    decidedBy[deposit] = 1
  }

  const certain = before >= 0 && after >= 0
    ? unspanned(input, pairs, chosenDeposits, chosenTransfers)
    : unswappable(pairs, candidates)
  for (let pair = 0; pair < certain.length; pair++) {
    const deposit = i32(pairs.deposits, pair)
    const transfer = i32(pairs.transfers, pair)
    if (u8(certain, pair) === 0 || u8(decidedBy, deposit) !== 0) continue
    if (countRivals(candidates, deposit, transfer) > input.rivals) continue
    const lag = Math.abs(f64(transfers, transfer) - f64(deposits, deposit))
    const otherTransfer = nearest(deposits, deposit, transfers, candidates.ofDeposit, transfer)
    const otherDeposit = nearest(transfers, transfer, deposits, candidates.ofTransfer, deposit)
    const transferLag = distance(deposits, deposit, transfers, otherTransfer)
    const depositLag = distance(transfers, transfer, deposits, otherDeposit)
    if (Math.min(transferLag, depositLag) <= input.ratio * lag) continue
    stated[deposit] = transfer
    decidedBy[deposit] = 2
    rivalSide[deposit] = depositLag < transferLag ? 1 : 0
    rival[deposit] = depositLag < transferLag ? otherDeposit : otherTransfer
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
): Chosen => {
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

/**
 * Flags the pairs that are in every perfect matching of the entries they consist of: those that cannot be swapped with
 * the pair before or behind. Enough, because an alternating cycle through pair i that also holds a later pair has an
 * edge from a deposit up to i to a transfer behind i and one back, and in a staircase these imply that i and i + 1 can be
 * swapped; likewise for an earlier pair.
 */
const unswappable = (pairs: Pairs, candidates: Candidates): Uint8Array => {
  const flags = new Uint8Array(pairs.deposits.length).fill(1)
  for (let pair = 1; pair < flags.length; pair++) {
    const swaps = contains(candidates.ofDeposit, i32(pairs.deposits, pair - 1), i32(pairs.transfers, pair)) &&
      contains(candidates.ofDeposit, i32(pairs.deposits, pair), i32(pairs.transfers, pair - 1))
    if (!swaps) continue
    flags[pair - 1] = 0
    flags[pair] = 0
  }
  return flags
}

/**
 * Flags the pairs at whose start no optimum has a pair under way. An optimum has |balance| pairs under way at any time
 * (deposits chosen minus transfers chosen), and the balances of all optima lie between two extreme ones.
 *
 * For a pair whose rivals are all further away than its own lag, and a window with the lag 0, this is the same as being
 * in every optimum. If nothing is under way when the earlier entry comes, both entries belong to later partners, and two
 * such pairs would overlap in opposite directions, which is never optimal; nor is leaving one of the entries free. If
 * something is under way in some optimum, its later end lies between the two entries and is a nearer rival.
 *
 * In a window without the lag 0 all lags have one sign, so the total depends only on which entries are chosen, and the
 * times of those are the same in every optimum (matroid bases of least weight); `unswappable` then decides exactly.
 */
const unspanned = (input: Input, pairs: Pairs, deposits: Chosen, transfers: Chosen): Uint8Array => {
  const flags = new Uint8Array(pairs.deposits.length)
  let deposit = 0
  let transfer = 0
  let highest = 0
  let lowest = 0
  for (let pair = 0; pair < flags.length; pair++) {
    const start = Math.min(
      f64(input.deposits, i32(pairs.deposits, pair)),
      f64(input.transfers, i32(pairs.transfers, pair))
    )
    for (; deposit < input.deposits.length && f64(input.deposits, deposit) < start; deposit++) {
      highest += u8(deposits.earliest, deposit)
      lowest += u8(deposits.latest, deposit)
    }
    for (; transfer < input.transfers.length && f64(input.transfers, transfer) < start; transfer++) {
      highest -= u8(transfers.latest, transfer)
      lowest -= u8(transfers.earliest, transfer)
    }
    flags[pair] = highest === 0 && lowest === 0 ? 1 : 0
  }
  return flags
}

const countRivals = ({ ofDeposit, ofTransfer }: Candidates, deposit: number, transfer: number): number =>
  i32(ofDeposit.to, deposit) - i32(ofDeposit.from, deposit) + i32(ofTransfer.to, transfer) -
  i32(ofTransfer.from, transfer) - 2

/** The candidate of an entry that is nearest in time, except one; the earlier of two equally near; -1 if none. */
const nearest = (
  times: Float64Array,
  entry: number,
  others: Float64Array,
  { from, to }: Ranges,
  except: number
): number => {
  const time = f64(times, entry)
  let low = i32(from, entry)
  let high = i32(to, entry)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (f64(others, middle) < time) low = middle + 1
    else high = middle
  }
  const earlier = low - 1 === except ? low - 2 : low - 1
  const later = low === except ? low + 1 : low
  const hasEarlier = earlier >= i32(from, entry)
  const hasLater = later < i32(to, entry)
  if (!hasLater) return hasEarlier ? earlier : -1
  return hasEarlier && time - f64(others, earlier) <= f64(others, later) - time ? earlier : later
}

const distance = (times: Float64Array, entry: number, others: Float64Array, other: number): number =>
  other < 0 ? Number.POSITIVE_INFINITY : Math.abs(f64(others, other) - f64(times, entry))

/**
 * The connected components of the candidate graph among the entries that are not stated. The optimum without the stated
 * pairs is a maximum matching of what remains, for with them any larger one would exceed the maximum of the whole.
 */
const regroup = (input: Input, partner: Int32Array, stated: Int32Array): ReadonlyArray<Component> => {
  const deposits = indicesWhere(stated, -1)
  const transfers = indicesWhere(inverse(stated, input.transfers.length), -1)
  const { from, to } = ranges(
    take(input.deposits, deposits),
    take(input.transfers, transfers),
    input.before,
    input.after
  )
  const components: Array<Component> = []
  let entry = 0
  while (entry < deposits.length) {
    const first = entry
    const firstTransfer = i32(from, first)
    let end = i32(to, first)
    let matched = 0
    // A deposit without candidates has an empty range, which joins nothing and is joined by nothing.
    do {
      end = i32(to, entry)
      if (i32(partner, i32(deposits, entry)) >= 0) matched++
      entry++
    } while (entry < deposits.length && i32(from, entry) < end)
    if (end > firstTransfer) {
      components.push({
        deposits: deposits.subarray(first, entry),
        transfers: transfers.subarray(firstTransfer, end),
        matched
      })
    }
  }
  return components
}

const indicesWhere = (column: Int32Array | Uint8Array, value: number): Int32Array => {
  const indices = new Int32Array(column.length)
  let size = 0
  for (let index = 0; index < column.length; index++) if (column[index] === value) indices[size++] = index
  return indices.subarray(0, size)
}

const take = (column: Float64Array, indices: Int32Array): Float64Array => {
  const taken = new Float64Array(indices.length)
  for (let position = 0; position < taken.length; position++) taken[position] = f64(column, i32(indices, position))
  return taken
}

const pick = (column: Int32Array, indices: Int32Array): Int32Array => {
  const picked = new Int32Array(indices.length)
  for (let position = 0; position < picked.length; position++) picked[position] = i32(column, i32(indices, position))
  return picked
}
