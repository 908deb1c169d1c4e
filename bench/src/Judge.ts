/** What the pairs of a contender are worth. */
import { type History, relative, window } from "./History.ts"

export interface Verdict {
  readonly pairs: number
  /** Pairs of equal asset, in the window, within the tolerance, of whose transfer no other pair makes use. */
  readonly valid: number
  /** Pairs that really belong together. */
  readonly right: number
}

export const judge = ({ deposits, transfers, truth }: History, transferOf: Int32Array): Verdict => {
  const uses = new Int32Array(transfers.at.length)
  for (const transfer of transferOf) if (transfer >= 0) uses[transfer] = (uses[transfer] ?? 0) + 1
  let [pairs, valid, right] = [0, 0, 0]
  transferOf.forEach((transfer, deposit) => {
    if (transfer < 0) return
    pairs++
    const lag = (transfers.at[transfer] ?? 0) - (deposits.at[deposit] ?? 0)
    const amount = deposits.amount[deposit] ?? 0
    const isFitting = deposits.asset[deposit] === transfers.asset[transfer] && lag >= -window.before &&
      lag <= window.after && Math.abs((transfers.amount[transfer] ?? 0) - amount) <= relative * amount
    if (isFitting && uses[transfer] === 1) valid++
    if (truth[deposit] === transfer) right++
  })
  return { pairs, valid, right }
}
