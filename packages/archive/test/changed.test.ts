/** An archive that is written to while somebody reads it piece by piece. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Database } from "../src/internal/sql/Database.ts"
import * as Sqlite from "../src/internal/sqlite/Sqlite.ts"
import { databases } from "./support/databases.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const DAY = 86_400_000
const DAYS = [0, 1, 2, 3, 4, 5]
const range = { from: NOW, to: NOW + 6 * DAY }
const AFTER = range.to + DAY

const at = (day: number) => NOW + day * DAY

const complete = (interval: Coverage.Interval, readAt = AFTER): Coverage.Coverage => ({
  operation: "deposits",
  ...interval,
  readAt,
  state: "complete"
})

const deposits = DAYS.map((day) => deposit({ insertTime: at(day), txId: `${day}` }))

/** A deposit a day as the service showed it, and a transfer a day from a file that somebody vouched for. */
const fill = Archive.Archive.use((archive) =>
  Effect.all([
    archive.deposits.saveSlice({ ...range, records: deposits, bad: [], coverage: [complete(range)] }),
    archive.transfers.importRecords(DAYS.map((day) => transfer({ tranId: `${day}`, timestamp: at(day) }))),
    archive.vouch("transfers", range, AFTER)
  ])
)

/** What is given of the range in pieces of one record, where something is written once `pieces` of them were given. */
const readWhile = <Record, E, R>(
  history: Archive.History<Record>,
  pieces: number,
  writing: Effect.Effect<unknown, E, R>
) => {
  let given = 0
  return history.slices({ ...range, batch: 1 }).pipe(
    Stream.tap(() => Effect.suspend(() => ++given === pieces ? writing : Effect.void)),
    Stream.runCollect
  )
}

describe.each(databases)("an archive in $name that is read while a sync", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))

  it.effect("takes out what was damaged is read no further: its time was complete when the reading began", () =>
    Effect.gen(function*() {
      yield* fill
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* sql`DELETE FROM deposits WHERE at = ${at(4)}`
      assert.strictEqual((yield* reason(readWhile(deposits, 1, deposits.repair(range))))._tag, "Changed")
    }).pipe(Effect.provide(archive)))

  it.effect("moves a record to a time that was read already is read no further: it would be nowhere", () =>
    Effect.gen(function*() {
      yield* fill
      const { transfers } = yield* Archive.Archive
      const records = [transfer({ tranId: "4", timestamp: at(0) + 1 })]
      const moving = transfers.savePage({ readAt: AFTER, records, bad: [] })
      const changed = yield* reason(readWhile(transfers, 2, moving))
      assert.strictEqual(changed._tag, "Changed")
      assert.include(changed.message, "run it again")
      const again = yield* Stream.runCollect(transfers.slices({ ...range, batch: 1 }))
      assert.strictEqual(again.flatMap(({ records }) => records).length, DAYS.length)
    }).pipe(Effect.provide(archive)))

  it.effect("adds records, statuses and coverage is read to its end, and claims what was complete when that began", () =>
    Effect.gen(function*() {
      yield* fill
      const { deposits } = yield* Archive.Archive
      const records = [0, 5].flatMap((day) => [
        deposit({ insertTime: at(day), txId: `${day}`, status: 7 }),
        deposit({ insertTime: at(day) + 1, txId: `more${day}` })
      ])
      const later = { from: range.from, to: AFTER }
      const writing = deposits.saveSlice({ ...later, records, bad: [], coverage: [complete(later, AFTER + DAY)] })
      const slices = yield* readWhile(deposits, 2, writing)
      assert.deepStrictEqual(
        new Set(slices.flatMap(({ coverage }) => coverage.map(({ state }) => state))),
        new Set(["complete"])
      )
      assert.deepStrictEqual(
        slices.flatMap(({ records }) => records.map(({ record }) => `${record.txId} ${record.status}`)),
        ["0 5", "1 5", "2 5", "3 5", "4 5", "5 7", "more5 5"]
      )
    }).pipe(Effect.provide(archive)))
})

