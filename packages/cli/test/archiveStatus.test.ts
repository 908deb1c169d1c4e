import { assert, describe, it } from "@effect/vitest"
import { Archive, type Covered } from "@tallystick/archive/Archive"
import * as Status from "@tallystick/archive/Status"
import * as SyncStatus from "@tallystick/archive/SyncStatus"
import * as StatusText from "@tallystick/cli/archive/StatusText"
import * as ZonedTimes from "@tallystick/cli/text/ZonedTimes"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { Database } from "../../archive/src/internal/sql/Database.ts"
import * as Sqlite from "../../archive/src/internal/sqlite/Sqlite.ts"

const NOW = Date.UTC(2026, 10, 22, 9)
const HOUR = 3_600_000

const gap: Coverage.Gap = { code: "unproven", detail: "the pages disagreed" }

const part = (
  from: number,
  to: number,
  state: Coverage.Coverage["state"] = "complete",
  more: Partial<Covered> = {}
): Covered => ({ operation: "deposits", from, to, readAt: to, state, vouched: false, ...more })

const counts = { records: 0, versions: 0, fromFiles: 0, conflicts: 0, vanished: 0, unreadable: 0 }

/** The status of an archive with this coverage of deposits, as a terminal of so many cells shows it. */
const shown = (width: number, ...coverage: ReadonlyArray<Covered>): string => {
  const from = coverage.reduce((least, part) => Math.min(least, part.from), NOW - 1)
  const interval = { from, to: NOW }
  const side = (operation: Coverage.Coverage["operation"], readTo: number): SyncStatus.Side => ({
    operation,
    counts,
    first: null,
    last: null,
    readTo: readTo === 0 ? null : readTo,
    scopes: Status.scopes(operation, coverage, interval),
    lost: [],
    disbelievedSince: null
  })
  const readTo = coverage.reduce((to, part) => Math.max(to, part.to), 0)
  const sides = [side("deposits", readTo), side("transfers", 0)]
  const view = { place: "books.db", stamps: [], now: NOW, deadline: NOW, interval, sides, subAccounts: [] }
  return StatusText.render(view, undefined, { width, color: false, times: ZonedTimes.make() })
}

describe("the status of an archive", () => {
  it.effect("is not of a time before the last reading, where this machine's clock was set back", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW - HOUR)
      const { claim, deposits, vouch } = yield* Archive
      yield* claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
      const read: Coverage.Coverage = {
        operation: "deposits",
        from: NOW - 10 * HOUR,
        to: NOW - 2 * HOUR,
        readAt: NOW,
        state: "complete"
      }
      yield* deposits.saveSlice({ from: read.from, to: read.to, records: [], bad: [], coverage: [read] })
      yield* vouch("deposits", { from: NOW - 20 * HOUR, to: NOW - 15 * HOUR }, NOW + 24 * HOUR)
      const { deadline, now } = yield* SyncStatus.read(72 * HOUR)
      assert.strictEqual(now, NOW)
      assert.strictEqual(deadline, NOW - 15 * HOUR + 72 * HOUR)
    }).pipe(Effect.provide(Archive.layerMemory())))
})

describe("the status of an archive whose coverage was lost", () => {
  it.effect("tells of no reading, and names the time", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { deposits } = yield* Archive
      const { sql } = yield* Database
      const read: Coverage.Coverage = {
        operation: "deposits",
        from: NOW - 10 * HOUR,
        to: NOW - 2 * HOUR,
        readAt: NOW - HOUR,
        state: "complete"
      }
      yield* deposits.saveSlice({ from: read.from, to: read.to, records: [], bad: [], coverage: [read] })
      yield* sql`DELETE FROM coverage`
      const view = yield* SyncStatus.read(72 * HOUR)
      assert.isNull(view.sides[0]?.readTo)
      const text = StatusText.render(view, undefined, { width: 100, color: false, times: ZonedTimes.make() })
      assert.notInclude(text, "read to")
      assert.match(text.replaceAll(/\s+/g, " "), /- deposits from .*: the archive does not hold what was proven here/)
    }).pipe(Effect.provide(Layer.provideMerge(Archive.layer, Sqlite.layerMemory()))))
})

