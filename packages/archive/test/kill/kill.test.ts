/**
 * Killed at any point, a sync loses nothing, doubles nothing and promises nothing that is not there: real processes, SIGKILL,
 * a real server whose books grow meanwhile, real databases.
 *
 * TALLYSTICK_KILLS: kills for each database (default 8). A life that fails is repeated with TALLYSTICK_SEED=<seed>; where
 * exactly a kill meets the process is the machine's business.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import * as Drivers from "../../src/internal/Drivers.ts"
import * as Turns from "../../src/internal/sync/Turns.ts"
import { databases, temporaryFolder } from "../support/databases.ts"
import * as Child from "./Child.ts"
import * as Exchange from "./Exchange.ts"
import * as Judge from "./Judge.ts"
import * as World from "./World.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = 1_790_000_000_000

const only = process.env["TALLYSTICK_SEED"] ?? ""
const KILLS = Number(process.env["TALLYSTICK_KILLS"] ?? 8)
/** Kills of one archive before it must be whole. */
const A_LIFE = 8

const main = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url))

/** For a process of its own. */
const environment = (location: ArchiveConfig.Location): Readonly<Record<string, string>> =>
  location._tag === "File"
    ? { TALLYSTICK_ARCHIVE: location.file }
    : { TALLYSTICK_DATABASE_URL: Redacted.value(location.url) }

/** For the judge. */
const opened = (location: ArchiveConfig.Location) =>
  Archive.Archive.layer.pipe(Layer.provide(Drivers.layerLocation(location)), Layer.fresh)

