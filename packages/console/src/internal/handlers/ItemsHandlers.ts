/** Tells what waits in the books. */
import * as Decisions from "@tallystick/archive/Decisions"
import type * as ItemFilter from "@tallystick/archive/ItemFilter"
import * as ItemPages from "@tallystick/archive/ItemPages"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Option from "effect/Option"
import { ConsoleApi } from "../../ConsoleApi.ts"
import { Impossible, NotFound } from "../../ConsoleError.ts"
import * as Failing from "./Failing.ts"

/** An item with more entries is told by the command. */
const MOST = 50

type Query = HttpApiEndpoint.Query<typeof ConsoleApi.groups.items.endpoints.itemSummary>["Type"]

const toFilter = ({ code, decided, olderThan, state, youngerThan, ...more }: Query): ItemFilter.ItemFilter => ({
  ...more,
  ...state === undefined ? {} : { states: state },
  ...code === undefined ? {} : { codes: code },
  ...decided === undefined ? {} : { decided },
  ...olderThan === undefined ? {} : { before: olderThan },
  ...youngerThan === undefined ? {} : { from: youngerThan }
})

const executionOf = Option.match({ onNone: () => 0, onSome: ({ execution }: ItemPages.Prices) => execution })

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "items",
  Effect.fnUntraced(function*(handlers) {
    const decisions = yield* Decisions.Decisions
    const items = yield* OpenItems.OpenItems
    const pages = yield* ItemPages.ItemPages

    /** Sums are told with the prices that they were made at: those that hold before and after they were read. */
    const summed = Effect.fnUntraced(function*(filter: ItemFilter.ItemFilter) {
      for (let before = yield* pages.prices;;) {
        const summary = yield* pages.summary(filter)
        const prices = yield* pages.prices
        if (executionOf(before) === executionOf(prices)) return { prices, summary }
        before = prices
      }
    })

    return handlers.handleAll({
      items: ({ query: { after, by = "age", limit, reversed = false, ...query } }) =>
        pages.page({
          filter: toFilter(query),
          order: { by, reversed },
          ...limit === undefined ? {} : { size: limit },
          ...after === undefined ? {} : { after }
        }).pipe(
          Effect.mapError((error) =>
            error._tag === "UnknownPosition" ? new Impossible({ message: error.message }) : Failing.archive(error)
          )
        ),
      itemSummary: ({ query }) =>
        Effect.mapError(summed(toFilter(query)), Failing.archive).pipe(
          Effect.map(({ prices, summary }) => ({ ...summary, prices: Option.getOrNull(prices) }))
        ),
      item: Effect.fnUntraced(function*({ params: { id } }) {
        const found = yield* Effect.mapError(items.find(id.toLowerCase()), Failing.database)
        const named = new Set(found.map(({ item, outcome }) => outcome === "" ? item : outcome))
        if (named.size !== 1 || found.length > MOST) {
          const message = id.length < Decisions.SHORTEST
            ? `Write at least ${Decisions.SHORTEST} letters of an id.`
            : found.length === 0
            ? `There is no item ${id} in the books, and no outcome.`
            : `The ids of several items or outcomes begin with ${id}, or it has more than ${MOST} entries.`
          return yield* new NotFound({ message })
        }
        const head = yield* Effect.mapError(decisions.head, Failing.database)
        const stories = yield* Effect.forEach(found, (entry) => Effect.mapError(items.story(entry), Failing.database))
        return { stories: stories.flatMap(Option.toArray), head }
      })
    })
  })
)
