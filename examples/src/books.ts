import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const accounts = { list: ["sub00001", "sub00002"], complete: true }

const program = Effect.gen(function*() {
  const { now } = yield* Sync.run({ accounts })
  const range = { from: now - 2 * 86_400_000, to: now }
  const { execution } = yield* ArchiveReconciliation.book(
    { range, accounts },
    { author: { by: "nightly job", identity: "claimed" } }
  )
  const { list, rollForward } = yield* OpenItems.OpenItems
  const items = yield* list()
  const open = items.filter(({ state }) => state === "open")
  yield* Console.log(`${open.length} open items after execution ${execution.body.number}`)
  for (const { asset, carriedForward, side, state } of yield* rollForward(execution.body.number)) {
    if (state === "open") yield* Console.log(`${side}s of ${asset}: ${carriedForward.count}, ${carriedForward.sum}`)
  }
})

const MainLayer = Layer.mergeAll(
  Archive.Archive.layerMemory(),
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
