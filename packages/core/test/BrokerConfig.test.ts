import { assert, describe, it } from "@effect/vitest"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

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

describe("the configuration of the environment", () => {
  it.effect("needs an address and credentials only, and fills in the documented defaults", () =>
    Effect.gen(function*() {
      const settings = yield* read(good)
      assert.strictEqual(settings.baseUrl, "https://api.example.com")
      assert.strictEqual(Redacted.value(settings.apiKey), "key-zebra")
      assert.strictEqual(secretOf(settings), "secret-zebra")
      assert.deepStrictEqual(
        [
          settings.rate.requests,
          ...[settings.rate.window, settings.timeout, settings.retryBudget, settings.maxWait].map(
            Duration.toMillis
          )
        ],
        [20, 1000, 30_000, 120_000, 300_000]
      )
      assert.deepStrictEqual([settings.retries, settings.maxBody, settings.concurrency], [5, 33_554_432, 4])
      assert.strictEqual(settings.conventions.recvWindow, 5000)
    }))

  it.effect("reads every variable", () =>
    Effect.gen(function*() {
      const settings = yield* read({
        ...good,
        TALLYSTICK_RATE: " 500 / 10 seconds ",
        TALLYSTICK_TIMEOUT: "1500",
        TALLYSTICK_RETRIES: "0",
        TALLYSTICK_RETRY_BUDGET: "1 hour",
        TALLYSTICK_MAX_WAIT: "2 minutes",
        TALLYSTICK_MAX_BODY: "4096",
        TALLYSTICK_CONCURRENCY: "64",
        TALLYSTICK_CONVENTIONS: "{\"recvWindow\":10000,\"errorCodes\":{\"999\":\"KeyRejected\"}}"
      })
      assert.deepStrictEqual(
        [settings.rate.window, settings.timeout, settings.retryBudget, settings.maxWait].map(Duration.toMillis),
        [10_000, 1500, 3_600_000, 120_000]
      )
      assert.deepStrictEqual(
        [settings.rate.requests, settings.retries, settings.maxBody, settings.concurrency],
        [500, 0, 4096, 64]
      )
      const { errorCodes, recvWindow } = settings.conventions
      assert.deepStrictEqual([recvWindow, errorCodes["999"], errorCodes["429"]], [
        10_000,
        "KeyRejected",
        "RateLimited"
      ])
    }))

  it.effect.each(["TALLYSTICK_BASE_URL", "TALLYSTICK_API_KEY", "TALLYSTICK_SECRET_KEY"] as const)(
    "names %s when it is missing or empty",
    (name) =>
      Effect.gen(function*() {
        const { [name]: _, ...rest } = good
        for (const env of [rest, { ...good, [name]: "" }, { ...good, [name]: "  " }]) {
          const error = yield* failure(env)
          assert.strictEqual(error.variable, name)
          assert.match(error.message, new RegExp(`^${name.replace("_", ".")} is missing`))
          assert.notInclude(error.message, "zebra")
        }
      })
  )

  it.effect.each<readonly [string, string]>([
    ["BASE_URL", "not-an-address-zebra"],
    ["BASE_URL", "ftp://zebra.example.com"],
    ["BASE_URL", "https://user:zebra@example.com"],
    ["BASE_URL", "https://example.com/?zebra=1"],
    ["BASE_URL", "https://example.com/#zebra"],
    ["BASE_URL", "http://zebra.example.com"],
    ["API_KEY", "zebra with spaces"],
    ["API_KEY", "zebra\nX-Injected: 1"],
    ["API_KEY", "zebra-ключ"],
    ["ALLOW_HTTP", "zebra"],
    ["ALLOW_HTTP", "TRUE"],
    ["RATE", "zebra"],
    ["RATE", "0"],
    ["RATE", "20/zebra"],
    ["RATE", "20/1 second/3"],
    ["RATE", "-5"],
    ["RATE", "1e3"],
    ["TIMEOUT", "zebra"],
    ["TIMEOUT", "0"],
    ["TIMEOUT", "Infinity"],
    ["RETRIES", "101"],
    ["RETRIES", "1.5"],
    ["RETRY_BUDGET", "-1 second"],
    ["MAX_WAIT", "zebra"],
    ["MAX_BODY", "12"],
    ["CONCURRENCY", "0"],
    ["CONCURRENCY", "65"],
    ["CONVENTIONS", "zebra"],
    ["CONVENTIONS", "[\"zebra\"]"],
    ["CONVENTIONS", "{\"recvWindow\":\"zebra\"}"],
    ["CONVENTIONS", "{\"recvWindow\":60001}"],
    ["CONVENTIONS", "{\"serverTimePath\":\"@zebra.example.com/\"}"],
    ["CONVENTIONS", "{\"apiKeyHeader\":\"zebra: x\"}"],
    ["CONVENTIONS", "{\"subAccountName\":\"zebra(\"}"],
    ["CONVENTIONS", "{\"depositPage\":{\"default\":200,\"maximum\":100}}"]
  ])("names TALLYSTICK_%s, but never what it holds: %s", ([name, value]) =>
    Effect.gen(function*() {
      const variable = `TALLYSTICK_${name}`
      const error = yield* failure({ ...good, [variable]: value })
      assert.strictEqual(error.variable, variable)
      assert.match(error.message, new RegExp(`^TALLYSTICK.${name} `))
      assert.notInclude(JSON.stringify(error) + error.message + String(error), "zebra")
      if (value.length > 3) assert.notInclude(error.message, value)
    }))

  it.effect("names an unknown or wrong key of CONVENTIONS", () =>
    Effect.gen(function*() {
      for (
        const [key, json] of [
          ["recvWindowMs", "{\"recvWindowMs\":5}"],
          ["depositPage.max", "{\"depositPage\":{\"default\":1,\"maximum\":2,\"max\":3}}"],
          ["signedPayload", "{\"signedPayload\":\"body\"}"],
          ["errorCodes.7", "{\"errorCodes\":{\"7\":\"Whatever\"}}"]
        ] as const
      ) {
        const error = yield* failure({ ...good, TALLYSTICK_CONVENTIONS: json })
        assert.strictEqual(error.message, `TALLYSTICK.CONVENTIONS has a wrong or unknown setting: ${key}`)
      }
    }))

  it.effect("reads a nested object as well as an environment", () =>
    Effect.gen(function*() {
      const settings = yield* readWith(
        ConfigProvider.fromUnknown({
          TALLYSTICK: { BASE_URL: "https://x.example/api/", API_KEY: "k", SECRET_KEY: "s", RATE: 5, ALLOW_HTTP: false }
        })
      )
      assert.deepStrictEqual([settings.baseUrl, settings.rate.requests], ["https://x.example/api", 5])
    }))

  const structured = (settings: object) =>
    readWith(
      ConfigProvider.fromUnknown({
        TALLYSTICK: { BASE_URL: "https://x.example", API_KEY: "k", SECRET_KEY: "s", ...settings }
      })
    )

  it.effect("reads what a provider has in parts", () =>
    Effect.gen(function*() {
      const { conventions, rate, timeout } = yield* structured({
        RATE: { requests: 5, window: "10 seconds" },
        TIMEOUT: 1500,
        CONVENTIONS: {
          recvWindow: 10_000,
          errorCodes: { "999": "KeyRejected" },
          depositPage: { default: 7, maximum: 9 }
        }
      })
      assert.deepStrictEqual(
        [rate.requests, Duration.toMillis(rate.window), Duration.toMillis(timeout)],
        [5, 10_000, 1500]
      )
      assert.deepInclude(conventions, {
        recvWindow: 10_000,
        depositPage: { default: 7, maximum: 9 }
      })
      assert.strictEqual(conventions.errorCodes["999"], "KeyRejected")
    }))

  it.effect.each<readonly [object, string]>([
    [{ RATE: { requests: "zebra", window: "1 second" } }, "TALLYSTICK.RATE has a wrong or unknown setting: requests"],
    [{ RATE: { requests: 5 } }, "TALLYSTICK.RATE lacks a setting: window"],
    [{ RATE: [5] }, "TALLYSTICK.RATE is not valid; "],
    [{ TIMEOUT: { seconds: 5 } }, "TALLYSTICK.TIMEOUT has a wrong or unknown setting: seconds"],
    [{ RETRIES: { most: "zebra" } }, "TALLYSTICK.RETRIES has a wrong or unknown setting: most"],
    [{ CONVENTIONS: { recvWindw: 5 } }, "TALLYSTICK.CONVENTIONS has a wrong or unknown setting: recvWindw"],
    [
      { CONVENTIONS: { depositPage: { default: 1, maximum: 2, max: 3 } } },
      "TALLYSTICK.CONVENTIONS has a wrong or unknown setting: depositPage.max"
    ]
  ])("refuses %j by name", ([settings, message]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(structured(settings))
      assert.include(error.message, message)
      assert.notInclude(error.message, "zebra")
    }))

  it.effect("may wait for nothing that the exchange asks for, as an option may", () =>
    Effect.gen(function*() {
      const { maxWait } = yield* read({ ...good, TALLYSTICK_MAX_WAIT: "0" })
      assert.strictEqual(Duration.toMillis(maxWait), 0)
    }))

  it.effect("and options have the same borders", () =>
    Effect.gen(function*() {
      const options = { baseUrl: "https://h.example", apiKey: Redacted.make("k"), secretKey: Redacted.make("s") }
      for (
        const [key, variable, value] of [
          ["maxBody", "MAX_BODY", 1023],
          ["maxBody", "MAX_BODY", 1024],
          ["maxBody", "MAX_BODY", 1024 ** 3 + 1],
          ["maxWait", "MAX_WAIT", 0],
          ["timeout", "TIMEOUT", 0],
          ["retryBudget", "RETRY_BUDGET", 0],
          ["retries", "RETRIES", 100],
          ["retries", "RETRIES", 101],
          ["concurrency", "CONCURRENCY", 64],
          ["concurrency", "CONCURRENCY", 65]
        ] as const
      ) {
        const text = yield* Effect.exit(read({ ...good, [`TALLYSTICK_${variable}`]: String(value) }))
        const option = BrokerConfig.make({ ...options, [key]: value })
        assert.strictEqual(Exit.isSuccess(text), Result.isSuccess(option), `${key} ${value}`)
      }
    }))

  it("takes no length of time that is no number", () => {
    const options = { baseUrl: "https://h.example", apiKey: Redacted.make("k"), secretKey: Redacted.make("s") }
    for (const key of ["timeout", "retryBudget", "maxWait"] as const) {
      for (const length of [Number.NaN, { seconds: Number.NaN }, [Number.NaN, 0] as const, -1]) {
        const made = BrokerConfig.make({ ...options, [key]: length })
        assert.strictEqual(Result.isFailure(made) && made.failure.variable, key)
      }
    }
  })

  it("takes no convention that there is not, in options either", () => {
    const options = { baseUrl: "https://h.example", apiKey: Redacted.make("k"), secretKey: Redacted.make("s") }
    const cases: ReadonlyArray<readonly [conventions: object, path: string]> = [
      [{ nope: 1 }, "nope"],
      [{ depositPage: { default: 1, maximum: 1, max: 1 } }, "depositPage.max"]
    ]
    for (const [conventions, path] of cases) {
      const made = BrokerConfig.make({ ...options, conventions })
      assert.include(Result.isFailure(made) && made.failure.message, `has a wrong or unknown setting: ${path}`)
    }
  })

  it.effect("names no variable of another prefix where plain http is not allowed", () =>
    Effect.gen(function*() {
      const settings = { BASE_URL: "http://x.example", API_KEY: "k", SECRET_KEY: "s" }
      const error = yield* BrokerConfig.load(BrokerConfig.config("NORTH")).pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ NORTH: settings }))),
        Effect.flip
      )
      assert.match(error.message, /^NORTH.BASE_URL must be https .*ALLOW_HTTP beside it/)
      assert.notInclude(error.message, "TALLYSTICK")
    }))

  it.effect("takes plain http for loopback, and elsewhere only when allowed", () =>
    Effect.gen(function*() {
      for (const host of ["localhost:8080", "127.0.0.1", "127.8.9.1:1", "[::1]:5"]) {
        const { baseUrl } = yield* read({ ...good, TALLYSTICK_BASE_URL: `http://${host}/` })
        assert.strictEqual(baseUrl, `http://${host}`)
      }
      for (const host of ["localhost.example.com", "127.0.0.1.example.com", "10.0.0.1", "[::2]", "0.0.0.0"]) {
        const env = { ...good, TALLYSTICK_BASE_URL: `http://${host}/` }
        assert.match((yield* failure(env)).problem, /^must be https/)
        yield* read({ ...env, TALLYSTICK_ALLOW_HTTP: "true" })
      }
    }))

  it.effect("keeps a path prefix and drops what would bend a path", () =>
    Effect.gen(function*() {
      for (
        const [written, kept] of [
          ["https://h.example/a/b//", "https://h.example/a/b"],
          ["https://h.example/?", "https://h.example"],
          ["https://h.example/a#", "https://h.example/a"],
          [" https://H.example:443 ", "https://h.example"]
        ] as const
      ) {
        assert.strictEqual((yield* read({ ...good, TALLYSTICK_BASE_URL: written })).baseUrl, kept)
      }
    }))
})

