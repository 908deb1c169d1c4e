import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

const accounts = { list: ["sub00001", "sub00002"], complete: false }

const round = Effect.gen(function*() {
  const { completeTo, now } = yield* Sync.run({ accounts })
  const to = completeTo ?? now
  const { isNew, report, run } = yield* ArchiveReconciliation.record({
    range: { from: to - 24 * 3_600_000, to },
    accounts
  })
  yield* Console.log(`${run.id}${isNew ? "" : " (known)"}: ${report.clean ? "the books agree" : "look at them"}`)
}).pipe(
  Effect.catch((error) => Console.error(`This round failed, the next one reads what is missing: ${error.message}`))
)

// The service shows deposits for 3 days: many rounds may fail before one is lost.
const scheduled = round.pipe(Effect.repeat(Schedule.spaced("1 hour")))

const MainLayer = Layer.merge(
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)),
  Archive.Archive.layerSqlite({ file: "tallystick.db" })
)

await scheduled.pipe(Effect.provide(MainLayer), Effect.runPromise)