describe("a report that is made while a sync", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))
  const HOUR = DAY / 24

  /** Both sides to an hour; a deposit of long before that is pending, or settled, and moved a minute later. */
  const sync = (to: number, ...moved: ReadonlyArray<number>) =>
    Archive.Archive.use((archive) => {
      const interval = { from: NOW - 9 * DAY, to }
      const records = [deposit({ insertTime: NOW - 5 * DAY, status: moved.length === 0 ? 4 : 5 })]
      const transfers = moved.map((timestamp) => transfer({ timestamp }))
      const query = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }
      const part = complete(interval, to)
      return Effect.all([
        // Seen as it is now at the hour that the first reading ended with.
        archive.deposits.savePage({ readAt: NOW + 2 * HOUR - (moved.length === 0 ? 60_000 : 0), records, bad: [] }),
        archive.deposits.saveSlice({ ...interval, records, bad: [], coverage: [part] }),
        archive.transfers.saveSlice(
          { ...interval, records: transfers, bad: [], coverage: [{ ...part, operation: "transfers", query }] },
          query
        )
      ])
    })

  const settles = sync(NOW + 60 * HOUR, NOW + 2 * HOUR + 60_000)
  const report = (service: Archive.Service) =>
    ArchiveReconciliation.run({
      range: { from: NOW - 2 * HOUR, to: NOW + 20 * HOUR },
      accounts: { list: ["a@x"], complete: true },
      batch: 1
    }).pipe(
      Effect.map(({ outcomes }) => outcomes.map(({ code, final }) => ({ code, final }))),
      Effect.provideService(Archive.Archive, service)
    )

  for (const when of ["looks how far it has to read", "reads deposits"] as const) {
    it.effect(`sees a deposit of long before settle, as it ${when}, calls nothing missing that is there`, () =>
      Effect.gen(function*() {
        const service = yield* Archive.Archive
        yield* sync(NOW + 2 * HOUR - 60_000)
        let isSettled = false
        const once = Effect.suspend(() => {
          if (isSettled) return Effect.void
          isSettled = true
          return Effect.orDie(Effect.provideService(settles, Archive.Archive, service))
        })
        const found = yield* report({
          ...service,
          ...(when === "reads deposits"
            ? {
              deposits: {
                ...service.deposits,
                slices: (options) => Stream.tap(service.deposits.slices(options), () => once)
              }
            }
            : { settling: (interval) => Effect.tap(service.settling(interval), () => once) })
        })
        assert.isTrue(isSettled)
        assert.isTrue(found.every(({ final }) => !final), JSON.stringify(found))
        assert.deepStrictEqual(yield* report(service), [{ code: "exact", final: true }])
      }).pipe(Effect.provide(archive)))
  }

  it.effect("reads days before it that nobody had read calls nothing missing that settled in them", () =>
    Effect.gen(function*() {
      const service = yield* Archive.Archive
      const { deposits, transfers } = service
      const query = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }
      const [to, readAt] = [NOW + 30 * HOUR, NOW + 40 * HOUR]
      const read = (from: number, to: number, ...records: ReadonlyArray<ReturnType<typeof deposit>>) =>
        deposits.saveSlice({ from, to, records, bad: [], coverage: [complete({ from, to }, readAt)] })
      yield* read(NOW - 12 * DAY, NOW - 8 * DAY)
      yield* read(NOW - 4 * DAY, to)
      const all = { from: NOW - 12 * DAY, to }
      yield* transfers.saveSlice({
        ...all,
        records: [transfer({ timestamp: NOW + 2 * HOUR + 60_000 })],
        bad: [],
        coverage: [{ ...complete(all, readAt), operation: "transfers", query }]
      }, query)
      const late = deposit({ insertTime: NOW - 6 * DAY, status: 4 })
      // Another program took what the service showed at that time and keeps it only now.
      const reading = deposits.savePage({ readAt: NOW + HOUR, records: [late], bad: [] }).pipe(
        Effect.andThen(deposits.savePage({ readAt: NOW + 2 * HOUR, records: [{ ...late, status: 5 }], bad: [] })),
        Effect.andThen(read(NOW - 8 * DAY, NOW - 4 * DAY, { ...late, status: 5 }))
      )
      const found = yield* report({
        ...service,
        settling: (interval) => Effect.tap(service.settling(interval), () => Effect.orDie(reading))
      })
      assert.isTrue(found.every(({ final }) => !final), JSON.stringify(found))
      assert.deepStrictEqual(yield* report(service), [{ code: "exact", final: true }])
    }).pipe(Effect.provide(archive)))
})

const Day = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: DAYS.length - 1 }))

describe("whichever record moves to whichever time while others are read", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))

  it.effect.prop(
    "each is given once, or the reading fails",
    [Day, Day, Day],
    ([pieces, from, to]) =>
      Effect.gen(function*() {
        yield* fill
        const { transfers } = yield* Archive.Archive
        const records = [transfer({ tranId: `${from}`, timestamp: at(to) })]
        const moving = transfers.savePage({ readAt: AFTER, records, bad: [] })
        const read = yield* Effect.result(readWhile(transfers, pieces + 1, moving))
        if (Result.isFailure(read)) {
          assert.notStrictEqual(from, to)
          return
        }
        const given = read.success.flatMap(({ records }) => records.map(({ record }) => record.tranId))
        assert.deepStrictEqual(given.toSorted(), DAYS.map(String))
      }).pipe(Effect.provide(archive))
  )
})
