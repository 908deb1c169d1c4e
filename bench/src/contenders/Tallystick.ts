import * as Columns from "@tallystick/reconcile/Columns"
import * as Policy from "@tallystick/reconcile/Policy"
import type { Contender } from "../Contender.ts"
import { ASSETS, relative, window } from "../History.ts"
import * as HistoryFile from "../HistoryFile.ts"

export const tallystick: Contender = {
  prepare: (directory) => {
    const { deposits, transfers } = HistoryFile.readSides(directory)
    const scales = new Int32Array(ASSETS).fill(8)
    const policy = Policy.resolve({ window, tolerance: { relative: String(relative) } })
    let output: Columns.Output | undefined
    return {
      run: () => {
        output = Columns.match({ deposits, transfers, scales, policy })
      },
      pairs: () => output?.transferOf ?? new Int32Array()
    }
  }
}
