/**
 * Whatever happens to a page of an archive's file, what is given as complete is what was written.
 *
 * TALLYSTICK_CASES: damages that are tried, of all pages and kinds (default 60).
 */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Drivers from "../src/internal/Drivers.ts"
import { temporaryFolder } from "./support/databases.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const PAGE = 4096
const CASES = Number(process.env["TALLYSTICK_CASES"] ?? 60)

const range = { from: NOW, to: NOW + 96 * HOUR }

const opened = (file: string) =>
  Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Layer.fresh(Drivers.layerSqlite({ file }))))

const accounts = ["a@x", "b@x"].map((fromAccount) => ({ fromAccount, fromAccountType: "SPOT", toAccountType: "SPOT" }))

/** Reads the hours `[from, to)` as a sync does, each hour of its own. */
const sync = Effect.fnUntraced(function*(from: number, to: number) {
  const { deposits, transfers } = yield* Archive.Archive
  for (let hour = from; hour < to; hour++) {
    const slice = { from: NOW + hour * HOUR, to: NOW + (hour + 1) * HOUR, bad: [] }
    const complete: Coverage.Coverage = { operation: "deposits", ...slice, readAt: slice.to + HOUR, state: "complete" }
    const times = Array.from({ length: 6 }, (_, index) => slice.from + index * 60_000)
    const records = times.map((insertTime, index) => deposit({ insertTime, txId: `${hour}/${index}` }))
    yield* deposits.saveSlice({ ...slice, records, coverage: [complete] })
    for (const query of accounts) {
      yield* transfers.saveSlice({
        ...slice,
        records: times.map((timestamp, index) =>
          transfer({
            timestamp: timestamp + 5,
            tranId: `${query.fromAccount}/${hour}/${index}`,
            fromAccount: query.fromAccount
          })
        ),
        coverage: [{ ...complete, operation: "transfers", query }]
      }, query)
    }
  }
})

/** Records with their times, and of which time each query is complete. */
const given = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  return {
    deposits: yield* Effect.map(Stream.runCollect(archive.deposits.slices(range)), (slices) => ({
      records: slices.flatMap(({ records }) =>
        records.map((kept) => ({ at: kept.record.insertTime, account: "", kept }))
      ),
      coverage: slices.flatMap(({ coverage }) => coverage)
    })),
    transfers: yield* Effect.map(Stream.runCollect(archive.transfers.slices(range)), (slices) => ({
      records: slices.flatMap(({ records }) =>
        records.map((kept) => ({ at: kept.record.timestamp, account: kept.record.fromAccount, kept }))
      ),
      coverage: slices.flatMap(({ coverage }) => coverage)
    }))
  }
})

