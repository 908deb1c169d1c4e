import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as ArchiveConfig from "../src/ArchiveConfig.ts"

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
