/** What the console tells of the books at a glance. */
import { assert, describe, it } from "@effect/vitest"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Books from "@tallystick/archive/Books"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { DatabaseSync } from "node:sqlite"
import * as BookDay from "../../archive/test/support/books.ts"
import * as Kept from "../../archive/test/support/decisions.ts"
import { NOW } from "../../archive/test/support/records.ts"
import * as ConsoleClient from "../src/ConsoleClient.ts"
import * as ConsoleError from "../src/ConsoleError.ts"
import * as Console from "./support/Console.ts"

const { ConsoleClient: Client } = ConsoleClient

/** Asks as somebody who may read. */
const asking = <A, E, R>(ask: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { auditor, origin } = yield* Console.ofUsers()
    const login = { origin, name: "auditor", token: Redacted.make(auditor.token) }
    return yield* Effect.provide(
      ask,
      Layer.provide(ConsoleClient.ConsoleClient.layerLogin(login), FetchHttpClient.layer)
    )
  })

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const status = Client.use(({ status }) => status.status())
const last = Client.use(({ books }) => books.lastExecution())
const days = (query: { readonly through: string; readonly zone?: string; readonly days?: number }) =>
  Client.use(({ books }) => books.days({ query }))

describe("the books at a glance", () => {
  it.effect("have nothing to tell of an archive that has nothing", () =>
    asking(Effect.gen(function*() {
      assert.isNull((yield* status).forgetsAt)
      assert.deepStrictEqual(yield* last, { execution: null })
      const [day] = (yield* days({ through: "2023-11-14", days: 1 })).days
      assert.deepInclude(day, { day: "2023-11-14", judged: "nothing", breaks: null })
    })).pipe(Effect.provide(Console.layer())))

  it.effect("tell until when the exchange shows what was not read, and what the last execution matched", () =>
    Effect.gen(function*() {
      yield* Console.booked
      yield* BookDay.book(BookDay.options(BookDay.far))
      yield* asking(Effect.gen(function*() {
        assert.isAbove((yield* status).forgetsAt ?? 0, NOW)
        const { execution } = yield* last
        assert.deepInclude(execution, { range: BookDay.far })
        assert.deepStrictEqual(execution?.matchRate.deposits, { matched: 0, of: 1 })
      }))
    }).pipe(Effect.provide(Console.layer())))

  it.effect("are brought forward by the runs that say so, however many runs came later", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { run: tried } = yield* ArchiveReconciliation.record(BookDay.options())
      yield* asking(Effect.gen(function*() {
        const { runs } = yield* Client
        const { execution } = yield* last
        const of = (id: string) => Effect.map(runs.run({ params: { id } }), ({ executions }) => executions)
        assert.deepStrictEqual(yield* of(execution?.run ?? ""), [1])
        assert.deepStrictEqual(yield* of(tried.id), [])
      }))
    }).pipe(Effect.provide(Console.layer())))

  it.effect("tell the time on the console's clock, against which a moment is held", () =>
    asking(Effect.gen(function*() {
      assert.strictEqual((yield* status).now, yield* Clock.currentTimeMillis)
    })).pipe(Effect.provide(Console.layer())))

  it.effect("count the breaks that wait on the day of their earliest entry; a day that nobody judged has no number", () =>
    Effect.gen(function*() {
      yield* Console.booked
      yield* BookDay.book(BookDay.options({ from: NOW - 6 * Kept.DAY, to: NOW - 5 * Kept.DAY }))
      const through = dayOf(NOW + Kept.DAY)
      yield* asking(Effect.gen(function*() {
        const { days: found } = yield* days({ through, days: 10 })
        assert.strictEqual(found.length, 10)
        assert.strictEqual(found.at(-1)?.day, through)
        const told = new Map(found.map(({ breaks, day, judged }) => [day, `${judged} ${breaks}`]))
        assert.strictEqual(told.get(dayOf(NOW)), "part 4")
        assert.strictEqual(told.get(through), "nothing null")
        assert.strictEqual(told.get(dayOf(NOW - 4 * Kept.DAY)), "nothing null")
        assert.strictEqual(told.get(dayOf(NOW - 6 * Kept.DAY)), "part 0")
        const sums = yield* Client.use(({ items }) => items.itemSummary({ query: { state: ["open"] } }))
        assert.strictEqual(found.reduce((sum, { breaks }) => sum + (breaks ?? 0), 0), sums.items)
      }))
    }).pipe(Effect.provide(Console.layer())))

  it.effect("count a break on the day that it was in the zone that is asked for", () =>
    Effect.gen(function*() {
      yield* Console.booked
      yield* asking(Effect.gen(function*() {
        const { days: [before, of] } = yield* days({ through: dayOf(NOW), zone: "+00:00", days: 2 })
        assert.deepStrictEqual([before?.breaks, of?.breaks], [null, 4])
        // In this zone the entries are of the first hour of a day, and the last hour of the day before was judged too.
        const hours = Math.floor((NOW - (of?.from ?? 0)) / Kept.HOUR)
        const zone = `-${String(hours).padStart(2, "0")}:00`
        const shifted = (yield* days({ through: dayOf(NOW), zone, days: 2 })).days
        assert.deepStrictEqual(shifted.map(({ breaks }) => breaks), [0, 4])
        assert.strictEqual(shifted[1]?.from, (of?.from ?? 0) + hours * Kept.HOUR)
      }))
    }).pipe(Effect.provide(Console.layer())))

  it.effect("are told without a look at rows of the ledger that were read before, however many there are", () =>
    Console.withArchive((file) =>
      Effect.gen(function*() {
        yield* Console.booked
        yield* BookDay.book(BookDay.options(BookDay.far))
        yield* asking(Effect.gen(function*() {
          const through = dayOf(NOW)
          const before = [yield* last, yield* days({ through })]
          const other = new DatabaseSync(file)
          other.exec("UPDATE ledger SET body = REPLACE(body, 'clerk', 'other') WHERE number = 1")
          other.close()
          assert.deepStrictEqual([yield* last, yield* days({ through })], before)
          assert.strictEqual((yield* Effect.flip(Books.Books.use(({ executions }) => executions))).category, "damaged")
        }))
      })
    ))

  it.effect("leave out a day that a zone skipped, and refuse one that is none", () =>
    asking(Effect.gen(function*() {
      const { days: found } = yield* days({ through: "2011-12-31", zone: "Pacific/Apia", days: 3 })
      assert.deepStrictEqual(found.map(({ day }) => day), ["2011-12-29", "2011-12-31"])
      for (const query of [{ through: "2023-02-30" }, { through: "2023-02-01", zone: "Nowhere/Land" }]) {
        assert.instanceOf(yield* Effect.flip(days(query)), ConsoleError.Impossible)
      }
    })).pipe(Effect.provide(Console.layer())))
})
