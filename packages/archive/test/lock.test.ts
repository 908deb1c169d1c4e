import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { symlinkSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { pid } from "node:process"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { copy } from "./support/copy.ts"
import { databases, temporaryFolder } from "./support/databases.ts"
import * as Holder from "./support/Holder.ts"
import { reason } from "./support/reason.ts"

const EPOCH = "1970-01-01T00:00:00.000Z"

const here = (purpose: string) => `${purpose}, process ${pid} on ${hostname()} since ${EPOCH}`

const kinds = [...databases, { name: "memory", layer: Drivers.layerMemory() }]

describe.each(kinds)("the lock in $name", ({ layer }) => {
  it.effect("is held by one at a time, and names its holder", () =>
    Effect.gen(function*() {
      const { exclusive, place } = yield* Database
      yield* Effect.scoped(Effect.gen(function*() {
        yield* exclusive("sync")
        const held = yield* reason(Effect.scoped(exclusive("import")))
        assert.deepInclude(held, { _tag: "Held", place, holder: here("sync") })
        assert.strictEqual(held.message, `${place} is in use: ${here("sync")}; one at a time may write to it`)
      }))
      yield* Effect.scoped(Effect.gen(function*() {
        yield* exclusive("import")
        assert.deepInclude(yield* reason(Effect.scoped(exclusive("sync"))), { _tag: "Held", holder: here("import") })
      }))
    }).pipe(Effect.provide(layer)))

  it.effect("tells who holds it, without taking it from anybody", () =>
    Effect.gen(function*() {
      const { exclusive, holder, sql } = yield* Database
      yield* Effect.scoped(exclusive("import"))
      const before = yield* sql`SELECT * FROM holder`
      assert.deepStrictEqual(yield* holder, Option.none())
      assert.deepStrictEqual(yield* sql`SELECT * FROM holder`, before)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* exclusive("sync")
        assert.deepStrictEqual(yield* holder, Option.some(here("sync")))
        yield* sql.withTransaction(sql`SELECT 1`)
      }))
    }).pipe(Effect.provide(layer)))

  it.effect("is had by exactly one of many who ask at once", () =>
    Effect.gen(function*() {
      const { exclusive } = yield* Database
      const outcomes = yield* Effect.scoped(
        Effect.forEach([1, 2, 3, 4, 5], (n) => Effect.result(exclusive(`sync ${n}`)), { concurrency: "unbounded" })
      )
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 1)
      yield* Effect.scoped(exclusive("later"))
    }).pipe(Effect.provide(layer)))

  it.effect("does not keep its holder from writing, nor others from reading", () =>
    Effect.gen(function*() {
      const { exclusive, sql } = yield* Database
      yield* exclusive("sync")
      yield* sql.withTransaction(sql`INSERT INTO stamps ${sql.insert({ base_url: "a", fingerprint: "b" })}`)
      assert.strictEqual((yield* sql`SELECT * FROM stamps`).length, 1)
    }).pipe(Effect.scoped, Effect.provide(layer)))
})

describe.each(databases)("the lock in $name, between processes", ({ fresh }) => {
  it.live("is refused while another process has it, and free when that one is killed", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const holder = yield* Holder.start(location)
      assert.strictEqual(yield* holder.said, "open")
      assert.strictEqual(yield* holder.said, "held")
      yield* Effect.gen(function*() {
        const { exclusive } = yield* Database
        const held = yield* reason(Effect.scoped(exclusive("sync")))
        assert.strictEqual(held._tag, "Held")
        assert.include(held.message, `import, process ${holder.pid} on ${hostname()} since 2`)

        yield* holder.kill
        // The server notices that the connection is gone a moment after the process.
        yield* Effect.eventually(exclusive("sync"))
        const next = yield* Holder.start(location)
        assert.strictEqual(yield* next.said, "open")
        assert.strictEqual(yield* next.said, "Held")
        const again = yield* reason(Effect.scoped(exclusive("export")))
        assert.include(again.message, `sync, process ${pid}`)
      }).pipe(Effect.scoped, Effect.provide(Drivers.layerLocation(location)))
    }))

  it.live("has one winner among processes that open a new archive at once", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const holders = yield* Effect.forEach([1, 2, 3, 4], () => Holder.start(location))
      const opened = yield* Effect.forEach(holders, ({ said }) => said, { concurrency: "unbounded" })
      assert.deepStrictEqual(opened, ["open", "open", "open", "open"])
      const held = yield* Effect.forEach(holders, ({ said }) => said, { concurrency: "unbounded" })
      assert.deepStrictEqual(held.toSorted(), ["Held", "Held", "Held", "held"])
    }))
})

