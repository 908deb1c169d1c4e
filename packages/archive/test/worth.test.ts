/** What a report states of the books' worth, and with which prices. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Books from "../src/Books.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { book, far, near, options } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { decide, idOf, link, testOn } from "./support/decisions.ts"

const listed = (of: Readonly<Record<string, string>>, currency?: string): Books.PriceList => ({
  of: new Map(Object.entries(of)),
  ...(currency === undefined ? {} : { currency })
})

/** Brings the books forward, and tells what they are worth in words. */
const worth = (prices?: Books.PriceList, range = near) =>
  Effect.map(book(options(range), prices === undefined ? {} : { prices }), ({ report: { books } }) => {
    if (books?.worth === undefined) return []
    const { lacking, lines, totals } = books.worth
    const words = (worths: object): string =>
      Object.entries(worths).filter(([, text]) => text !== "0").map(([name, text]) => `${name} ${text}`).join(", ")
    return [
      ...lines.map(({ asset, side, state, ...worths }) => `${side} ${asset} ${state}: ${words(worths)}`),
      ...totals.map(({ side, state, ...worths }) => `all ${side}s ${state}: ${words(worths)}`),
      ...lacking.map((asset) => `lacking ${asset}`)
    ]
  })

describe.each(databases)("what the books are worth, on $name", (kind) => {
  const test = testOn(kind)

  it.live("what was brought forward is revalued at the later prices, and the lines tie", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(yield* worth(listed({ USDT: "1.00", BTC: "65000.5", DOGE: "0.1" }, "USD")), [
        "deposit BTC open: price 65000.5, new 195001.5, carriedForward 195001.5",
        "deposit USDT open: price 1, new 1.5, carriedForward 1.5",
        "transfer USDT open: price 1, new 10.4, carriedForward 10.4",
        "all deposits open: new 195003, carriedForward 195003",
        "all transfers open: new 10.4, carriedForward 10.4"
      ])
      yield* decide([yield* link("near", ["t1"])])
      assert.deepStrictEqual(yield* worth(listed({ USDT: "0.9", BTC: "60000" }, "USD")), [
        "deposit BTC open: price 60000, priceBefore 65000.5, broughtForward 195001.5, revaluation -15001.5, carriedForward 180000",
        "deposit USDT open: price 0.9, priceBefore 1, broughtForward 1.5, revaluation -0.15, decided 1.35",
        "transfer USDT open: price 0.9, priceBefore 1, broughtForward 10.4, revaluation -1.04, decided 1.26, carriedForward 8.1",
        "all deposits open: broughtForward 195003, revaluation -15001.65, decided 1.35, carriedForward 180000",
        "all transfers open: broughtForward 10.4, revaluation -1.04, decided 1.26, carriedForward 8.1"
      ])
    })))

  it.live("what lies in other time than the run is priced as well, and so is what waits no more", () =>
    test(Effect.gen(function*() {
      const prices = listed({ USDT: "1", BTC: "2" })
      yield* worth(prices)
      assert.deepStrictEqual((yield* worth(prices, far)).filter((line) => line.includes("BTC")), [
        "deposit BTC open: price 2, priceBefore 2, broughtForward 6, carriedForward 6"
      ])
      const [id, why] = [yield* idOf("other"), { reason: "test", words: "a test of ours" } as const]
      yield* decide([{ kind: "exclude", side: "deposit", id, ...why }])
      assert.deepStrictEqual((yield* worth(listed({ USDT: "1", BTC: "3" }))).filter((line) => line.includes("BTC")), [
        "deposit BTC open: price 3, priceBefore 2, broughtForward 6, revaluation 3, setOut 9"
      ])
    })))

  it.live("no worth is stated of an asset that lacks a price on either end, and it is named", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(yield* worth(), [])
      // What came to wait before the first prices has none to be brought forward at.
      assert.deepStrictEqual(yield* worth(listed({ USDT: "1" })), ["lacking BTC", "lacking USDT"])
      assert.deepStrictEqual(yield* worth(listed({ USDT: "2", BTC: "7" })), [
        "deposit USDT open: price 2, priceBefore 1, broughtForward 1.5, revaluation 1.5, carriedForward 3",
        "transfer USDT open: price 2, priceBefore 1, broughtForward 10.4, revaluation 10.4, carriedForward 20.8",
        "all deposits open: broughtForward 1.5, revaluation 1.5, carriedForward 3",
        "all transfers open: broughtForward 10.4, revaluation 10.4, carriedForward 20.8",
        "lacking BTC"
      ])
      assert.deepStrictEqual(yield* worth(listed({})), ["lacking BTC", "lacking USDT"])
    })))

  it.live("prices in two currencies are not held against each other", () =>
    test(Effect.gen(function*() {
      yield* worth(listed({ USDT: "1", BTC: "7" }, "USD"))
      assert.deepStrictEqual(yield* worth(listed({ USDT: "1", BTC: "7" }, "EUR")), ["lacking BTC", "lacking USDT"])
      assert.deepStrictEqual(yield* worth(listed({ USDT: "1", BTC: "7" })), ["lacking BTC", "lacking USDT"])
    })))

  it.live("the ledger keeps the prices of what waits and no others, and an execution without prices is written as before", () =>
    test(Effect.gen(function*() {
      const { execution } = yield* book(options(), { prices: listed({ BTC: "065000.50", DOGE: "1" }) })
      assert.deepStrictEqual(execution.body.prices, { list: [{ asset: "BTC", price: "65000.5" }] })
      const { execution: { body } } = yield* book()
      assert.notProperty(body, "prices")
      const { sql } = yield* Database
      const rows = yield* sql<{ readonly body: string }>`SELECT body FROM ledger ORDER BY number`
      assert.deepStrictEqual(rows.map(({ body }) => body.includes("\"prices\"")), [true, false])
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    })))

  it.live("a price that is no decimal above zero is refused, and so is a currency that is no name", () =>
    test(Effect.gen(function*() {
      const refused = (prices: Books.PriceList) =>
        Effect.map(Effect.flip(book(options(), { prices })), ({ message }) => message)
      for (const price of ["1e5", "-1", "0.0", "", "NaN"]) {
        assert.include(yield* refused(listed({ BTC: price })), `of "BTC" it is "${price}"; a decimal above zero`)
      }
      assert.include(yield* refused(listed({ BTC: "1" }, "US dollars")), "their currency is \"US dollars\"")
      assert.deepStrictEqual(yield* Books.Books.use(({ executions }) => executions), [])
    })))
})
