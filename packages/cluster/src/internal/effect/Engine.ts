/**
 * Effect marks its cluster and its workflow engine as unstable: this is the one file that knows them. What the rest of the package
 * learns of them is `Work`, and effects and layers over it.
 */
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as ClusterMetrics from "effect/cluster/ClusterMetrics"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import * as EntityAddress from "effect/cluster/EntityAddress"
import * as EntityId from "effect/cluster/EntityId"
import * as EntityType from "effect/cluster/EntityType"
import * as MessageStorage from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as Singleton from "effect/cluster/Singleton"
import * as SocketRunner from "effect/cluster/SocketRunner"
import * as SqlMessageStorage from "effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Schema from "effect/Schema"
import type * as SocketServer from "effect/socket/SocketServer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Activity from "effect/workflow/Activity"
import * as Workflow from "effect/workflow/Workflow"
import type * as WorkflowEngine from "effect/workflow/WorkflowEngine"
import * as ClusterError from "../../ClusterError.ts"
import * as Migrating from "../Migrating.ts"
import { unusable } from "../Unusable.ts"
import { Version } from "../Version.ts"

/** All tables begin so, those of Effect and our own. */
export const PREFIX = "tallystick_cluster"

/**
 * The tables of Effect begin so for runners of a version. Its locks are told apart by this too: runners of two versions meet nowhere but in
 * our own tables.
 */
const prefixOf = (version: string): string => `${PREFIX}_${version.toLowerCase().replaceAll(/[^0-9a-z]+/g, "_")}`

/**
 * A runner that stopped counts as gone after this, in seconds. Its locks end with its session of PostgreSQL: at once where the process is
 * killed, and after this time where it hangs.
 */
const EXPIRATION = 10

/** The engine over which work is given and done: that of this package, or that of an app with a cluster of its own. */
export type Engine = WorkflowEngine.WorkflowEngine | Sharding.Sharding | MessageStorage.MessageStorage

/** An attempt at a job. The same attempt is done once, however often it is started. */
export interface Work {
  /** The id of the job. */
  readonly job: string
  /** A job that failed or was cancelled may be tried again: 1 for the first time. */
  readonly attempt: number
}

const definition = {
  payload: { job: Schema.String, attempt: Schema.Int },
  idempotencyKey: ({ attempt, job }: Work) => `${job}/${attempt}`
}

/** The job as a whole. Its parts are children of it, because all activities of one workflow run on the runner that has its shard. */
const Job = Workflow.make("tallystick/reconcile", definition)

/** The books of a job, in one piece. */
const Book = Workflow.make("tallystick/book", definition)

/** Does work wherever its shard is. What comes of it stands in tables: messages are rows that nobody reads again. */
export const layerWork = (
  book: (work: Work) => Effect.Effect<void>
): Layer.Layer<never, never, WorkflowEngine.WorkflowEngine> =>
  Layer.merge(
    Job.toLayer((work) => Book.execute(work)),
    Book.toLayer((work) => Activity.make({ name: "book", execute: book(work) }))
  )

/** Gives work to the runners and waits for nothing. It may be given twice: it is done once. */
export const start = (work: Work): Effect.Effect<void, never, WorkflowEngine.WorkflowEngine> =>
  Effect.asVoid(Job.execute(work, { discard: true }))

/** Timers of a workflow lie at an address of their own. */
const CLOCK = "Workflow/-/DurableClock"

/**
 * Removes the messages and replies of an attempt, once all of it has ended: nobody reads them again. Gives false while it has not. The job
 * goes last: a removal that was cut short is begun again.
 */
export const clear = Effect.fnUntraced(function*(work: Work) {
  const sharding = yield* Sharding.Sharding
  const storage = yield* MessageStorage.MessageStorage
  const addressOf = (type: string, id: string): EntityAddress.EntityAddress => {
    const entityId = EntityId.make(id)
    const shardId = sharding.getShardId(entityId, "default")
    return EntityAddress.make({ entityType: EntityType.make(type), entityId, shardId })
  }
  const typeOf = ({ _tag }: Workflow.Any): string => `Workflow/${_tag}`
  const id = yield* Job.executionId(work)
  const begun = yield* storage.requestIdForPrimaryKey({ address: addressOf(typeOf(Job), id), tag: "run", id: "" })
  const ended = yield* Job.poll(id)
  if (Option.isSome(begun) && !Option.exists(ended, ({ _tag }) => _tag === "Complete")) return false
  for (const workflow of [Book, Job]) {
    const id = yield* workflow.executionId(work)
    yield* storage.clearAddress(addressOf(CLOCK, id))
    yield* storage.clearAddress(addressOf(typeOf(workflow), id))
  }
  return true
})