describe("the lock of a file", () => {
  it.effect("is one for all names of the file", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const layerOf = (name: string) => Drivers.layerSqlite({ file: join(folder, name) })
      const first = yield* Layer.build(layerOf("archive.db"))
      symlinkSync("archive.db", join(folder, "link.db"))
      const second = yield* Layer.build(layerOf("link.db"))
      yield* Context.get(first, Database).exclusive("sync")
      assert.deepInclude(yield* reason(Context.get(second, Database).exclusive("import")), {
        _tag: "Held",
        place: join(folder, "link.db"),
        holder: here("sync")
      })
    }))
})

describe.each(databases)("an archive in $name that goes back to an earlier state while it is held", ({ layer }) => {
  const write = (word: string) =>
    Effect.flatMap(Database, ({ error, sql }) =>
      Effect.mapError(
        sql.withTransaction(sql`INSERT INTO stamps ${sql.insert({ base_url: word, fingerprint: "" })}`),
        error
      ))
  const written = Effect.flatMap(Database, ({ sql }) => sql`SELECT base_url FROM stamps ORDER BY base_url`.values)
  const state = copy("holder", "stamps")
  const test = <E>(name: string, body: Effect.Effect<void, E, Database | Scope.Scope>) =>
    it.effect(name, () => body.pipe(Effect.scoped, Effect.provide(layer)))

  test(
    "is written to no more by its holder, who says so, until it is held anew",
    Effect.gen(function*() {
      const { exclusive, place } = yield* Database
      yield* Effect.scoped(Effect.gen(function*() {
        yield* exclusive("import")
        yield* write("kept")
        const older = yield* state
        yield* write("gone")
        yield* older
        const reverted = yield* reason(write("refused"))
        assert.deepInclude(reverted, { _tag: "Reverted", place })
        assert.include(reverted.message, "does not hold what this process wrote to it last")
        assert.strictEqual((yield* reason(write("refused too")))._tag, "Reverted")
        assert.deepStrictEqual(yield* written, [["kept"]])
      }))
      yield* exclusive("sync")
      yield* write("later")
      assert.deepStrictEqual(yield* written, [["kept"], ["later"]])
    })
  )

  test(
    "is not taken for one that another holder took over, where it is of a time before it was held",
    Effect.gen(function*() {
      const { exclusive } = yield* Database
      const never = yield* state
      yield* Effect.scoped(exclusive("sync"))
      const before = yield* state
      yield* TestClock.adjust("1 hour")
      yield* exclusive("import")
      yield* before
      assert.strictEqual((yield* reason(write("refused")))._tag, "Reverted")
      yield* never
      assert.strictEqual((yield* reason(write("refused too")))._tag, "Reverted")
    })
  )

  test(
    "is written to where nothing was lost of what its holder knows to be committed",
    Effect.gen(function*() {
      const { exclusive, sql } = yield* Database
      yield* exclusive("sync")
      yield* write("first")
      const whole = yield* state
      yield* Effect.exit(sql.withTransaction(Effect.fail("undone")))
      yield* whole
      yield* write("second")
      // A commit whose answer was lost counts in the database alone.
      yield* sql`UPDATE holder SET turn = turn + 1`
      yield* write("third")
      yield* write("fourth")
      assert.strictEqual((yield* written).length, 4)
    })
  )

  test(
    "is noticed after transactions inside others, whether those were undone or not",
    Effect.gen(function*() {
      const { exclusive, sql } = yield* Database
      yield* exclusive("sync")
      const nested = (word: string, inner: Effect.Effect<void, string>) =>
        sql.withTransaction(Effect.andThen(write(word), Effect.exit(sql.withTransaction(inner))))
      yield* nested("first", Effect.void)
      yield* nested("second", Effect.fail("undone"))
      yield* write("third")
      const older = yield* state
      yield* nested("fourth", Effect.fail("undone"))
      yield* older
      assert.strictEqual((yield* reason(write("refused")))._tag, "Reverted")
    })
  )
})
