/** What waits, as the console tells it: page by page, counted, and one item with its history. */
import { assert, describe, it } from "@effect/vitest"
import * as Decisions from "@tallystick/archive/Decisions"
import * as ItemPages from "@tallystick/archive/ItemPages"
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as BookDay from "../../archive/test/support/books.ts"
import type { ConsoleApi } from "../src/ConsoleApi.ts"
import * as ConsoleClient from "../src/ConsoleClient.ts"
import * as ConsoleError from "../src/ConsoleError.ts"
import * as Console from "./support/Console.ts"

const { ConsoleClient: Client } = ConsoleClient

interface Filter {
  readonly query: HttpApiEndpoint.Query<typeof ConsoleApi.groups.items.endpoints.itemSummary>["Type"]
  readonly isLeft: (item: ListedItem.ListedItem) => boolean
}

/** The pages that the console reads. */
type Pages = Effect.Effect<
  ItemPages.Service,
  never,
  ItemPages.ItemPages | Layer.Success<ReturnType<typeof Console.layer>>
>

/** Somebody who reads, in front of books over two days. */
const asAuditor = <A, E, R>(effect: Effect.Effect<A, E, R>, pages: Pages = Effect.service(ItemPages.ItemPages)) =>
  Effect.gen(function*() {
    yield* Console.booked
    yield* BookDay.book(BookDay.options(BookDay.far))
    const { auditor, origin } = yield* Effect.provideServiceEffect(Console.ofUsers(), ItemPages.ItemPages, pages)
    const layer = ConsoleClient.ConsoleClient.layerLogin({
      origin,
      name: "auditor",
      token: Redacted.make(auditor.token)
    })
    return yield* Effect.provide(effect, Layer.provide(layer, FetchHttpClient.layer))
  }).pipe(Effect.provide(Console.layer()))

/** Somebody brings the books forward at other prices once the first sums were read. */
const movingOn: Pages = Effect.gen(function*() {
  const pages = yield* ItemPages.ItemPages
  const context = yield* Effect.context<Layer.Success<ReturnType<typeof Console.layer>>>()
  const book = (currency: string, price: string) =>
    BookDay.book(BookDay.options(), { prices: { of: new Map([["USDT", price]]), currency } }).pipe(
      Effect.provideContext(context),
      Effect.orDie
    )
  yield* book("USD", "1")
  let isFirst = true
  return {
    ...pages,
    summary: Effect.fnUntraced(function*(...asked) {
      const told = yield* pages.summary(...asked)
      if (isFirst) yield* book("EUR", "3")
      isFirst = false
      return told
    })
  }
})

describe("items", () => {
  it.effect("are summed up in money with the prices of these sums, also where the books go on meanwhile", () =>
    asAuditor(
      Effect.gen(function*() {
        const { items } = yield* Client
        const told = yield* items.itemSummary({ query: {} })
        assert.strictEqual(told.prices?.currency, "EUR")
        const { prices, ...sums } = yield* items.itemSummary({ query: {} })
        assert.deepStrictEqual({ prices, ...sums }, told)
      }),
      movingOn
    ))

  it.effect("come page by page, each once, in the order that is asked for", () =>
    asAuditor(Effect.gen(function*() {
      const { items } = yield* Client
      const waiting = yield* OpenItems.OpenItems.use(({ list }) => list())
      assert.isAbove(waiting.length, 1)
      for (const by of ["worth", "difference", "age", "since", "account", "code"] as const) {
        const found: Array<ListedItem.ListedItem> = []
        let after: string | undefined
        do {
          const query = { by, limit: 1, ...after === undefined ? {} : { after } }
          const page = yield* items.items({ query })
          found.push(...page.items)
          after = page.next
        } while (after !== undefined)
        const whole = yield* ItemPages.ItemPages.use(({ page }) => page({ order: { by } }))
        assert.deepStrictEqual(found, [...whole.items])
        assert.deepStrictEqual(
          new Set(found.map(({ id }) => id)),
          new Set(waiting.map(({ id }) => id))
        )
      }
      const other = yield* Effect.flip(items.items({ query: { after: "nonsense" } }))
      assert.instanceOf(other, ConsoleError.Impossible)
    })))

  it.effect("are those that a filter leaves, and are counted by it", () =>
    asAuditor(Effect.gen(function*() {
      const { items } = yield* Client
      const all = yield* items.items({ query: {} })
      const [first] = all.items
      assert.isDefined(first)
      const filters: ReadonlyArray<Filter> = [
        { query: { state: [first.state] }, isLeft: (item) => item.state === first.state },
        { query: { code: first.code === "gone" ? [] : [first.code] }, isLeft: (item) => item.code === first.code },
        {
          query: { asset: first.first.asset },
          isLeft: (item) => item.first.asset === first.first.asset
        },
        { query: { olderThan: first.at }, isLeft: (item) => item.at < first.at },
        { query: { youngerThan: first.at }, isLeft: (item) => item.at >= first.at },
        { query: { decided: ["none"] }, isLeft: () => true },
        { query: { text: first.id }, isLeft: (item) => item.id === first.id }
      ]
      for (const { isLeft, query } of filters) {
        const left = yield* items.items({ query })
        assert.deepStrictEqual(left.items, all.items.filter(isLeft), JSON.stringify(query))
        assert.strictEqual((yield* items.itemSummary({ query })).items, left.items.length)
      }
    })))

  it.effect("are told one by one with all that became of their entries", () =>
    asAuditor(Effect.gen(function*() {
      const { items } = yield* Client
      for (const { entries, id } of yield* OpenItems.OpenItems.use(({ list }) => list())) {
        const { head, stories } = yield* items.item({ params: { id: id.slice(0, 12) } })
        const kept = yield* Effect.forEach(entries, (entry) => OpenItems.OpenItems.use(({ story }) => story(entry)))
        assert.deepStrictEqual(stories, kept.map(Option.getOrThrow))
        assert.deepStrictEqual(head, yield* Decisions.Decisions.use(({ head }) => head))
      }
      assert.instanceOf(yield* Effect.flip(items.item({ params: { id: "i0000" } })), ConsoleError.NotFound)
      assert.instanceOf(yield* Effect.flip(items.item({ params: { id: "i" } })), ConsoleError.NotFound)
    })))
})
