/** What has been stated so far, by position in order of time. */
import { i32, indicesWhere, pick, take, u8 } from "../kernel/Column.ts"
import type { Sorted } from "./Sorted.ts"

/** Numbers for what decided a pair. */
export const forced = 1
export const time = 2
export const amount = 3
export const assigned = 4

export interface Component {
  /** `search-exhausted`: there are more candidate pairs than are searched. */
  readonly code: "class-balanced" | "class-short" | "ambiguous" | "search-exhausted"
  readonly deposits: Int32Array
  readonly transfers: Int32Array
  /** How many pairs can be made of them, whichever they are; 0 for `search-exhausted`. */
  readonly matched: number
}

export interface Pairs {
  readonly deposits: Sorted
  readonly transfers: Sorted
  readonly transferOf: Int32Array
  readonly decidedBy: Uint8Array
  /** 1 = stated or in a component. */
  readonly taken: { readonly deposits: Uint8Array; readonly transfers: Uint8Array }
  readonly components: Array<Component>
}

export const make = (deposits: Sorted, transfers: Sorted): Pairs => ({
  deposits,
  transfers,
  transferOf: new Int32Array(deposits.at.length).fill(-1),
  decidedBy: new Uint8Array(deposits.at.length),
  taken: { deposits: new Uint8Array(deposits.at.length), transfers: new Uint8Array(transfers.at.length) },
  components: []
})

export const state = (pairs: Pairs, deposit: number, transfer: number, decidedBy: number): void => {
  pairs.transferOf[deposit] = transfer
  pairs.decidedBy[deposit] = decidedBy
  pairs.taken.deposits[deposit] = 1
  pairs.taken.transfers[transfer] = 1
}

/** As if the pair had not been stated. */
export const takeBack = (pairs: Pairs, deposit: number, transfer: number): void => {
  pairs.transferOf[deposit] = -1
  pairs.decidedBy[deposit] = 0
  pairs.taken.deposits[deposit] = 0
  pairs.taken.transfers[transfer] = 0
}

export const leave = ({ components, taken }: Pairs, component: Component): void => {
  const { deposits, transfers } = component
  for (let place = 0; place < deposits.length; place++) taken.deposits[i32(deposits, place)] = 1
  for (let place = 0; place < transfers.length; place++) taken.transfers[i32(transfers, place)] = 1
  components.push(component)
}

/** What is open, as if it were all there is; in the order of the whole. */
export const rest = ({ deposits, taken, transfers }: Pairs): Pairs => {
  const open = ({ amount, asset, at }: Sorted, taken: Uint8Array): Sorted => {
    const order = indicesWhere(taken, 0)
    return { amount: take(amount, order), asset: pick(asset, order), at: take(at, order), order }
  }
  return make(open(deposits, taken.deposits), open(transfers, taken.transfers))
}

/** Takes over what has been stated of the rest. */
export const join = (pairs: Pairs, rest: Pairs): void => {
  const { deposits: { order: left }, transfers: { order: right } } = rest
  if (left === undefined || right === undefined) return
  for (let place = 0; place < left.length; place++) {
    const transfer = i32(rest.transferOf, place)
    if (transfer >= 0) state(pairs, i32(left, place), i32(right, transfer), u8(rest.decidedBy, place))
  }
  for (const component of rest.components) {
    leave(pairs, {
      ...component,
      deposits: pick(left, component.deposits),
      transfers: pick(right, component.transfers)
    })
  }
}

/** The same in the order of the input. */
export const result = ({ components, decidedBy, deposits, transferOf, transfers }: Pairs): {
  readonly transferOf: Int32Array
  readonly decidedBy: Uint8Array
  readonly components: ReadonlyArray<Component>
} => {
  const [left, right] = [deposits.order, transfers.order]
  if (left === undefined && right === undefined) return { transferOf, decidedBy, components }
  const placed = { transferOf: new Int32Array(transferOf.length), decidedBy: new Uint8Array(decidedBy.length) }
  for (let position = 0; position < transferOf.length; position++) {
    const index = left === undefined ? position : i32(left, position)
    const transfer = i32(transferOf, position)
    placed.transferOf[index] = right === undefined || transfer < 0 ? transfer : i32(right, transfer)
    placed.decidedBy[index] = decidedBy[position] ?? 0
  }
  return {
    ...placed,
    components: components.map((component) => ({
      ...component,
      deposits: left === undefined ? component.deposits : pick(left, component.deposits),
      transfers: right === undefined ? component.transfers : pick(right, component.transfers)
    }))
  }
}
