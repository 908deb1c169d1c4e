/** Chains of equal amounts that go on for weeks: what is said of one of their days is what is said of all of them. */
import { assert, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as OpenItems from "../src/OpenItems.ts"
import * as Periods from "../src/Periods.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Math.floor(NOW / DAY) * DAY
const LAST = 60

const at = (hours: number): number => Math.round(START + hours * HOUR)

const accounts = { list: ["a@x"], complete: true }
const author = { by: "clerk", identity: "token" } as const

/** A sweep once a night: a deposit waits up to 24 hours. */
const written = { window: { after: "24 hours" }, late: "1 hour" } as const

type Record = readonly [id: string, hours: number, amount: string, status?: number]

/** Reads `[from, to)` (hours), and finds these records in it. */
const read = Effect.fnUntraced(function*(
  [from, to, readAt = to]: readonly [from: number, to: number, readAt?: number],
  deposits: ReadonlyArray<Record>,
  transfers: ReadonlyArray<Record>
) {
  const archive = yield* Archive.Archive
  const slice = { from: at(from), to: at(to), bad: [] }
  const complete = { from: at(from), to: at(to), readAt: at(readAt), state: "complete" as const }
  const isInside = ([, hours]: Record): boolean => hours >= from && hours < to
  yield* archive.deposits.saveSlice({
    ...slice,
    records: deposits.filter(isInside).map(([txId, hours, amount, status = 5]) =>
      deposit({ txId, address: `address of ${txId}`, insertTime: at(hours), amount, status })
    ),
    coverage: [{ operation: "deposits", ...complete }]
  })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: transfers.filter(isInside).map(([tranId, hours, amount]) =>
      transfer({ tranId, timestamp: at(hours), amount })
    ),
    coverage: [{ operation: "transfers", ...complete }]
  })
})

interface How extends Partial<ArchiveReconciliation.BookOptions> {
  readonly policy?: Policy.Input
}

/** Books a range of hours. */
const book = Effect.fnUntraced(function*(from: number, to: number, { policy: asked = written, ...how }: How = {}) {
  const policy = yield* Policy.make(asked)
  const range = { from: at(from), to: at(to) }
  return yield* ArchiveReconciliation.book({ range, accounts, policy }, { author, ...how })
})

const waiting = Effect.map(
  OpenItems.OpenItems.use(({ list }) => list()),
  (items) =>
    items.flatMap(({ code, entries, state }) => entries.map(({ id }) => `${state} ${code} ${id.split("~")[0]}`))
)

/** So many equal amounts, `every` so many hours, each swept `after` so many hours. */
const chain = (count: number, every: number, after: number) => {
  const places = Array.from({ length: count }, (_, index) => index)
  return {
    deposits: places.map((index): Record => [`d${index}`, 24 + index * every, "100"]),
    transfers: places.map((index): Record => [`t${index}`, 24 + index * every + after, "100"])
  }
}

const everything: readonly [number, number, number] = [-10 * 24, LAST * 24, LAST * 24]

const books = <E>(
  body: Effect.Effect<void, E, Archive.Archive | Books.Books | OpenItems.OpenItems | Periods.Periods | ArchiveRuns>
) =>
  Effect.gen(function*() {
    yield* body
    assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
  }).pipe(Effect.provide(Archive.Archive.layerMemory()))

type ArchiveRuns = Effect.Services<ReturnType<typeof book>>

it.effect.each(
  [
    ["nightly sweeps", 1, written],
    ["sweeps within hours", 6, { window: { after: "4 hours" }, late: "10 minutes" }]
  ] as const
)(
  "every day of a month agrees, as the month does, and judging a day again breaks no close: %s",
  ([, often, policy]) =>
    books(Effect.gen(function*() {
      const { deposits, transfers } = chain(30 * often, 16 / often, 20 / often)
      yield* read(everything, deposits, transfers)
      const bookDay = (day: number) => book(24 * day, 24 * (day + 1), { policy })
      for (let day = 0; day < 23; day++) {
        yield* bookDay(day)
        assert.deepStrictEqual(yield* waiting, [], `day ${day}`)
      }
      const periods = yield* Periods.Periods
      yield* periods.close({
        from: at(0),
        through: new Date(at(24 * 22)).toISOString().slice(0, 10),
        zone: "UTC",
        carryOpen: false,
        author
      })
      for (const day of [1, 11, 21]) {
        yield* bookDay(day)
        assert.deepStrictEqual(yield* waiting, [], `day ${day} again`)
      }
      assert.deepStrictEqual((yield* periods.list()).map(({ broken, isAltered }) => [broken, isAltered]), [[[], false]])
    }))
)

it.effect("a break that stands for a class at its beginning heals by what comes at its end, more than a month later", () =>
  books(Effect.gen(function*() {
    const { deposits, transfers } = chain(100, 10, 12)
    yield* read(everything, deposits, transfers.toSpliced(98, 1))
    for (let day = 0; day < 45; day++) yield* book(24 * day, 24 * (day + 1), { carry: false })
    assert.deepStrictEqual(yield* waiting, ["open ambiguous d0"])
    yield* read([24 * 42, 24 * 43, LAST * 24 + 1], deposits, transfers)
    yield* book(24 * (LAST - 1), 24 * LAST)
    assert.deepStrictEqual(yield* waiting, [])
  })))
