/**
 * Histories with a known truth. Of 100 sweeps, 2 lack the deposit and 2 the transfer, and 1 differs in amount by up to
 * 0.4 %; 10 are of a round amount, 4 come in bursts of equal amounts within a minute. A transfer follows its deposit
 * after 5 seconds to 40 minutes.
 */
import { ASSETS, type History, type Side } from "./History.ts"
import * as Random from "./Random.ts"

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const UNIT = 100_000_000
const round = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000]

interface Options {
  readonly seed: number
  /** Sweeps, so about as many entries on either side. */
  readonly size: number
  readonly days: number
}

const column = (values: Float64Array, order: Float64Array): Float64Array => {
  const sorted = new Float64Array(order.length)
  for (let place = 0; place < sorted.length; place++) sorted[place] = values[order[place] ?? 0] ?? 0
  return sorted
}

/** The indices with a time, in order of time. */
const byTime = (times: Float64Array): Float64Array => {
  const order = Float64Array.from(times.keys()).filter((index) => !Number.isNaN(times[index]))
  return order.toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b)
}

const side = (order: Float64Array, assets: Float64Array, amounts: Float64Array, times: Float64Array): Side => ({
  asset: Int32Array.from(column(assets, order)),
  amount: column(amounts, order),
  at: column(times, order)
})

export const generate = ({ days, seed, size }: Options): History => {
  const random = Random.make(seed)
  const assets = new Float64Array(size)
  const amounts = new Float64Array(size)
  const moved = new Float64Array(size)
  const seen = new Float64Array(size)
  const sweptAt = new Float64Array(size)
  const anyAmount = (): number =>
    random() < 0.1
      ? (round[Math.floor(random() * round.length)] ?? 1) * UNIT
      : Math.max(1000, Math.floor(10 ** (random() * 5) * 0.01 * UNIT * (1 + random())))
  let burst = 0
  for (let sweep = 0; sweep < size; sweep++) {
    const isInBurst = burst > 0
    if (isInBurst) burst--
    else if (random() < 0.003) burst = 2 + Math.floor(random() * 25)
    assets[sweep] = isInBurst ? assets[sweep - 1] ?? 0 : Math.floor(random() * ASSETS)
    amounts[sweep] = isInBurst ? amounts[sweep - 1] ?? 0 : Math.round(anyAmount())
    const at = isInBurst
      ? (seen[sweep - 1] ?? 0) + Math.floor(random() * 5000)
      : START + Math.floor(random() * days * DAY)
    const drift = random() < 0.01 ? 1 + (random() - 0.5) * 0.008 : 1
    seen[sweep] = at
    moved[sweep] = Math.max(1, Math.round((amounts[sweep] ?? 0) * drift))
    sweptAt[sweep] = at + 5000 + Math.floor(random() ** 2 * 2_395_000)
  }
  for (let sweep = 0; sweep < size; sweep++) {
    const lot = random()
    if (lot < 0.02) seen[sweep] = Number.NaN
    else if (lot < 0.04) sweptAt[sweep] = Number.NaN
  }
  const lefts = byTime(seen)
  const rights = byTime(sweptAt)
  const transferOf = new Int32Array(size).fill(-1)
  for (let place = 0; place < rights.length; place++) transferOf[rights[place] ?? 0] = place
  return {
    deposits: side(lefts, assets, amounts, seen),
    transfers: side(rights, assets, moved, sweptAt),
    truth: Int32Array.from(lefts, (sweep) => transferOf[sweep] ?? -1)
  }
}
