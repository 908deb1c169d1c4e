/** Key files that others may read, and a configuration file that others may write: told, and refused with `--strict`. */
import { assert, it } from "@effect/vitest"
import * as Exposure from "@tallystick/cli/config/Exposure"
import * as StrictFlag from "@tallystick/cli/config/StrictFlag"
import * as SecretFile from "@tallystick/cli/output/SecretFile"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { configured, SECRET } from "./support/Configured.ts"
import { doctor, NOW } from "./support/Doctor.ts"
import { directory, layerFiles, layerNoNetwork } from "./support/Run.ts"
import * as Service from "./support/Service.ts"

const ADDRESS = "https://api.example.com"

/** A folder with key files of these modes, a configuration file that names them, and a service without records. */
const desk = Effect.fnUntraced(function*(modes: { readonly key?: number; readonly file?: number }, more: object = {}) {
  const files = yield* configured({ baseUrl: ADDRESS, apiKeyFile: "key", secretKeyFile: "secret", ...more })
  const fileSystem = yield* FileSystem.FileSystem
  for (const [name, mode] of [["key", 0o600], ["secret", modes.key ?? 0o600]] as const) {
    yield* fileSystem.chmod(yield* files.put(name, SECRET), mode)
  }
  yield* fileSystem.chmod(files.at("tallystick.json"), modes.file ?? 0o600)
  const deposits = Effect.fnUntraced(function*(args: ReadonlyArray<string> = [], env: Record<string, string> = {}) {
    yield* TestClock.setTime(NOW)
    const service = Service.make({})
    const config = ["--config", files.at("tallystick.json")]
    const result = yield* Effect.provideService(
      files.run(["deposits", "--since", "1h", ...config, ...args], { env }),
      HttpClient.HttpClient,
      service.client
    )
    return { ...result, asked: service.seen.length > 0 }
  })
  return { ...files, deposits, fileSystem }
})

const info = (mode: number, uid?: number, gid = uid) => ({
  mode: 0o100000 | mode,
  uid: Option.fromUndefinedOr(uid),
  gid: Option.fromUndefinedOr(gid)
})

