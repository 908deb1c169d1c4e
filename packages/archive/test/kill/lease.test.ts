/**
 * A sync into PostgreSQL whose process stands still loses its archive to another one, at whatever point it was stopped: real
 * processes, SIGSTOP, a real server whose books grow meanwhile, a real PostgreSQL. So does one that is killed, and one whose
 * database is started anew goes on.
 *
 * TALLYSTICK_KILLS: moments of each kind (default 2). A moment that fails is repeated with TALLYSTICK_SEED=<seed>; where exactly it
 * meets the process is the machine's business.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import { fileURLToPath } from "node:url"
import * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import * as Drivers from "../../src/internal/Drivers.ts"
import { temporaryDatabase } from "../support/databases.ts"
import * as PostgresServer from "../support/PostgresServer.ts"
import * as Child from "./Child.ts"
import * as Exchange from "./Exchange.ts"
import * as Judge from "./Judge.ts"
import * as World from "./World.ts"

const SECOND = 1000
const MINUTE = 60 * SECOND
const START = 1_790_000_000_000

const LEASE = 2 * SECOND

/** The promise is 15 seconds for a lease of 10. A busy machine may need the rest to notice, ms by the server's clock. */
const SOON = LEASE * 1.5 + 4 * SECOND

const only = process.env["TALLYSTICK_SEED"] ?? ""
const MOMENTS = Number(process.env["TALLYSTICK_KILLS"] ?? 2)
const seeds = only === "" ? Array.from({ length: MOMENTS }, (_, index) => index + 1) : [Number(only)]
const TIMEOUT = Math.max(5 * MINUTE, MOMENTS * 40 * SECOND)

const script = fileURLToPath(new URL("Rounds.ts", import.meta.url))

interface Life {
  readonly world: World.World
  readonly random: () => number
  /** Calls back when the service answers a list. */
  onList: () => void
  readonly start: (mode: "once" | "until", death?: Child.Death) => Child.Running
}

/** A world and the processes that sync it into a database. */
const live = Effect.fnUntraced(function*(seed: number, url: Redacted.Redacted) {
  const world = World.make(seed, START)
  const life: Life = {
    world,
    random: World.random(seed + 1),
    onList: () => {},
    start: (mode, death) =>
      Child.start({
        script,
        args: [mode, String(world.begin), String(LEASE), World.ACCOUNTS.join(",")],
        env: {
          [ArchiveConfig.DATABASE_URL]: Redacted.value(url),
          TALLYSTICK_BASE_URL: baseUrl,
          TALLYSTICK_API_KEY: World.API_KEY,
          TALLYSTICK_SECRET_KEY: World.SECRET,
          TALLYSTICK_RATE: "100000",
          TALLYSTICK_CONVENTIONS: JSON.stringify(World.changes)
        },
        now: world.now()
      }, death)
  }
  const baseUrl = yield* Exchange.serve((request) => {
    if (World.isList(request)) life.onList()
    return world.handle(request)
  })
  return life
})

const ended = ({ ended }: Child.Running) => Effect.promise(() => ended)

/** It ended with a round that read everything. */
const finished = ({ exitCode, output }: Child.Ended): void => {
  assert.strictEqual(exitCode, 0, output)
  assert.match(output, /^whole$/m)
}

const client = (url: Redacted.Redacted) => Effect.provide(PgClient.make({ url, maxConnections: 1 }), Reactivity.layer)

