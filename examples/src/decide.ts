import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Decisions from "@tallystick/archive/Decisions"
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
  const { outcomes } = yield* ArchiveReconciliation.run({ range, accounts })
  const [transfer] = outcomes.flatMap(({ code, transfers }) => code === "missing-deposit" ? transfers : [])
  if (transfer === undefined) return yield* Console.log("every transfer has its deposit")

  const { decide, head } = yield* Decisions.Decisions
  const act = { kind: "exclude", side: "transfer", id: transfer.id, reason: "test", words: "a test of ours" } as const
  yield* decide([act], { author: { by: "clerk", identity: "claimed" } })

  const after = yield* ArchiveReconciliation.run({ range, accounts })
  const told = after.outcomes.find(({ transfers }) => transfers.some(({ id }) => id === transfer.id))
  return yield* Console.log(`${told?.explanation} The ledger ends at ${(yield* head).number}.`)
})

const MainLayer = Layer.mergeAll(
  Archive.Archive.layerMemory(),
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
