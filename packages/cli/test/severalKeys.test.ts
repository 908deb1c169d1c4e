/** Several keys of one master: their file, and commands that take them in turn. */
import { assert, describe, it } from "@effect/vitest"
import * as Network from "@tallystick/cli/network/Network"
import * as Conventions from "@tallystick/core/Conventions"
import { allPermissions, type Credential } from "@tallystick/sandbox/Credential"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { configured, SECRET } from "./support/Configured.ts"
import { decode, NOW } from "./support/Doctor.ts"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"

const ADDRESS = "https://api.example.com"

const further = (...numbers: ReadonlyArray<number>) =>
  JSON.stringify(numbers.map((number) => ({ apiKey: `mx0key${number}`, secretKey: `${SECRET}-${number}` })))

const good = { apiKey: "mx0key2", secretKey: SECRET }

/** Files of further keys that are wrong, and what is said of them. */
const wrong: ReadonlyArray<readonly [name: string, text: string, told: string]> = [
  ["nothing", " \n", "names a file that is empty"],
  ["lines", `mx0key2 ${SECRET}\n`, "names a file that is no JSON; wanted: a JSON array of "],
  ["one key and no list", JSON.stringify(good), "names a file that holds no list of keys; wanted: a JSON array of "],
  ["an empty list", "[]", "names a file that holds no list of keys; wanted: "],
  [
    "a key without its secret",
    `[{"apiKey":"${SECRET}"}]`,
    "names a file that has another form in entry 1 of 1; wanted: "
  ],
  ["an entry that is no object", JSON.stringify([good, SECRET]), "has another form in entry 2 of 2; wanted: "],
  ["an entry that is null", JSON.stringify([null]), "has another form in entry 1 of 1; wanted: "],
  ["a field too many", JSON.stringify([good, { ...good, [SECRET]: 1 }]), "has another form in entry 2 of 2; wanted: "],
  [
    "a secret that is a number",
    JSON.stringify([{ ...good, secretKey: 7 }]),
    "has another form in entry 1 of 1; wanted: "
  ],
  [
    "a key with a space",
    JSON.stringify([{ ...good, apiKey: `${SECRET} x` }]),
    "has a wrong apiKey in entry 1 of 1; allowed: "
  ],
  [
    "a secret of two lines",
    JSON.stringify([{ ...good, secretKey: `${SECRET}\nx` }]),
    "has a wrong secretKey in entry 1 of 1; "
  ],
  [
    "a key twice",
    JSON.stringify([good, { ...good, secretKey: "other" }]),
    "repeats a key in entry 2 of 2; wanted: each key once"
  ],
  [
    "the first key",
    JSON.stringify([good, { ...good, apiKey: "mx0key1" }]),
    "repeats the first key in entry 2 of 2; wanted: further keys"
  ]
]