describe("another prefix, and other names", () => {
  const under = (env: Record<string, string>) =>
    Effect.provideService(
      BrokerConfig.load(BrokerConfig.config("NORTH")),
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env })
    )
  const north = { NORTH_BASE_URL: "https://n.example", NORTH_API_KEY: "key-n", NORTH_SECRET_KEY: "secret-n" }

  it.effect("are read with every setting, and no other master's", () =>
    Effect.gen(function*() {
      const options = yield* under({ ...good, TALLYSTICK_RETRIES: "9", ...north, NORTH_RATE: "3" })
      assert.deepInclude(options, { baseUrl: "https://n.example", retries: 5 })
      assert.strictEqual(options.rate?.requests, 3)
      assert.strictEqual(Redacted.value(options.apiKey), "key-n")
    }))

  it.effect("are named in errors as they are read", () =>
    Effect.gen(function*() {
      for (
        const [env, variable] of [
          [{ ...good }, "NORTH_BASE_URL"],
          [{ ...north, NORTH_RATE: "zebra" }, "NORTH_RATE"],
          [{ ...north, NORTH_API_KEY: "zebra zebra" }, "NORTH_API_KEY"],
          [{ ...north, NORTH_SECRET_KEY: "" }, "NORTH_SECRET_KEY"],
          [{ ...north, NORTH_CONVENTIONS: "{\"recvWindow\":99999999}" }, "NORTH_CONVENTIONS"]
        ] as const
      ) {
        const error = yield* Effect.flip(under(env))
        assert.strictEqual(error.variable, variable)
        assert.notInclude(error.message, "zebra")
      }
    }))

  it.effect("may be Configs of the caller's own, of which an error tells the name and never the value", () =>
    Effect.gen(function*() {
      const options = {
        baseUrl: Config.String("URL"),
        apiKey: Config.Redacted("KEY"),
        secretKey: Config.Redacted("SECRET"),
        retries: Config.Int("RETRIES").pipe(Config.nested("MASTER"))
      }
      const load = (env: Record<string, string>) =>
        Effect.provideService(
          BrokerConfig.load(options),
          ConfigProvider.ConfigProvider,
          ConfigProvider.fromEnv({ env })
        )
      const env = { URL: "https://u.example", KEY: "k", SECRET: "s", MASTER_RETRIES: "2" }
      assert.deepInclude(yield* load(env), { baseUrl: "https://u.example", retries: 2 })
      for (
        const [changes, variable] of [[{ KEY: undefined }, "KEY"], [
          { MASTER_RETRIES: "zebra" },
          "MASTER_RETRIES"
        ]] as const
      ) {
        const error = yield* Effect.flip(load(JSON.parse(JSON.stringify({ ...env, ...changes }))))
        assert.strictEqual(error.variable, variable)
        assert.notInclude(JSON.stringify(error) + error.message, "zebra")
      }
    }))
})

describe("make", () => {
  const options = { baseUrl: "https://h.example", apiKey: Redacted.make("k"), secretKey: Redacted.make("s") }

  it("names the option that is wrong, never its value", () => {
    const window = Duration.seconds(1)
    for (
      const [option, changes] of [
        ["baseUrl", { baseUrl: "http://h.example" }],
        ["apiKey", { apiKey: Redacted.make("") }],
        ["secretKey", { secretKey: Redacted.make("") }],
        ["secretKey", { secretKey: Redacted.make("s\n") }],
        ["rate", { rate: { requests: 0, window } }],
        ["rate", { rate: { requests: 1.5, window } }],
        ["rate", { rate: { requests: 1, window: Duration.zero } }],
        ["timeout", { timeout: 0 }],
        ["retries", { retries: Number.NaN }],
        ["maxBody", { maxBody: -1 }],
        ["concurrency", { concurrency: 1000 }],
        ["conventions", { conventions: { recvWindow: 70_000 } }]
      ] as const
    ) {
      const made = BrokerConfig.make({ ...options, ...changes })
      assert.isTrue(Result.isFailure(made), option)
      if (Result.isFailure(made)) assert.strictEqual(made.failure.variable, option)
    }
  })
})
