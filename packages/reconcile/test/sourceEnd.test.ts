import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as TestClock from "effect/testing/TestClock"
import type * as Entry from "../src/Entry.ts"
import * as EntryStream from "../src/EntryStream.ts"
import type * as OutcomeStream from "../src/internal/OutcomeStream.ts"
import * as Policy from "../src/Policy.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

const covered = (operation: Coverage.Coverage["operation"], from = -60, to = 60_000): Coverage.Coverage => ({
  operation,
  from: Run.T0 + from * Run.MINUTE,
  to: Run.T0 + to * Run.MINUTE,
  readAt: Run.T0 + to * Run.MINUTE,
  state: "complete"
})

const paired = (count: number) => ({
  deposits: Array.from({ length: count }, (_, index) => Run.deposit(`d${index}`, index, { amount: `${index + 1}` })),
  transfers: Array.from(
    { length: count },
    (_, index) => Run.transfer(`t${index}`, index + 5, { amount: `${index + 1}` })
  )
})

const slices = (entries: ReadonlyArray<Entry.Entry>, coverage: ReadonlyArray<Coverage.Coverage>, chunk = 2) =>
  Slice.fromEntries(Stream.rechunk(Stream.fromIterable(entries), chunk), coverage)

const slice = (
  records: ReadonlyArray<Entry.Entry>,
  from: number,
  to: number,
  coverage: ReadonlyArray<Coverage.Coverage> = []
): Slice.Slice<Entry.Entry> => ({ from, to, records, bad: [], coverage })

/** What the whole says, and what the stream says of the same. */
const both = Effect.fnUntraced(function*<E1, E2>(
  deposits: OutcomeStream.Side<E1>,
  transfers: OutcomeStream.Side<E2>,
  options: Reconciliation.Options = {}
) {
  const { outcomes } = yield* Reconciliation.reconcile(deposits, transfers, options)
  const streamed = yield* Stream.runCollect(Reconciliation.outcomes(deposits, transfers, options))
  assert.deepStrictEqual(Run.summary(streamed), Run.summary(outcomes))
  return outcomes
})

/** Every entry has its one outcome. */
const holdsAll = (
  outcomes: ReadonlyArray<{
    readonly deposits: ReadonlyArray<Entry.Entry>
    readonly transfers: ReadonlyArray<Entry.Entry>
  }>,
  entries: ReadonlyArray<Entry.Entry>
) =>
  assert.sameMembers(
    outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers].map(({ id }) => id)),
    entries.map(({ id }) => id)
  )

describe("a side for which nobody vouches", () => {
  it.effect("is read to its end: every entry has its outcome, and nothing is told missing", () =>
    Effect.gen(function*() {
      const { deposits, transfers } = paired(20)
      const some = transfers.filter((_, index) => index % 4 !== 1)
      for (const chunk of [1, 3, 100]) {
        for (const coverage of [[], [covered("deposits")]]) {
          const outcomes = yield* both(slices(deposits, coverage, chunk), slices(some, [], chunk))
          holdsAll(outcomes, [...deposits, ...some])
          assert.deepStrictEqual(outcomes.filter(({ code }) => code.startsWith("missing")), [])
        }
      }
    }))

  it.effect("says of its unmatched entries and of those against it what it says in any cut", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= Generator.cases(20); seed++) {
        const random = Generator.make(seed)
        const { deposits, transfers } = paired(200)
        const left = deposits.filter(() => random.chance(0.8))
        const right = transfers.filter(() => random.chance(0.8))
        const begin = random.int(0, 200)
        const claims = random.pick([[], [covered("transfers", begin, begin + random.int(0, 100))]])
        const outcomes = yield* both(
          slices(left, random.pick([[], [covered("deposits")]]), random.int(1, 50)),
          slices(right, claims, random.int(1, 50))
        )
        holdsAll(outcomes, [...left, ...right])
      }
    }))
})