/** Everything that stands in a database. */
const content = (sql: SqlClient.SqlClient) =>
  Effect.gen(function*() {
    const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
      WHERE schemaname = current_schema() ORDER BY 1`
    return yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(
        sql`SELECT ${name}::text, row_to_json(${sql(name)})::text AS row FROM ${sql(name)} ORDER BY 2`.values,
        (rows) => rows
      ))
  })

/**
 * Waits until no transaction that was open before has an advisory lock, or waits for one; gives how long that took by the server's
 * clock, ms. One that has just begun has none.
 */
const freed = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const clock = "(extract(epoch FROM clock_timestamp()) * 1000)::float8"
  const [begun] = yield* sql.unsafe<{ at: number }>(`SELECT ${clock} AS at`)
  const from = begun?.at ?? Number.NaN
  const look = sql<{ at: number; open: number }>`SELECT ${sql.literal(clock)} AS at, count(*)::int AS open
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND datname = current_database() AND extract(epoch FROM xact_start) * 1000 < ${from}`
  const rows = yield* Effect.repeat(look, { until: ([row]) => row?.open === 0 })
  return (rows[0]?.at ?? Number.NaN) - from
})

const holderOf = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ process: number }>`SELECT process::int FROM holder`, ([row]) => row?.process)

const judged = (url: Redacted.Redacted, { world }: Life, until: number) =>
  Archive.Archive.use((archive) => Judge.whole(archive, world, until)).pipe(
    Effect.provide(
      Archive.Archive.layer.pipe(Layer.provide(Drivers.layerLocation({ _tag: "Postgres", url })), Layer.fresh)
    )
  )

const each = (moment: (seed: number) => Effect.Effect<unknown, unknown>) =>
  Effect.forEach(seeds, (seed) =>
    Effect.catchDefect(
      Effect.orDie(moment(seed)),
      (defect) => Effect.die(new Error(`TALLYSTICK_SEED=${seed}`, { cause: defect }))
    ), { discard: true })

/** The steps of a whole round, most of which are taken while it holds the archive. */
const STEPS = 220

/** One process ends or stops at a step of its own; another waits for its archive, and makes a round. */
const takeover = Effect.fnUntraced(function*(seed: number, signal: "SIGKILL" | "SIGSTOP") {
  const url = yield* temporaryDatabase
  const sql = yield* client(url)
  const life = yield* live(seed, url)
  const { random, start, world } = life
  const first = start("once", {
    at: "step",
    n: 20 + Math.floor(random() * STEPS),
    when: random() < 0.5 ? "before" : "after",
    signal
  })
  yield* Effect.addFinalizer(() => Effect.sync(first.kill))
  yield* Effect.promise(() => first.stopped)
  world.freeze()
  const until = world.now() - 2 * MINUTE
  const second = start("until")
  const took = yield* freed(sql)
  assert.isBelow(took, SOON)
  finished(yield* ended(second))
  const before = { holder: yield* holderOf(sql), all: yield* content(sql) }
  assert.strictEqual(before.holder, second.pid)
  first.wake()
  const { output } = yield* ended(first)
  const after = yield* content(sql)
  // One that was stopped before it ever held the archive may do so now.
  if ((yield* holderOf(sql)) !== first.pid) assert.deepStrictEqual(after, before.all, output)
  const found = yield* judged(url, life, until)
  assert.isAbove(found.deposits.records + found.transfers.records, 100)
  return output.split("\n")
}, Effect.scoped)

describe("a sync into PostgreSQL", () => {
  it.live(
    "that is stopped at any point loses the archive to another, and writes nothing when it wakes",
    () =>
      Effect.gen(function*() {
        const said = new Set<string>()
        yield* each((seed) => Effect.map(takeover(seed, "SIGSTOP"), (lines) => lines.forEach((line) => said.add(line))))
        assert.isTrue(said.has("Superseded") || said.has("Unreachable"), Array.from(said).join(", "))
      }),
    TIMEOUT
  )

  it.live(
    "that is killed at any point leaves the archive to another",
    () => each((seed) => takeover(seed, "SIGKILL")),
    TIMEOUT
  )

  it.live(
    "whose database crashes at any point goes on when it is back, beside another that waits for the archive",
    () =>
      Effect.gen(function*() {
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => PostgresServer.start()),
          ({ stop }) => Effect.promise(stop)
        )
        const admin = yield* client(Redacted.make(server.url))
        yield* each((seed) =>
          Effect.gen(function*() {
            const name = `moment_${seed}`
            yield* Effect.eventually(admin`CREATE DATABASE ${admin(name)}`)
            const url = new URL(server.url)
            url.pathname = `/${name}`
            const life = yield* live(seed, Redacted.make(url.href))
            let lists = 0
            const last = 1 + Math.floor(life.random() * 16)
            const crashed = Promise.withResolvers<void>()
            const turns = Math.floor(life.random() * 2000)
            life.onList = () => {
              if (++lists === last) Child.afterTurns(turns, () => crashed.resolve(server.restart()))
            }
            const both = [life.start("until"), life.start("until")]
            yield* Effect.promise(() => crashed.promise)
            for (const one of both) finished(yield* ended(one))
            life.world.freeze()
            const until = life.world.now() - 2 * MINUTE
            finished(yield* ended(life.start("until")))
            const found = yield* judged(Redacted.make(url.href), life, until)
            assert.isAbove(found.deposits.records + found.transfers.records, 100)
          }).pipe(Effect.scoped)
        )
      }).pipe(Effect.scoped),
    TIMEOUT
  )
})
