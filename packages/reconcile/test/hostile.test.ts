import { assert, describe, it } from "@effect/vitest"
import * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import * as Outcome from "../src/Outcome.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Report from "../src/Report.ts"
import * as Generator from "./support/Generator.ts"
import * as Hostile from "./support/Hostile.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

/** JavaScript keeps no type's promise. */
const unpromised = (values: ReadonlyArray<unknown>): ReadonlyArray<Entry.Entry> =>
  // @ts-expect-error this is what the tests are about
  values

const entryOf = { deposit: Run.deposit, transfer: Run.transfer }

const isOutcome = Schema.is(Outcome.Outcome)
const encodeReport = Schema.encodeSync(Report.Report)

const inside = { from: Run.T0 - Run.DAY, to: Run.T0 + Run.DAY, readAt: Run.T0 + Run.DAY, state: "complete" } as const
const vouched = {
  deposit: { operation: "deposits", ...inside },
  transfer: { operation: "transfers", ...inside }
} as const

interface Books {
  readonly deposit: ReadonlyArray<unknown>
  readonly transfer: ReadonlyArray<unknown>
}

/** Pairs of entries that are sound, of both kinds: those that nothing ties to others, and those that have everything. */
const sound = (count: number, random: Generator.Generator) => {
  const fields = (index: number): Partial<Entry.Entry> =>
    random.chance(0.5) ? {} : { account: "a", reference: `r${index}`, record: { index } }
  const of = (side: "deposit" | "transfer", minutes: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        entryOf[side](`${side}${index}`, 10 * index + minutes, { amount: String(index + 1), ...fields(index) })
    )
  return { deposit: of("deposit", 0), transfer: of("transfer", 5) }
}

/** Whether its time, if it has one, is among the others'. */
const isInOrder = (entry: unknown): boolean => {
  try {
    const { at } = Object(entry)
    return !Number.isSafeInteger(at) || at >= inside.from
  } catch {
    return true
  }
}

const idOf = (entry: unknown) => {
  try {
    return Object(entry).id
  } catch {
    return undefined
  }
}

/** Every one of them is in exactly one outcome, or stands in its place as a bad record. */
const assertOnce = (books: Books, outcomes: ReadonlyArray<Outcome.Outcome>, about: string): void => {
  for (const side of ["deposit", "transfer"] as const) {
    const members = outcomes.flatMap((outcome) => outcome[`${side}s`])
    const bad = outcomes.filter((outcome) => outcome.bad?.side === side)
    assert.strictEqual(members.length + bad.length, books[side].length, about)
    const ids = new Set(members.map(({ id }) => id))
    assert.strictEqual(ids.size, members.length, about)
    assert.isTrue(books[side].every((entry) => !ids.has(idOf(entry)) || ids.delete(idOf(entry))), about)
    assert.strictEqual(ids.size, 0, about)
  }
  assert.isTrue(outcomes.every((outcome) => isOutcome(outcome)), about)
}

const byId = (outcomes: ReadonlyArray<Outcome.Outcome>) => outcomes.toSorted((a, b) => (a.id < b.id ? -1 : 1))

const slice = (side: Entry.Side, records: ReadonlyArray<unknown>): Slice.Slice<Entry.Entry> => ({
  from: inside.from,
  to: inside.to,
  records: unpromised(records),
  bad: [],
  coverage: [vouched[side]]
})

const chunked = (side: Entry.Side, records: ReadonlyArray<unknown>, chunk: number) =>
  Slice.fromEntries(Stream.rechunk(Stream.fromIterable(unpromised(records)), chunk), [vouched[side]])

const match = (books: Books): ReadonlyArray<Outcome.Outcome> =>
  Run.match({
    deposits: unpromised(books.deposit),
    transfers: unpromised(books.transfer),
    coverage: Object.values(vouched)
  }).outcomes

/** Through every way into the engine; a time that is one, but out of order, ends a stream with an error. */
const assertEverywhere = Effect.fnUntraced(function*(books: Books, chunk: number, about: string) {
  const whole = match(books)
  assertOnce(books, whole, about)
  const report = yield* Reconciliation.reconcile(
    Stream.make(slice("deposit", books.deposit)),
    Stream.make(slice("transfer", books.transfer))
  )
  assert.deepStrictEqual(byId(report.outcomes), byId(whole), about)
  if (report.outcomes.some(({ bad }) => bad !== undefined)) assert.isFalse(report.clean, about)
  encodeReport(report)
  if (![...books.deposit, ...books.transfer].every(isInOrder)) return
  const [left, right] = [chunked("deposit", books.deposit, chunk), chunked("transfer", books.transfer, chunk)]
  assertOnce(books, yield* Stream.runCollect(Reconciliation.outcomes(left, right)), about)
  assertOnce(books, (yield* Reconciliation.reconcile(left, right)).outcomes, about)
})

const show = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}

