/** Leaves of a history what agrees: each deposit with the transfer that swept it, of the same amount. */
import type { History, Side } from "./History.ts"

const chosen = ({ asset, at }: Side, places: Int32Array, amount: Float64Array): Side => ({
  asset: Int32Array.from(places, (place) => asset[place] ?? 0),
  amount,
  at: Float64Array.from(places, (place) => at[place] ?? 0)
})

export const of = ({ deposits, transfers, truth }: History): History => {
  const lefts = Int32Array.from(truth.keys()).filter((place) => (truth[place] ?? -1) >= 0)
  const swept = Int32Array.from(lefts, (place) => truth[place] ?? -1)
  const order = Int32Array.from(swept.keys()).toSorted((a, b) => (swept[a] ?? 0) - (swept[b] ?? 0))
  const amounts = Float64Array.from(lefts, (place) => deposits.amount[place] ?? 0)
  const [rights, same] = [
    Int32Array.from(order, (index) => swept[index] ?? 0),
    Float64Array.from(order, (index) => amounts[index] ?? 0)
  ]
  const placeOf = new Int32Array(order.length)
  for (const [place, index] of order.entries()) placeOf[index] = place
  return { deposits: chosen(deposits, lefts, amounts), transfers: chosen(transfers, rights, same), truth: placeOf }
}