describe("a slice of no interval", () => {
  const { deposits, transfers } = paired(3)
  const left = slices(deposits, [covered("deposits")])
  const fine = slices(transfers, [covered("transfers")])
  const last = slice(transfers.slice(1), Run.T0, Run.T0 + Run.HOUR)

  it.effect("is refused by name, in the middle as at the end, whatever its ends are", () =>
    Effect.gen(function*() {
      const ends: ReadonlyArray<readonly [from: number, to: number]> = [
        [Run.T0 - Run.HOUR, Number.POSITIVE_INFINITY],
        [Number.NEGATIVE_INFINITY, Run.T0],
        [Number.NaN, Run.T0],
        [Run.T0, Number.NaN],
        [Run.T0, Run.T0 - 1],
        [Run.T0, Run.T0 + 0.5]
      ]
      for (const [from, to] of ends) {
        const broken = slice(transfers.slice(0, 1), from, to)
        for (
          const right of [Stream.make(broken, last), Stream.make(slice([], 0, Run.T0), broken), Stream.make(broken)]
        ) {
          const failures = [
            yield* Effect.flip(Reconciliation.reconcile(left, right)),
            yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(left, right))),
            yield* Effect.flip(Stream.runDrain(Reconciliation.events(right, left)))
          ]
          assert.deepStrictEqual(failures.map(({ _tag }) => _tag), ["InvalidSlice", "InvalidSlice", "InvalidSlice"])
          assert.include(failures[0]?.message, `a slice of transfers is from ${from} to ${to}`)
          assert.include(failures[2]?.message, "a slice of deposits is from")
        }
      }
    }))

  it.effect("is not made by coverage of no interval: the coverage is refused by name", () =>
    Effect.gen(function*() {
      const endless = { ...covered("transfers"), to: Number.POSITIVE_INFINITY }
      const rows = EntryStream.fromRows(
        Stream.make(Result.fail({ side: "transfer" as const, source: "row 1", path: "", reason: "no row", raw: "" })),
        {
          side: "transfer",
          policy: Policy.defaults,
          accounts: { list: [], complete: false },
          coverage: ({ to }) => ({ to, coverage: [{ ...endless, to: Number.NaN }] })
        }
      )
      for (const right of [slices(transfers, [endless]), rows, Stream.make(slice([], 0, 5, [endless]))]) {
        const error = yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(left, right)))
        assert.strictEqual(error._tag, "InvalidSlice")
        assert.include(error.message, "a coverage of transfers is from")
      }
    }))

  it.effect("is not made by coverage whose end is a text: the message shows that it is one", () =>
    Effect.gen(function*() {
      // @ts-expect-error JavaScript keeps no type's promise
      const text: Coverage.Coverage = { ...covered("transfers"), from: `${Run.T0}` }
      const error = yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(left, slices(transfers, [text]))))
      assert.include(error.message, `a coverage of transfers is from "${Run.T0}" to `)
      assert.include(error.message, "both ends are whole numbers of milliseconds")
    }))

  it.effect("is not made by coverage in seconds, which would cover nothing", () =>
    Effect.gen(function*() {
      const seconds = (time: number) => Math.trunc(time / 1000)
      const { from, to } = covered("transfers")
      const right = slices(transfers, [{ ...covered("transfers"), from: seconds(from), to: seconds(to) }])
      const failures = [
        yield* Effect.flip(Reconciliation.reconcile(left, right)),
        yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(left, right)))
      ]
      for (const { _tag, message } of failures) {
        assert.strictEqual(_tag, "InvalidSlice")
        assert.include(
          message,
          `a coverage of transfers is from ${seconds(from)} to ${seconds(to)}, which seems to be in seconds`
        )
      }
    }))

  it.effect("is not made by coverage from the beginning of time, or to far in the future", () =>
    Effect.gen(function*() {
      for (const ends of [{ from: 0 }, { to: 8.64e15 }, { from: 0, to: 8.64e15 }]) {
        const wide = slices(transfers, [{ ...covered("transfers"), ...ends }])
        assert.deepStrictEqual(
          Run.summary(yield* both(left, wide)),
          ["exact d0 t0", "exact d1 t1", "exact d2 t2"]
        )
      }
    }))

  it.effect("of a length of nothing is one", () =>
    Effect.gen(function*() {
      const empty = slice([], Run.T0 - Run.HOUR, Run.T0 - Run.HOUR)
      assert.deepStrictEqual(
        Run.summary(yield* both(left, Stream.concat(Stream.make(empty), fine))),
        ["exact d0 t0", "exact d1 t1", "exact d2 t2"]
      )
    }))
})