describe("what no type promises", () => {
  it.effect("takes entries of a class by what their getters say, each asked once", () =>
    Effect.gen(function*() {
      class Row {
        readonly account = undefined
        get at() {
          return Run.T0
        }
        get amount() {
          return "1"
        }
        get status() {
          return "settled"
        }
        get asset() {
          return "BTC"
        }
      }
      class Deposit extends Row {
        readonly id = "d1"
        readonly side = "deposit"
      }
      class Transfer extends Row {
        readonly id = "t1"
        readonly side = "transfer"
      }
      const books = { deposit: [new Deposit()], transfer: [new Transfer()] }
      assert.deepStrictEqual(Run.summary(match(books)), ["exact d1 t1"])
      yield* assertEverywhere(books, 1, "a class")
      let asked = 0
      const moody = Object.defineProperty(Run.deposit("d1", 0), "amount", {
        get: () => (asked++ === 0 ? "1" : Number.NaN)
      })
      assert.deepStrictEqual(Run.summary(match({ ...books, deposit: [moody] })), ["exact d1 t1"])
    }))

  it.effect("leaves every entry in exactly one outcome, whatever stands in one field of one of them", () =>
    Effect.gen(function*() {
      const random = Generator.make(1)
      for (const field of Hostile.fields) {
        for (const value of Hostile.values) {
          const books: Record<Entry.Side, ReadonlyArray<unknown>> = sound(3, random)
          const side = random.pick(["deposit", "transfer"] as const)
          const place = random.int(0, 2)
          books[side] = books[side].with(place, { ...Object(books[side][place]), [field]: value })
          const about = `${field}: ${show(value)}`
          assertOnce(books, match(books), about)
          if (random.chance(0.25)) yield* assertEverywhere(books, random.int(1, 4), about)
        }
      }
    }))

  it.effect("leaves every entry in exactly one outcome, whatever stands in the place of one", () =>
    Effect.gen(function*() {
      const random = Generator.make(2)
      for (const value of Hostile.values) {
        const books: Record<Entry.Side, ReadonlyArray<unknown>> = sound(3, random)
        const side = random.pick(["deposit", "transfer"] as const)
        books[side] = books[side].with(random.int(0, 2), value)
        yield* assertEverywhere(books, random.int(1, 4), show(value))
      }
    }))

  it.effect("leaves every entry in exactly one outcome where nothing is as promised", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= Generator.cases(300); seed++) {
        const random = Generator.make(seed)
        const books: Record<Entry.Side, ReadonlyArray<unknown>> = sound(6, random)
        for (const side of ["deposit", "transfer"] as const) {
          books[side] = books[side].map((entry) =>
            random.chance(0.6)
              ? entry
              : { ...Object(entry), [random.pick(Hostile.fields)]: random.pick(Hostile.values) }
          )
          // One identity once: what a source tells twice is another matter.
          const ids = books[side].map((entry) => Object(entry).id)
          books[side] = books[side].filter((_, index) =>
            typeof ids[index] !== "string" || ids.indexOf(ids[index]) === index
          )
        }
        yield* assertEverywhere(books, random.int(1, 4), `seed ${seed}`)
      }
    }))

  it("is told by a bad record that names the field, what was wanted and what came", () => {
    const told = (fields: object) =>
      Run.match({ deposits: unpromised([{ ...Run.deposit("d1", 0), ...fields }]) }).outcomes[0]?.bad
    assert.deepInclude(told({ at: Number.NaN }), {
      side: "deposit",
      source: "entry d1",
      path: "at",
      reason: "a time in whole Unix ms was wanted, NaN came"
    })
    assert.strictEqual(told({ amount: 1 })?.reason, "a plain decimal was wanted, 1 came")
    assert.strictEqual(told({ side: "transfer" })?.reason, "\"deposit\" was wanted, \"transfer\" came")
    assert.strictEqual(told({ memo: null })?.path, "memo")
    assert.strictEqual(told({ id: "", record: 7n })?.source, "an entry without an id")
  })
})

describe("times that are not in milliseconds", () => {
  const books = (factor: number) => ({
    deposits: [{ ...Run.deposit("d1", 0), at: Run.T0 * factor }],
    transfers: [{ ...Run.transfer("t1", 0), at: (Run.T0 + 30 * Run.DAY) * factor }]
  })

  it("are bad records on both sides, because no window means anything between them", () => {
    for (const factor of [1 / 1000, 1000]) {
      const { outcomes } = Run.match(books(factor))
      assert.deepStrictEqual(outcomes.map(({ code }) => code), ["bad-record", "bad-record"])
      for (const { bad } of outcomes) assert.include(bad?.reason, "Unix ms from 2010 to 2099")
    }
  })
})

