/** A file put together from two states of one archive: tables, or pages of them, of which some are of an earlier time. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Database } from "../src/internal/sql/Database.ts"
import { copy } from "./support/copy.ts"
import { databases } from "./support/databases.ts"
import { reason } from "./support/reason.ts"
import { NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

const range = { from: NOW - 2 * DAY, to: NOW + 2 * DAY }
const day = { from: Math.floor(NOW / DAY) * DAY, to: (Math.floor(NOW / DAY) + 1) * DAY }

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

/** A complete reading of one account. */
const read = (
  fromAccount: string,
  readAt: number,
  interval: Coverage.Interval = range,
  ...more: ReadonlyArray<string>
) =>
  Archive.Archive.use(({ transfers }) => {
    const records = [fromAccount, ...more].map((tranId) => transfer({ tranId, fromAccount }))
    const part = { operation: "transfers", ...interval, readAt, state: "complete" } as const
    const coverage = [{ ...part, query: query(fromAccount) }]
    return transfers.saveSlice({ ...interval, records, bad: [], coverage }, query(fromAccount))
  })

const coverage = Archive.Archive.use(({ transfers }) =>
  Effect.map(
    Stream.runCollect(transfers.slices(range)),
    (slices) => Coverage.merge(slices.flatMap(({ coverage }) => coverage))
  )
)
const complete = Effect.map(coverage, (parts) => parts.filter(({ state }) => state === "complete"))
const outdated = Archive.Archive.use((archive) =>
  Effect.map(archive.coverage(range), (parts) => parts.filter(({ gap }) => gap?.code === "damaged"))
)