it.layer(Layer.merge(layerFiles, layerNoNetwork))("the file of further keys", (it) => {
  const first = { TALLYSTICK_BASE_URL: ADDRESS, TALLYSTICK_API_KEY: "mx0key1", TALLYSTICK_SECRET_KEY: SECRET }

  it.effect.each(wrong)(
    "with %s is refused before anything is asked, and nothing of it is shown",
    ([, text, told]) =>
      Effect.gen(function*() {
        const { put, run, show } = yield* configured({})
        const file = yield* put("keys.json", text)
        const asked = yield* run(["deposits", "--since", "1h"], { env: { ...first, TALLYSTICK_API_KEYS_FILE: file } })
        assert.strictEqual(asked.exitCode, 2)
        assert.include(asked.stderr, "tallystick: TALLYSTICK_API_KEYS_FILE names a file that ")
        assert.include(asked.stderr, told)
        assert.notInclude(asked.stderr, "mx0key")
        const shown = yield* show([], { ...first, TALLYSTICK_API_KEYS_FILE: file })
        assert.include(shown.one("apiKeysFile").problem ?? "", told)
        const direct = yield* run(["deposits", "--since", "1h"], { env: { ...first, TALLYSTICK_API_KEYS: text } })
        if (text.trim() === "") return
        assert.strictEqual(direct.exitCode, 2)
        assert.include(direct.stderr, told.replace("names a file that ", ""))
        assert.match(direct.stderr, /tallystick: TALLYSTICK_API_KEYS (?:is|holds|has|repeats) /)
      })
  )

  it.effect("that cannot be read is told as that of any other secret", () =>
    Effect.gen(function*() {
      const { at, run } = yield* configured({})
      for (const [path, told] of [[at("none"), "it does not exist"], [at(""), "it is a directory"]] as const) {
        const result = yield* run(["deposits", "--since", "1h"], { env: { ...first, TALLYSTICK_API_KEYS_FILE: path } })
        assert.strictEqual(result.exitCode, 2)
        assert.include(result.stderr, `TALLYSTICK_API_KEYS_FILE names a file that cannot be read: ${told}`)
      }
    }))

  it.effect("is named by its key where the configuration file names it, and does not stand there itself", () =>
    Effect.gen(function*() {
      const { folder, put, run } = yield* configured({ baseUrl: ADDRESS, apiKeysFile: "keys.json" })
      yield* put("keys.json", "[]")
      const { stderr } = yield* run(["deposits", "--since", "1h"], {
        env: { TALLYSTICK_API_KEYS_FILE: `${folder}/keys.json`, TALLYSTICK_API_KEY: "k", TALLYSTICK_SECRET_KEY: "s" }
      })
      assert.include(stderr, "TALLYSTICK_API_KEYS_FILE names a file that holds no list")
      const own = yield* configured({ baseUrl: ADDRESS, apiKeyFile: "k", secretKeyFile: "s", apiKeysFile: "keys.json" })
      yield* Effect.all([own.put("keys.json", "[]"), own.put("k", "mx0key1"), own.put("s", SECRET)])
      const named = yield* own.run(["deposits", "--since", "1h"])
      assert.include(named.stderr, `apiKeysFile in ${own.at("tallystick.json")} names a file that holds no list`)
      const inline = yield* configured({ apiKeys: [good] })
      assert.include((yield* inline.show()).overview.problems.join(), "apiKeys: a secret does not belong here")
    }))

  it.effect("of a configuration file counts for the key of that file, and not for one of the environment", () =>
    Effect.gen(function*() {
      const { at, put, show } = yield* configured({ apiKeyFile: "k", secretKeyFile: "s", apiKeysFile: "keys.json" })
      yield* Effect.all([
        put("keys.json", further(2)),
        put("k", "mx0key1"),
        put("s", SECRET),
        put("more.json", further(3))
      ])
      assert.strictEqual((yield* show()).one("apiKeysFile").value, at("keys.json"))
      for (const env of [{ TALLYSTICK_API_KEY: "mx0other" }, { TALLYSTICK_API_KEY_FILE: at("s") }]) {
        assert.strictEqual((yield* show([], env)).one("apiKeysFile").origin, "unset")
      }
      const both = yield* show([], { TALLYSTICK_API_KEYS_FILE: at("more.json") })
      assert.strictEqual(both.one("apiKeysFile").value, at("more.json"))
      assert.strictEqual(both.one("apiKeyFile").value, at("k"))
    }))

  it.effect("is for its owner alone, like the others", () =>
    Effect.gen(function*() {
      const { put, run } = yield* configured({})
      const file = yield* put("keys.json", further(2))
      const env = { ...first, TALLYSTICK_API_KEYS_FILE: file }
      const fileSystem = yield* FileSystem.FileSystem
      const asked = (args: ReadonlyArray<string>) =>
        Effect.provideService(
          run(["deposits", "--since", "1h", ...args], { env }),
          HttpClient.HttpClient,
          Service.make({}).client
        )
      yield* fileSystem.chmod(file, 0o644)
      const strict = yield* asked(["--strict"])
      assert.strictEqual(strict.exitCode, 2)
      assert.include(
        strict.stderr,
        `others than its owner may open ${file}, the file of TALLYSTICK_API_KEYS_FILE (mode 644)`
      )
      assert.include((yield* asked([])).stderr, "warning: others than its owner may open")
      yield* fileSystem.chmod(file, 0o600)
      yield* TestClock.setTime(NOW)
      const own = yield* asked(["--strict"])
      assert.strictEqual(own.exitCode, 0, own.stderr)
    }))
})

/** The client, and the keys that it sent in the order of their requests. */
const watching = (client: HttpClient.HttpClient) => {
  const keys: Array<string> = []
  return {
    keys,
    client: HttpClient.mapRequest(client, (request: HttpClientRequest.HttpClientRequest) => {
      const key = request.headers["x-mexc-apikey"]
      if (key !== undefined) keys.push(key)
      return request
    })
  }
}