describe("the status of an archive of which a file disputes a record", () => {
  it.effect("names the moment and why, and tells what files say from what the exchange showed before", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { claim, deposits } = yield* Archive
      yield* claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
      const [from, to] = [NOW - 10 * HOUR, NOW - 2 * HOUR]
      const read: Coverage.Coverage = { operation: "deposits", from, to, readAt: NOW - HOUR, state: "complete" }
      const deposit = {
        amount: "1.5",
        coin: "USDT",
        network: "TRX",
        status: 5,
        address: "TAbc",
        txId: "hash:0",
        unlockConfirm: "10",
        confirmTimes: "12",
        insertTime: NOW - 5 * HOUR,
        memo: ""
      }
      yield* deposits.savePage({ records: [{ ...deposit, status: 4 }], bad: [], readAt: NOW - 4 * HOUR })
      yield* deposits.saveSlice({ from, to, records: [deposit], bad: [], coverage: [read] })
      yield* deposits.importRecords([{ ...deposit, status: 7 }])
      const view = yield* SyncStatus.read(72 * HOUR)
      const text = StatusText.render(view, undefined, { width: 100, color: false, times: ZonedTimes.make() })
        .replaceAll(/\s+/g, " ")
      assert.include(text, "1 earlier version, 1 version from files")
      assert.match(
        text,
        /- deposits from 2026-11-22 04:00:00 to 2026-11-22 04:00:00\.001: a file tells another status of a record/
      )
    }).pipe(Effect.provide(Archive.layerMemory())))
})

describe("the bar of an archive's status", () => {
  it("says of the last cell what was read last, not the seconds since, and of no cell more than all of it allows", () => {
    const cells = (count: number, ...coverage: ReadonlyArray<Covered>) =>
      Status.timeline(
        Status.scopes("deposits", coverage, { from: 0, to: 1000 })[0]?.parts ?? [],
        { from: 0, to: 1000 },
        count
      )
    const young = [part(0, 960), part(960, 990, "open")]
    assert.deepStrictEqual(cells(4, ...young), ["complete", "complete", "complete", "open"])
    assert.deepStrictEqual(cells(4, part(0, 600), part(600, 620, "open")), ["complete", "complete", "open", "unread"])
    assert.deepStrictEqual(cells(2, part(0, 990)), ["complete", "unread"])
    assert.deepStrictEqual(cells(2, part(0, 900), part(900, 990, "incomplete", { gap })), ["complete", "unread"])
    assert.deepStrictEqual(cells(4, part(0, 500), part(500, 1000, "open")), ["complete", "complete", "open", "open"])
  })

  it("says nothing is read where nothing is, however short the time", () => {
    const [only] = Status.scopes("deposits", [], { from: 0, to: 1 })
    assert.deepStrictEqual(Status.timeline(only?.parts ?? [], { from: 0, to: 1 }, 3), ["unread", "unread", "unread"])
  })

  it("is left out of an archive that is empty", () => {
    assert.deepStrictEqual(shown(100).split("\n").slice(2, 8), [
      "",
      "DEPOSITS: no record",
      "  not complete anywhere",
      "",
      "TRANSFERS: no record",
      "  not complete anywhere"
    ])
  })

  it("ends with what is too young after a sync, and tells how long ago that was to the second", () => {
    const synced = NOW - 9970
    const text = shown(60, part(NOW - 72 * HOUR, synced - 120_000), part(synced - 120_000, synced, "open"))
    assert.include(text, "  2026-11-19 09:00 #####################~ 2026-11-22 09:00\n  # complete   ~ too young\n")
    assert.include(text, "read to 2026-11-22 08:59:50.030, 10 s ago\n")
    assert.match(text, /TRANSFERS: no record\n {2}2026-11-19 09:00 \.+ 2026-11-22 09:00\n/)
  })
})