describe("an entry of no time", () => {
  it.effect("is a bad record, wherever it stands, and takes no other entry with it", () =>
    Effect.gen(function*() {
      const { deposits, transfers } = paired(8)
      const times = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Run.T0 + 0.5, Number.MAX_VALUE]
      for (const at of times) {
        for (const place of [0, 4, 8]) {
          const broken = transfers.toSpliced(place, 0, { ...Run.transfer("no time", 0), at })
          for (const coverage of [[], [covered("transfers")]]) {
            const outcomes = yield* both(slices(deposits, [covered("deposits")]), slices(broken, coverage, 1))
            holdsAll(outcomes, [...deposits, ...transfers])
            assert.strictEqual(outcomes.filter(({ code }) => code === "bad-record").length, 1)
            assert.strictEqual(outcomes.filter(({ code }) => code === "exact").length, 8)
          }
        }
      }
    }))
})

describe("rows of one's own", () => {
  it.effect("are vouched for up to what was read, whatever a slice in the middle claims", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Run.T0 + Run.DAY)
      const rows = paired(30).transfers.map(Struct.omit(["side"])).map((value) =>
        Result.succeed({ value, source: value.id, raw: "" })
      )
      const found = yield* Stream.runCollect(
        EntryStream.fromRows(Stream.rechunk(Stream.fromIterable(rows), 1), {
          side: "transfer",
          policy: Policy.defaults,
          accounts: { list: [], complete: false },
          limit: 0,
          coverage: () => ({ to: covered("transfers").to, coverage: [covered("transfers")] })
        })
      )
      let at = 0
      for (const { coverage, from, records, to } of found) {
        assert.strictEqual(from, at)
        at = to
        assert.isTrue(records.every((record) => record.at >= from && record.at < to))
        assert.isTrue(coverage.every((part) => part.from >= from && part.to <= to))
      }
      assert.isAbove(found.length, 20)
      assert.strictEqual(at, covered("transfers").to)
    }))

  it.effect("come whole before the failure that ends them, with no word of what lies among those that were held", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Run.T0 + Run.DAY)
      // Each four of them turned round.
      const turned = paired(300).transfers.map((one, index, all) => all[index + 3 - 2 * (index % 4)] ?? one)
      for (const [count, limit] of [[0, 10], [1, 10], [250, 10], [300, 10], [300, 3], [300, 10_000]] as const) {
        const some = turned.slice(0, count)
        const rows = some.map(Struct.omit(["side"])).map((value) =>
          Result.succeed({ value, source: value.id, raw: "" })
        )
        const found: Array<Slice.Slice<Entry.Entry>> = []
        const broken = Stream.concat(Stream.rechunk(Stream.fromIterable(rows), 3), Stream.fail("the source is gone"))
        const error = yield* EntryStream.fromRows(broken, {
          side: "transfer",
          policy: Policy.defaults,
          accounts: { list: [], complete: false },
          limit,
          coverage: ({ to }) => ({ to, coverage: [covered("transfers")] })
        }).pipe(Stream.runForEach((slice) => Effect.sync(() => found.push(slice))), Effect.flip)
        assert.strictEqual(error, "the source is gone")
        assert.sameMembers(
          found.flatMap(({ records }) => records.map(({ id }) => id)),
          some.map(({ id }) => id)
        )
        const last = found.at(-1)
        if (count > 0) assert.deepStrictEqual([last?.coverage, last?.to], [[], last?.from])
        if (count > 100 && limit < 100) assert.isAbove(found.length, 10)
      }
    }))
})
