/** Which configuration file is taken, and what one may say that nobody named. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { configured, SECRET } from "./support/Configured.ts"
import { doctor, env } from "./support/Doctor.ts"
import { layerFiles, layerNoNetwork } from "./support/Run.ts"

it.layer(Layer.merge(layerFiles, layerNoNetwork))("the configuration file", (it) => {
  it.effect("is not taken from a file that everybody may write, unless it is named", () =>
    Effect.gen(function*() {
      const { at, show } = yield* configured({ rate: 30 })
      const fileSystem = yield* FileSystem.FileSystem
      yield* fileSystem.chmod(at("tallystick.json"), 0o666)
      const found = yield* show()
      assert.strictEqual(found.exitCode, 2)
      assert.strictEqual(found.one("rate").value, "20")
      assert.strictEqual((yield* show(["--config", at("tallystick.json")])).one("rate").value, "30")
      yield* fileSystem.chmod(at("tallystick.json"), 0o664)
      assert.strictEqual((yield* show()).one("rate").value, "30")
    }))

  it.effect("is not taken through a link to a file that everybody may write", () =>
    Effect.gen(function*() {
      const { at, put, show } = yield* configured({})
      const fileSystem = yield* FileSystem.FileSystem
      yield* fileSystem.remove(at("tallystick.json"))
      yield* fileSystem.symlink(yield* put("other.json", "{\"rate\": 40}"), at("tallystick.json"))
      assert.strictEqual((yield* show()).one("rate").value, "40")
      yield* fileSystem.chmod(at("other.json"), 0o666)
      assert.strictEqual((yield* show()).exitCode, 2)
    }))

  it.effect("may name key files anywhere where it was named itself, else only beside it", () =>
    Effect.gen(function*() {
      const outside = yield* configured({})
      const key = yield* outside.put("key", SECRET)
      const fileSystem = yield* FileSystem.FileSystem
      for (const link of [false, true]) {
        const { at, folder, put, show } = yield* configured({ apiKeyFile: link ? "link" : key, secretKeyFile: "own" })
        yield* put("own", SECRET)
        if (link) yield* fileSystem.symlink(key, at("link"))
        const found = yield* show()
        assert.strictEqual(found.exitCode, 2)
        assert.strictEqual(found.one("apiKeyFile").value, null)
        assert.strictEqual(found.one("secretKeyFile").value, at("own"))
        assert.strictEqual(found.overview.problems.length, 1)
        assert.include(found.overview.problems[0], "apiKeyFile: a file that nobody named may only name key files in")
        const named = yield* show(["--config", at("tallystick.json")])
        assert.deepStrictEqual(named.overview.problems, [])
        assert.strictEqual(named.one("apiKeyFile").value, link ? at("link") : key)
        const told = yield* doctor({}, [], { env, folder })
        assert.deepStrictEqual(told.seen, [])
      }
    }))

  it.effect("that nobody named says whom it lets a command ask, before that happens", () =>
    Effect.gen(function*() {
      const { TALLYSTICK_BASE_URL, ...credentials } = env
      const { at, folder } = yield* configured({ baseUrl: TALLYSTICK_BASE_URL })
      const line = `asking ${TALLYSTICK_BASE_URL} (baseUrl of ${at("tallystick.json")})\n`
      const stderr = Effect.fnUntraced(function*(args: ReadonlyArray<string>, more: Record<string, string> = {}) {
        return (yield* doctor({}, args, { env: { ...credentials, ...more }, folder })).stderr
      })
      assert.isTrue((yield* stderr([])).startsWith(line))
      assert.notInclude(yield* stderr(["--quiet"]), "asking")
      assert.notInclude(yield* stderr(["--config", at("tallystick.json")]), "asking")
      assert.notInclude(yield* stderr([], { TALLYSTICK_BASE_URL }), "asking")
    }))

  it.effect("is a regular file of at most 1 MB: nothing else is waited for", () =>
    Effect.gen(function*() {
      const { at, put, show } = yield* configured({})
      const pipe = at("pipe")
      execFileSync("sh", ["-c", "mkfifo \"$0\"", pipe])
      for (
        const [path, problem] of [
          [pipe, "it is no regular file"],
          ["/dev/zero", "it is no regular file"],
          [at(""), "it is a directory"],
          [yield* put("long.json", `{}${" ".repeat(1_000_000)}`), "it is longer than 1 MB"]
        ] as const
      ) {
        const { exitCode, overview } = yield* show(["--config", path])
        assert.strictEqual(exitCode, 2)
        assert.deepStrictEqual(overview.problems, [`it cannot be read: ${problem}`])
      }
    }))

  it.effect("says nothing twice, in one way or in two", () =>
    Effect.gen(function*() {
      const twice = yield* (yield* configured("{\"rate\": 3,\n \"rate\": 4}")).show()
      assert.deepStrictEqual(twice.overview.problems, ["line 2, column 2: rate stands here for the second time"])
      const both = yield* (yield* configured({ archive: "own.db", databaseUrl: "postgres://user@host/books" })).show()
      assert.strictEqual(both.exitCode, 2)
      assert.deepStrictEqual(
        both.overview.problems,
        ["archive and databaseUrl: only one of them can count; take the other away"]
      )
    }))

  it.effect("stops no command that asks nothing of it", () =>
    Effect.gen(function*() {
      const { put, run } = yield* configured("{")
      const policy = yield* put("policy.json", "{}")
      assert.strictEqual((yield* run(["policy", "check", policy])).exitCode, 0)
      assert.notInclude((yield* run(["demo", "--deposits", "20"])).stderr, "tallystick.json")
      assert.strictEqual((yield* run(["export", "deposits"])).exitCode, 2)
    }))
})
