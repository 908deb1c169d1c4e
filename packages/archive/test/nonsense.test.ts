import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Archive from "../src/Archive.ts"
import type { ArchiveError } from "../src/ArchiveError.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const range = { from: NOW, to: NOW + HOUR }

const complete = (interval: Coverage.Interval, changes: Partial<Coverage.Coverage> = {}): Coverage.Coverage => ({
  operation: "deposits",
  ...interval,
  readAt: NOW + 2 * HOUR,
  state: "complete",
  ...changes
})

type Deposits = Slice.Slice<SubAccountDeposit.SubAccountDeposit>

const slice = (changes: Partial<Deposits> = {}): Deposits => ({
  ...range,
  records: [],
  bad: [],
  coverage: [],
  ...changes
})

const ends: ReadonlyArray<readonly [from: number, to: number]> = [
  [Number.NaN, NOW],
  [NOW, Number.POSITIVE_INFINITY],
  [NOW, NOW],
  [NOW, NOW - 1],
  [NOW / 1000, NOW / 1000 + 3600]
]

const times = [Number.NaN, Number.POSITIVE_INFINITY, NOW + 0.5, -1, NOW / 1000]

const withArchive = <A, E>(program: (archive: Archive.Service) => Effect.Effect<A, E>) =>
  TestClock.setTime(NOW + 3 * HOUR).pipe(
    Effect.andThen(Archive.Archive.use(program)),
    Effect.provide(Archive.Archive.layerMemory())
  )

/** Each is refused by an error that names the value, and nothing of it is kept. */
const refused = (
  archive: Archive.Service,
  attempts: ReadonlyArray<readonly [value: number, attempt: Effect.Effect<unknown, ArchiveError>]>
) =>
  Effect.gen(function*() {
    for (const [value, attempt] of attempts) {
      const { message, reason } = yield* Effect.flip(attempt)
      assert.strictEqual(reason._tag, "InvalidRange")
      assert.include(message, String(value))
    }
    assert.deepStrictEqual(yield* archive.coverage(), [])
    assert.strictEqual((yield* archive.deposits.counts).records, 0)
  })

describe("an archive that is given what is no time", () => {
  it.effect("reads, keeps and vouches for no range that is none", () =>
    withArchive((archive) => {
      const { coverage, deposits, vouch } = archive
      return refused(
        archive,
        ends.flatMap(([from, to]) => [
          [from, Stream.runDrain(deposits.slices({ from, to }))],
          [from, coverage({ from, to })],
          [from, deposits.saveSlice(slice({ from, to }))],
          [from, vouch("deposits", { from, to }, NOW)]
        ])
      )
    }))

  it.effect("believes no reading, no import and no vouching at a time that is none", () =>
    withArchive((archive) => {
      const { deposits, vouch } = archive
      return refused(
        archive,
        times.flatMap((time) => [
          [time, vouch("deposits", range, time)],
          [time, deposits.savePage({ records: [deposit()], bad: [], readAt: time })],
          [time, deposits.saveSlice(slice({ records: [deposit()], coverage: [complete(range, { readAt: time })] }))],
          [time, deposits.importRecords([deposit()], time)]
        ])
      )
    }))

  it.effect("keeps no record without a time", () =>
    withArchive((archive) => {
      const records = [deposit(), deposit({ insertTime: Number.NaN })]
      return refused(archive, [
        [Number.NaN, archive.deposits.savePage({ records, bad: [], readAt: NOW })],
        [Number.NaN, archive.deposits.saveSlice(slice({ records }))],
        [Number.NaN, archive.deposits.importRecords(records)],
        [Number.NaN, archive.transfers.importRecords([transfer({ timestamp: Number.NaN })])]
      ])
    }))

  it.effect("believes no coverage whose ends are none", () =>
    withArchive((archive) =>
      refused(archive, [
        [Number.NaN, archive.deposits.saveSlice(slice({ coverage: [complete({ from: Number.NaN, to: NOW })] }))],
        [NOW - 1, archive.deposits.saveSlice(slice({ coverage: [complete({ from: NOW, to: NOW - 1 })] }))]
      ])
    ))

  it.effect("takes no file for younger than all that the service will show", () =>
    withArchive((archive) =>
      Effect.gen(function*() {
        const { deposits } = archive
        yield* refused(archive, [[NOW + 4 * HOUR, deposits.importRecords([deposit()], NOW + 4 * HOUR)]])
        yield* deposits.importRecords([deposit()], NOW + 3 * HOUR)
        assert.strictEqual((yield* deposits.counts).records, 1)
      })
    ))
})

describe("a slice that is kept", () => {
  it.effect("is believed about its own time only", () =>
    withArchive(({ coverage, deposits }) =>
      Effect.gen(function*() {
        const wide = complete({ from: NOW - 48 * HOUR, to: NOW + 48 * HOUR })
        yield* deposits.saveSlice(slice({ coverage: [wide] }))
        assert.deepStrictEqual(yield* coverage(), [{ ...wide, ...range, vouched: false }])
      })
    ))

  it.effect("is believed about its own operation and query only", () =>
    withArchive(({ coverage, deposits, transfers }) =>
      Effect.gen(function*() {
        const query = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }
        yield* deposits.saveSlice(slice({ coverage: [complete(range, { operation: "transfers" })] }))
        const others = [complete(range), complete(range, { operation: "transfers", query })]
        yield* transfers.saveSlice({ ...range, records: [], bad: [], coverage: others })
        yield* transfers.saveSlice({ ...range, records: [], bad: [], coverage: others }, {
          ...query,
          fromAccount: "b@x"
        })
        assert.deepStrictEqual(yield* coverage(), [])
      })
    ))

  it.effect("is believed about nothing behind its own reading", () =>
    withArchive(({ coverage, deposits }) =>
      Effect.gen(function*() {
        for (const readAt of [NOW - HOUR, NOW]) {
          yield* deposits.saveSlice(slice({ coverage: [complete(range, { readAt })] }))
        }
        assert.deepStrictEqual(yield* coverage(), [])
        yield* deposits.saveSlice(slice({ coverage: [complete(range, { readAt: NOW + 60_000 })] }))
        assert.deepStrictEqual((yield* coverage()).map(({ from, to }) => ({ from, to })), [
          { from: NOW, to: NOW + 60_000 }
        ])
      })
    ))

  it.effect("keeps a record of another time, without coverage", () =>
    withArchive(({ coverage, deposits }) =>
      Effect.gen(function*() {
        const stray = deposit({ insertTime: NOW + 30 * HOUR })
        yield* deposits.saveSlice(slice({ records: [stray], coverage: [complete(range)] }))
        const [kept] = yield* Stream.runCollect(deposits.slices({ from: NOW + HOUR, to: NOW + 48 * HOUR }))
        assert.deepStrictEqual([kept?.records.map(({ record }) => record), kept?.coverage], [[stray], []])
        assert.deepStrictEqual((yield* coverage()).map(({ from, to }) => ({ from, to })), [range])
      })
    ))
})
