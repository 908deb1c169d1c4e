import { assert, it } from "@effect/vitest"
import * as SecretFile from "@tallystick/cli/output/SecretFile"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as PlatformError from "effect/PlatformError"
import { directory, layerFiles } from "./support/Run.ts"

const failing = (code: string) =>
  Effect.fail(
    PlatformError.systemError({
      _tag: "Unknown",
      module: "FileSystem",
      method: "write",
      cause: Object.assign(new Error(code), { code })
    })
  )

it.layer(layerFiles)("a file for a secret", (it) => {
  it.effect("bears its name only when the secret is in it, and is its owner's alone before and after", () =>
    Effect.gen(function*() {
      const { at, get, mode, names } = yield* directory
      yield* Effect.scoped(Effect.gen(function*() {
        const { keep } = yield* SecretFile.reserve(at("key.json"))
        const [temporary = "", ...rest] = yield* names
        assert.match(temporary, /^\.key\.json\..*\.tmp$/)
        assert.deepStrictEqual(rest, [])
        assert.strictEqual(yield* mode(temporary), 0o600)
        assert.strictEqual(yield* keep("the secret"), at("key.json"))
      }))
      assert.deepStrictEqual(yield* names, ["key.json"])
      assert.strictEqual(yield* get("key.json"), "the secret")
      assert.strictEqual(yield* mode("key.json"), 0o600)
    }))

  it.effect("leaves nothing when no secret comes", () =>
    Effect.gen(function*() {
      const { at, names } = yield* directory
      yield* Effect.scoped(SecretFile.reserve(at("key.json")))
      assert.deepStrictEqual(yield* names, [])
    }))

  it.effect("takes no place that is taken, not even by a link to nowhere", () =>
    Effect.gen(function*() {
      const { at, names, put } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      yield* put("key.json", "another")
      yield* fileSystem.symlink(at("nowhere"), at("link.json"))
      for (const name of ["key.json", "link.json"]) {
        const { exitCode, message } = yield* Effect.flip(Effect.scoped(SecretFile.reserve(at(name))))
        assert.strictEqual(exitCode, 2)
        assert.match(message, /cannot be made; no key was asked for: it exists already$/)
      }
      assert.deepStrictEqual(yield* names, ["key.json", "link.json"])
    }))

  it.effect("keeps the secret beside a file that came meanwhile, and says where", () =>
    Effect.gen(function*() {
      const { at, get, names, put } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      const kept = yield* Effect.scoped(Effect.gen(function*() {
        const { keep } = yield* SecretFile.reserve(at("key.json"))
        yield* put("key.json", "another")
        return yield* keep("the secret")
      }))
      assert.strictEqual(yield* get("key.json"), "another")
      assert.strictEqual(yield* fileSystem.readFileString(kept), "the secret")
      assert.strictEqual((yield* names).length, 2)
    }))

  it.effect("is made where the file system has no links", () =>
    Effect.gen(function*() {
      const { at, get, names } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      const keeping = Effect.flatMap(SecretFile.reserve(at("key.json")), ({ keep }) => keep("the secret"))
      yield* Effect.scoped(keeping).pipe(
        Effect.provideService(FileSystem.FileSystem, { ...fileSystem, link: () => failing("EPERM") })
      )
      assert.deepStrictEqual(yield* names, ["key.json"])
      assert.strictEqual(yield* get("key.json"), "the secret")
    }))

  it.effect("finds out that the disk is full before there is a secret, and leaves nothing", () =>
    Effect.gen(function*() {
      const { at, names } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      const full: FileSystem.FileSystem = {
        ...fileSystem,
        open: (path, options) =>
          Effect.map(
            fileSystem.open(path, options),
            (file) => Object.create(file, { writeAll: { value: () => failing("ENOSPC") } })
          )
      }
      const { exitCode, message } = yield* Effect.scoped(SecretFile.reserve(at("key.json"))).pipe(
        Effect.provideService(FileSystem.FileSystem, full),
        Effect.flip
      )
      assert.strictEqual(exitCode, 2)
      assert.match(message, /key\.json cannot be made; no key was asked for: the disk is full$/)
      assert.deepStrictEqual(yield* names, [])
    }))
})
