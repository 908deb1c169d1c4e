/** Three runners as processes over a PostgreSQL of their own, each behind a network that can be cut; and one process that does alone what they do. */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Books from "@tallystick/archive/Books"
import * as Runs from "@tallystick/archive/Runs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryFolder } from "../../../archive/test/support/databases.ts"
import * as Network from "../../../archive/test/support/Network.ts"
import * as PostgresServer from "../../../archive/test/support/PostgresServer.ts"
import * as Cluster from "../../src/Cluster.ts"
import type * as Question from "../../src/Question.ts"
import * as Reconciling from "../../src/Reconciling.ts"
import * as Desk from "../support/Desk.ts"
import * as Disk from "./Disk.ts"
import * as Processes from "./Processes.ts"

const DEPOSITS = 1000
const RUNNERS = 3

/** The disk of the database is as large as this, MiB. */
const ROOM = 256

/** A question is longer than the one before it by so much, ms: it has outcomes that no earlier one had. */
const LONGER = 180_000

/** A runner, and its way to the database. */
export interface Member {
  readonly name: string
  readonly running: Processes.Running
  readonly network: Network.Network
  /** So many times it spoke to the archive: what it is about to do may be told by that, however busy the machine is. */
  readonly spoken: () => number
  /** Resumes when it spoke to the archive so often. */
  readonly speaks: (times: number) => Effect.Effect<void>
}

/** A connection begins with the name of what it is for. */
const CLUSTER = "tallystick-cluster"

/** What a run says, and what the books have by now. */
export interface Told {
  readonly run: string
  readonly summary: unknown
  readonly outcomes: ReadonlyArray<unknown>
  /** The runs by which the books were brought forward, in order. */
  readonly booked: ReadonlyArray<string>
  /** The keys of all notices, each of them once. */
  readonly notices: ReadonlyArray<string>
}

export interface Fleet {
  readonly server: PostgresServer.Server
  /** Takes all room of the server's disk but so many KiB, and gives it back. */
  readonly disk: Disk.Disk
  readonly archive: ArchiveConfig.Location
  /** A connection of the test's own, for one statement at a time. */
  readonly sql: SqlClient.SqlClient
  /** The runners by name. */
  readonly members: ReadonlyMap<string, Member>
  /** So many threads were begun by all runners that ever were. */
  readonly threads: () => number
  /** Starts a runner in the place of one that is gone. */
  readonly replace: (member: Member) => Effect.Effect<void>
  /** Asks of the jobs, past every network, and again where the database does not answer. */
  readonly ask: <A, E>(
    question: (jobs: Reconciling.Service) => Effect.Effect<A, E, Archive.Archive | Books.Books>
  ) => Effect.Effect<A>
  /** A question that was not asked before, and what one process alone says to it. */
  readonly next: Effect.Effect<{ readonly question: Question.Question; readonly alone: Told }>
  /** What the fleet said with a run. */
  readonly told: (run: string) => Effect.Effect<Told>
  /** The digest of each table of the archive, as far as anybody sees it. */
  readonly digests: Effect.Effect<ReadonlyArray<readonly [table: string, digest: string | null]>>
}

const toldOf = (location: ArchiveConfig.Location, run: string, notices: Effect.Effect<ReadonlyArray<string>>) =>
  Effect.gen(function*() {
    const runs = yield* Runs.Runs
    const { executions } = yield* Books.Books
    const stored = Option.getOrThrow(yield* runs.get(run))
    // Coverage tells when something was read, and the head of the ledger when it was written.
    const { coverage: _, decisions, ...summary } = stored.summary
    return {
      run,
      summary: { ...summary, decisions: { ...decisions, head: decisions?.head.number } },
      outcomes: yield* Stream.runCollect(runs.outcomes(stored.run)),
      booked: (yield* executions).map(({ body }) => body.run),
      notices: yield* notices
    } satisfies Told
  }).pipe(Desk.within(location), Effect.orDie)

/** Any runner sends the notices that wait; a run tells when somebody came to it again. */
const PASSING: Readonly<Record<string, ReadonlyArray<string>>> = {
  notices: ["tries", "next_at", "sent_at"],
  runs: ["seen_at", "checksum"]
}

/** A run that is not finished is seen by nobody; whoever began it removes it. */
const OF_FINISHED = "EXISTS (SELECT 1 FROM runs r WHERE r.number = t.run AND r.id IS NOT NULL)"
const FINISHED: Readonly<Record<string, string>> = {
  runs: "t.id IS NOT NULL",
  run_outcomes: OF_FINISHED,
  run_packs: OF_FINISHED
}