interface Side {
  readonly records: ReadonlyArray<{ readonly at: number; readonly account: string; readonly kept: unknown }>
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

/** What is said to be complete: the records of it, in words. */
const proven = ({ coverage, records }: Side): ReadonlyArray<string> =>
  records.filter(({ account, at }) =>
    coverage.some(({ from, query, state, to }) =>
      state === "complete" && from <= at && at < to && (query?.fromAccount ?? "") === account
    )
  ).map(({ kept }) => JSON.stringify(kept)).toSorted()

/** Those of the truth that lie where something is said to be complete. */
const expected = (truth: Side, { coverage }: Side) => proven({ records: truth.records, coverage })

const kinds = ["scratched", "zeroed", "of another page", "as it was before", "as many others were before"] as const

/** The bytes of a file of which one page is not what it was. */
const hurt = (bytes: Buffer, older: Buffer, kind: typeof kinds[number], page: number): Buffer => {
  const hurt = Buffer.from(bytes)
  const [start, end] = [page * PAGE, (page + 1) * PAGE]
  if (kind === "scratched") hurt.fill(0x5a, start + 1500, start + 1564)
  if (kind === "zeroed") hurt.fill(0, start, end)
  if (kind === "of another page") bytes.copy(hurt, start, start - PAGE, start)
  if (kind === "as it was before" && end <= older.length) older.copy(hurt, start, start, end)
  if (kind === "as many others were before") {
    // As when a checkpoint was broken off and its log is lost.
    for (let other = 1; (other + 1) * PAGE <= older.length; other++) {
      if ((other * 7919 + page * 104_729) % 11 < 1 + page % 10) {
        older.copy(hurt, other * PAGE, other * PAGE, (other + 1) * PAGE)
      }
    }
  }
  return hurt
}

describe("a file of which one page", () => {
  it.effect(
    "is scratched, zeroed, another or old gives nothing as complete but what was written",
    () =>
      Effect.gen(function*() {
        const folder = yield* temporaryFolder
        const file = (name: string) => join(folder, name)
        yield* Effect.provide(sync(0, 60), opened(file("archive.db")))
        const older = readFileSync(file("archive.db"))
        yield* Effect.provide(sync(60, 90), opened(file("archive.db")))
        const whole = readFileSync(file("archive.db"))
        const truth = yield* given.pipe(Effect.provide(opened(file("archive.db"))))
        assert.strictEqual(proven(truth.deposits).length, 540)
        assert.strictEqual(proven(truth.transfers).length, 1080)
        const pages = whole.length / PAGE
        const all = kinds.flatMap((kind) =>
          Array.from({ length: pages - 1 }, (_, index) => ({ kind, page: index + 1 }))
        )
        const step = Math.max(1, Math.ceil(all.length / CASES))
        const seen = { refused: 0, named: 0, same: 0 }
        for (let index = 0; index < all.length; index += step) {
          const { kind, page } = all[index] ?? { kind: "zeroed", page: 1 }
          const name = file(`${index}.db`)
          writeFileSync(name, hurt(whole, older, kind, page))
          const found = yield* Effect.result(given.pipe(Effect.provide(opened(name))))
          if (found._tag === "Failure") {
            const { reason } = found.failure
            assert.include(["Damaged", "Foreign"], reason._tag, `${kind} ${page}: ${reason.message}`)
            seen.refused++
            continue
          }
          const { deposits, transfers } = found.success
          assert.deepStrictEqual(proven(deposits), expected(truth.deposits, deposits), `${kind} ${page}`)
          assert.deepStrictEqual(proven(transfers), expected(truth.transfers, transfers), `${kind} ${page}`)
          const isSame = proven(deposits).length === 540 && proven(transfers).length === 1080
          seen[isSame ? "same" : "named"]++
        }
        if (process.env["TALLYSTICK_PRINT"] !== undefined) yield* Console.log(JSON.stringify({ pages, ...seen }))
        assert.isAbove(seen.named, 0)
        assert.isAbove(seen.refused, 0)
      }).pipe(Effect.scoped),
    600_000
  )
})

describe("an index that does not show a record", () => {
  it.effect("is damage in words that say so, to whoever keeps the record again and to a check", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const keep = Archive.Archive.use(({ transfers }) =>
        transfers.savePage({ readAt: NOW, records: [transfer()], bad: [] })
      ).pipe(Effect.provide(opened(file)))
      const schema = (change: string) =>
        Effect.sync(() => {
          const db = new DatabaseSync(file)
          db.enableDefensive(false)
          db.exec(`PRAGMA writable_schema = ON; ${change}; PRAGMA wal_checkpoint(TRUNCATE)`)
          db.close()
        })
      yield* Archive.Archive.pipe(Effect.provide(opened(file)))
      yield* schema("CREATE TABLE aside AS SELECT * FROM sqlite_schema WHERE name = 'transfers_id'")
      yield* schema("DELETE FROM sqlite_schema WHERE name = 'transfers_id'")
      yield* keep
      yield* schema("INSERT INTO sqlite_schema SELECT * FROM aside")
      const { _tag, message } = yield* reason(keep)
      assert.strictEqual(_tag, "Damaged")
      assert.include(message, "an index does not show a row that is there")
      const structure = yield* Archive.Archive.use(({ structure }) => structure).pipe(Effect.provide(opened(file)))
      assert.match(structure.join(), /missing from index transfers_id/)
    }).pipe(Effect.scoped))
})
