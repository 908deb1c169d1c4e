/** The same as `DuckDb.ts`, by `joinAsof`. */
import { join } from "node:path"
import type { DataFrame } from "nodejs-polars"
import type { Task } from "../reconcile/contender.ts"

export const run = async ({ book: { after, before, directory, isExchange }, out }: Task): Promise<void> => {
  process.env["POLARS_MAX_THREADS"] = "2"
  const { default: polars } = await import("nodejs-polars")
  const read = (name: string) => polars.scanJson(join(directory, `${name}.ndjson`)).collectSync()
  const [left, right] = [read("deposits"), read("transfers")]
  const deposits: DataFrame = isExchange
    ? left.join(polars.readJSON(join(directory, "addresses.json"), { format: "json" }).select("address", "account"), {
      on: "address",
      how: "left"
    }).rename({ txId: "deposit", coin: "asset", insertTime: "at" })
    : left.rename({ id: "deposit" })
  const transfers: DataFrame = isExchange
    ? right.rename({ tranId: "transfer", fromAccount: "account", timestamp: "at" })
    : right.rename({ id: "transfer" })
  const by = ["asset", "amount"].concat(deposits.columns.includes("account") ? ["account"] : [])
  const none = polars.lit(null).cast(polars.Utf8)
  const outcome = (name: string) => polars.lit(name).alias("outcome")
  const found = deposits
    .withColumns(polars.col("at").minus(polars.lit(before).cast(polars.Int64)).alias("from"))
    .joinAsof(transfers.select("transfer", "at", ...by).rename({ at: "until" }), {
      leftOn: "from",
      rightOn: "until",
      by,
      strategy: "forward",
      tolerance: before + after
    })
  const pairs = found.filter(polars.col("transfer").isNotNull())
    .unique({ subset: ["transfer"], keep: "last", maintainOrder: true })
    .select("deposit", "transfer")
  const lonely = deposits.join(pairs, { on: "deposit", how: "anti" }).select("deposit")
  const missed = transfers.join(pairs, { on: "transfer", how: "anti" }).select("transfer")
  polars.concat([
    pairs.select(outcome("matched"), "deposit", "transfer"),
    lonely.select(outcome("unmatched"), "deposit", none.alias("transfer")),
    missed.select(outcome("unmatched"), none.alias("deposit"), "transfer")
  ]).writeJSON(out, { format: "lines" })
}
