/** Chains of equal amounts that go on for weeks: what is said of one of their days is what is said of all of them. */
import { assert, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import type * as OpenItems from "../src/OpenItems.ts"
import * as Periods from "../src/Periods.ts"
import { accounts, at, author, read, type Told, waiting } from "./support/hours.ts"

const LAST = 60

/** A sweep once a night: a deposit waits up to 24 hours. */
const written = { window: { after: "24 hours" }, late: "1 hour" } as const

interface How extends Partial<ArchiveReconciliation.BookOptions> {
  readonly policy?: Policy.Input
}

/** Books a range of hours. */
const book = Effect.fnUntraced(function*(from: number, to: number, { policy: asked = written, ...how }: How = {}) {
  const policy = yield* Policy.make(asked)
  const range = { from: at(from), to: at(to) }
  return yield* ArchiveReconciliation.book({ range, accounts, policy }, { author, ...how })
})

/** So many equal amounts, `every` so many hours, each swept `after` so many hours. */
const chain = (count: number, every: number, after: number) => {
  const places = Array.from({ length: count }, (_, index) => index)
  return {
    deposits: places.map((index): Told => [`d${index}`, 24 + index * every, "100"]),
    transfers: places.map((index): Told => [`t${index}`, 24 + index * every + after, "100"])
  }
}

/** No two deposits of one address are taken for one that was told twice. */
const apart = { address: (txId: string) => `address of ${txId}` }

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
      yield* read(everything, deposits, transfers, apart)
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
    yield* read(everything, deposits, transfers.toSpliced(98, 1), apart)
    for (let day = 0; day < 45; day++) yield* book(24 * day, 24 * (day + 1), { carry: false })
    assert.deepStrictEqual(yield* waiting, ["open ambiguous d0"])
    yield* read([24 * 42, 24 * 43, LAST * 24 + 1], deposits, transfers, apart)
    yield* book(24 * (LAST - 1), 24 * LAST)
    assert.deepStrictEqual(yield* waiting, [])
  })))