/**
 * The shards of runners that sync are a group of their own, because a shard is given to a runner whatever that runner can do: in the group
 * of all runners a singleton would rest wherever its shard fell to one without the exchange's keys.
 */
const GROUPS = { all: "default", syncing: "sync" } as const

/** Names the runners among which one has a singleton. */
export type Group = keyof typeof GROUPS

/** Runs an effect on one runner of a group at a time; where that runner goes, another one begins it. It must not fail. */
export const layerSingleton = <R>(
  name: string,
  effect: Effect.Effect<void, never, R>,
  group: Group = "all"
): Layer.Layer<never, never, Sharding.Sharding | R> =>
  Singleton.make(`tallystick/${name}`, effect, { shardGroup: GROUPS[group] })

export interface Address {
  readonly host: string
  readonly port: number
}

export interface RunnerOptions {
  /** The other runners reach this one here. */
  readonly address: Address
  /** It listens here. */
  readonly listen: Address
  /** It takes part in the singletons of runners that sync. */
  readonly isSyncing: boolean
}

/**
 * Settings that all runners of a cluster must share, and intervals: a message that no notification announced waits for half a second
 * instead of ten, and a runner that is gone is noticed within two.
 */
const settings: Partial<ShardingConfig.ShardingConfig["Service"]> = {
  shardsPerGroup: 64,
  availableShardGroups: Object.values(GROUPS),
  shardLockExpiration: `${EXPIRATION} seconds`,
  refreshAssignmentsInterval: "1 second",
  runnerHealthCheckInterval: "2 seconds",
  entityMessagePollInterval: "500 millis",
  simulateRemoteSerialization: false
}

const migrations = (prefix: string): ReadonlyArray<Migrating.Set> => [
  { loader: SqlMessageStorage.migrations({ prefix }), table: `${prefix}_migrations` },
  { loader: SqlRunnerStorage.migrations({ prefix }), table: `${prefix}_runner_migrations` }
]

const Schemas = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ name: Schema.String })]))

/** Effect takes a dot for the end of the schema's name. */
const unnamed = (schema: string) =>
  new ClusterError.ClusterError({
    reason: new ClusterError.Database({ detail: `the schema ${schema} has a dot in its name; use one without` })
  })

/**
 * Locks of PostgreSQL are of the whole database, and Effect tells them apart by the prefix of the tables of runners alone. With the name
 * of the schema before it two archives in two schemas have two clusters, and not one whose runners lock each other out.
 */
const runnerPrefix = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, prefix: string) {
  const rows = yield* sql.onDialectOrElse({
    pg: () => Effect.mapError(sql`SELECT current_schema() AS name`, unusable),
    orElse: () => Effect.succeed([])
  })
  if (rows.length === 0) return prefix
  const [{ name }] = yield* Effect.orDie(Schemas(rows))
  return name.includes(".") ? yield* unnamed(name) : `${name}.${prefix}`
})

const storages = (prefix: string) =>
  Layer.unwrap(Effect.gen(function*() {
    yield* Migrating.make(migrations(prefix))
    const ofRunners = yield* runnerPrefix(yield* SqlClient.SqlClient, prefix)
    return SqlMessageStorage.layerStorage({ prefix }).pipe(
      Layer.provide(NodeCrypto.layerDigest),
      Layer.merge(SqlRunnerStorage.layerStorage({ prefix: ofRunners }))
    )
  }))

/**
 * Sharding with the workflow engine over it, and the tables of both, which are made where there are none. It is built anew for each
 * cluster: a layer that two share by reference is built once in a program, over the first database.
 */
const over = <E, R>(
  sharding: Layer.Layer<Sharding.Sharding | Runners.Runners, E, R>,
  config: Partial<ShardingConfig.ShardingConfig["Service"]>
) =>
  Layer.unwrap(Effect.map(Version, (version) =>
    ClusterWorkflowEngine.layer.pipe(
      Layer.provideMerge(sharding),
      Layer.provideMerge(storages(prefixOf(version))),
      Layer.provide(ShardingConfig.layer({ ...settings, ...config })),
      Layer.fresh
    )))

