import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type * as ItemFilter from "@tallystick/archive/ItemFilter"
import * as ItemPages from "@tallystick/archive/ItemPages"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const accounts = { list: ["sub00001", "sub00002"], complete: true }

const filter: ItemFilter.ItemFilter = { states: ["open"], side: "deposit" }

const program = Effect.gen(function*() {
  const { now } = yield* Sync.run({ accounts })
  const range = { from: now - 2 * 86_400_000, to: now }
  yield* ArchiveReconciliation.book({ range, accounts }, { author: { by: "nightly job", identity: "claimed" } })
  const { page, summary } = yield* ItemPages.ItemPages
  const { ages, items } = yield* summary(filter)
  yield* Console.log(`${items} open items, ${ages[0]?.items ?? 0} of them younger than a day`)
  const order: ItemFilter.Order = { by: "difference" }
  const first = yield* page({ filter, order, size: 10 })
  for (const { code, difference, id } of first.items) {
    yield* Console.log(`${id} ${code}: ${difference?.size ?? "?"} ${difference?.asset ?? ""}`)
  }
  if (first.next !== undefined) {
    const second = yield* page({ filter, order, size: 10, after: first.next })
    yield* Console.log(`${second.items.length} more on the next page`)
  }
})

const MainLayer = Layer.mergeAll(
  Archive.Archive.layerMemory(),
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
