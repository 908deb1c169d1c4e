import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Candidates from "@tallystick/archive/Candidates"
import * as Decisions from "@tallystick/archive/Decisions"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

const accounts = { list: ["sub00001", "sub00002"], complete: true }
const author = { by: "clerk", identity: "claimed" } as const

const program = Effect.gen(function*() {
  const { now } = yield* Sync.run({ accounts })
  yield* ArchiveReconciliation.book({ range: { from: now - 2 * 86_400_000, to: now }, accounts }, { author })

  // A page shows what is open, and to which row of the ledger that is so.
  const { decideEach, head } = yield* Decisions.Decisions
  const seen = yield* head
  const items = (yield* OpenItems.OpenItems.use(({ list }) => list())).filter(({ state }) => state === "open")
  const { near } = yield* Candidates.Candidates
  for (const { entries: [entry] } of items.slice(0, 3)) {
    const found = entry === undefined ? Option.none() : yield* near(entry, { limit: 1 })
    const [best] = Option.match(found, { onNone: () => [], onSome: ({ candidates }) => candidates })
    if (best === undefined) continue
    const ways = best.hindrances.map(({ _tag }) => _tag).join(", ")
    yield* Console.log(`${best.entry.id} differs by ${best.difference}, and ${ways === "" ? "can be linked" : ways}`)
  }

  const acts = items.map(({ outcome }) => ({ kind: "accept", outcome, reason: "test", words: "made up" } as const))
  const { results } = yield* decideEach(acts, { author, seen })
  for (const refused of results.filter(Result.isFailure)) yield* Console.log(refused.failure.message)
  yield* Console.log(`${results.filter(Result.isSuccess).length} of ${results.length} are accepted`)
})

const MainLayer = Layer.mergeAll(
  Archive.Archive.layerMemory(),
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
