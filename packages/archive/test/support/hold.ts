/** A process of its own that opens the archive of its environment, holds it, says so, and waits to be killed. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Drivers from "../../src/internal/Drivers.ts"
import { Database } from "../../src/internal/sql/Database.ts"

const hold = Effect.gen(function*() {
  const { exclusive } = yield* Database
  yield* Console.log("open")
  yield* exclusive("import")
  yield* Console.log("held")
  return yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provide(Drivers.layerConfig()),
  Effect.catchTag("ArchiveError", ({ reason }) => Console.log(reason._tag))
)

// The test ends this process by closing its input, should it not kill it.
process.stdin.on("end", () => process.exit()).resume()
Effect.runFork(hold)