/** A server notices a little later than the system that somebody died, and keeps the lock until then. */
const noticed = (location: ArchiveConfig.Location) => {
  if (location._tag === "File") return Effect.void
  return PgClient.make({ url: location.url, maxConnections: 1 }).pipe(
    Effect.flatMap((sql) =>
      sql<{ readonly pid: number }>`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.pipe(
        Effect.repeat({ until: (others) => others.length === 0 })
      )
    ),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )
}

/** Everything was read, and at most what cannot be read was complained about. */
const finished = ({ exitCode, output }: Child.Ended): void => {
  if (exitCode === 1) assert.match(output, /1 record could not be read|2 records could not be read/)
  else assert.strictEqual(exitCode, 0, output)
}

/** One archive: killed so many times, then left to finish. Where its accounts take turns, the first sync is not killed. */
const live = Effect.fnUntraced(function*(
  seed: number,
  kills: number,
  location: ArchiveConfig.Location,
  names: ReadonlyArray<string> = World.ACCOUNTS
) {
  const takesTurns = names.length > Turns.FEW
  const world = World.make(seed, START, names)
  const next = World.random(seed + 1)
  const below = (end: number): number => Math.floor(next() * end)
  let death: Child.Death | undefined
  let lists = 0
  let running: Child.Running | undefined
  const baseUrl = yield* Exchange.serve(Effect.fnUntraced(function*(request) {
    if (World.isList(request)) lists++
    if (!World.isList(request) || death?.at !== "answer" || lists !== death.n) return yield* world.handle(request)
    const { turns } = death
    if (turns < 0) running?.kill()
    const answer = yield* world.handle(request)
    Child.afterTurns(turns, () => running?.kill())
    return answer
  }))
  const accounts = join(yield* temporaryFolder, "accounts.json")
  writeFileSync(accounts, JSON.stringify({ list: names, complete: true }))
  const command: Child.Command = {
    script: main,
    args: ["sync", "--since", new Date(world.begin).toISOString(), "--accounts", accounts],
    env: {
      ...environment(location),
      TALLYSTICK_BASE_URL: baseUrl,
      TALLYSTICK_API_KEY: World.API_KEY,
      TALLYSTICK_SECRET_KEY: World.SECRET,
      TALLYSTICK_RATE: "100000",
      TALLYSTICK_CONVENTIONS: JSON.stringify(takesTurns ? { ...World.changes, sliceLength: 72 * HOUR } : World.changes)
    }
  }
  const run = (until: Child.Death | undefined, more: ReadonlyArray<string> = []) =>
    Effect.promise(() => {
      death = until
      lists = 0
      running = Child.start({ ...command, now: world.now(), args: [...command.args, ...more] }, until)
      return running.ended
    })

  const judged = <A, E>(judge: (archive: Archive.Service) => Effect.Effect<A, E>) =>
    Archive.Archive.use(judge).pipe(Effect.provide(opened(location)))

  let done = 0
  /** Of the first sync, which reads everything, a part at a time; later of what a whole run takes. */
  const most = { steps: 240, lists: 16 }
  for (let runs = 0; done < kills; runs++) {
    assert.isBelow(runs, 5 * kills + 5, "runs that are not killed")
    const isWhole = takesTurns ? runs === 0 : done > kills / 2 && next() < 0.25
    const until: Child.Death | undefined = isWhole
      ? undefined
      : next() < 0.6
      ? { at: "step", n: 1 + below(most.steps), when: next() < 0.5 ? "before" : "after" }
      : { at: "answer", n: 1 + below(most.lists), turns: next() < 0.2 ? -1 : below(3000) }
    const ended = yield* run(until)
    if (ended.killed) {
      done++
      yield* noticed(location)
      world.pass(below(10 * MINUTE))
    } else {
      finished(ended)
      // A round of turns takes far fewer than the first one.
      const share = takesTurns && runs === 0 ? 0.1 : 1
      if (ended.steps !== undefined) most.steps = Math.ceil(ended.steps * share)
      most.lists = Math.max(5, Math.ceil(lists * share))
      world.pass(below(6 * HOUR))
    }
    // Now and then only: who opens an archive repairs what was broken off, and that is a sync's own business too.
    if (next() < 0.4) yield* judged((archive) => Judge.sound(archive, world))
  }
  world.freeze()
  const until = world.now() - 2 * MINUTE
  const last = yield* run(undefined, takesTurns ? ["--all"] : [])
  finished(last)
  return yield* judged((archive) => Judge.whole(archive, world, until))
}, Effect.scoped)

// One that ends by itself keeps what Node made of the sources, so that the many that die young need not do it again.
beforeAll(async () => {
  await Child.start({ script: main, args: ["--help"], env: {} }, undefined).ended
})

const seeds = only === ""
  ? Array.from({ length: Math.ceil(KILLS / A_LIFE) }, (_, index) => index + 1)
  : [Number(only)]

describe.each(databases)("a sync into $name that is killed at any point", ({ fresh }) => {
  it.live(
    "loses nothing, doubles nothing and promises nothing that is not there",
    () =>
      Effect.forEach(seeds, (seed) =>
        Effect.gen(function*() {
          const found = yield* live(seed, Math.min(KILLS, A_LIFE), yield* fresh)
          assert.isAbove(found.deposits.records, 50)
          assert.isAbove(found.transfers.records, 50)
        }).pipe(
          Effect.scoped,
          Effect.catchDefect((defect) => Effect.die(new Error(`TALLYSTICK_SEED=${seed}`, { cause: defect })))
        )),
    Math.max(60_000, KILLS * 20_000)
  )
})

describe("a round of sync in which accounts take turns", () => {
  it.live(
    "may be killed at any point too: what was not read is read when its turn comes, and nothing is promised before",
    () =>
      Effect.gen(function*() {
        const location: ArchiveConfig.Location = { _tag: "File", file: join(yield* temporaryFolder, "archive.db") }
        const found = yield* live(Number(only === "" ? 1 : only), Math.ceil(KILLS / 5), location, World.MANY)
        assert.isAbove(found.transfers.records, 50)
      }).pipe(Effect.scoped),
    Math.max(240_000, KILLS * 20_000)
  )
})
