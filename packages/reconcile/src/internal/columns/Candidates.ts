/** The candidate pairs of one asset in connected components, counted before any is stored. */
import type * as Policy from "../../Policy.ts"
import { f64, i32, pick, take } from "../kernel/Column.ts"
import { components as connected } from "../kernel/Components.ts"
import { BUDGET } from "../matching/CandidateGraph.ts"
import { bucket, firstNotBefore } from "../matching/Column.ts"
import type { Acceptance } from "./Acceptance.ts"
import * as Blocks from "./Blocks.ts"
import type { Pairs } from "./Pairs.ts"

/** Entries in order of time. */
export interface Component {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
  /** Pairs by place in the lists of the component, ordered; nothing when there are more than `BUDGET`. */
  readonly edges: Edges | undefined
}

export interface Edges {
  readonly deposit: Int32Array
  readonly transfer: Int32Array
}

type Visit = (level: Blocks.Level, from: number, to: number) => void

/** The pairs of a deposit and a transfer that have no other candidate. */
const lone: Edges = { deposit: new Int32Array(1), transfer: new Int32Array(1) }

/** Calls `visit` with the candidates of the deposit at a place of `deposits`, by their places in `transfers`. */
type Query = (place: number, visit: Visit) => void

const makeQuery = (
  pairs: Pairs,
  deposits: Int32Array,
  transfers: Int32Array,
  { after, before }: Policy.Rule["window"],
  accepted: Acceptance
): Query => {
  const times = pairs.transfers.at
  const blocks = Blocks.make(take(pairs.transfers.amount, transfers))
  return (place, visit) => {
    const deposit = i32(deposits, place)
    const time = f64(pairs.deposits.at, deposit)
    const from = firstNotBefore(times, transfers, time - before)
    const to = firstNotBefore(times, transfers, time + after + 1)
    if (from >= to) return
    const amount = f64(pairs.deposits.amount, deposit)
    const rough = accepted.rough(amount)
    const certain = accepted.certain(amount)
    const possible: Array<readonly [level: Blocks.Level, from: number, to: number]> = []
    let isClear = true
    blocks.query(from, to, rough.low, rough.high, (level, first, end) => {
      possible.push([level, first, end])
      isClear &&= f64(level.amounts, first) >= certain.low && f64(level.amounts, end - 1) <= certain.high
    })
    if (isClear) {
      for (const range of possible) visit(...range)
    } else {
      const { high, low } = accepted.exact(amount)
      blocks.query(from, to, low, high, visit)
    }
  }
}

/** How many candidates each deposit has, and pairs enough to connect whatever all of them connect. */
const connect = (deposits: number, query: Query) => {
  const sizes = new Float64Array(deposits)
  const lefts: Array<number> = []
  const rights: Array<number> = []
  const join = (deposit: number, transfer: number): void => {
    lefts.push(deposit)
    rights.push(transfer)
  }
  for (let deposit = 0; deposit < deposits; deposit++) {
    query(deposit, (level, from, to) => {
      sizes[deposit] = f64(sizes, deposit) + to - from
      join(deposit, i32(level.items, from))
      // Neighbours in a level are joined once, whichever deposit sees them both.
      for (let end = Blocks.findRunEnd(level, from); end < to - 1; end = Blocks.findRunEnd(level, end + 1)) {
        join(deposit, i32(level.items, end))
        join(deposit, i32(level.items, end + 1))
        level.runEnd[end] = end + 1
      }
    })
  }
  return { sizes, lefts: Int32Array.from(lefts), rights: Int32Array.from(rights) }
}

const list = (query: Query, lefts: Int32Array, size: number, local: Int32Array): Edges => {
  const deposit = new Int32Array(size)
  const transfer = new Int32Array(size)
  let filled = 0
  for (let place = 0; place < lefts.length; place++) {
    const first = filled
    query(i32(lefts, place), ({ items }, from, to) => {
      for (let index = from; index < to; index++) {
        deposit[filled] = place
        transfer[filled++] = i32(local, i32(items, index))
      }
    })
    transfer.subarray(first, filled).sort()
  }
  return { deposit, transfer }
}

/** Calls `visit` with each component of unlike amounts among some deposits and transfers of one asset. */
export const visit = (
  pairs: Pairs,
  deposits: Int32Array,
  transfers: Int32Array,
  window: Policy.Rule["window"],
  accepted: Acceptance,
  visit: (component: Component) => void
): void => {
  const query = makeQuery(pairs, deposits, transfers, window, accepted)
  const { lefts, rights, sizes } = connect(deposits.length, query)
  const { count, ofDeposit, ofTransfer } = connected(deposits.length, transfers.length, lefts, rights)
  const inDeposits = bucket(ofDeposit, count, () => true)
  const inTransfers = bucket(ofTransfer, count, () => true)
  const local = new Int32Array(transfers.length)
  const isOf = (amount: number, amounts: Float64Array, all: Int32Array, some: Int32Array): boolean =>
    some.every((place) => f64(amounts, i32(all, place)) === amount)
  for (let component = 0; component < count; component++) {
    const some = inDeposits.of(component)
    const others = inTransfers.of(component)
    const amount = f64(pairs.deposits.amount, i32(deposits, i32(some, 0)))
    if (
      isOf(amount, pairs.deposits.amount, deposits, some) && isOf(amount, pairs.transfers.amount, transfers, others)
    ) {
      continue
    }
    let size = 0
    for (let place = 0; place < some.length; place++) size += f64(sizes, i32(some, place))
    for (let place = 0; place < others.length; place++) local[i32(others, place)] = place
    visit({
      deposits: pick(deposits, some),
      transfers: pick(transfers, others),
      edges: size > BUDGET ? undefined : size === 1 ? lone : list(query, some, size, local)
    })
  }
}
