import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as fs from "node:fs"
import { join } from "node:path"
import * as ArchiveConfig from "../src/ArchiveConfig.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import { databases, temporaryDatabase, temporaryFolder } from "./support/databases.ts"
import { reason } from "./support/reason.ts"

const location = (env: Readonly<Record<string, string>>) =>
  Effect.provideService(
    ArchiveConfig.location,
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({ env })
  )

const SECRET = "not-a-real-password"

describe("where the archive is", () => {
  it.effect("is tallystick.db in the current folder, or the file that is named", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* location({}), { _tag: "File", file: "tallystick.db" })
      assert.deepStrictEqual(yield* location({ TALLYSTICK_ARCHIVE: "" }), { _tag: "File", file: "tallystick.db" })
      assert.deepStrictEqual(yield* location({ TALLYSTICK_ARCHIVE: "books.db", TALLYSTICK_DATABASE_URL: " " }), {
        _tag: "File",
        file: "books.db"
      })
    }))

  it.effect("is the PostgreSQL that is named, before any file", () =>
    Effect.gen(function*() {
      const url = `postgres://user:${SECRET}@host:5433/books`
      const found = yield* location({ TALLYSTICK_DATABASE_URL: url, TALLYSTICK_ARCHIVE: "books.db" })
      assert.strictEqual(found._tag === "Postgres" ? Redacted.value(found.url) : found.file, url)
      assert.notInclude(JSON.stringify(found), SECRET)
    }))

  it.effect("is refused where the address is no PostgreSQL address, without telling it", () =>
    Effect.gen(function*() {
      for (const url of [`mysql://user:${SECRET}@host/books`, SECRET, `postgres://user:${SECRET}/@host/books`]) {
        const error = yield* Effect.flip(location({ TALLYSTICK_DATABASE_URL: url }))
        assert.include(error.message, "TALLYSTICK_DATABASE_URL is not postgres://user:password@host:port/database")
        assert.notInclude(`${error.message}${JSON.stringify(error)}`, SECRET)
      }
    }))
})

describe.each(databases)("whether there is an archive in $name", ({ fresh }) => {
  it.effect("is told without making one", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      assert.isFalse(yield* ArchiveConfig.exists(location))
      assert.isFalse(yield* ArchiveConfig.exists(location))
      yield* Effect.scoped(Layer.build(Drivers.layerLocation(location)))
      assert.isTrue(yield* ArchiveConfig.exists(location))
    }))
})

describe("whether there is an archive", () => {
  it.effect("in a file is so where the file is not empty, and where opening it has to tell more", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const exists = (file: string) => ArchiveConfig.exists({ _tag: "File", file })
      const file = join(folder, "a.db")
      fs.writeFileSync(file, "")
      assert.isFalse(yield* exists(file))
      fs.writeFileSync(file, "x")
      assert.isTrue(yield* exists(file))
      assert.isTrue(yield* exists(folder))
      assert.isTrue(yield* exists(join(file, "b.db")))
      assert.deepStrictEqual(fs.readdirSync(folder), ["a.db"])
    }))

  it.effect("in PostgreSQL is not told by one that lets nobody in, and its place is told without the password", () =>
    Effect.gen(function*() {
      const url = new URL(Redacted.value(yield* temporaryDatabase))
      url.password = SECRET
      const location: ArchiveConfig.Location = { _tag: "Postgres", url: Redacted.make(url.href) }
      const refused = yield* reason(ArchiveConfig.exists(location))
      assert.strictEqual(refused._tag, "CannotOpen")
      assert.include(refused.message, "password authentication failed")
      assert.strictEqual(ArchiveConfig.place(location), `PostgreSQL ${url.host}${url.pathname}`)
      assert.notInclude(JSON.stringify(refused), SECRET)
      assert.strictEqual(ArchiveConfig.place({ _tag: "File", file: "books.db" }), "books.db")
    }))
})
