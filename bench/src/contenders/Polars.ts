/** Polars with two threads. Like DuckDB's ASOF JOIN: a transfer may go to several deposits, amounts have to be equal. */
import { join } from "node:path"
import type { Contender } from "../Contender.ts"
import { window } from "../History.ts"

export const polarsAsof: Contender = {
  prepare: async (directory) => {
    process.env["POLARS_MAX_THREADS"] = "2"
    const { default: polars } = await import("nodejs-polars")
    const deposits = polars.readParquet(join(directory, "deposits.parquet"))
    const transfers = polars.readParquet(join(directory, "transfers.parquet")).rename({ id: "transfer" })
    let found = deposits
    return {
      run: () => {
        found = deposits.joinAsof(transfers, {
          on: "at",
          by: ["asset", "amount"],
          strategy: "forward",
          tolerance: window.after
        })
      },
      pairs: () => {
        const pairs = new Int32Array(deposits.height).fill(-1)
        const [ids, others] = [found.getColumn("id").toArray(), found.getColumn("transfer").toArray()]
        ids.forEach((id, row) => {
          if (typeof others[row] === "number") pairs[Number(id)] = others[row]
        })
        return pairs
      }
    }
  }
}
