import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import type * as ArchivedRecord from "@tallystick/archive/ArchivedRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const query = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }
const complete = (from: number, to: number, readAt: number): Coverage.Coverage => ({
  operation: "transfers",
  query,
  from,
  to,
  readAt,
  state: "complete"
})
const bad = (raw: string) => ({
  side: "deposit" as const,
  source: "page 1, record 1",
  path: "amount",
  reason: "it is no amount",
  raw
})

describe.each(databases)("an archive in $name", ({ layer }) => {
  const archive = <A, E>(effect: Effect.Effect<A, E, Archive>) =>
    Effect.scoped(Effect.provide(effect, Layer.provide(Archive.layer, layer)))

  const list = <Record>(slices: Stream.Stream<Slice.Slice<ArchivedRecord.ArchivedRecord<Record>>, unknown>) =>
    Effect.map(Stream.runCollect(slices), (found) => found.flatMap(({ records }) => records))

  it.effect("gives every record back as it came, whatever stands in its texts", () =>
    archive(Effect.gen(function*() {
      const { deposits, transfers } = yield* Archive
      const texts = ["", "\0", "\ud800", "'; DROP TABLE deposits; --", "é😀", "=1+1", "a\nb", "\u0001x"]
      const amounts = ["0.003567050000000000000000000000", "9".repeat(64), `0.${"1".repeat(64)}`, "1.50"]
      const some = texts.flatMap((text, index) => amounts.map((amount) => ({ text, amount, at: NOW + index })))
      const sent = {
        deposits: some.map(({ amount, at, text }) =>
          deposit({
            amount,
            insertTime: at,
            coin: `c${text}`,
            txId: text,
            memo: text,
            address: `x${text}`,
            confirmTimes: text
          })
        ),
        transfers: some.map(({ amount, at, text }) =>
          transfer({
            tranId: `${text}${amount}`,
            amount,
            timestamp: at,
            clientTranId: text,
            status: `S${text}`,
            toSymbol: text
          })
        )
      }
      yield* deposits.savePage({ records: sent.deposits, bad: [], readAt: NOW })
      yield* transfers.savePage({ records: sent.transfers, bad: [], readAt: NOW }, query)
      const keys = (record: object) => JSON.stringify(record)
      const got = {
        deposits: (yield* list(deposits.slices({ from: 0, to: NOW * 2 }))).map(({ record }) => record),
        transfers: (yield* list(transfers.slices({ from: 0, to: NOW * 2 }))).map(({ record }) => record)
      }
      assert.sameDeepMembers(got.deposits, sent.deposits)
      assert.sameDeepMembers(got.transfers, sent.transfers)
      assert.deepStrictEqual(
        got.deposits.map(keys).toSorted(),
        sent.deposits.map((one) => keys({ ...got.deposits[0], ...one })).toSorted()
      )
    })))

  it.effect("keeps of a slice without coverage when it was saved: what is read later may still change it", () =>
    Effect.andThen(
      TestClock.setTime(NOW + 1000),
      archive(Effect.gen(function*() {
        const { transfers } = yield* Archive
        const slice = { from: NOW, to: NOW + 1, bad: [], coverage: [] }
        yield* transfers.saveSlice({ ...slice, records: [transfer({ tranId: "1", status: "WAIT" })] }, query)
        const [first] = yield* list(transfers.slices({ from: NOW, to: NOW + 1 }))
        assert.strictEqual(first?.seenAt, NOW + 1000)
        yield* transfers.savePage({ records: [transfer({ tranId: "1" })], bad: [], readAt: NOW + 2000 }, query)
        const [second] = yield* list(transfers.slices({ from: NOW, to: NOW + 1 }))
        assert.strictEqual(second?.record.status, transfer({ tranId: "1" }).status)
        assert.strictEqual(second?.seenAt, NOW + 2000)
      }))
    ))

  it.effect("keeps every version with when it was seen, conflicts apart, and what has vanished", () =>
    archive(Effect.gen(function*() {
      const { transfers } = yield* Archive
      const [one, two] = [transfer({ tranId: "1" }), transfer({ tranId: "2" })]
      yield* transfers.savePage({ records: [{ ...one, status: "WAIT" }, two], bad: [], readAt: 10 }, query)
      yield* transfers.savePage({ records: [one, { ...two, amount: "9" }], bad: [], readAt: 20 }, query)
      const change = yield* transfers.saveSlice(
        { from: NOW, to: NOW + 1, records: [two], bad: [], coverage: [complete(NOW, NOW + 1, 30)] },
        query
      )
      assert.deepStrictEqual(change, { added: 0, changed: 0, vanished: 1, returned: 0 })
      assert.deepStrictEqual(yield* transfers.counts, {
        records: 2,
        versions: 1,
        fromFiles: 0,
        conflicts: 1,
        vanished: 1,
        unreadable: 0
      })
      const [first, second] = yield* list(transfers.slices({ from: NOW, to: NOW + 1 }))
      assert.deepStrictEqual(first, {
        record: one,
        seenAt: 20,
        imported: false,
        key: "1",
        before: [{ record: { ...one, status: "WAIT" }, seenAt: 10, imported: false }],
        conflicts: [],
        vanishedAt: 30
      })
      assert.deepStrictEqual(second, {
        record: two,
        seenAt: 10,
        imported: false,
        key: "2",
        before: [],
        conflicts: [{ record: { ...two, amount: "9" }, seenAt: 20, imported: false }]
      })
    })))

  it.effect("finds a transfer again whose time has changed, and calls it a conflict", () =>
    archive(Effect.gen(function*() {
      const { transfers } = yield* Archive
      yield* transfers.savePage({ records: [transfer()], bad: [], readAt: 10 }, query)
      const moved = transfer({ timestamp: NOW + 86_400_000 })
      assert.deepStrictEqual(yield* transfers.savePage({ records: [moved], bad: [], readAt: 20 }, query), {
        added: 0,
        changed: 1,
        vanished: 0,
        returned: 0
      })
      const kept = yield* list(transfers.slices({ from: 0, to: NOW * 2 }))
      assert.deepStrictEqual(
        kept.map(({ conflicts, record }) => [record.timestamp, conflicts.map(({ record }) => record.timestamp)]),
        [
          [NOW, [NOW + 86_400_000]]
        ]
      )
    })))

  it.effect("cuts slices at any size without cutting a millisecond, and gives each its time's coverage", () =>
    archive(Effect.gen(function*() {
      const { transfers } = yield* Archive
      const times = [0, 0, 0, 1, 5, 5, 9, 20, 20, 20, 20, 21]
      const records = times.map((time, index) => transfer({ tranId: String(100 + index), timestamp: NOW + time }))
      const end = NOW + 30
      yield* transfers.saveSlice({
        from: NOW,
        to: NOW + 10,
        records: records.slice(0, 7),
        bad: [],
        coverage: [complete(NOW, NOW + 10, NOW + 10)]
      }, query)
      yield* transfers.savePage({ records, bad: [], readAt: 2 }, query)
      for (const batch of [1, 2, 3, 5, 100]) {
        const slices = yield* Stream.runCollect(transfers.slices({ from: NOW, to: end, batch }))
        assert.deepStrictEqual(
          slices.flatMap(({ records }) => records.map(({ key }) => key)),
          records.map(({ tranId }) => tranId)
        )
        let at = NOW
        for (const slice of slices) {
          assert.strictEqual(slice.from, at)
          assert.isTrue(
            slice.records.every(({ record }) => record.timestamp >= slice.from && record.timestamp < slice.to)
          )
          for (const part of slice.coverage) assert.isTrue(part.from >= slice.from && part.to <= slice.to)
          at = slice.to
        }
        assert.strictEqual(at, end)
        const covered = slices.flatMap(({ coverage }) => coverage).reduce((sum, { from, to }) => sum + to - from, 0)
        assert.strictEqual(covered, 10)
      }
    })))

  it.effect("widens no coverage by a page, nor by a slice that was not proven, and narrows none", () =>
    archive(Effect.gen(function*() {
      const { coverage, transfers } = yield* Archive
      yield* transfers.savePage({ records: [transfer()], bad: [], readAt: 10 }, query)
      assert.deepStrictEqual(yield* coverage(), [])
      const unproven = {
        ...complete(NOW, NOW + 20, 5),
        state: "incomplete" as const,
        gap: { code: "unproven" as const, detail: "d\0" }
      }
      const slice = { from: NOW, to: NOW + 20, records: [], bad: [] }
      yield* transfers.saveSlice({ ...slice, coverage: [unproven] }, query)
      yield* transfers.saveSlice({ ...slice, coverage: [complete(NOW + 5, NOW + 10, NOW + 10)] }, query)
      yield* transfers.saveSlice({ ...slice, coverage: [{ ...unproven, readAt: 7 }] }, query)
      assert.deepStrictEqual(yield* coverage({ from: NOW + 1, to: NOW + 15 }), [
        { ...unproven, from: NOW + 1, to: NOW + 5, readAt: 7, vouched: false },
        { ...complete(NOW + 5, NOW + 10, NOW + 10), vouched: false },
        { ...unproven, from: NOW + 10, to: NOW + 15, readAt: 7, vouched: false }
      ])
    })))

  it.effect("keeps what could not be read, as often as it was shown at once, until a complete reading shows it no more", () =>
    archive(Effect.gen(function*() {
      const { deposits } = yield* Archive
      const raw = `{"insertTime":${NOW},"amount":"one"}`
      const asked = { from: NOW, to: NOW + 20 }
      const page = { records: [], bad: [bad(raw), bad(raw), bad("no JSON \0")], readAt: NOW + 20, asked }
      yield* deposits.savePage(page)
      yield* deposits.savePage(page)
      const read = (from: number, to: number) =>
        Effect.map(
          Stream.runCollect(deposits.slices({ from, to })),
          (slices) => slices.flatMap(({ bad }) => bad.map(({ raw }) => raw))
        )
      assert.deepStrictEqual(yield* read(NOW, NOW + 1), [raw, raw, "no JSON \0"])
      assert.strictEqual((yield* deposits.counts).unreadable, 3)
      assert.deepStrictEqual(yield* deposits.extent, { first: null, last: null })
      assert.deepStrictEqual(yield* read(NOW + 5, NOW + 20), ["no JSON \0"])
      const { query: _, ...part } = complete(NOW, NOW + 1, 20)
      yield* deposits.saveSlice({
        from: NOW,
        to: NOW + 1,
        records: [],
        bad: [],
        coverage: [{ ...part, operation: "deposits" }]
      })
      assert.deepStrictEqual(yield* read(NOW, NOW + 1), ["no JSON \0"])
      yield* deposits.savePage(page)
      assert.deepStrictEqual(yield* read(NOW, NOW + 1), [raw, raw, "no JSON \0"])
    })))

  it.effect("keeps what tells no time, or a wrong one, with the slice that showed it, whatever is read again", () =>
    archive(Effect.gen(function*() {
      const { deposits } = yield* Archive
      const HOUR = 3_600_000
      const unread = [bad(`{"insertTime":"yesterday"}`), bad(`{"insertTime":${Math.floor(NOW / 1000)}}`)]
      const of = (to: number, readAt: number): Coverage.Coverage => ({
        operation: "deposits",
        from: NOW,
        to,
        readAt,
        state: "complete"
      })
      const end = NOW + 24 * HOUR
      yield* deposits.savePage({ records: [], bad: unread, readAt: NOW + 30 * HOUR })
      yield* deposits.saveSlice({ from: NOW, to: end, records: [], bad: unread, coverage: [of(end, NOW + 30 * HOUR)] })
      yield* deposits.saveSlice({
        from: NOW,
        to: NOW + HOUR,
        records: [],
        bad: [],
        coverage: [of(NOW + HOUR, NOW + 31 * HOUR)]
      })
      const slices = yield* Stream.runCollect(deposits.slices({ from: NOW, to: end }))
      assert.sameDeepMembers(slices.flatMap(({ bad }) => bad.map(({ raw }) => raw)), unread.map(({ raw }) => raw))
    })))

  it.effect("shows a content that contradicts a record of another time at its own time, where that is asked for", () =>
    archive(Effect.gen(function*() {
      const { transfers } = yield* Archive
      const moved = transfer({ timestamp: NOW + 1000 })
      yield* transfers.savePage({ records: [transfer()], bad: [], readAt: 10 }, query)
      yield* transfers.savePage({ records: [moved], bad: [], readAt: 20 }, query)
      const range = { from: NOW + 1, to: NOW + 2000 }
      assert.deepStrictEqual(yield* list(transfers.slices(range)), [])
      const disputed = yield* list(transfers.slices({ ...range, disputed: true }))
      assert.deepStrictEqual(disputed.map(({ conflicts, record }) => [record, conflicts.map(({ record }) => record)]), [
        [moved, [transfer()]]
      ])
    })))

  it.effect("puts the service's content in the place of a file's, also at another time", () =>
    archive(Effect.gen(function*() {
      const { transfers } = yield* Archive
      yield* transfers.importRecords([transfer({ timestamp: 5, amount: "9" })])
      yield* transfers.savePage({ records: [transfer()], bad: [], readAt: 20 }, query)
      const [kept, ...others] = yield* list(transfers.slices({ from: 0, to: NOW + 1 }))
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual([kept?.record, kept?.imported, kept?.conflicts[0]?.record.amount], [
        transfer(),
        false,
        "9"
      ])
    })))

  it.effect("leaves alone what another query could not read", () =>
    archive(Effect.gen(function*() {
      const { transfers } = yield* Archive
      const raw = `{"timestamp":${NOW}}`
      yield* transfers.savePage({ records: [], bad: [{ ...bad(raw), side: "transfer" }], readAt: NOW }, query)
      const other = { ...query, fromAccount: "b@x" }
      const slice = { from: NOW, to: NOW + 1, records: [], bad: [] }
      yield* transfers.saveSlice({ ...slice, coverage: [{ ...complete(NOW, NOW + 1, NOW + 20), query: other }] }, other)
      const read = Effect.map(
        Stream.runCollect(transfers.slices({ from: NOW, to: NOW + 1 })),
        (slices) => slices.flatMap(({ bad }) => bad.map(({ raw }) => raw))
      )
      assert.deepStrictEqual(yield* read, [raw])
      yield* transfers.saveSlice({ ...slice, coverage: [complete(NOW, NOW + 1, 20)] }, query)
      assert.deepStrictEqual(yield* read, [])
    })))

  it.effect("keeps twins apart, and knows each again", () =>
    archive(Effect.gen(function*() {
      const { deposits } = yield* Archive
      yield* deposits.savePage({ records: [deposit(), deposit({ status: 4 })], bad: [], readAt: 10 })
      yield* deposits.savePage({ records: [deposit({ status: 4 }), deposit()], bad: [], readAt: 20 })
      const kept = yield* list(deposits.slices({ from: 0, to: NOW * 2 }))
      assert.deepStrictEqual(kept.map(({ before }) => before), [[], []])
      assert.strictEqual(new Set(kept.map(({ key }) => key)).size, 2)
    })))

  it.effect("is claimed once, by one master, whose new key must be vouched for", () =>
    archive(Effect.gen(function*() {
      const { claim, stamps, trust } = yield* Archive
      const mine = { baseUrl: "https://broker.example", fingerprint: "00aa" }
      yield* claim(mine)
      yield* claim(mine)
      for (const other of [{ ...mine, fingerprint: "11bb" }, { ...mine, baseUrl: "http://127.0.0.1:1" }]) {
        const error = yield* Effect.flip(claim(other))
        assert.strictEqual(error.reason._tag, "OtherMaster")
        assert.include(error.message, "https://broker.example, key 00aa")
      }
      assert.strictEqual(
        (yield* Effect.flip(trust({ ...mine, baseUrl: "http://127.0.0.1:1" }))).reason._tag,
        "OtherMaster"
      )
      yield* trust({ ...mine, fingerprint: "11bb" })
      yield* claim({ ...mine, fingerprint: "11bb" })
      assert.deepStrictEqual(yield* stamps, [mine, { ...mine, fingerprint: "11bb" }])
    })))

  it.effect("knows whose status may still change, by operation and query", () =>
    archive(Effect.gen(function*() {
      const { deposits, transfers, unsettled } = yield* Archive
      yield* deposits.savePage({
        records: [deposit({ status: 4 }), deposit({ insertTime: NOW + 1 })],
        bad: [],
        readAt: 10
      })
      yield* transfers.savePage({
        records: [transfer({ status: "ODD" }), transfer({ tranId: "8", timestamp: NOW + 1 })],
        bad: [],
        readAt: 10
      }, query)
      const found = yield* unsettled(NOW)
      assert.deepStrictEqual(found.map(({ at, operation, query }) => [operation, at, query._tag]), [
        ["deposits", NOW, "None"],
        ["transfers", NOW, "Some"]
      ])
      assert.deepStrictEqual(yield* unsettled(NOW + 1), [])
      const told = (deposit: ReadonlyArray<string | number>, transfer: ReadonlyArray<string>) =>
        Effect.map(
          unsettled(NOW, {
            deposit: { settled: deposit, pending: [], failed: [] },
            transfer: { settled: transfer, pending: [], failed: [] }
          }),
          (found) => found.map(({ at, operation }) => `${operation} ${at - NOW}`)
        )
      assert.deepStrictEqual(yield* told(["4", "ODD", 1.5], ["SUCCESS", "ODD"]), ["deposits 1"])
      assert.deepStrictEqual(yield* told([4, 5], []), ["transfers 0", "transfers 1"])
    })))
})
