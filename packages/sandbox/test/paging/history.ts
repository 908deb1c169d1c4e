/** Small random histories for the paging simulation: dense enough for ties, twins and full pages to be common. */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"

/** A generator of numbers in [0, 1) that a seed determines (mulberry32). */
export const random = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Shape {
  readonly from: number
  readonly to: number
  readonly count: number
  /** Share of deposits that are followed by a twin. */
  readonly twins: number
  /** Share of records that fall into one and the same moment. */
  readonly burst: number
}

const moments = (next: () => number, { burst, from, to }: Shape): () => number => {
  const crowded = from + below(next, to - from)
  return () => burst > 0 && next() < burst ? crowded : from + below(next, to - from)
}

const below = (next: () => number, end: number): number => Math.floor(next() * end)

export const deposits = (next: () => number, shape: Shape): ReadonlyArray<SubAccountDeposit> => {
  const { count, twins } = shape
  const at = moments(next, shape)
  const found: Array<SubAccountDeposit> = []
  while (found.length < count) {
    const deposit = {
      amount: `${1 + below(next, 3)}.50`,
      coin: "USDT",
      network: "TRX",
      status: 5,
      address: `address-${below(next, 3)}`,
      txId: `tx-${below(next, 1_000_000)}`,
      unlockConfirm: "10",
      confirmTimes: "12",
      insertTime: at(),
      memo: ""
    }
    found.push(deposit)
    if (next() < twins) found.push({ ...deposit })
  }
  return found
}

export const transfers = (next: () => number, shape: Shape): ReadonlyArray<UniversalTransfer> => {
  const at = moments(next, shape)
  return Array.from({ length: shape.count }, (_, index) => ({
    tranId: `t${index}`,
    fromAccount: "sub00001",
    toAccount: "master",
    clientTranId: "",
    asset: "USDT",
    amount: "1",
    fromAccountType: "SPOT",
    toAccountType: "SPOT",
    fromSymbol: "SPOT",
    toSymbol: "SPOT",
    status: "SUCCESS",
    timestamp: at()
  }))
}
