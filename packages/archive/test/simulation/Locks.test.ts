/**
 * Several processes open, take, write, forget and leave one archive in any order, and are killed; lock files and logs are
 * removed between. One of them writes at a time, and after another took over the former one never again.
 *
 * TALLYSTICK_KILLS: lives of each database, times 4, but two at least (default 8). One that fails is repeated with TALLYSTICK_SEED=<seed>.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import { rmSync } from "node:fs"
import type * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import * as Drivers from "../../src/internal/Drivers.ts"
import { Database } from "../../src/internal/sql/Database.ts"
import { databases } from "../support/databases.ts"
import * as Holder from "../support/Holder.ts"
import * as Seeded from "../support/Seeded.ts"

const only = process.env["TALLYSTICK_SEED"] ?? ""
const LIVES = Math.max(2, Math.ceil(Number(process.env["TALLYSTICK_KILLS"] ?? 8) / 4))
const seeds = only === "" ? Array.from({ length: LIVES }, (_, index) => index + 1) : [Number(only)]

const PROCESSES = 3
const STEPS = 60

interface Process {
  readonly run: Holder.Holder
  isOpen: boolean
  /** SQLite's lock on the file itself, which tells others that it is open. */
  isSeen: boolean
  /** The number of its claim. */
  claim: number | undefined
}

/** Ends the connections that hold a writer's lock. */
const cut = (location: ArchiveConfig.Location) =>
  location._tag === "File" ? Effect.void : PgClient.make({ url: location.url, maxConnections: 1 }).pipe(
    Effect.flatMap((sql) =>
      sql`SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND classid = ${0x54616c7a} AND datname = current_database()`
    ),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )

const events = { claims: 0, takeovers: 0, superseded: 0, moved: 0, occupied: 0, held: 0 }

