/** What a recorded outcome takes: it is printed, and held to what docs/archive.md promises of a matched one. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Runs from "@tallystick/archive/Runs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

/** Bytes for a matched outcome, with all that its run needs for it. */
const MOST = 250

const COUNT = 8000
const DAY = 86_400_000
const range = { from: NOW, to: NOW + DAY }
const read = { from: NOW - 2 * DAY, to: NOW + 2 * DAY }

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")

const accountOf = (index: number): string => `sub${String(index).padStart(5, "0")}`

/** Records as the service writes them, as unlike as real ones. */
const fill = Archive.Archive.use(Effect.fnUntraced(function*({ deposits, transfers }) {
  const random = Seeded.make(1)
  const known = { ...read, readAt: NOW + 3 * DAY, state: "complete" } as const
  const arrived = Array.from({ length: COUNT }, (_, index) =>
    deposit({
      txId: digest(`${index}`),
      coin: random.pick(["USDT", "BTC", "ETH", "SOL", "XRP"]),
      amount: `${random.int(1, 99_999)}.${random.int(100_000, 999_999)}`,
      address: `T${digest(`a${random.int(0, 999)}`).slice(0, 33)}`,
      insertTime: NOW + Math.floor((index * DAY) / COUNT) + random.int(0, 5)
    }))
  const moved = arrived.map(({ amount, coin, insertTime }, index) =>
    transfer({
      tranId: digest(`t${index}`).slice(0, 32),
      asset: coin,
      amount,
      fromAccount: accountOf(random.int(0, 999)),
      timestamp: insertTime + random.int(1000, 60_000)
    })
  )
  yield* deposits.saveSlice({ ...read, records: arrived, bad: [], coverage: [{ ...known, operation: "deposits" }] })
  yield* transfers.saveSlice({ ...read, records: moved, bad: [], coverage: [{ ...known, operation: "transfers" }] })
}))

/** Bytes of all tables of runs, with their indexes and what is free in their pages. */
const size = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      sql<{ bytes: number }>`SELECT (page_count - freelist_count) * page_size AS bytes
        FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
    orElse: () =>
      sql<{ bytes: number }>`SELECT CAST(SUM(pg_total_relation_size(oid)) AS BIGINT) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`
  }).pipe(Effect.map(([row]) => row?.bytes ?? 0))

describe.each(databases)("a matched outcome in $name", ({ layer, name }) => {
  const withRuns = Layer.mergeAll(Archive.Archive.layer, Runs.Runs.layer)

  it.effect(`takes at most ${MOST} bytes, and much less for a run that comes to it again`, () =>
    Effect.gen(function*() {
      yield* fill
      const { sql } = yield* Database
      const accounts = { list: Array.from({ length: 1000 }, (_, index) => accountOf(index)), complete: false }
      const before = yield* size(sql)
      const { report } = yield* ArchiveReconciliation.record({ range, accounts })
      const after = yield* size(sql)
      const matched = report.outcomes.filter(({ outcome }) => outcome === "matched").length
      assert.isAbove(matched, COUNT * 0.99)
      const each = (after - before) / matched
      yield* ArchiveReconciliation.record({ range: { from: NOW + DAY / 4, to: range.to }, accounts })
      const again = ((yield* size(sql)) - after) / matched
      process.stdout.write(
        `${name}: ${each.toFixed(0)} bytes a matched outcome, ${again.toFixed(0)} in a second run\n`
      )
      assert.isBelow(each, MOST)
      assert.isBelow(again, MOST / 5)
    }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(withRuns, layer))), Effect.scoped))
})