/**
 * One of several runners over PostgreSQL. They talk to each other over sockets, by a protocol that neither encrypts nor asks for a
 * password. `refused` makes the error of an address at which it cannot listen.
 */
export const layerRunner = <E>(
  { address, isSyncing, listen }: RunnerOptions,
  refused: (why: string) => E
): Layer.Layer<Engine, E | ClusterError.ClusterError, SqlClient.SqlClient> => {
  const unable = (why: string): Layer.Layer<SocketServer.SocketServer, E> => Layer.unwrap(Effect.fail(refused(why)))
  const server = Layer.catchTag(
    NodeClusterSocket.layerSocketServer,
    "SocketServerError",
    ({ message, reason }) => unable(reason.cause instanceof Error ? reason.cause.message : message)
  )
  const health = RunnerHealth.layerPing.pipe(
    Layer.provide(Runners.layerRpc),
    Layer.provide(NodeClusterSocket.layerClientProtocol)
  )
  return over(
    SocketRunner.layer.pipe(
      Layer.provide([server, NodeClusterSocket.layerClientProtocol]),
      Layer.provide(health),
      Layer.provide(RpcSerialization.layerSchemaBinary())
    ),
    {
      runnerAddress: Option.some(RunnerAddress.make(address.host, address.port)),
      runnerListenAddress: Option.some(RunnerAddress.make(listen.host, listen.port)),
      assignedShardGroups: isSyncing ? Object.values(GROUPS) : [GROUPS.all]
    }
  )
}

/** The only runner of its database, in this process. It listens nowhere. */
export const layerSingle: Layer.Layer<Engine, ClusterError.ClusterError, SqlClient.SqlClient> = over(
  Sharding.layer.pipe(Layer.provideMerge(Runners.layerNoop), Layer.provide(RunnerHealth.layerNoop)),
  { assignedShardGroups: Object.values(GROUPS) }
)

/** Removes the tables of a version that has no runner and no job any more. One that starts nevertheless makes them anew. */
export const retire = (sql: SqlClient.SqlClient, version: string): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    ["messages", "replies", "migrations", "runners", "locks", "runner_migrations"],
    (name) => sql`DROP TABLE IF EXISTS ${sql(`${prefixOf(version)}_${name}`)}`,
    { discard: true }
  )

const Seen = Schema.Array(Schema.Struct({
  address: Schema.String,
  runner: Schema.fromJsonString(Schema.Struct({ groups: Schema.Array(Schema.String) }))
}))
const seenOf = Schema.decodeUnknownSync(Seen)

/** Names the runners of a version and a group that were seen in the last seconds, as `HOST:PORT`. Fails where none ever was there. */
export const runners = (
  sql: SqlClient.SqlClient,
  version: string,
  group: Group = "all"
): Effect.Effect<ReadonlyArray<string>, SqlError> => {
  const since = sql.onDialectOrElse({
    pg: () => sql.literal(`NOW() - INTERVAL '${EXPIRATION} seconds'`),
    orElse: () => sql.literal(`datetime('now', '-${EXPIRATION} seconds')`)
  })
  return Effect.map(
    sql`SELECT address, runner FROM ${
      sql(`${prefixOf(version)}_runners`)
    } WHERE last_heartbeat > ${since} ORDER BY address`,
    (rows) => seenOf(rows).flatMap(({ address, runner }) => runner.groups.includes(GROUPS[group]) ? [address] : [])
  )
}

const Ages = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ fresh: Schema.Boolean })))

/** Whether a runner renewed its place among the others in the last half minute: three times the time after which it counts as gone. */
export const isFresh = (
  sql: SqlClient.SqlClient,
  version: string,
  { host, port }: Address
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`SELECT last_heartbeat > NOW() - INTERVAL '${sql.literal(String(3 * EXPIRATION))} seconds' AS fresh
      FROM ${sql(`${prefixOf(version)}_runners`)} WHERE address = ${`${host}:${port}`}`,
    (rows) => Ages(rows).some(({ fresh }) => fresh)
  )

/** Whether this process is about to give back locks: until it has, it takes none. */
export const isReleasing: Effect.Effect<boolean> = Effect.map(
  Metric.value(ClusterMetrics.shardsReleasing),
  ({ value }) => value > 0n
)
