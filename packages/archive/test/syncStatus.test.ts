/** What syncs brought into an archive and what is lacking, as data. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as Status from "../src/Status.ts"
import * as SyncStatus from "../src/SyncStatus.ts"
import { at } from "./support/at.ts"
import { databases } from "./support/databases.ts"
import { archiveOn, DAY, HOUR, kept } from "./support/decisions.ts"
import { deposit, NOW } from "./support/records.ts"

const HISTORY = 3 * DAY

const owner = { baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" }

describe.each(databases)("the status of syncs, on $name", (kind) => {
  it.live("of an empty archive has nothing, and the exchange may be forgetting what nobody read", () =>
    Effect.gen(function*() {
      const { deadline, interval, now, sides, stamps } = yield* SyncStatus.read(HISTORY)
      assert.deepStrictEqual([now, stamps, interval], [NOW, [], { from: NOW - 1, to: NOW }])
      assert.strictEqual(deadline, now)
      assert.deepStrictEqual(sides.map(({ first, last, operation, readTo }) => [operation, first, last, readTo]), [
        ["deposits", null, null, null],
        ["transfers", null, null, null]
      ])
    }).pipe(at(NOW), Effect.provide(archiveOn(kind))))

  it.live("tells how far each side was read, what is missing between, and when the exchange forgets the first of it", () =>
    Effect.gen(function*() {
      const { claim, deposits } = yield* Archive.Archive
      yield* claim(owner)
      yield* kept
      const later = { from: NOW + 5 * DAY + 10 * HOUR, to: NOW + 6 * DAY }
      yield* deposits.saveSlice({
        ...later,
        records: [deposit({ txId: "late", insertTime: later.from })],
        bad: [],
        coverage: [{ operation: "deposits", ...later, readAt: NOW + 6 * DAY, state: "complete" }]
      })
      const { deadline, interval, now, sides: [arrived, moved], stamps } = yield* SyncStatus.read(HISTORY)
      assert.deepStrictEqual(stamps, [owner])
      assert.deepStrictEqual([now, interval], [NOW + 7 * DAY, { from: NOW - 5 * DAY, to: NOW + 7 * DAY }])
      assert.strictEqual(deadline, NOW + 5 * DAY + HISTORY)
      assert.deepStrictEqual([arrived?.first, arrived?.last, arrived?.readTo], [NOW - 4 * DAY, later.from, later.to])
      assert.deepStrictEqual(
        Status.holes(arrived?.scopes ?? []).map(({ from, state, to }) => ({ from, state, to })),
        [{ from: NOW + 5 * DAY, to: later.from, state: "unread" }]
      )
      assert.strictEqual(moved?.readTo, NOW + 5 * DAY)
      assert.strictEqual(arrived?.counts.records, 4)
      assert.deepStrictEqual([arrived?.lost, arrived?.disbelievedSince], [[], null])
    }).pipe(at(NOW + 7 * DAY), Effect.provide(archiveOn(kind))))
})
