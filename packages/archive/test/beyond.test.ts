/** A whole number that no row of ours can have stops nothing: its row is one that is not as it was written. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Integrity from "@tallystick/archive/Integrity"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Database } from "../src/internal/sql/Database.ts"
import * as Runs from "../src/Runs.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

const DAY = 86_400_000
const range = { from: NOW - 2 * DAY, to: NOW + 2 * DAY }
const account = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" } as const
const bad = { side: "deposit", source: "s", path: "p", reason: "r", raw: `{"insertTime":${NOW}}` } as const

const fill = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  yield* archive.claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
  const part = { ...range, readAt: NOW + 3 * DAY, state: "complete" } as const
  const ofDeposits: Coverage.Coverage = { ...part, operation: "deposits" }
  const ofTransfers: Coverage.Coverage = { ...part, operation: "transfers", query: account }
  yield* archive.deposits.saveSlice({ ...range, records: [deposit()], bad: [bad], coverage: [ofDeposits] })
  for (const status of ["PENDING", "SUCCESS"]) {
    const records = [transfer({ status })]
    yield* archive.transfers.saveSlice({ ...range, records, bad: [], coverage: [ofTransfers] }, account)
  }
})

const side = Effect.fnUntraced(function*<Record>(history: Archive.History<Record>) {
  yield* Stream.runDrain(history.slices(range))
  const { first, last } = yield* history.extent
  assert.isTrue((first ?? 0) >= 0 && (last ?? 0) <= 8_640_000_000_000_000)
  yield* history.counts
  yield* history.repair({ from: 0, to: Number.MAX_SAFE_INTEGER })
})

/** What a round of sync, a report and the commands ask for. */
const everything = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const integrity = yield* Integrity.check()
  JSON.stringify(yield* archive.coverage())
  yield* archive.queries
  yield* archive.coveredTo
  yield* archive.lastReading
  yield* archive.unsettled(0)
  yield* side(archive.deposits)
  yield* side(archive.transfers)
  yield* Effect.flatMap(Runs.Runs, ({ list }) => list())
  const other = { ...account, fromAccount: "b@x" }
  yield* archive.transfers.savePage({ readAt: NOW + 3 * DAY, records: [transfer({ tranId: "8" })], bad: [] }, other)
  return integrity
})

/** Columns of whole numbers. */
const columns: ReadonlyArray<readonly [table: string, column: string]> = [
  ["deposits", "at"],
  ["deposits", "status"],
  ["deposits", "seen_at"],
  ["deposits", "checksum"],
  ["transfers", "at"],
  ["transfers", "query"],
  ["versions", "number"],
  ["versions", "at"],
  ["versions", "checksum"],
  ["bad_records", "occurrences"],
  ["bad_records", "query"],
  ["bad_records", "at"],
  ["bad_records", "until"],
  ["coverage", "from_ms"],
  ["coverage", "to_ms"],
  ["coverage", "read_at"],
  ["coverage", "last_read"],
  ["queries", "id"],
  ["controls", "records"],
  ["controls", "checksums"],
  ["controls", "claims"],
  ["controls", "from_ms"],
  ["scopes", "records"]
]

/** One that a float holds, one that it does not, and the greatest of both kinds. */
const numbers = [2n ** 60n, 2n ** 60n + 1n, 2n ** 53n - 1n, 2n ** 63n - 1n]

/** Each column takes half of the numbers, in turn; in the long run it takes all of them. */
const cases = columns.map(([table, column], index) =>
  [table, column, numbers.filter((_, turn) => Seeded.isLong || turn % 2 === index % 2)] as const
)

describe.each(databases)("in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Layer.mergeAll(Archive.Archive.layer, Runs.Runs.layer), layer))

  it.effect.each(cases)(
    "%s.%s may be beyond what a number holds, and nothing fails",
    ([table, column, numbers]) =>
      Effect.forEach(numbers, (number) =>
        Effect.gen(function*() {
          const { sql } = yield* Database
          yield* fill
          yield* sql.unsafe(
            `UPDATE ${table} SET ${column} = ${number} WHERE ${column} = (SELECT MIN(${column}) FROM ${table})`
          )
          const { damages, outdated, structure } = yield* everything
          assert.isAbove(damages.length + outdated.length + structure.length, 0, `${number}`)
          yield* fill
          yield* everything
        }).pipe(Effect.provide(archive)), { discard: true })
  )
})