const credential = (number: number, permissions = allPermissions): Credential => ({
  apiKey: `mx0key${number}`,
  secretKey: Redacted.make(`${SECRET}-${number}`),
  permissions
})

/** A sandbox on a socket that knows these keys, and the command in an environment with these further ones. */
const desk = Effect.fnUntraced(function*(numbers: ReadonlyArray<number>) {
  const { baseUrl, environment } = yield* Sandbox.Sandbox
  const files = yield* directory
  const file = yield* files.put("keys.json", further(...numbers))
  yield* (yield* FileSystem.FileSystem).chmod(file, 0o600)
  const { client, keys } = watching(yield* HttpClient.HttpClient)
  const run = Effect.fnUntraced(function*(args: ReadonlyArray<string>, env: Record<string, string> = {}) {
    const result = yield* tallystick(args, {
      env: {
        ...environment(),
        TALLYSTICK_BASE_URL: baseUrl,
        TALLYSTICK_API_KEYS: "",
        TALLYSTICK_API_KEYS_FILE: file,
        TALLYSTICK_ARCHIVE: files.at("books.db"),
        ...env
      }
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
    assert.notInclude(result.stdout + result.stderr, SECRET)
    assert.notInclude(result.stdout + result.stderr, "mx0key")
    return result
  })
  return { ...files, keys, run }
})

const onSocket = (...credentials: readonly [Credential, ...ReadonlyArray<Credential>]) =>
  Layer.mergeAll(
    layerFiles,
    Network.layer,
    Sandbox.Sandbox.layer({
      credentials,
      history: { seed: 11, deposits: 120, subAccounts: 3 },
      conventions: Conventions.make({ ratePer: "key", depositPage: { default: 10, maximum: 10 } }),
      rules: { rate: null }
    })
  )

describe("a command with several keys, over real sockets", () => {
  it.live("reads the same as with one key, and each key has its share", () =>
    Effect.gen(function*() {
      const { keys, run } = yield* desk([2, 3])
      const one = yield* run(["deposits", "--since", "71h"], { TALLYSTICK_API_KEYS_FILE: "" })
      assert.deepStrictEqual(new Set(keys), new Set(["mx0key1"]))
      keys.length = 0
      // Those requests are the first key's alone that leave before it is accepted, so one leaves at a time here.
      const three = yield* run(["deposits", "--since", "71h"], { TALLYSTICK_CONCURRENCY: "1" })
      assert.strictEqual(three.exitCode, 0, three.stderr)
      assert.deepStrictEqual(three.stdout.split("\n").toSorted(), one.stdout.split("\n").toSorted())
      const shares = Array.from(Map.groupBy(keys, (key) => key).values(), ({ length }) => length)
      assert.strictEqual(shares.length, 3)
      assert.isAtMost(Math.max(...shares) - Math.min(...shares), 1)
    }).pipe(Effect.scoped, Effect.provide(onSocket(credential(1), credential(2), credential(3)))), 60_000)

  it.live("goes on without a key that the service refuses, and says so once", () =>
    Effect.gen(function*() {
      const { keys, run } = yield* desk([2, 9])
      const result = yield* run(["deposits", "--since", "71h"])
      assert.strictEqual(result.exitCode, 0, result.stderr)
      assert.strictEqual(result.stderr.split("warning: The service refused key 3 of 3 (KeyRejected)").length, 2)
      assert.include(keys, "mx0key9")
    }).pipe(Effect.scoped, Effect.provide(onSocket(credential(1), credential(2)))), 60_000)

  it.live(
    "keeps nothing where the service refuses the first key, although the others would read",
    () =>
      Effect.gen(function*() {
        const { keys, put, run } = yield* desk([2, 3])
        const accounts = yield* put("accounts.json", JSON.stringify({ list: ["a@x"], complete: true }))
        const gone = { TALLYSTICK_API_KEY: "mx0key9", TALLYSTICK_SECRET_KEY: SECRET }
        const refused = yield* run(["sync", "--accounts", accounts], gone)
        assert.strictEqual(refused.exitCode, 3, refused.stderr)
        assert.include(refused.stderr, "the API key is unknown to the service")
        assert.deepStrictEqual(new Set(keys), new Set(["mx0key9"]))
        const status = yield* run(["archive", "status"])
        assert.include(status.stdout, "claimed by nobody yet")
      }).pipe(Effect.scoped, Effect.provide(onSocket(credential(2), credential(3)))),
    60_000
  )

  it.live(
    "ends with the number of a key that lacks a permission, and calls nothing complete",
    () =>
      Effect.gen(function*() {
        const { run } = yield* desk([2])
        const result = yield* run(["deposits", "--since", "71h"])
        assert.strictEqual(result.exitCode, 3)
        assert.include(result.stderr, "key 2 of 2 may not do this")
      }).pipe(Effect.scoped, Effect.provide(onSocket(credential(1), credential(2, ["SPOT_TRANSFER_READ"])))),
    60_000
  )

  it.live(
    "is told by doctor of each key what it may do, and how many requests are allowed of which",
    () =>
      Effect.gen(function*() {
        const { run } = yield* desk([2, 9])
        const { exitCode, stdout } = yield* run(["doctor", "--format", "json"])
        assert.strictEqual(exitCode, 3)
        const checks = yield* decode(stdout)
        const of = (name: string) =>
          checks.filter(({ what }) => what === name).map(({ finding, status }) => `${status}: ${finding}`)
        const [first, second, third] = of("read deposits")
        assert.include(first, "ok: key 1 of 3 may read them (SPOT_DEPOSIT_READ)")
        assert.include(second, "failed: key 2 of 3: the key lacks the permission SPOT_DEPOSIT_READ")
        assert.include(third, "failed: key 3 of 3: the service does not know this key")
        assert.deepStrictEqual(of("read transfers").map((line) => line.split(" ", 5).join(" ")), [
          "ok: key 1 of 3",
          "ok: key 2 of 3",
          "skipped: the request before was"
        ])
        assert.match(
          of("configuration").join(),
          /; 2 further keys from TALLYSTICK_API_KEYS_FILE; at most \S+ requests in \S+ of each key; /
        )
      }).pipe(Effect.scoped, Effect.provide(onSocket(credential(1), credential(2, ["SPOT_TRANSFER_READ"])))),
    60_000
  )

  it.effect("is warned by doctor of a key that shows other deposits, as one of another master does", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const record = (txId: string) => ({
        amount: "1",
        coin: "USDT",
        network: "TRX",
        status: 5,
        address: "TAddress",
        txId,
        insertTime: NOW - 60_000,
        confirmTimes: "1"
      })
      /** The warnings of a doctor with three keys, of which the third shows this deposit. */
      const told = Effect.fnUntraced(function*(third: string) {
        const client = HttpClient.make((request) => {
          const txId = request.headers["x-mexc-apikey"] === "mx0key3" ? third : "one"
          return Service.make({ deposits: Service.json([record(txId)]) }).client.execute(request)
        })
        const { stdout } = yield* tallystick(["doctor", "--format", "json"], {
          env: {
            TALLYSTICK_BASE_URL: ADDRESS,
            TALLYSTICK_API_KEY: "mx0key1",
            TALLYSTICK_SECRET_KEY: "s",
            TALLYSTICK_API_KEYS: further(2, 3)
          }
        }).pipe(Effect.provideService(HttpClient.HttpClient, client))
        return (yield* decode(stdout)).filter(({ status, what }) => what === "read deposits" && status === "warning")
      })
      assert.deepStrictEqual(yield* told("one"), [])
      const [warning, ...more] = yield* told("another")
      assert.strictEqual(warning?.finding, "key 3 of 3 shows another deposit than the keys before it")
      assert.deepStrictEqual(more, [])
    }).pipe(Effect.provide(layerFiles)))

  it.live("syncs an archive whose owner is the first key", () =>
    Effect.gen(function*() {
      const { keys, put, run } = yield* desk([2, 3])
      const { history } = yield* Sandbox.Sandbox
      const accounts = yield* put("accounts.json", JSON.stringify({ list: history.subAccounts, complete: true }))
      const first = yield* run(["sync", "--accounts", accounts, "--since", "71h"])
      assert.strictEqual(first.exitCode, 0, first.stderr)
      assert.strictEqual(new Set(keys).size, 3)
      const again = yield* run(["sync", "--accounts", accounts], { TALLYSTICK_API_KEYS_FILE: "" })
      assert.strictEqual(again.exitCode, 0, again.stderr)
      assert.match(again.stderr, /: 0 added; complete from /)
    }).pipe(Effect.scoped, Effect.provide(onSocket(credential(1), credential(2), credential(3)))), 60_000)
})
