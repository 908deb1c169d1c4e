import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const accounts = { list: ["sub00001", "sub00002"], complete: false }

const round = Effect.gen(function*() {
  const { completeTo, now } = yield* Sync.run({ accounts })
  const to = completeTo ?? now
  const { report } = yield* ArchiveReconciliation.record({ range: { from: to - 86_400_000, to }, accounts })
  yield* Console.log(report.clean ? "The books agree." : "The books do not agree, or not everything can be known.")
})

const MainLayer = Layer.merge(
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)),
  Archive.Archive.layerConfig() // TALLYSTICK_DATABASE_URL, else the file of TALLYSTICK_ARCHIVE, else tallystick.db
)

await round.pipe(Effect.provide(MainLayer), Effect.runPromise)