const life = (location: ArchiveConfig.Location) =>
  Effect.fnUntraced(function*(seed: number) {
    const random = Seeded.make(seed)
    const isFile = location._tag === "File"
    const start = Effect.map(Holder.start(location, { program: "writer.ts" }), (run): Process => ({
      run,
      isOpen: false,
      isSeen: false,
      claim: undefined
    }))
    const processes = yield* Effect.forEach(Array.from({ length: PROCESSES }), () => start)
    /** Who holds the archive; `firm` while the lock is as it was taken. */
    let present: { readonly process: Process; firm: boolean } | undefined
    let last = 0
    const written: Array<string> = []

    const leave = (process: Process): void => {
      if (present?.process === process) present = undefined
      process.claim = undefined
    }
    const closed = (process: Process): void => {
      leave(process)
      process.isOpen = process.isSeen = false
    }
    const shut = Effect.fnUntraced(function*(process: Process) {
      assert.strictEqual(yield* process.run.tell("close"), "ok")
      closed(process)
    })

    const open = Effect.fnUntraced(function*(process: Process) {
      const answer = yield* process.run.tell("open")
      if (answer === "ok") process.isOpen = process.isSeen = true
      else if (answer === "Occupied") events.occupied++
      else assert.fail(`open: ${answer}`)
    })

    const claim = Effect.fnUntraced(function*(process: Process) {
      const answer = yield* process.run.tell(`claim sync${last + 1}`)
      if (answer === "ok") {
        assert.isFalse(present?.firm === true, "two have it at once")
        events.claims++
        if (present !== undefined) events.takeovers++
        process.claim = ++last
        present = { process, firm: true }
      } else if (answer === "Held") events.held++
      else if (answer === "Occupied" || answer === "Moved") {
        events[answer === "Moved" ? "moved" : "occupied"]++
        yield* shut(process)
      } else assert.fail(`claim: ${answer}`)
    })

    const write = Effect.fnUntraced(function*(process: Process) {
      const word = `${process.claim}:${written.length}`
      const answer = yield* process.run.tell(`write ${word}`)
      if (answer === "ok") {
        assert.strictEqual(process.claim, last, "written after another took over")
        written.push(word)
      } else if (answer === "Superseded") {
        events.superseded++
        assert.isBelow(process.claim ?? 0, last)
      } else if (answer === "Moved") {
        events.moved++
        yield* shut(process)
      } else assert.fail(`write: ${answer}`)
    })

    const forget = Effect.fnUntraced(function*(process: Process) {
      const isAll = random.chance(0.3)
      if (isFile) assert.strictEqual(yield* process.run.tell(`forget ${isAll ? ",-wal,-shm,-lock" : "-lock"}`), "ok")
      else yield* cut(location)
      if (isAll) process.isSeen = false
      if (present?.process === process) present.firm = false
    })

    const kill = Effect.fnUntraced(function*(index: number, process: Process) {
      yield* process.run.kill
      closed(process)
      processes[index] = yield* start
    })

    const removeLog = Effect.gen(function*() {
      const opened = processes.filter(({ isOpen }) => isOpen)
      if (!isFile || opened.length === 0 || opened.some(({ isSeen }) => !isSeen)) return
      for (const end of ["-wal", "-shm"]) rmSync(`${location.file}${end}`, { force: true })
      const newcomer = yield* start
      yield* open(newcomer)
      assert.isFalse(newcomer.isOpen, "let in beside a removed log")
      yield* newcomer.run.kill
      for (const process of opened) {
        assert.strictEqual(yield* process.run.tell("write lost"), "Moved")
        events.moved++
        yield* shut(process)
      }
    })

    for (let step = 0; step < STEPS; step++) {
      const index = random.int(0, PROCESSES - 1)
      const process = processes[index] ?? assert.fail("no process")
      const dice = random.next()
      if (dice < 0.03) yield* kill(index, process)
      else if (dice < 0.06) yield* removeLog
      else if (dice < 0.08 && isFile) rmSync(`${location.file}-lock`, { force: true })
      else if (!process.isOpen) yield* open(process)
      else if (process.claim === undefined) yield* dice < 0.8 ? claim(process) : shut(process)
      else if (dice < 0.25 && present?.process === process) yield* forget(process)
      else if (dice < 0.35) {
        assert.strictEqual(yield* process.run.tell("release"), "ok")
        leave(process)
      } else yield* write(process)
    }
    for (const { run } of processes) yield* run.kill

    // The server notices a moment later that the connections of the killed are gone.
    const { exclusive, sql } = Context.get(yield* Layer.build(Layer.fresh(Drivers.layerLocation(location))), Database)
    yield* Effect.eventually(exclusive("judge"))
    const rows = yield* sql<{ base_url: string }>`SELECT base_url FROM stamps`
    assert.deepStrictEqual(rows.map(({ base_url }) => base_url).toSorted(), written.toSorted())
    if (isFile) assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`.values, [["ok"]])
  }, Effect.scoped)

describe.each(databases)("processes that share an archive in $name, and lose its lock", ({ fresh, name }) => {
  it.live(
    "write one at a time, and never again after another took over",
    () =>
      Effect.gen(function*() {
        for (const key of ["claims", "takeovers", "superseded", "moved", "occupied", "held"] as const) events[key] = 0
        yield* Effect.forEach(seeds, (seed) =>
          Effect.scoped(Effect.flatMap(fresh, (location) =>
            life(location)(seed))).pipe(
              Effect.catchDefect((defect) => Effect.die(new Error(`TALLYSTICK_SEED=${seed}`, { cause: defect })))
            ), { discard: true })
        assert.isAbove(events.claims, 3 * seeds.length)
        if (only !== "") {
          return
        }
        assert.isAbove(events.takeovers, 0)
        assert.isAbove(events.superseded, 0)
        assert.isAbove(events.held, 0)
        if (name === "SQLite") {
          assert.isAbove(events.moved + events.occupied, 0)
        }
      }),
    Math.max(120_000, LIVES * 60_000)
  )
})
