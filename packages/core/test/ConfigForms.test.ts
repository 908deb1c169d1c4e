/** Settings that come in files, in parts, or in a form that is none. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const good = {
  TALLYSTICK_BASE_URL: "https://api.example.com",
  TALLYSTICK_API_KEY: "key-zebra",
  TALLYSTICK_SECRET_KEY: "secret-zebra"
}

const readWith = (provider: ConfigProvider.ConfigProvider) =>
  BrokerConfig.load().pipe(
    Effect.flatMap((options) => Effect.fromResult(BrokerConfig.make(options))),
    Effect.provideService(ConfigProvider.ConfigProvider, provider)
  )
const read = (env: Record<string, string>) => readWith(ConfigProvider.fromEnv({ env }))

const failure = (env: Record<string, string>) => Effect.flip(read(env))

const secretOf = ({ secretKey }: BrokerConfig.Settings) => Redacted.value(secretKey)

describe("a length of time that is none", () => {
  it("is an error by name, whatever came", () => {
    const options = { baseUrl: "https://h.example", apiKey: Redacted.make("k"), secretKey: Redacted.make("s") }
    for (const key of ["timeout", "retryBudget", "maxWait"]) {
      for (const given of ["soon", "1 fortnight", "0", ""]) {
        const made = BrokerConfig.make({ ...options, [key]: given })
        assert.strictEqual(Result.isFailure(made) ? made.failure.variable : undefined, key, given)
      }
    }
  })
})

describe("a structured configuration", () => {
  it.effect("says of a text that came as something else that it is not missing", () =>
    Effect.gen(function*() {
      const under = { BASE_URL: "https://api.example.com", API_KEY: "key-zebra", SECRET_KEY: "secret-zebra" }
      for (const name of ["BASE_URL", "API_KEY", "SECRET_KEY"]) {
        for (const given of [{ value: "zebra" }, ["zebra"]]) {
          const error = yield* Effect.flip(
            readWith(ConfigProvider.fromUnknown({ TALLYSTICK: { ...under, [name]: given } }))
          )
          assert.strictEqual(error.variable, `TALLYSTICK_${name}`)
          assert.include(error.problem, "is not one text: only parts of it are there")
          assert.notInclude(error.message, "zebra")
        }
      }
    }))

  it("takes a length of time in ms as a text, as a variable does", () => {
    const { maxWait, timeout } = BrokerConfig.settings
    assert.deepStrictEqual(Schema.decodeSync(maxWait.schema)("0"), Duration.zero)
    assert.deepStrictEqual(Schema.decodeSync(timeout.schema)("1500"), Duration.millis(1500))
    assert.isTrue(Result.isFailure(Schema.decodeResult(timeout.schema)("0")))
  })
})

describe("secrets from files", () => {
  const { TALLYSTICK_SECRET_KEY: _, ...rest } = good

  it.effect("are read without the line end, and their trouble names the variable", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${folder}/secret`, "  file-zebra\n")
      yield* fs.writeFileString(`${folder}/empty`, "\n")
      const settings = yield* read({ ...rest, TALLYSTICK_SECRET_KEY_FILE: `${folder}/secret` })
      assert.strictEqual(secretOf(settings), "file-zebra")
      for (
        const [path, problem] of [
          [`${folder}/empty`, "names a file that is empty"],
          [`${folder}/zebra`, "names a file that cannot be read: it does not exist"],
          [folder, "names a file that cannot be read: it is a directory, or no file at all"]
        ] as const
      ) {
        const error = yield* failure({ ...rest, TALLYSTICK_SECRET_KEY_FILE: path })
        assert.strictEqual(error.variable, "TALLYSTICK_SECRET_KEY_FILE")
        assert.strictEqual(error.problem, problem)
        assert.notInclude(error.message, "zebra")
      }
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.effect("are checked as what they are, and their trouble is that of the file's variable", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${folder}/key`, "key-zebra # old\n")
      const { TALLYSTICK_API_KEY: _, ...others } = good
      const error = yield* failure({ ...others, TALLYSTICK_API_KEY_FILE: `${folder}/key` })
      assert.strictEqual(
        error.message,
        "TALLYSTICK.API_KEY_FILE names a file whose text is not valid; allowed: visible ASCII characters"
      )
      yield* fs.writeFileString(`${folder}/secret`, "file-zebra\nold-zebra\n")
      const lines = yield* failure({ ...rest, TALLYSTICK_SECRET_KEY_FILE: `${folder}/secret` })
      assert.strictEqual(
        lines.message,
        "TALLYSTICK.SECRET_KEY_FILE names a file whose text is not valid; allowed: one line of text that is not empty, " +
          "without white space around it"
      )
      const direct = yield* failure({ ...rest, TALLYSTICK_SECRET_KEY: "zebra\nzebra" })
      assert.strictEqual(direct.variable, "TALLYSTICK_SECRET_KEY")
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.effect("count where a variable of another meaning has the secret's name as its beginning", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(path, "file-zebra")
      const settings = yield* read({ ...rest, TALLYSTICK_SECRET_KEY_OLD: "old", TALLYSTICK_SECRET_KEY_FILE: path })
      assert.strictEqual(secretOf(settings), "file-zebra")
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.effect("need a FileSystem, and say so", () =>
    Effect.gen(function*() {
      const error = yield* failure({ ...rest, TALLYSTICK_SECRET_KEY_FILE: "/etc/zebra" })
      assert.strictEqual(
        error.message,
        "TALLYSTICK.SECRET_KEY_FILE is set, but no FileSystem is provided to read it with"
      )
    }))

  it.effect("give way to the variable itself", () =>
    Effect.gen(function*() {
      const settings = yield* read({ ...good, TALLYSTICK_SECRET_KEY_FILE: "/nowhere" })
      assert.strictEqual(secretOf(settings), "secret-zebra")
    }))
})