const keysIn = (file: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = database.prepare("SELECT key FROM notices ORDER BY key").all()
    database.close()
    return rows.map(({ key }) => String(key))
  })

/** A statement is asked again where the database is about to come back. */
const lasting = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  effect.pipe(Effect.retry(Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 600 }))), Effect.orDie)

export const make: Effect.Effect<Fleet, never, Scope.Scope> = Effect.gen(function*() {
  const cramped = yield* Effect.promise(() => PostgresServer.startCramped(ROOM))
  const server = cramped ?? (yield* Effect.promise(PostgresServer.start))
  yield* Effect.addFinalizer(() => Effect.promise(server.stop))
  const url = Redacted.make(server.url)
  const archive: ArchiveConfig.Location = { _tag: "Postgres", url }
  const folder = yield* temporaryFolder
  const file = join(folder, "alone.db")
  const copy: ArchiveConfig.Location = { _tag: "File", file }
  yield* Effect.orDie(Desk.keep(archive, DEPOSITS))
  yield* Effect.orDie(Desk.keep(copy, DEPOSITS))
  const sql = yield* Effect.orDie(
    Effect.provide(PgClient.make({ url, maxConnections: 1 }), Reactivity.layer)
  )
  const services = yield* Layer.build(
    Reconciling.Reconciling.layer.pipe(Layer.provide(Cluster.client({ url })), Layer.orDie)
  )

  const members = new Map<string, Member>()
  const everyone: Array<Processes.Running> = []
  const scope = yield* Effect.scope
  const begin = Effect.fnUntraced(function*(port: number) {
    const network = yield* Network.before(new URL(server.url))
    let spoken = 0
    const waiting = new Map<number, () => void>()
    network.listen((_, first) => {
      if (first.includes(CLUSTER)) return
      waiting.get(++spoken)?.()
      waiting.delete(spoken)
    })
    const running = yield* Processes.runner(Redacted.make(network.url.href), port, { NOTICES: join(folder, "notices") })
    everyone.push(running)
    const name = `127.0.0.1:${port}`
    const speaks = (times: number) =>
      Effect.callback<void>((resume) => {
        if (spoken >= times) resume(Effect.void)
        else waiting.set(times, () => resume(Effect.void))
      })
    members.set(name, { name, running, network, spoken: () => spoken, speaks })
  }, Effect.provideService(Scope.Scope, scope))
  const ports = yield* Effect.all(Array.from({ length: RUNNERS }, () => Processes.freePort))
  yield* Effect.forEach(ports, begin, { concurrency: RUNNERS, discard: true })

  let asked = 0
  const next = Effect.gen(function*() {
    const { from, to } = Desk.question.range
    const question = { ...Desk.question, range: { from, to: (from + to) / 2 + ++asked * LONGER } }
    const { author, ...what } = question
    const { run } = yield* ArchiveReconciliation.book(what, {
      author,
      notify: { receivers: [Desk.receiver(() => Effect.void)], prices: new Map() }
    }).pipe(Desk.within(copy), Effect.orDie)
    return { question, alone: yield* toldOf(copy, run.id, keysIn(file)) }
  })

  const keys = lasting(sql<{ key: string }>`SELECT key FROM notices ORDER BY key COLLATE "C"`).pipe(
    Effect.map((rows) => rows.map(({ key }) => key))
  )
  const digests = Effect.gen(function*() {
    const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
      WHERE schemaname = current_schema() AND tablename NOT LIKE 'tallystick_cluster%' ORDER BY 1`
    return yield* Effect.forEach(tables, ({ name }) => {
      const columns = PASSING[name] ?? []
      const rows = sql.literal(FINISHED[name] ?? "TRUE")
      return Effect.map(
        sql<{ digest: string | null }>`SELECT md5(string_agg(row::text, '' ORDER BY row::text)) AS digest
          FROM (SELECT to_jsonb(t) - ${sql.literal(`'{${columns.join(",")}}'::text[]`)} AS row FROM ${
          sql(name)
        } t WHERE ${rows}) AS rows`,
        ([row]) => [name, row?.digest ?? null] as const
      )
    })
  })

  return {
    server,
    disk: cramped === undefined ? Disk.feigned(sql) : Disk.real(cramped),
    archive,
    sql,
    members,
    threads: () => everyone.reduce((sum, running) => sum + Processes.threads(running).begun, 0),
    replace: ({ name }) => begin(Number(name.split(":")[1])),
    ask: (question) =>
      lasting(Effect.scoped(Effect.flatMap(Reconciling.Reconciling, question).pipe(Desk.within(archive)))).pipe(
        Effect.provideContext(services)
      ),
    next,
    told: (run) => toldOf(archive, run, keys),
    digests: lasting(digests)
  }
})
