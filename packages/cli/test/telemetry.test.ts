import { assert, describe, it } from "@effect/vitest"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type Answer, collect, named } from "./support/Collector.ts"
import { type Options, run, start } from "./support/Process.ts"
import { directory, layerFiles, tallystick } from "./support/Run.ts"

const OTLP_SECRET = "recognisable-otlp-secret"
const ACCOUNT = "recognisable.account@example.test"
const NOTE = "recognisable note"

const sandbox = Sandbox.Sandbox.layer({
  history: { seed: 7, deposits: 60, subAccounts: 3 },
  rules: { rate: null },
  faults: {
    wire: [
      { kind: "error", requests: [1], operations: ["universalTransfers"] },
      { kind: "error", requests: [1], operations: ["createApiKey"] }
    ]
  }
})

/** A collector for the scope's lifetime. */
const collector = (answer?: Answer) =>
  Effect.acquireRelease(Effect.promise(() => collect(answer)), ({ close }) => Effect.promise(close))

/** The environment of a process that talks to the sandbox and exports to `url`. */
const environment = (url: string, more: Record<string, string> = {}) =>
  Effect.map(Sandbox.Sandbox, ({ environment }) => ({
    ...environment(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${OTLP_SECRET}`,
    ...more
  }))

const command = (args: ReadonlyArray<string>, options: Options) => Effect.promise(() => run(args, options))

it.layer(Layer.merge(sandbox, layerFiles), { excludeTestServices: true })("a collector receives", (it) => {
  it.effect("what a report did: spans from the command down to each request, and metrics as the service counted", () =>
    Effect.gen(function*() {
      const { exchange, history, secretKey } = yield* Sandbox.Sandbox
      const { put } = yield* directory
      const accounts = yield* put("accounts.json", JSON.stringify({ list: history.subAccounts, complete: true }))
      const addresses = yield* put("addresses.json", JSON.stringify(history.addressBook))
      const { logs, metrics, points, received, resource, spans, url } = yield* collector()
      const args = ["reconcile", "--since", "70h", "--accounts", accounts, "--addresses", addresses, "--format", "json"]
      const { exitCode, stderr } = yield* command([...args, "--log-level", "debug"], {
        env: yield* environment(url, { OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test" })
      })
      assert.include([0, 1], exitCode, stderr)

      const requests = yield* exchange.requests
      const counted = (path: string) => requests.filter((request) => request.path.endsWith(path)).length
      const total = (metric: string, operation: string) =>
        points(metric).filter((point) => "operation" in point && point.operation === operation)
          .reduce((sum, { value = 0 }) => sum + value, 0)
      assert.isAbove(counted("/universalTransfer"), 3)
      for (
        const [operation, path] of [
          ["universalTransfers", "/universalTransfer"],
          ["subAccountDeposits", "/getall"],
          ["serverTime", "/time"]
        ] as const
      ) {
        assert.strictEqual(total("tallystick.client.requests", operation), counted(path), operation)
        const attempts = spans().filter(({ name }) => name.startsWith("GET ") && name.endsWith(path))
        assert.strictEqual(attempts.length, counted(path), operation)
      }
      assert.strictEqual(total("tallystick.client.retries", "universalTransfers"), 1)
      assert.strictEqual(total("tallystick.client.pages", "universalTransfers"), counted("/universalTransfer") - 1)
      const durations = points("http.client.request.duration").reduce((sum, { value = 0 }) => sum + value, 0)
      assert.strictEqual(durations, requests.length)
      assert.strictEqual(metrics().find(({ name }) => name === "http.client.request.duration")?.unit, "s")

      const byId = new Map(spans().map((span) => [span.spanId, span]))
      const roots = spans().filter(({ parentSpanId }) => parentSpanId === undefined)
      assert.deepStrictEqual(roots.map(({ name }) => name), ["tallystick reconcile"])
      assert.deepStrictEqual(named(roots[0]!.attributes)["process.exit.code"], exitCode === 0 ? undefined : exitCode)
      for (const span of spans()) {
        assert.strictEqual(span.traceId, roots[0]!.traceId)
        if (!/^(GET|POST) /.test(span.name)) continue
        assert.strictEqual(span.kind, 3)
        assert.include(["Broker.scan.page", "Broker.serverTime"], byId.get(span.parentSpanId ?? "")?.name)
      }
      const failed = spans().filter(({ status }) => status.code === 2).map(({ name }) => name)
      assert.include(failed, "GET /api/v3/broker/sub-account/universalTransfer")

      assert.deepInclude(resource(), { "service.name": "tallystick", "deployment.environment.name": "test" })
      assert.isTrue(logs().some(({ severityText }) => severityText === "Debug"))
      assert.match(stderr, /^debug: universalTransfers is tried again after \d+ ms: Unavailable\./m)

      assert.isTrue(received.every(({ headers }) => headers["x-key"] === OTLP_SECRET))
      assert.isTrue(received.every(({ headers }) => headers["x-mexc-apikey"] === undefined))
      const bytes = received.map(({ body, path }) => `${path} ${body}`).join("\n")
      for (const text of [stderr, bytes]) assert.notInclude(text, OTLP_SECRET)
      assert.notMatch(bytes, /signature|[0-9a-f]{64}|mx0sandbox/)
      assert.notInclude(bytes, Redacted.value(secretKey))
      const strangers = [
        ...history.subAccounts,
        ...history.addressBook.flatMap(({ address, memo }) => [address, memo ?? ""]),
        ...history.deposits.map(({ txId }) => txId),
        ...history.transfers.map(({ clientTranId }) => clientTranId)
      ].filter((text) => /[a-z]/i.test(text) && text.length >= 8)
      assert.isAbove(strangers.length, 60)
      for (const text of strangers) assert.notInclude(bytes, text)
    }))

  it.effect("of a key whose answer was lost that it was, and neither account nor note", () =>
    Effect.gen(function*() {
      const { points, received, spans, url } = yield* collector()
      const args = ["keys", "create", "--sub-account", ACCOUNT, "--permissions", "SPOT_ACCOUNT_READ", "--note", NOTE]
      const { exitCode, stderr } = yield* command([...args, "--show-secret"], { env: yield* environment(url) })
      assert.strictEqual(exitCode, 3)
      assert.include(stderr, NOTE)
      const root = spans().find(({ name }) => name === "tallystick keys create")
      assert.strictEqual(root?.status.code, 2)
      assert.deepInclude(named(root?.attributes ?? []), { "process.exit.code": 3, "error.type": "unfinished" })
      assert.deepInclude(points("tallystick.client.calls")[0], {
        value: 1,
        operation: "createApiKey",
        outcome: "OutcomeUnknown"
      })
      assert.notMatch(received.map(({ body }) => body).join("\n"), /recognisable/)
    }))

  it.effect("of a new key nothing that opens anything", () =>
    Effect.gen(function*() {
      const { exchange, history } = yield* Sandbox.Sandbox
      const { received, spans, url } = yield* collector()
      const [account = ""] = history.subAccounts
      const args = ["keys", "create", "--sub-account", account, "--permissions", "SPOT_ACCOUNT_READ", "--note", NOTE]
      const { exitCode, stderr } = yield* command([...args, "--show-secret"], { env: yield* environment(url) })
      assert.strictEqual(exitCode, 0, stderr)
      assert.isTrue(spans().some(({ name, status }) => name === "Broker.createApiKey" && status.code === 1))
      const made = (yield* exchange.keys).at(-1)
      assert.strictEqual(made?.note, NOTE)
      const bytes = received.map(({ body }) => body).join("\n")
      for (const text of [made!.apiKey, Redacted.value(made!.secretKey), account, NOTE]) assert.notInclude(bytes, text)
    }))

  it.effect("what was recorded until Ctrl-C", () =>
    Effect.gen(function*() {
      const { spans, url } = yield* collector()
      const process = start(["sandbox", "--deposits", "20"], { env: yield* environment(url) })
      yield* Effect.promise(() => process.line("TALLYSTICK_SECRET_KEY="))
      process.process.kill("SIGINT")
      const { exitCode, stderr } = yield* Effect.promise(() => process.ended)
      assert.strictEqual(exitCode, 130)
      assert.notInclude(stderr, "warning")
      assert.deepStrictEqual(spans().map(({ name }) => name), ["tallystick sandbox"])
    }))

  it.effect("protobuf where that is asked for", () =>
    Effect.gen(function*() {
      const { received, url } = yield* collector()
      const env = yield* environment(url, { OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" })
      const { exitCode } = yield* command(["deposits", "--since", "1h"], { env })
      assert.strictEqual(exitCode, 0)
      assert.isAbove(received.length, 0)
      for (const { headers } of received) assert.strictEqual(headers["content-type"], "application/x-protobuf")
    }))
})

it.layer(sandbox, { excludeTestServices: true })("a collector changes neither result nor exit code", (it) => {
  const answers: Readonly<Record<string, Answer>> = {
    hangs: () => undefined,
    refuses: (_, response) => void response.writeHead(503).end(OTLP_SECRET),
    forbids: (_, response) => void response.writeHead(401).end(OTLP_SECRET),
    redirects: (_, response) => void response.writeHead(307, { location: "/elsewhere" }).end(),
    "breaks off": (_, response) => void response.destroy()
  }
  const one = ["deposits", "--since", "1h"]

  const told = (stderr: string) => stderr.split("\n").filter((line) => line.startsWith("warning: "))

  it.effect.each(Object.keys(answers))("when it %s; there is one warning", (name) =>
    Effect.gen(function*() {
      const { received, url } = yield* collector(answers[name])
      const { exitCode, stderr, stdout } = yield* command(one, { env: yield* environment(url) })
      assert.strictEqual(exitCode, 0, stderr)
      const undisturbed = yield* command(one, { env: yield* environment("") })
      assert.strictEqual(stdout, undisturbed.stdout)
      assert.isAbove(received.length, 0)
      assert.isTrue(received.every(({ path }) => path.startsWith("/v1/")), "nothing goes where nobody sent it")
      assert.deepStrictEqual(told(stderr).length, 1, stderr)
      assert.include(told(stderr)[0], `not everything was delivered to ${url} (`)
      assert.notInclude(stderr, OTLP_SECRET)
      assert.deepStrictEqual(told(undisturbed.stderr), [])
    }))

  it.effect("when there is none", () =>
    Effect.gen(function*() {
      const env = yield* environment(`http://user:${OTLP_SECRET}@127.0.0.1:9/path?token=${OTLP_SECRET}`)
      const { exitCode, stderr } = yield* command(one, { env })
      assert.strictEqual(exitCode, 0, stderr)
      assert.strictEqual(told(stderr).length, 1)
      assert.notInclude(stderr, OTLP_SECRET)
      const missing = yield* command(["reconcile"], { env })
      assert.strictEqual(missing.exitCode, 2)
      assert.strictEqual(told(missing.stderr).length, 1)
    }))

  it.effect("when a variable is wrong, which is not quoted", () =>
    Effect.gen(function*() {
      const wrong: ReadonlyArray<readonly [Record<string, string>, RegExp]> = [
        [{ OTEL_EXPORTER_OTLP_ENDPOINT: OTLP_SECRET }, /: OTEL_EXPORTER_OTLP_ENDPOINT is not valid/],
        [
          { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
          /OTEL_EXPORTER_OTLP_PROTOCOL is neither http\/json nor http\/protobuf/
        ],
        [{ OTEL_BSP_SCHEDULE_DELAY: OTLP_SECRET }, /: OTEL_BSP_SCHEDULE_DELAY is not valid/],
        [{ OTEL_EXPORTER_OTLP_HEADERS: `a=%zz${OTLP_SECRET}` }, /: OTEL_EXPORTER_OTLP_HEADERS is not valid/],
        [{ OTEL_RESOURCE_ATTRIBUTES: `a=%zz${OTLP_SECRET}` }, /: OTEL_RESOURCE_ATTRIBUTES is not valid/]
      ]
      for (const [more, expected] of wrong) {
        const { exitCode, stderr } = yield* command(one, { env: yield* environment("http://127.0.0.1:9", more) })
        assert.strictEqual(exitCode, 0, stderr)
        assert.deepStrictEqual(told(stderr).length, 1, stderr)
        assert.match(stderr, expected)
        assert.notInclude(stderr, OTLP_SECRET)
      }
    }))
})

describe("nothing is exported", () => {
  it.effect("by help, version and completions, whatever the variables say", () =>
    Effect.gen(function*() {
      const { received, url } = yield* collector()
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }
      for (const args of [["--help"], ["keys", "create", "-h"], ["--version"], ["-v"], ["--completions=bash"]]) {
        const { exitCode, stderr, stdout } = yield* command(args, { env })
        assert.strictEqual(exitCode, 0)
        assert.strictEqual(stderr, "")
        assert.notStrictEqual(stdout, "")
      }
      const noted = yield* command(["policy", "check", "--", "--help"], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
      assert.strictEqual(noted.exitCode, 2)
      assert.isAbove(received.length, 0)
    }))
})

describe("--log-level", () => {
  const against = (args: ReadonlyArray<string>) => Effect.flatMap(environment(""), (env) => tallystick(args, { env }))

  it.layer(
    Layer.merge(
      layerFiles,
      Sandbox.Sandbox.layerInProcess({ history: { seed: 7, deposits: 60 }, rules: { rate: null } })
    ),
    { excludeTestServices: true }
  )((it) => {
    it.effect("debug shows what the client does, one line each, on stderr", () =>
      Effect.gen(function*() {
        const { exitCode, stderr, stdout } = yield* against(["deposits", "--since", "1h", "--log-level", "debug"])
        assert.strictEqual(exitCode, 0)
        assert.match(
          stderr,
          /^debug: The service's clock is -?\d+ ms from this machine's\. offset=-?\d+ roundTrip=\d+/m
        )
        assert.notInclude(stdout, "debug")
        const { stderr: usual } = yield* against(["deposits", "--since", "1h"])
        assert.notInclude(usual, "debug")
      }))

    it.effect("none silences warnings, not the answer to the command", () =>
      Effect.gen(function*() {
        const args = ["keys", "create", "--sub-account", "x", "--permissions", "A", "--note", "n", "--show-secret"]
        const warned = yield* against(args)
        assert.match(warned.stderr, /^warning: The sub-account name breaks/m)
        const { stderr } = yield* against([...args, "--log-level", "none"])
        assert.notInclude(stderr, "warning: ")
        assert.include(stderr, "tallystick: ")
      }))
  })
})