describe.each(databases)("of two states in $name, an archive", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(body, archive))

  test(
    "covers no query whose records came later, although another one was read later still",
    Effect.gen(function*() {
      yield* read("b@x", NOW + 4 * DAY)
      const older = yield* copy("transfers", "controls")
      yield* read("a@x", NOW + 3 * DAY)
      assert.strictEqual((yield* complete).length, 2)
      assert.deepStrictEqual(yield* outdated, [])
      yield* older
      assert.deepStrictEqual(yield* complete, [])
      assert.isAbove((yield* outdated).length, 0)
    })
  )

  test(
    "names the time that was read where no query is known any more",
    Effect.gen(function*() {
      const { sql } = yield* Database
      yield* read("a@x", NOW + 3 * DAY)
      yield* sql`DELETE FROM queries`
      assert.deepStrictEqual((yield* outdated).map(({ from, operation, to }) => ({ from, operation, to })), [
        { operation: "transfers", ...range }
      ])
    })
  )

  for (const edge of ["MIN", "MAX"]) {
    test(
      `names only days of which anything is known, where the control totals of the ${
        edge === "MIN" ? "first" : "last"
      } day were lost`,
      Effect.gen(function*() {
        const { sql } = yield* Database
        yield* read("a@x", NOW + 3 * DAY)
        yield* sql.unsafe(`DELETE FROM controls WHERE from_ms = (SELECT ${edge}(from_ms) FROM controls)`)
        const parts = yield* Archive.Archive.use(({ coverage }) => coverage())
        assert.isTrue(parts.some(({ gap }) => gap?.code === "damaged"))
        assert.isTrue(parts.every(({ from, to }) => from > range.from - DAY && to < range.to + DAY))
      })
    )
  }

  test(
    "does not cover them after another query was read again either",
    Effect.gen(function*() {
      yield* read("b@x", NOW + 4 * DAY)
      const older = yield* copy("transfers", "controls")
      yield* read("a@x", NOW + 3 * DAY)
      yield* older
      yield* read("b@x", NOW + 5 * DAY)
      assert.deepStrictEqual(yield* complete, [])
    })
  )

  test(
    "covers nothing by what was complete before a repair",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* read("a@x", NOW + 3 * DAY)
      const older = yield* copy("coverage")
      yield* sql`DELETE FROM transfers`
      yield* transfers.repair(range)
      yield* older
      const found = yield* complete
      assert.isTrue(found.every(({ from, to }) => to <= day.from || from >= day.to), JSON.stringify(found))
    })
  )

  test(
    "covers nothing of days whose rows and control totals are gone together",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* read("a@x", NOW + 3 * DAY)
      yield* sql`DELETE FROM transfers`
      yield* sql`DELETE FROM controls`
      assert.deepStrictEqual(yield* complete, [])
      assert.strictEqual((yield* transfers.repair({ from: 0, to: Number.MAX_SAFE_INTEGER })).length, 5)
      assert.deepStrictEqual(yield* transfers.repair({ from: 0, to: Number.MAX_SAFE_INTEGER }), [])
      assert.deepStrictEqual(yield* complete, [])
    })
  )

  test(
    "is repaired, so that what is read again counts but on days whose rows may be lost",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* read("a@x", NOW + 3 * DAY)
      const older = yield* copy("transfers", "controls")
      yield* read("a@x", NOW + 3 * DAY + 1, { from: NOW - HOUR, to: NOW + HOUR }, "later")
      yield* older
      const repaired = yield* transfers.repair(range)
      assert.deepStrictEqual(repaired.map(({ from, to }) => ({ from, to })), [day])
      assert.deepStrictEqual(yield* transfers.repair(range), [])
      yield* read("a@x", NOW + 4 * DAY, range, "later")
      assert.deepStrictEqual(yield* outdated, [])
      const gaps = (yield* coverage).filter(({ state }) => state !== "complete")
      assert.deepStrictEqual(gaps.map(({ from, to }) => ({ from, to })), [day])
      assert.include(gaps[0]?.gap?.detail, "the archive lost rows of this time")
    })
  )

  test(
    "takes coverage and rows of one state, where an earlier one comes back while it is read",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const early = transfer({ tranId: "early", fromAccount: "b@x", timestamp: range.from })
      yield* transfers.savePage({ readAt: NOW + 3 * DAY, records: [early], bad: [] }, query("b@x"))
      yield* read("b@x", NOW + 4 * DAY)
      const older = yield* copy("coverage", "transfers", "controls")
      yield* read("a@x", NOW + 3 * DAY)
      assert.strictEqual((yield* complete).length, 2)
      const slices = yield* transfers.slices({ ...range, batch: 1 }).pipe(
        Stream.zipWithIndex,
        Stream.tap(([, index]) => index === 0 ? older : Effect.void),
        Stream.map(([slice]) => slice),
        Stream.runCollect
      )
      assert.deepStrictEqual(slices.flatMap(({ records }) => records.map(({ record }) => record.tranId)), [
        "early",
        "b@x"
      ])
      for (const { coverage, to } of slices) {
        if (to <= day.from) continue
        const accounts = coverage.filter(({ state }) => state === "complete").map(({ query }) => query?.fromAccount)
        assert.notInclude(accounts, "a@x")
      }
    })
  )

  test(
    "covers what is read meanwhile only where its rows were read after that",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const early = transfer({ tranId: "early", fromAccount: "b@x", timestamp: range.from })
      yield* transfers.savePage({ readAt: NOW + 3 * DAY, records: [early], bad: [] }, query("b@x"))
      yield* read("b@x", NOW + 4 * DAY)
      const slices = yield* transfers.slices({ ...range, batch: 1 }).pipe(
        Stream.zipWithIndex,
        Stream.tap(([, index]) => index === 0 ? read("a@x", NOW + 3 * DAY) : Effect.void),
        Stream.map(([slice]) => slice),
        Stream.runCollect
      )
      for (const { coverage, from, records, to } of slices) {
        const isComplete = coverage.some(({ query, state }) => query?.fromAccount === "a@x" && state === "complete")
        if (isComplete && from <= NOW && to > NOW) {
          assert.isTrue(records.some(({ record }) => record.fromAccount === "a@x"))
        }
      }
      const last = slices.at(-1)
      assert.isTrue(last?.coverage.some(({ query, state }) => query?.fromAccount === "b@x" && state === "complete"))
    })
  )

  test(
    "is vouched for by nobody whose records it lost",
    Effect.gen(function*() {
      const { exclusive, transfers, vouch } = yield* Archive.Archive
      yield* exclusive("import")
      yield* transfers.importRecords([transfer({ tranId: "1" })])
      const older = yield* copy("transfers", "controls", "holder")
      yield* transfers.importRecords([transfer({ tranId: "2" })])
      yield* older
      assert.strictEqual((yield* reason(vouch("transfers", range, NOW + 4 * DAY)))._tag, "Reverted")
      assert.deepStrictEqual(yield* complete, [])
    }).pipe(Effect.scoped)
  )
})
