import { assert, it } from "@effect/vitest"
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as ConfigFile from "@tallystick/cli/config/ConfigFile"
import * as Setting from "@tallystick/cli/config/Setting"
import * as TerminalStyle from "@tallystick/cli/terminal/TerminalStyle"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { configured, SECRET } from "./support/Configured.ts"
import { doctor, env } from "./support/Doctor.ts"
import { layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const entry = (id: string) => `${JSON.stringify({ id, asset: "BTC", amount: "1", at: 1_790_000_000_000 })}\n`

it.layer(Layer.merge(layerFiles, layerNoNetwork))("the configuration", (it) => {
  it.effect("is what a flag says, else the environment, else the file, else the default, and says who", () =>
    Effect.gen(function*() {
      const { at, show } = yield* configured({ zone: "Europe/Berlin", rate: 30, retries: 2 })
      const file = at("tallystick.json")
      const all = yield* show(["--zone", "Asia/Tokyo"], { TALLYSTICK_ZONE: "UTC", TALLYSTICK_RATE: "10" })
      assert.deepStrictEqual(all.one("zone"), { origin: "flag", from: "--zone", value: "Asia/Tokyo", problem: null })
      assert.deepStrictEqual(
        all.one("rate"),
        { origin: "environment", from: "TALLYSTICK_RATE", value: "10", problem: null }
      )
      assert.deepStrictEqual(all.one("retries"), { origin: "file", from: file, value: "2", problem: null })
      assert.deepStrictEqual(all.one("timeout"), { origin: "default", from: null, value: "30 seconds", problem: null })
      assert.deepStrictEqual(all.one("policy"), { origin: "unset", from: null, value: null, problem: null })
      assert.strictEqual(all.exitCode, 0)
      const fewer = yield* show([], { TALLYSTICK_ZONE: " ", TALLYSTICK_RATE: "" })
      assert.strictEqual(fewer.one("zone").value, "Europe/Berlin")
      assert.strictEqual(fewer.one("rate").value, "30")
    }))

  it.effect("is in force for the command that reads it, paths from where the file lies", () =>
    Effect.gen(function*() {
      const { at, put, run } = yield* configured({ policy: "rules/policy.json", zone: "Europe/Berlin", format: "json" })
      const fileSystem = yield* FileSystem.FileSystem
      yield* fileSystem.makeDirectory(at("rules"))
      yield* put("rules/policy.json", JSON.stringify({ minAmount: { BTC: "5" } }))
      const sides = [
        "--deposits",
        yield* put("d.ndjson", entry("d")),
        "--transfers",
        yield* put("t.ndjson", entry("t"))
      ]
      const own = yield* run(["reconcile", ...sides, "--complete"])
      assert.include(own.stdout, `"minAmount":{"BTC":"5"}`)
      const csv = at("report.csv")
      yield* run(["reconcile", ...sides, "--complete", "--out", csv])
      assert.notInclude(yield* fileSystem.readFileString(csv), "{\"version\"")
      const other = yield* run(["reconcile", ...sides, "--complete", "--format", "json"], {
        env: { TALLYSTICK_POLICY: yield* put("other.json", "{}") }
      })
      assert.include(other.stdout, `"minAmount":{}`)
    }))

  it.effect("is read from the file that --config names, or the environment, and must be there", () =>
    Effect.gen(function*() {
      const { put, show } = yield* configured({ rate: 30 })
      const other = yield* put("other.json", "{\"rate\": 40}")
      assert.strictEqual((yield* show(["--config", other])).one("rate").value, "40")
      assert.strictEqual((yield* show([`--config=${other}`])).one("rate").value, "40")
      assert.strictEqual((yield* show([], { TALLYSTICK_CONFIG: other })).one("rate").value, "40")
      const missing = yield* show(["--config", "not-there.json"])
      assert.strictEqual(missing.exitCode, 2)
      assert.deepStrictEqual(missing.overview.problems, ["it cannot be read: it does not exist"])
    }))

  it.effect("names everything that is wrong with the file, shows the rest, and lets no command run with it", () =>
    Effect.gen(function*() {
      const { at, run, show } = yield* configured({
        retires: 3,
        secretKey: SECRET,
        apiKeyFile: { key: SECRET },
        timeout: `${SECRET} seconds`,
        conventions: { recvWindow: SECRET },
        databaseUrl: `postgres://user:${SECRET}@host/books`,
        allowHttp: "yes",
        zone: "Europe/Berlin"
      })
      const { exitCode, one, overview } = yield* show()
      assert.strictEqual(exitCode, 2)
      assert.strictEqual(one("zone").value, "Europe/Berlin")
      const begins = [
        "retires: this key is not known here. Did you mean this? retries",
        "secretKey: a secret does not belong here",
        "apiKeyFile: wanted: the name of a file",
        "timeout: wanted: a length of time",
        "conventions.recvWindow: this setting",
        "databaseUrl: wanted: postgres://user@host:port/database without a password",
        "allowHttp: wanted: true or false"
      ]
      assert.strictEqual(overview.problems.length, begins.length)
      for (const begin of begins) assert.isTrue(overview.problems.some((problem) => problem.startsWith(begin)), begin)
      const refused = yield* run(["deposits", "--since", "1h"], { env })
      assert.strictEqual(refused.exitCode, 2)
      assert.include(refused.stderr, `${at("tallystick.json")}: `)
      assert.strictEqual(refused.stderr.trimEnd().split("\n").length, begins.length)
    }))

  it.effect("never quotes a file that is no JSON, nor one that is no object", () =>
    Effect.gen(function*() {
      for (const text of [`{"rate": ${SECRET}}`, SECRET, "", "[]", "null", `"${SECRET}"`, "{\"rate\": 3"]) {
        const { show } = yield* configured(text)
        const { exitCode, overview } = yield* show()
        assert.strictEqual(exitCode, 2, text)
        assert.strictEqual(overview.problems.length, 1, text)
      }
    }))

  it.effect("shows no secret, no password and not how long they are", () =>
    Effect.gen(function*() {
      const { run } = yield* configured({})
      const told = Effect.map(
        Effect.forEach([SECRET, `${SECRET}${SECRET}`], (secret) =>
          run(["config", "show"], {
            env: {
              TALLYSTICK_API_KEY: secret,
              TALLYSTICK_SECRET_KEY: secret,
              TALLYSTICK_BASE_URL: `https://user:${secret}@api.example.com`,
              TALLYSTICK_DATABASE_URL: `postgres://user:${secret}@db.example.com/books`,
              HTTPS_PROXY: `http://user:${secret}@proxy.example.com:3128`,
              NODE_USE_ENV_PROXY: "1"
            }
          })),
        (results) => results.map(({ stdout }) => stdout)
      )
      const [short = "", long] = yield* told
      assert.strictEqual(short, long)
      assert.include(short, "PostgreSQL db.example.com:5432/books")
      assert.include(short, "through the proxy http://proxy.example.com:3128 of HTTPS_PROXY")
    }))

  it.effect("takes the environment's way of saying a thing for all ways of the file", () =>
    Effect.gen(function*() {
      const { one } = yield* (yield* configured({
        databaseUrl: "postgres://user@host/books",
        apiKeyFile: "key"
      })).show([], { TALLYSTICK_ARCHIVE: "own.db", TALLYSTICK_API_KEY: SECRET })
      assert.strictEqual(one("databaseUrl").value, null)
      assert.strictEqual(one("archive").value, "own.db")
      assert.strictEqual(one("apiKeyFile").value, null)
      const { run } = yield* configured({ databaseUrl: "postgres://user@host/books" })
      const env = { TALLYSTICK_ARCHIVE: "/nowhere/own.db" }
      assert.include((yield* run(["archive", "status"], { env })).stderr, "there is no archive in /nowhere/own.db")
      const flag = ["--archive-file", "/nowhere/flag.db"]
      assert.include((yield* run(["archive", "status", ...flag])).stderr, "there is no archive in /nowhere/flag.db")
    }))

  it.effect("names the key in the file where its value is refused later", () =>
    Effect.gen(function*() {
      const { at, put, run } = yield* configured({
        baseUrl: "http://api.example.com",
        apiKeyFile: "key",
        secretKeyFile: "key"
      })
      yield* put("key", SECRET)
      const { exitCode, stderr } = yield* run(["deposits", "--since", "1h"])
      assert.strictEqual(exitCode, 2)
      assert.include(stderr, `baseUrl in ${at("tallystick.json")} `)
      yield* put("tallystick.json", "{\"zone\": \"Europe/Berln\"}")
      const args = ["deposits", "--day", "2026-11-19"]
      assert.include(
        (yield* run(args, { env })).stderr,
        `zone in ${at("tallystick.json")}: "Europe/Berln" is no time zone`
      )
      assert.include((yield* run([...args, "--zone", "Paris"], { env })).stderr, "--zone: \"Paris\" is no time zone")
    }))

  it.effect("cannot end a command in silence, nor with 1, whatever goes wrong while it is looked for", () =>
    Effect.gen(function*() {
      const provider = ConfigProvider.make(() => Effect.die(new Error("broken")))
      const { exitCode, stderr } = yield* tallystick(["deposits"], { provider })
      assert.strictEqual(stderr, "tallystick: internal error: Error: broken\n")
      assert.strictEqual(exitCode, 3)
    }))

  it.effect("tells of variables that nothing reads, and what may have been meant", () =>
    Effect.gen(function*() {
      const { overview } = yield* (yield* configured({})).show([], { TALLYSTICK_RETRYS: "3", TALLYSTICK_SHOE: "4" })
      assert.deepStrictEqual(overview.unread, [
        "TALLYSTICK_RETRYS (did you mean TALLYSTICK_RETRIES?)",
        "TALLYSTICK_SHOE"
      ])
    }))

  it.effect("reads a variable whose name goes on behind that of a setting as nothing, and never as a part of it", () =>
    Effect.gen(function*() {
      const stray = { TALLYSTICK_TIMEOUT_MS: "5", TALLYSTICK_CONVENTIONS_depositHistory: "7000" }
      const { exitCode, overview, one } = yield* (yield* configured({})).show([], stray)
      assert.deepStrictEqual(overview.unread, Object.keys(stray).toSorted())
      assert.strictEqual(exitCode, 0)
      assert.strictEqual(one("timeout").origin, "default")
      const told = yield* doctor({}, [], { env: { ...env, ...stray } })
      assert.deepStrictEqual(told.of("configuration").map(({ status }) => status), ["ok", "warning"])
      assert.include(told.one("retention").finding, "deposits for 72 hours")
    }))

  it.effect("is looked at by the doctor, who names the file and what is wrong with it", () =>
    Effect.gen(function*() {
      const sound = yield* configured({ baseUrl: env.TALLYSTICK_BASE_URL })
      const { TALLYSTICK_BASE_URL, ...credentials } = env
      const { one } = yield* doctor({}, [], { env: credentials, folder: sound.folder })
      assert.include(
        one("configuration").finding,
        `${TALLYSTICK_BASE_URL} from baseUrl in ${sound.at("tallystick.json")}`
      )
      const broken = yield* configured({ baseUrl: "https://other.example.com", rate: "fast" })
      const told = yield* doctor({}, [], { env, folder: broken.folder })
      assert.strictEqual(told.exitCode, 2)
      assert.include(told.one("configuration").finding, "rate: wanted: requests a second")
      assert.deepStrictEqual(told.seen, [])
    }))

  it.effect("tells what is set and not in force, and what counts instead", () =>
    Effect.gen(function*() {
      const { put, run, show } = yield* configured({})
      const key = yield* put("key", SECRET)
      const database = "postgres://user@host/books"
      const overruled = Effect.fnUntraced(function*(env: Record<string, string>, args: ReadonlyArray<string> = []) {
        const { settings } = (yield* show(args, env)).overview
        return settings.flatMap(({ overruledBy, setting }) =>
          overruledBy === null ? [] : [`${setting} < ${overruledBy}`]
        )
      })
      assert.deepStrictEqual(yield* overruled({}), [])
      assert.deepStrictEqual(
        yield* overruled({ TALLYSTICK_API_KEY: SECRET, TALLYSTICK_API_KEY_FILE: key, TALLYSTICK_SECRET_KEY_FILE: key }),
        ["apiKeyFile < apiKey", "secretKey < secretKeyFile"]
      )
      const both = { TALLYSTICK_ARCHIVE: "own.db", TALLYSTICK_DATABASE_URL: database }
      assert.deepStrictEqual(yield* overruled(both), ["archive < databaseUrl"])
      assert.deepStrictEqual(yield* overruled({ TALLYSTICK_DATABASE_URL: database }), ["archive < databaseUrl"])
      assert.match(
        (yield* run(["config", "show"], { env: both })).stdout,
        /own\.db +\(not used: databaseUrl counts\)\n/
      )
      const refused = yield* show(["--archive-file", "flag.db"], both)
      assert.strictEqual(refused.exitCode, 2)
      assert.include(refused.one("archive").problem, "only one of them can")
    }))

  it.effect("names whoever named a file that cannot be read, and finds that out beforehand", () =>
    Effect.gen(function*() {
      const { at, put, run, show } = yield* configured({ prices: "nope.csv" })
      const env = { TALLYSTICK_POLICY: "/nowhere/policy.json" }
      const shown = yield* show([], env)
      assert.strictEqual(shown.exitCode, 2)
      assert.strictEqual(
        shown.one("policy").problem,
        "names /nowhere/policy.json, which cannot be read: it does not exist"
      )
      const sides = [
        "--deposits",
        yield* put("d", entry("d")),
        "--transfers",
        yield* put("t", entry("t")),
        "--complete"
      ]
      assert.include(
        (yield* run(["reconcile", ...sides], { env })).stderr,
        "TALLYSTICK_POLICY names /nowhere/policy.json, which cannot be read: it does not exist"
      )
      assert.include(
        (yield* run(["reconcile", ...sides])).stderr,
        `prices in ${at("tallystick.json")} names ${at("nope.csv")}, which cannot be read: it does not exist`
      )
      const { stderr } = yield* run(["reconcile", ...sides, "--prices", "/nowhere/prices.csv"])
      assert.include(stderr, "tallystick: /nowhere/prices.csv cannot be read: it does not exist")
    }))

  it.effect("is refused by the doctor where config show refuses it", () =>
    Effect.gen(function*() {
      const { at, folder, show } = yield* configured({ prices: "nope.csv" })
      const wrong = { TALLYSTICK_ZONE: "Europe/Berln", TALLYSTICK_FORMAT: "pdf" }
      const { overview } = yield* show([], wrong)
      assert.strictEqual(overview.settings.filter(({ problem }) => problem !== null).length, 3)
      const { checks, exitCode } = yield* doctor({}, [], { env: { ...env, ...wrong }, folder })
      assert.strictEqual(exitCode, 2)
      const failed = checks.filter(({ status }) => status === "failed").map(({ finding }) => finding)
      assert.deepStrictEqual(failed, [
        "TALLYSTICK_ZONE \"Europe/Berln\" is no time zone; wanted: Area/City such as Europe/Berlin, or UTC",
        "TALLYSTICK_FORMAT is none of table, json, ndjson, csv, xlsx, markdown, html",
        `prices in ${at("tallystick.json")} names ${at("nope.csv")}, which cannot be read: it does not exist`
      ])
    }))

  it.effect("takes colours from a terminal where FORCE_COLOR is 0, and leaves them to it otherwise", () =>
    Effect.gen(function*() {
      const canColor = (env: Record<string, string>, canColor: boolean) =>
        TerminalStyle.capabilities.pipe(
          Effect.map((found) => found.canColor),
          Effect.provideService(TerminalCapabilities.TerminalCapabilities, {
            canColor,
            canAnimate: true,
            canPrompt: true
          }),
          Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)))
        )
      for (const no of ["0", "false", "FALSE"]) assert.isFalse(yield* canColor({ FORCE_COLOR: no }, true), no)
      for (const text of ["", "1", "true"]) assert.isTrue(yield* canColor({ FORCE_COLOR: text }, true), text)
      assert.isFalse(yield* canColor({}, false))
    }))

  it("has a key for every setting but the secrets", () => {
    assert.deepStrictEqual(
      Object.keys(ConfigFile.schema.fields).filter((key) => key !== "$schema").toSorted(),
      Setting.settings.filter(({ form }) => form !== "secret").map(({ key }) => key).toSorted()
    )
  })

  it("knows every variable of the libraries, with its default", () => {
    for (const { default: fallback, name } of [...BrokerConfig.variables, ...ArchiveConfig.variables]) {
      const setting = Setting.byVariable(name)
      assert.isDefined(setting, name)
      assert.strictEqual(setting?.fallback, fallback, name)
    }
  })
})