it.layer(Layer.merge(layerFiles, layerNoNetwork))("a file that others may open", (it) => {
  it.effect("is warned of with what to do, where it holds a secret that a command uses", () =>
    Effect.gen(function*() {
      for (const mode of [0o644, 0o604, 0o660, 0o602]) {
        const { at, deposits } = yield* desk({ key: mode })
        const { asked, exitCode, stderr, stdout } = yield* deposits()
        assert.include(
          stderr,
          `warning: others than its owner may open ${at("secret")}, the file of secretKeyFile in ` +
            `${at("tallystick.json")} (mode ${mode.toString(8)}): chmod 600 ${at("secret")}; `
        )
        assert.strictEqual(stderr.split("warning").length, 2)
        assert.strictEqual(stdout, "")
        assert.strictEqual(exitCode, 0)
        assert.isTrue(asked)
      }
      assert.notInclude((yield* (yield* desk({})).deposits()).stderr, "warning")
    }))

  it.effect("is refused by a strict command before anything is asked, however it was told to be strict", () =>
    Effect.gen(function*() {
      const { at, deposits } = yield* desk({ key: 0o644 })
      const configuredSo = yield* desk({ key: 0o644 }, { strict: true })
      const ways = [
        deposits(["--strict"]),
        deposits(["--strict", "--quiet"]),
        deposits([], { TALLYSTICK_STRICT: "true" }),
        configuredSo.deposits()
      ]
      for (const { asked, exitCode, stderr } of yield* Effect.all(ways)) {
        assert.match(stderr, /^tallystick: others than its owner may open [^\n]*secret, [^\n]* chmod 600 [^\n]*\n$/)
        assert.strictEqual(exitCode, 2)
        assert.isFalse(asked)
      }
      assert.isTrue((yield* configuredSo.deposits([], { TALLYSTICK_STRICT: "false" })).asked)
      yield* (yield* FileSystem.FileSystem).chmod(at("secret"), 0o600)
      assert.strictEqual((yield* deposits(["--strict"])).exitCode, 0)
    }))

  it.effect("is the one that a link leads to", () =>
    Effect.gen(function*() {
      const { at, deposits, fileSystem } = yield* desk({ key: 0o644 })
      yield* fileSystem.rename(at("secret"), at("elsewhere"))
      yield* fileSystem.symlink(at("elsewhere"), at("secret"))
      assert.strictEqual((yield* deposits(["--strict"])).exitCode, 2)
      yield* fileSystem.chmod(at("elsewhere"), 0o600)
      assert.strictEqual((yield* deposits(["--strict"])).exitCode, 0)
    }))

  it.effect("is nothing to a command that does not use it, nor where the environment says the secret", () =>
    Effect.gen(function*() {
      const { deposits, put, run } = yield* desk({ key: 0o644 })
      const args = ["reconcile", "--deposits", yield* put("d.ndjson", ""), "--transfers", yield* put("t.ndjson", "")]
      assert.notInclude((yield* run([...args, "--strict"])).stderr, "owner")
      const direct = yield* deposits(["--strict"], { TALLYSTICK_SECRET_KEY: SECRET, TALLYSTICK_API_KEY: "mx0key" })
      assert.strictEqual(direct.exitCode, 0, direct.stderr)
    }))

  it.effect("is the configuration file too, where others may write it, for it says whom keys are shown to", () =>
    Effect.gen(function*() {
      const { at, deposits } = yield* desk({ file: 0o666 })
      const words = `others than its owner may write ${at("tallystick.json")}, which says whom keys are shown to ` +
        `(mode 666): chmod 600 ${at("tallystick.json")}\n`
      const warned = yield* deposits()
      assert.include(warned.stderr, `warning: ${words}`)
      assert.isTrue(warned.asked)
      const refused = yield* deposits(["--strict"])
      assert.strictEqual(refused.stderr, `tallystick: ${words}`)
      assert.strictEqual(refused.exitCode, 2)
      assert.isFalse(refused.asked)
      assert.strictEqual((yield* (yield* desk({ file: 0o644 })).deposits(["--strict"])).exitCode, 0)
    }))

  it.effect("is shown by config show, which then ends as a strict command does", () =>
    Effect.gen(function*() {
      const { at, run } = yield* desk({ file: 0o666 })
      const show = ["config", "show", "--config", at("tallystick.json")]
      const warned = yield* run(show)
      assert.include(warned.stderr, "warning: others than its owner may write")
      assert.strictEqual(warned.exitCode, 0)
      const refused = yield* run([...show, "--strict"])
      assert.match(refused.stderr, /^tallystick: others than its owner may write /)
      assert.strictEqual(refused.exitCode, 2)
      assert.include(refused.stdout, ADDRESS)
    }))

  it.effect("is named by doctor, which asks nothing where it was told to be strict", () =>
    Effect.gen(function*() {
      const { at, folder } = yield* desk({ key: 0o644, file: 0o602 })
      const config = ["--config", at("tallystick.json")]
      const findings = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
        const { exitCode, of, one, seen } = yield* doctor({}, [...config, ...args], { env: {}, folder })
        const open = of("configuration").filter(({ finding }) => finding.startsWith("others than its owner"))
        if (exitCode === 2) {
          assert.deepStrictEqual(one("connection"), {
            what: "connection",
            status: "skipped",
            finding: "nobody was asked, because the configuration failed"
          })
        }
        return { exitCode, asked: seen.length > 0, open: open.map(({ status }) => status) }
      })
      assert.deepStrictEqual(yield* findings(), { exitCode: 0, asked: true, open: ["warning", "warning"] })
      assert.deepStrictEqual(yield* findings("--strict"), { exitCode: 2, asked: false, open: ["failed", "failed"] })
    }))

  it.effect("is refused in no half way: a setting that is neither true nor false ends the command", () =>
    Effect.gen(function*() {
      const { deposits, show } = yield* desk({})
      const { asked, exitCode, stderr } = yield* deposits([], { TALLYSTICK_STRICT: "yes" })
      assert.strictEqual(stderr, "tallystick: TALLYSTICK_STRICT is not valid; allowed: true or false\n")
      assert.strictEqual(exitCode, 2)
      assert.isFalse(asked)
      const shown = yield* show([], { TALLYSTICK_STRICT: "yes" })
      assert.strictEqual(shown.one("strict").problem, "is not valid; allowed: true or false")
      assert.strictEqual((yield* show(["--strict"])).one("strict").from, "--strict")
      assert.strictEqual((yield* show()).one("strict").value, "false")
    }))

  it("may be read by the group where root owns it, and means nothing where there are no owners", () => {
    for (
      const [mode, uid, told] of [
        [0o640, 0, undefined],
        [0o440, 0, undefined],
        [0o660, 0, "660"],
        [0o444, 0, "444"],
        [0o640, 1000, "640"],
        [0o400, 1000, undefined],
        [0o666, undefined, undefined]
      ] as const
    ) assert.strictEqual(Exposure.mode(info(mode, uid), Exposure.ofSecret), told, `${mode.toString(8)} of ${uid}`)
  })

  it("may be written by a group of one, and read by everybody, where it is the configuration file", () => {
    for (
      const [mode, gid, told] of [
        [0o664, 1000, undefined],
        [0o664, 50, "664"],
        [0o644, 50, undefined],
        [0o666, 1000, "666"]
      ] as const
    ) assert.strictEqual(Exposure.mode(info(mode, 1000, gid), Exposure.ofConfiguration), told)
  })

  it.effect("may not become the place of a new secret: a strict command finds out before there is one", () =>
    Effect.gen(function*() {
      const { at, names } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      /** As a disk of another system: every file is everybody's. */
      const shared: FileSystem.FileSystem = {
        ...fileSystem,
        open: (path, options) => Effect.tap(fileSystem.open(path, options), () => fileSystem.chmod(path, 0o666))
      }
      const reserve = Effect.scoped(SecretFile.reserve(at("key.json")))
      const judge = (isStrict: boolean) =>
        reserve.pipe(
          Effect.provideService(FileSystem.FileSystem, shared),
          (effect) => isStrict ? Effect.provideService(effect, StrictFlag.strict, true) : effect,
          Effect.result
        )
      assert.isTrue(Result.isSuccess(yield* judge(false)))
      const refused = yield* judge(true)
      assert(Result.isFailure(refused))
      assert.strictEqual(
        refused.failure.message,
        `others than its owner may open ${
          at("key.json")
        }: the file system gives it the mode 666 whatever is asked for: ` +
          "name a place on another one"
      )
      assert.strictEqual(refused.failure.exitCode, 2)
      assert.deepStrictEqual(yield* names, [])
    }))
})
