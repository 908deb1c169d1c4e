/** A run that ends before all is read that may change what it says moves no entry of another day by what is not final. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Runs from "../src/Runs.ts"
import { accounts, at, author, read, type Told, waiting } from "./support/hours.ts"

const DAY = 24
const LAST = 12 * DAY

/** Runs read 10 hours around their day. */
const policy = Policy.make({ window: { before: "2 hours", after: "2 hours" }, late: "3 hours" })

/** Hours that the archive has. */
type Part = readonly [from: number, to: number]

const FIRST = -10 * DAY

/**
 * Equal amounts every hour for five days. The transfer that is lacking on the fifth day is one too many on the fourth, so that all of
 * them come out even, and a part of them does not.
 */
const fill = (parts: ReadonlyArray<Part>) => {
  const hours = Array.from({ length: 5 * DAY }, (_, index) => 3 * DAY + index)
  const deposits = hours.map((hour): Told => [`d${hour}`, hour, "5"])
  const transfers = hours.map((hour): Told => [`t${hour}`, hour === 117 ? 77.7 : hour + 0.5, "5"])
  return Effect.forEach(parts, (part) => read(part, deposits, transfers, { address: (txId) => `address of ${txId}` }))
}

const asked = (day: number) =>
  Effect.map(policy, (policy): ArchiveReconciliation.Options => ({
    range: { from: at(day * DAY), to: at((day + 1) * DAY) },
    accounts,
    policy,
    readOn: true
  }))

/** Brings the books forward as a command does that writes outcomes while they are decided. */
const bookStreamed = Effect.fnUntraced(function*(day: number) {
  const { record } = yield* Runs.Runs
  const { execute, standing } = yield* Books.Books
  const before = yield* standing
  const events = yield* Stream.runCollect(record(ArchiveReconciliation.events(yield* asked(day))))
  const [run] = events.flatMap((event) => event._tag === "Recorded" ? [event.run] : [])
  const [summary] = events.flatMap((event) => event._tag === "Summary" ? [event.summary] : [])
  if (run === undefined || summary === undefined) return yield* Effect.die("a recorded stream ends with its run")
  return { summary, execution: yield* execute(run, summary, { author, standing: before }) }
})

const book = (day: number, more: Partial<ArchiveReconciliation.Options> = {}) =>
  Effect.flatMap(asked(day), (options) => ArchiveReconciliation.book({ ...options, ...more }, { author }))

const inBooks = Effect.fnUntraced(function*<E, R>(
  body: Effect.Effect<void, E, R>,
  parts: ReadonlyArray<Part> = [[FIRST, LAST]]
) {
  yield* fill(parts)
  yield* body
  assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
}, Effect.provide(Archive.Archive.layerMemory()))

it.effect("as a stream, which does not read on and says so", () =>
  inBooks(Effect.gen(function*() {
    yield* book(6)
    assert.deepStrictEqual(yield* waiting, [])
    const { execution, summary } = yield* bookStreamed(5)
    assert.isTrue(execution.body.mayChange)
    assert.deepStrictEqual(summary.warnings, [
      "What is not final may come out otherwise where more of the archive is read: a report that is written while it is made does " +
      "not read on."
    ])
    assert.deepStrictEqual(yield* waiting, [])
  })))

it.effect("where reading on ends at a number of records, which is said", () =>
  inBooks(Effect.gen(function*() {
    yield* book(6)
    const { execution, report } = yield* book(5, { most: 20 })
    assert.isTrue(execution.body.mayChange)
    assert.deepStrictEqual(report.warnings, [
      "What is not final may come out otherwise where more of the archive is read: a run does not read on beyond 20 records."
    ])
    assert.deepStrictEqual(yield* waiting, [])
  })))

it.effect("but what was read to its end tells of all days, without a warning", () =>
  inBooks(Effect.gen(function*() {
    const { execution, report } = yield* book(5)
    assert.isUndefined(execution.body.mayChange)
    assert.isUndefined(report.mayChange)
    assert.deepStrictEqual(report.warnings, [])
  })))

describe("where reading on would make nothing final, which needs no warning", () => {
  it.effect.each<readonly [string, ReadonlyArray<Part>]>([
    ["because the archive ends soon behind the chain", [[FIRST, 162]]],
    ["because of a hole of some minutes", [[FIRST, 113.6], [113.9, LAST]]]
  ])("%s", ([, parts]) =>
    inBooks(
      Effect.gen(function*() {
        yield* book(6)
        const streamed = yield* bookStreamed(5)
        assert.isTrue(streamed.execution.body.mayChange)
        assert.deepStrictEqual(streamed.summary.warnings, [])
        assert.deepStrictEqual(yield* waiting, [])
        const { execution, report } = yield* book(5)
        assert.isTrue(execution.body.mayChange)
        assert.deepStrictEqual(report.warnings, [])
        assert.deepStrictEqual(yield* waiting, [])
      }),
      parts
    ))
})

it.effect.each([146, 155])(
  "but a day whose chains end with it tells of all, whatever waits (%i hours are read)",
  (end) =>
    Effect.gen(function*() {
      yield* read([FIRST, end], [["d", 143, "5"], ["e", 120, "5"]], [["t", 121, "5"], ["u", 144.5, "7"]])
      const { execution, report } = yield* book(5)
      assert.isUndefined(execution.body.mayChange)
      assert.isUndefined(report.mayChange)
      assert.strictEqual((yield* waiting).length, 1)
    }).pipe(Effect.provide(Archive.Archive.layerMemory()))
)

it.effect("is another run than one of the same outcomes that knows them whole", () =>
  inBooks(Effect.gen(function*() {
    const { report } = yield* book(5)
    const { save } = yield* Runs.Runs
    const [whole, partial] = [yield* save(report), yield* save({ ...report, mayChange: true })]
    assert.notStrictEqual(partial.run.id, whole.run.id)
  })))