describe("a slice that is none", () => {
  const soundSide = slice("transfer", [Run.transfer("t1", 0)])
  const odd = (fields: object): Slice.Slice<Entry.Entry> => ({ ...slice("deposit", [Run.deposit("d1", 0)]), ...fields })
  const both = Effect.fnUntraced(function*(fields: object) {
    const sides = [Stream.make(odd(fields)), Stream.make(soundSide)] as const
    const report = yield* Reconciliation.reconcile(...sides)
    const streamed = yield* Stream.runCollect(Reconciliation.outcomes(...sides))
    assert.deepStrictEqual(byId(streamed), byId(report.outcomes))
    return report
  })
  const coverage = (fields: object) => ({ coverage: [{ ...vouched.deposit, ...fields }] })

  it.effect("is not believed beside a list that is none", () =>
    Effect.gen(function*() {
      for (const list of [undefined, null, 5, "d1", {}]) {
        const lost = yield* both({ records: list })
        assert.deepStrictEqual(Run.summary(lost.outcomes), ["bad-record", "coverage-gap t1"])
        assert.isFalse(lost.clean)
        const unlisted = yield* both({ bad: list })
        assert.include(Run.summary(unlisted.outcomes), "bad-record")
        assert.isTrue(
          unlisted.coverage.every(({ operation, state }) => operation === "transfers" || state === "incomplete")
        )
      }
    }))

  it.effect("claims nothing by coverage that is malformed, and says so", () =>
    Effect.gen(function*() {
      const malformed = [
        coverage({ state: "done" }),
        coverage({ readAt: Number.NaN }),
        coverage({ operation: "deposit" }),
        coverage({ query: 5 }),
        { coverage: [null] },
        { coverage: undefined }
      ]
      for (const fields of malformed) {
        const report = yield* both({ records: [], ...fields })
        assert.deepStrictEqual(Run.summary(report.outcomes), ["coverage-gap t1"], show(fields))
        assert.isFalse(report.clean)
        assert.include(report.coverage.find(({ state }) => state === "incomplete")?.gap?.detail, "malformed")
      }
    }))

  it.effect("keeps what cannot be read as a bad record", () =>
    Effect.gen(function*() {
      for (const bad of [null, 5, { side: "deposit" }, { side: "deposit", source: 1n }]) {
        assert.include(Run.summary((yield* both({ bad: [bad] })).outcomes), "bad-record")
      }
    }))

  it.effect("is refused where it has no interval, or is nothing at all", () =>
    Effect.gen(function*() {
      for (
        const given of [null, undefined, 5, "slice", odd({ to: undefined }), odd({ from: "9" }), odd({ to: null })]
      ) {
        // @ts-expect-error JavaScript keeps no type's promise
        const left: Reconciliation.Side = Stream.make(given)
        const errors = [
          yield* Effect.flip(Reconciliation.reconcile(left, Stream.make(soundSide))),
          yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(left, Stream.make(soundSide))))
        ]
        assert.deepStrictEqual(errors.map(({ _tag }) => _tag), ["InvalidSlice", "InvalidSlice"])
      }
    }))

  it("vouches for nothing in a match where it has no interval", () => {
    for (const fields of [{ to: Number.NaN }, { from: 0.5 }, { from: inside.to, to: inside.from }, { to: Infinity }]) {
      const { outcomes } = Run.match({
        transfers: [Run.transfer("t1", 0)],
        coverage: [{ ...vouched.deposit, ...fields }, vouched.transfer]
      })
      assert.deepStrictEqual(Run.summary(outcomes), ["coverage-gap t1"])
    }
  })
})

describe("a slice that comes out of order, or vouches for more than itself", () => {
  const hour = (from: number, to: number, fields: Partial<Slice.Slice<Entry.Entry>> = {}) => ({
    from: Run.T0 + from * Run.HOUR,
    to: Run.T0 + to * Run.HOUR,
    records: [],
    bad: [],
    coverage: [],
    ...fields
  })

  it.effect("is believed within its own interval only, by a stream and by a whole run", () =>
    Effect.gen(function*() {
      const left = hour(-24, 48, {
        coverage: [{ ...vouched.deposit, from: Run.T0 - Run.DAY, to: Run.T0 + 2 * Run.DAY }]
      })
      const far = { ...vouched.transfer, from: Run.T0 - Run.DAY, to: Run.T0 + 2 * Run.DAY }
      const sides = () =>
        [
          Stream.make({ ...left, records: [Run.deposit("d1", 0)] }),
          Stream.make(hour(-24, -1, { coverage: [far] }), hour(20, 48, { coverage: [far] }))
        ] as const
      const report = yield* Reconciliation.reconcile(...sides())
      const streamed = yield* Stream.runCollect(Reconciliation.outcomes(...sides()))
      assert.deepStrictEqual(Run.summary(report.outcomes), ["coverage-gap d1"])
      assert.deepStrictEqual(byId(streamed), byId(report.outcomes))
    }))

  it.effect("is refused where it begins before the end of one that had come, empty or not", () =>
    Effect.gen(function*() {
      const sides = () => [Stream.make(hour(24, 48), hour(0, 24)), Stream.make(hour(0, 48))] as const
      const errors = [
        yield* Effect.flip(Reconciliation.reconcile(...sides())),
        yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(...sides())))
      ]
      for (const error of errors) {
        assert.strictEqual(error._tag, "InvalidSlice")
        assert.include(error.message, "slices come in order of time and do not overlap")
      }
    }))
})
