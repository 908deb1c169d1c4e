import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Notices from "@tallystick/archive/Notices"
import * as Receiver from "@tallystick/archive/Receiver"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const accounts = { list: ["sub00001", "sub00002"], complete: true }

const program = Effect.gen(function*() {
  const receivers = [yield* Receiver.command({ command: ["cat"] })]
  const { now } = yield* Sync.run({ accounts })
  yield* ArchiveReconciliation.book(
    { range: { from: now - 2 * 86_400_000, to: now }, accounts },
    { author: { by: "nightly job", identity: "claimed" }, notify: { receivers } }
  )
  const { deliver } = yield* Notices.Notices
  for (const { failure, receiver, sent, waiting } of yield* deliver(receivers)) {
    yield* Console.log(`${sent} sent to ${receiver.place}, ${waiting} waiting`, failure?.message ?? "")
  }
})

const MainLayer = Layer.mergeAll(
  Archive.Archive.layerMemory(),
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)),
  NodeServices.layer
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
