/**
 * What one writes first, with the least care that makes it usable: both sides in order of time, and for each deposit the
 * transfers of its window one by one, the first free one that fits. Where that is too slow, only the first deposits.
 */
import type { Contender } from "../Contender.ts"
import { relative, window } from "../History.ts"
import * as HistoryFile from "../HistoryFile.ts"

/** About so many comparisons are enough. */
const most = 2e9

export const nestedLoop: Contender = {
  prepare: (directory) => {
    const { deposits, transfers } = HistoryFile.readSides(directory)
    const size = deposits.at.length
    const span = (deposits.at[size - 1] ?? 0) - (deposits.at[0] ?? 0)
    const comparisons = size * transfers.at.length * (window.after + window.before) / span
    const share = Math.min(1, most / comparisons)
    const some = Math.floor(size * share)
    const pairs = new Int32Array(size)
    return {
      share,
      run: () => {
        pairs.fill(-1)
        const used = new Uint8Array(transfers.at.length)
        let from = 0
        for (let deposit = 0; deposit < some; deposit++) {
          const at = deposits.at[deposit] ?? 0
          const asset = deposits.asset[deposit] ?? 0
          const amount = deposits.amount[deposit] ?? 0
          while (from < used.length && (transfers.at[from] ?? 0) < at - window.before) from++
          for (
            let transfer = from;
            transfer < used.length && (transfers.at[transfer] ?? 0) <= at + window.after;
            transfer++
          ) {
            if (transfers.asset[transfer] !== asset || used[transfer] !== 0) continue
            if (Math.abs((transfers.amount[transfer] ?? 0) - amount) > relative * amount) continue
            used[transfer] = 1
            pairs[deposit] = transfer
            break
          }
        }
      },
      pairs: () => pairs
    }
  }
}
