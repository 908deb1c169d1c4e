/**
 * A process that syncs into a PostgreSQL archive until a round is whole, as `sync --watch` does, or for one round. It says how each
 * round went, a line each. `argv`: `until` or `once`, the first moment to keep (Unix ms), the lease (ms), and the accounts.
 */
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Archive from "../../src/Archive.ts"
import * as ArchiveConfig from "../../src/ArchiveConfig.ts"

const [mode, since, lease, accounts] = process.argv.slice(2)

const archive = Archive.Archive.layerPostgres({
  url: Redacted.make(process.env[ArchiveConfig.DATABASE_URL] ?? ""),
  lease: Duration.millis(Number(lease))
})

const round = Sync.run({
  accounts: { list: (accounts ?? "").split(","), complete: true },
  since: Number(since)
}).pipe(
  Effect.as("whole"),
  Effect.catch(({ reason }) => Effect.succeed(reason._tag))
)

/** A round that fails is tried again, and an archive that cannot be opened yet is opened again: a server may be starting. */
const again = <E, R>(told: Effect.Effect<string, E, R>) =>
  Effect.repeat(told, {
    until: (word) => mode === "once" || word === "whole",
    schedule: Schedule.spaced("100 millis")
  }).pipe(Effect.as("whole"))

const rounds = Effect.provide(again(Effect.tap(round, Console.log)), archive).pipe(
  Effect.catchTag("ArchiveError", ({ reason }) => Effect.as(Console.log(reason._tag), reason._tag)),
  again
)

await rounds.pipe(
  Effect.provide(Layer.provideMerge(Broker.Broker.layerConfig(), FetchHttpClient.layer)),
  Effect.runPromise
)
process.exit(0)
