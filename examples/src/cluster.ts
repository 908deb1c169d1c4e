import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Sync from "@tallystick/archive/Sync"
import * as Cluster from "@tallystick/cluster/Cluster"
import * as Reconciling from "@tallystick/cluster/Reconciling"
import * as Broker from "@tallystick/core/Broker"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const accounts = { list: ["sub00001", "sub00002"], complete: true }

const program = Effect.gen(function*() {
  const { now } = yield* Sync.run({ accounts })
  const { follow, submit } = yield* Reconciling.Reconciling
  const { id } = yield* submit({
    range: { from: now - 2 * 86_400_000, to: now },
    policy: Policy.defaults,
    accounts,
    author: { by: "nightly job", identity: "claimed" },
    declare: false,
    carry: true
  })
  const job = Option.getOrThrow(yield* Stream.runLast(follow(id)))
  yield* Console.log(`job ${id.slice(0, 12)} is ${job.state}: execution ${job.execution}, begun ${job.begun} time`)
})

/** Where the books are, and what jobs are given to. */
interface Place {
  readonly archive: ArchiveConfig.Location
  readonly books: ReturnType<typeof Archive.Archive.layerSqlite>
  readonly cluster: ReturnType<typeof Cluster.single>
}

/** One machine: the archive is a file, and the jobs are another one. */
const one = Effect.gen(function*(): Effect.gen.Return<Place, Config.ConfigError> {
  const file = yield* Config.String("BOOKS")
  const jobs = yield* Config.String("JOBS")
  return {
    archive: { _tag: "File", file },
    books: Archive.Archive.layerSqlite({ file }),
    cluster: Cluster.single({ file: jobs })
  }
})

/** One of several: they share a database, and each has a port at which the others reach it. */
const several = Effect.gen(function*(): Effect.gen.Return<Place, Config.ConfigError> {
  const url = yield* Config.Redacted("DATABASE")
  const port = yield* Config.Int("PORT")
  return {
    archive: { _tag: "Postgres", url },
    books: Archive.Archive.layerPostgres({ url }),
    cluster: Cluster.runner({ url, address: { host: "127.0.0.1", port } })
  }
})

/** The rest is the same. */
const MainLayer = Config.option(Config.String("DATABASE")).pipe(
  Effect.flatMap((database) => Option.isSome(database) ? several : one),
  Effect.map(({ archive, books, cluster }) =>
    Reconciling.Reconciling.layerRunner({ archive }).pipe(
      Layer.provideMerge(Reconciling.Reconciling.layer),
      Layer.provideMerge(cluster),
      Layer.merge(books),
      Layer.merge(Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)))
    )
  ),
  Layer.unwrap
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
