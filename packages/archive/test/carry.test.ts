/** Whatever changes in earlier time of the books is judged again with the next execution. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as Books from "../src/Books.ts"
import { book, far, options, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, DAY, decide, HOUR, link, MINUTE, testOn } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const later = { from: NOW + 4 * DAY, to: NOW + 4 * DAY + HOUR }

type Records = Partial<{
  readonly deposits: ReadonlyArray<ReturnType<typeof deposit>>
  readonly transfers: ReadonlyArray<ReturnType<typeof transfer>>
}>

/** Reads a stretch of time once more, on the eighth day, and finds only these records there. */
const readAgain = (slice: Coverage.Interval, { deposits = [], transfers = [] }: Records, readAt = NOW + 7 * DAY) =>
  Archive.Archive.use((archive) => {
    const complete = { ...slice, readAt, state: "complete" as const }
    const covered = { ...slice, bad: [] }
    return Effect.andThen(
      archive.deposits.saveSlice({
        ...covered,
        records: deposits,
        coverage: [{ operation: "deposits", ...complete }]
      }),
      archive.transfers.saveSlice({
        ...covered,
        records: transfers,
        coverage: [{ operation: "transfers", ...complete }]
      })
    )
  })

/** The ranges that were judged again by an execution, in hours from the time at which the deposits of the fixture lie. */
const carried = (
  { body }: { readonly body: { readonly carried?: ReadonlyArray<{ readonly range: Coverage.Interval | null }> } }
) => (body.carried ?? []).map(({ range }) => [((range?.from ?? 0) - NOW) / HOUR, ((range?.to ?? 0) - NOW) / HOUR])

/** All that the fixture has around its nearer deposits. */
const there = {
  deposits: [deposit({ txId: "near" }), deposit({ txId: "other", coin: "BTC", amount: "3" })],
  transfers: [
    transfer({ tranId: "t1", amount: "1.4", timestamp: NOW + 10 * MINUTE }),
    transfer({ tranId: "t2", amount: "9", timestamp: NOW + 20 * MINUTE })
  ]
}
const hour = { from: NOW - HOUR, to: NOW + HOUR }

describe.each(databases)("carrying forward, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a link closes an item of an earlier day with the next execution, whatever that is about", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* book(options(far))
      assert.lengthOf((yield* waiting()).filter((item) => item.includes(" 9 ")), 2)
      yield* decide([yield* link("far", ["t2"])])
      const { execution } = yield* book(options(later))
      assert.deepStrictEqual(carried(execution), [[-97, -95], [-1, 1]])
      assert.lengthOf((yield* waiting()).filter((item) => item.includes(" 9 ")), 0)
      yield* decide([{ kind: "revoke", decision: 3, words: "it was another one" }])
      yield* book(options(later))
      assert.lengthOf((yield* waiting()).filter((item) => item.includes(" 9 ")), 2)
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "asked" }])
      assert.deepStrictEqual(carried((yield* book(options(later))).execution), [])
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    })))

  it.live("where nothing changed nothing is judged again, also where it was read again", () =>
    test(Effect.gen(function*() {
      yield* book()
      assert.deepStrictEqual(carried((yield* book(options(later))).execution), [])
      yield* readAgain(hour, there)
      assert.deepStrictEqual(carried((yield* book(options(later))).execution), [])
    })))

  it.live("a transfer that shows up later closes its item, and one that vanishes opens it", () =>
    test(Effect.gen(function*() {
      const swept = transfer({ tranId: "t3", asset: "BTC", amount: "3", timestamp: NOW + MINUTE })
      yield* book()
      const before = yield* waiting()
      yield* readAgain(hour, { ...there, transfers: [...there.transfers, swept] })
      assert.deepStrictEqual(carried((yield* book(options(later))).execution), [[-1, 1]])
      const healed = yield* waiting()
      assert.deepStrictEqual(healed, before.filter((item) => !item.includes("3 BTC")))
      yield* readAgain(hour, there, NOW + 7 * DAY + HOUR)
      yield* book(options(later))
      assert.deepStrictEqual((yield* waiting()).filter((item) => item.includes("3 BTC")), [
        "open vanished since 1: deposit 3 BTC + transfer 3 BTC"
      ])
      // It had never waited, so that the books learn of it only now.
      yield* readAgain(hour, { ...there, transfers: [...there.transfers, swept] }, NOW + 7 * DAY + 2 * HOUR)
      yield* book(options(later))
      assert.deepStrictEqual(yield* waiting(), healed)
    })))

  it.live("a deposit that is pending over a weekend is closed when it was seen to settle and was moved", () =>
    test(Effect.gen(function*() {
      const pending = deposit({ txId: "slow", coin: "ETH", amount: "2", status: 1 })
      yield* readAgain(hour, { ...there, deposits: [...there.deposits, pending] })
      yield* book()
      assert.deepStrictEqual((yield* waiting()).filter((item) => item.includes("ETH")), [
        "pending unconfirmed since 1: deposit 2 ETH"
      ])
      const settledAt = NOW + 7 * DAY + 2 * HOUR
      yield* readAgain(hour, { ...there, deposits: [...there.deposits, { ...pending, status: 5 }] }, settledAt)
      const moved = transfer({ tranId: "t9", asset: "ETH", amount: "2", timestamp: settledAt + MINUTE })
      yield* readAgain({ from: NOW + 5 * DAY, to: settledAt + 2 * HOUR }, { transfers: [moved] }, settledAt + 3 * HOUR)
      yield* book(options({ from: settledAt, to: settledAt + HOUR }))
      assert.deepStrictEqual((yield* waiting()).filter((item) => item.includes("ETH")), [])
    })))

  it.live("what is left out stays due, and long time is judged week by week", () =>
    test(Effect.gen(function*() {
      const month = { from: NOW - 30 * DAY, to: NOW + 2 * DAY }
      yield* book(options(month))
      const swept = transfer({ tranId: "t3", asset: "BTC", amount: "3", timestamp: NOW + MINUTE })
      yield* readAgain(hour, { ...there, transfers: [...there.transfers, swept] })
      const { execution } = yield* book(options(later), { carry: false })
      assert.deepStrictEqual(carried(execution), [])
      const again = carried((yield* book(options(later))).execution)
      assert.isAbove(again.length, 0)
      for (const [from = 0, to = 0] of again) assert.isAtMost(to - from, 7 * 24)
      assert.lengthOf((yield* waiting()).filter((item) => item.includes("3 BTC")), 0)
      assert.deepStrictEqual(carried((yield* book(options(later))).execution), [])
    })))

  it.live("what waits is judged again where the books follow another policy from now on", () =>
    test(Effect.gen(function*() {
      yield* book()
      const policy = yield* Policy.make({ tolerance: { absolute: "0.2" } })
      const asked = options(later, policy)
      const { execution } = yield* book(asked, { declare: true, author: auditor })
      assert.deepStrictEqual(carried(execution), [[-1, 1]])
      assert.deepStrictEqual((yield* waiting()).filter((item) => item.includes("USDT")), [
        "open missing-deposit since 1: transfer 9 USDT"
      ])
      assert.deepStrictEqual(carried((yield* book(asked)).execution), [])
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    })))
})
