/**
 * Writes the list of what waits into an archive of `Seeded`, and then, because its entries stand in outcomes that no run has, says of each item that
 * its amount is too much, and what that is worth; of a tenth nobody knows. Prints how long the list took, ms.
 */
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Drivers from "../../../packages/archive/src/internal/Drivers.ts"
import * as ItemRow from "../../../packages/archive/src/internal/items/ItemRow.ts"
import * as ItemTable from "../../../packages/archive/src/internal/items/ItemTable.ts"
import * as Rank from "../../../packages/archive/src/internal/items/Rank.ts"
import { Database } from "../../../packages/archive/src/internal/sql/Database.ts"

export interface Took {
  /** Processor time until the archive was open and had its list, ms. */
  readonly filled: number
}

const [, , file = ""] = process.argv

const prices = new Map(Array.from({ length: 50 }, (_, index) => [`A${index}`, `${index % 7}.${index}`]))

const priced = Effect.gen(function*() {
  const { sql } = yield* Database
  const { rewrite, rows } = ItemTable.make(sql)
  const write = Stream.runForEachArray(
    rows,
    (rows) =>
      rewrite(
        rows.filter(({ account }) => !account.startsWith("sub-00")).map((row) =>
          ItemRow.priced({
            ...row,
            difference_asset: row.asset,
            missing: "0",
            excess: row.amount,
            bound: "exact",
            other_asset: null,
            other_excess: null,
            size_rank: Rank.of(row.amount)
          }, prices)
        )
      )
  )
  yield* sql.withTransaction(write)
})

const before = process.cpuUsage()
await Effect.runPromise(Effect.provide(Archive.Archive, Archive.Archive.layerSqlite({ file })))
const { system, user } = process.cpuUsage(before)
await Effect.runPromise(Effect.provide(priced, Drivers.layerSqlite({ file })))
console.log(JSON.stringify({ filled: (system + user) / 1000 } satisfies Took))
