import { assert, it } from "@effect/vitest"
import * as Failure from "@tallystick/cli/Failure"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Report from "@tallystick/reconcile/Report"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as PlatformError from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { directory, layerFiles, layerNoNetwork, type Options, tallystick } from "./support/Run.ts"

const SECRET = "sandbox-secret"

const sandbox = (faults: Faults.Faults = {}) =>
  Layer.merge(
    layerFiles,
    Sandbox.Sandbox.layerInProcess({
      history: { seed: 7, deposits: 60, subAccounts: 3, breaks: 9 },
      rules: { rate: null },
      faults
    })
  )

/** Against the sandbox, at a rate at which nothing waits. */
const run = Effect.fnUntraced(function*(args: ReadonlyArray<string>, options: Options = {}) {
  const { environment } = yield* Sandbox.Sandbox
  const env = {
    ...environment(),
    TALLYSTICK_RETRIES: "0",
    ...options.env
  }
  const result = yield* tallystick(args, { ...options, env })
  assert.notInclude(result.stderr, SECRET)
  return result
})

const rows = (text: string): ReadonlyArray<unknown> =>
  text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
const isDeposit = Schema.is(SubAccountDeposit.SubAccountDeposit)
const isTransfer = Schema.is(UniversalTransfer.UniversalTransfer)

it.layer(sandbox(), { excludeTestServices: true })("tallystick against the service", (it) => {
  it.effect("prints the service's deposit records as NDJSON", () =>
    Effect.gen(function*() {
      const { history } = yield* Sandbox.Sandbox
      const result = yield* run(["deposits", "--since", "71h"])
      assert.strictEqual(result.exitCode, 0, result.stderr)
      const printed = rows(result.stdout)
      assert.isTrue(printed.every((row) => isDeposit(row)))
      assert.strictEqual(printed.length, history.deposits.length)
      assert.include(result.stderr, `${printed.length} records`)
    }))

  it.effect("exits with 3 where the end that was asked for is not settled, or has not come", () =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const to = new Date(now + 86_400_000).toISOString()
      const account = (yield* Sandbox.Sandbox).history.subAccounts[0] ?? ""
      for (const args of [["deposits"], ["transfers", "--from-account", account]]) {
        const result = yield* run([...args, "--since", "2h", "--to", to])
        assert.strictEqual(result.exitCode, 3, result.stderr)
        assert.match(result.stderr, /not proven complete:\n\w+ .*from .* UTC: too young to be settled/)
        assert.strictEqual((yield* run([...args, "--since", "2h"])).exitCode, 0)
      }
    }))

  it.effect("reports up to what is settled where no end is asked for, and more as unread", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const { history } = yield* Sandbox.Sandbox
      const accounts = yield* put("accounts.json", JSON.stringify({ list: history.subAccounts, complete: true }))
      const to = new Date((yield* Clock.currentTimeMillis) + 86_400_000).toISOString()
      const unread = (stderr: string) => / unread=(\d+) /.exec(stderr)?.[1]
      for (const format of ["json", "ndjson"]) {
        const args = ["reconcile", "--accounts", accounts, "--since", "3h", "--format", format]
        assert.strictEqual(unread((yield* run(args)).stderr), "0")
        const ahead = yield* run([...args, "--to", to])
        assert.strictEqual(ahead.exitCode, 1)
        assert.notStrictEqual(unread(ahead.stderr), "0")
      }
    }))

  it.effect("prints what it could read, and exits with 3 naming what it could not", () =>
    Effect.gen(function*() {
      const { history } = yield* Sandbox.Sandbox
      const result = yield* run(["deposits", "--since", "80h"])
      assert.strictEqual(result.exitCode, 3)
      assert.strictEqual(rows(result.stdout).length, history.deposits.length)
      assert.match(result.stderr, /not proven complete:\ndeposits from .* UTC: older than the 72 hours/)
    }))

  it.effect("prints the transfers of one sub-account to the master, which is the default destination", () =>
    Effect.gen(function*() {
      const { history } = yield* Sandbox.Sandbox
      const account = history.subAccounts[0] ?? ""
      const result = yield* run(["transfers", "--from-account", account, "--since", "3d"])
      assert.strictEqual(result.exitCode, 0, result.stderr)
      const printed = rows(result.stdout)
      assert.isTrue(printed.every((row) => isTransfer(row) && row.fromAccount === account))
      assert.strictEqual(printed.length, history.transfers.filter(({ fromAccount }) => fromAccount === account).length)
    }))

  it.effect("reconciles the service and says truthfully that the books do not agree", () =>
    Effect.gen(function*() {
      const { history } = yield* Sandbox.Sandbox
      const { put } = yield* directory
      const addresses = yield* put("addresses.json", JSON.stringify(history.addressBook))
      const accounts = yield* put("accounts.json", JSON.stringify({ list: history.subAccounts, complete: true }))
      const flags = ["--addresses", addresses, "--accounts", accounts, "--since", "71h", "--format", "json"]
      const result = yield* run(["reconcile", ...flags])
      assert.strictEqual(result.exitCode, 1, result.stderr)
      const report = yield* Schema.decodeEffect(Schema.fromJsonString(Report.Report))(result.stdout)
      const unswept = history.truth.breaks.filter(({ kind }) =>
        kind === "deposit-without-transfer" || kind === "deposit-left-out"
      )
      assert.isNotEmpty(unswept)
      const missing = report.outcomes.filter(({ code }) => code === "missing-transfer").flatMap(({ deposits }) =>
        deposits
      )
      assert.strictEqual(missing.length, unswept.length)
    }))

  it.effect("asks for the sub-accounts before it asks the service", () =>
    Effect.gen(function*() {
      const result = yield* run(["reconcile"])
      assert.strictEqual(result.exitCode, 2)
      assert.include(result.stderr, "--accounts FILE or --addresses FILE")
    }))

  it.effect("keeps the secret of a new key in a new file that only its owner may read", () =>
    Effect.gen(function*() {
      const { exchange, history } = yield* Sandbox.Sandbox
      const { at, get, mode } = yield* directory
      const account = history.subAccounts[0] ?? ""
      const args = ["keys", "create", "--sub-account", account, "--permissions", "SPOT_ACCOUNT_READ,SPOT_DEAL_READ"]
      const result = yield* run([...args, "--note", "first", "--ip", "10.0.0.1", "--out", at("key.json")])
      assert.strictEqual(result.exitCode, 0, result.stderr)
      assert.strictEqual(result.stdout, "")
      assert.strictEqual(yield* mode("key.json"), 0o600)
      const made = (yield* exchange.keys).find(({ note }) => note === "first")
      const secret = made === undefined ? "" : Redacted.value(made.secretKey)
      const written = JSON.parse(yield* get("key.json"))
      assert.deepInclude(written, { subAccount: account, note: "first", apiKey: made?.apiKey, secretKey: secret })
      assert.notInclude(result.stderr, secret)

      const again = yield* run([...args, "--note", "second", "--out", at("key.json")])
      assert.strictEqual(again.exitCode, 2)
      assert.include(again.stderr, "it exists already")
      assert.isFalse((yield* exchange.keys).some(({ note }) => note === "second"))
    }))

  it.effect("prints the secret only when it is told to, and makes no key whose secret would be lost", () =>
    Effect.gen(function*() {
      const { exchange, history } = yield* Sandbox.Sandbox
      const args = [
        "keys",
        "create",
        "--sub-account",
        history.subAccounts[1] ?? "",
        "--permissions",
        "SPOT_ACCOUNT_READ"
      ]
      const refused = yield* run([...args, "--note", "lost"])
      assert.strictEqual(refused.exitCode, 2)
      assert.isFalse((yield* exchange.keys).some(({ note }) => note === "lost"))
      const shown = yield* run([...args, "--note", "shown", "--show-secret"])
      const made = (yield* exchange.keys).find(({ note }) => note === "shown")
      assert.strictEqual(JSON.parse(shown.stdout).secretKey, made === undefined ? "" : Redacted.value(made.secretKey))
    }))

  it.effect("says that a key was made whose secret stdout did not take", () =>
    Effect.gen(function*() {
      const { exchange, history } = yield* Sandbox.Sandbox
      const { at, get } = yield* directory
      const account = history.subAccounts[1] ?? ""
      const args = ["keys", "create", "--sub-account", account, "--permissions", "SPOT_ACCOUNT_READ", "--show-secret"]
      const stdoutFailure = PlatformError.systemError({ _tag: "WriteZero", module: "Stdio", method: "stdout" })
      const gone = yield* run([...args, "--note", "gone"], { stdoutFailure })
      assert.strictEqual(gone.exitCode, 3)
      assert.match(gone.stderr, /The key was made, but stdout .* secret is lost: delete the key with the note "gone"/)
      const kept = yield* run([...args, "--note", "kept", "--out", at("kept.json")], { stdoutFailure })
      assert.match(kept.stderr, /The key was made, but stdout .*; key and secret are in .*kept\.json/)
      const made = (yield* exchange.keys).find(({ note }) => note === "kept")
      assert.strictEqual(JSON.parse(yield* get("kept.json")).apiKey, made?.apiKey)
    }))

  it.effect("leaves no file when the service refuses the key", () =>
    Effect.gen(function*() {
      const { at, names } = yield* directory
      const args = ["keys", "create", "--sub-account", "nobody123", "--permissions", "SPOT_ACCOUNT_READ", "--note", "n"]
      const result = yield* run([...args, "--out", at("key.json")])
      assert.strictEqual(result.exitCode, 3)
      assert.deepStrictEqual(yield* names, [])
    }))

  it.effect("says how to find a key whose answer was lost, and leaves nothing misleading", () =>
    Effect.gen(function*() {
      const { exchange, history } = yield* Sandbox.Sandbox
      const { at, names } = yield* directory
      const client = yield* HttpClient.HttpClient
      const brokenGateway = HttpClient.make((request) =>
        Effect.as(client.execute(request), HttpClientResponse.fromWeb(request, new Response("", { status: 502 })))
      )
      const account = history.subAccounts[2] ?? ""
      const args = ["keys", "create", "--sub-account", account, "--permissions", "SPOT_ACCOUNT_READ"]
      const result = yield* run([...args, "--note", "sweeper-7", "--out", at("key.json")]).pipe(
        Effect.provideService(HttpClient.HttpClient, brokenGateway)
      )
      assert.isTrue((yield* exchange.keys).some(({ note }) => note === "sweeper-7"))
      assert.strictEqual(result.exitCode, 3)
      assert.match(result.stderr, /whether the key was made is unknown .* note "sweeper-7"/)
      assert.deepStrictEqual(yield* names, [])
    }))

  it.effect("names the variable that is missing or wrong, never its value", () =>
    Effect.gen(function*() {
      const missing = yield* run(["deposits"], { env: { TALLYSTICK_SECRET_KEY: "" } })
      assert.strictEqual(missing.exitCode, 2)
      assert.match(missing.stderr, /TALLYSTICK_SECRET_KEY is missing/)
      const wrong = yield* run(["deposits"], { env: { TALLYSTICK_RATE: "fast" } })
      assert.strictEqual(wrong.exitCode, 2)
      assert.match(wrong.stderr, /TALLYSTICK_RATE is not valid/)
      assert.notInclude(wrong.stderr, "fast")
    }))

  it.effect("reports a key that the service does not know in one sentence, with exit code 3", () =>
    Effect.gen(function*() {
      const { at, names } = yield* directory
      const result = yield* run(["deposits", "--out", at("deposits.ndjson")], {
        env: { TALLYSTICK_API_KEY: "mx0nobody" }
      })
      assert.strictEqual(result.exitCode, 3)
      assert.strictEqual(result.stderr.trimEnd().split("\n").length, 1, result.stderr)
      assert.include(result.stderr, "the API key is unknown")
      assert.deepStrictEqual(yield* names, [])
    }))

  it.effect.each([33333, 12345])(
    "keeps the service's words on one line, without control or bidirectional characters (code %d)",
    (code) =>
      Effect.gen(function*() {
        const msg = "bad\u001b[2J\u202e\ntallystick: all is well\r\ntallystick: all is well"
        const hostile = HttpClient.make((request) =>
          Effect.succeed(HttpClientResponse.fromWeb(request, Response.json({ code, msg }, { status: 400 })))
        )
        const result = yield* run(["deposits", "--since", "1h"]).pipe(
          Effect.provideService(HttpClient.HttpClient, hostile)
        )
        assert.strictEqual(result.exitCode, 3)
        // oxlint-disable-next-line no-control-regex
        assert.notMatch(result.stderr, /[\u0000-\u0009\u000b-\u001f\u202e]/)
        assert.match(result.stderr, /: bad\[2J tallystick: all is well tallystick: all is well$/m)
        assert.notMatch(result.stderr, /^tallystick: all is well/m)
      })
  )

  it.effect("prints the other records of a page that holds one it cannot read, and exits with 1", () =>
    Effect.gen(function*() {
      const client = yield* HttpClient.HttpClient
      const { history } = yield* Sandbox.Sandbox
      const amount = new RegExp(`"amount":"(?=[^}]*"${history.deposits[0]?.txId}")`)
      const odd = client.pipe(
        HttpClient.transformResponse(
          Effect.flatMap((response) =>
            Effect.map(response.text, (text) =>
              HttpClientResponse.fromWeb(
                response.request,
                new Response(text.replace(amount, "$&-"), { headers: response.headers })
              ))
          )
        )
      )
      const result = yield* run(["deposits", "--since", "71h"]).pipe(Effect.provideService(HttpClient.HttpClient, odd))
      assert.strictEqual(result.exitCode, 1, result.stderr)
      assert.include(result.stderr, "could not be read: amount: ")
      assert.strictEqual(rows(result.stdout).length, history.deposits.length - 1)
    }))

  it.effect("leaves no output file when it is interrupted", () =>
    Effect.gen(function*() {
      const { at, names } = yield* directory
      const asked = yield* Deferred.make<void>()
      const silent = HttpClient.make(() => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
      const reading = yield* run(["deposits", "--out", at("deposits.ndjson")]).pipe(
        Effect.provideService(HttpClient.HttpClient, silent),
        Effect.forkChild
      )
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(reading)
      assert.deepStrictEqual(yield* names, [])
    }))

  it.effect("waits for the answer that may carry a secret, also when it is interrupted", () =>
    Effect.gen(function*() {
      const { history } = yield* Sandbox.Sandbox
      const { at, get } = yield* directory
      const client = yield* HttpClient.HttpClient
      const asked = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()
      const slow = HttpClient.make((request) =>
        request.method === "GET" ? client.execute(request) : client.execute(request).pipe(
          Effect.tap(() => Deferred.succeed(asked, undefined)),
          Effect.tap(() => Deferred.await(answered))
        )
      )
      const account = history.subAccounts[2] ?? ""
      const args = [
        "keys",
        "create",
        "--sub-account",
        account,
        "--permissions",
        "SPOT_ACCOUNT_READ",
        "--note",
        "patient"
      ]
      const making = yield* run([...args, "--out", at("key.json")]).pipe(
        Effect.provideService(HttpClient.HttpClient, slow),
        Effect.forkChild
      )
      yield* Deferred.await(asked)
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(making))
      yield* Effect.yieldNow
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.join(interrupting)
      assert.strictEqual(JSON.parse(yield* get("key.json")).note, "patient")
    }))
})

it.layer(sandbox({ wire: [{ kind: "error", operations: ["universalTransfers", "subAccountDeposits"] }] }), {
  excludeTestServices: true
})(
  "a service that does not answer",
  (it) => {
    it.effect("ends with exit code 3, naming the gap", () =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        const result = yield* run(["deposits", "--from", new Date(now - 3_600_000).toISOString()])
        assert.strictEqual(result.exitCode, 3)
        assert.strictEqual(result.stdout, "")
        assert.include(result.stderr, "not proven complete")
      }))
  }
)

it.layer(sandbox(), { excludeTestServices: true })("a stream to a place that cannot be written", (it) => {
  it.effect("fails with exit code 3 and names the file", () =>
    Effect.gen(function*() {
      const fileSystem = yield* FileSystem.FileSystem
      const { at } = yield* directory
      yield* fileSystem.makeDirectory(at("folder"))
      const missing = yield* run(["deposits", "--out", at("nowhere/deposits.ndjson")])
      assert.strictEqual(missing.exitCode, 3)
      assert.include(missing.stderr, "nowhere/deposits.ndjson cannot be written: the folder does not exist")
      const unmade = yield* run(["deposits", "--out", "/proc/x.ndjson"])
      assert.include(unmade.stderr, "/proc/x.ndjson cannot be written: no file can be made in that folder")
      const folder = yield* run(["deposits", "--out", at("folder")])
      assert.include(folder.stderr, "it is a directory")
    }))

  it.effect("fails before anything is asked or read", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const accounts = yield* put("accounts.txt", "sub00001\n")
      const out = ["--out", at("nowhere/report.json"), "--format", "json"]
      const files = ["--deposits", at("none"), "--transfers", at("none"), "--against", at("none")]
      for (const args of [["reconcile", "--accounts", accounts], ["backtest", ...files], ["doctor"]]) {
        const { exitCode, stderr } = yield* run([...args, ...out]).pipe(Effect.provide(layerNoNetwork))
        assert.strictEqual(exitCode, 3, stderr)
        assert.match(stderr, /^tallystick: [^\n]*nowhere\/report\.json cannot be written: the folder does not exist\n$/)
      }
    }))

  it("is told in plain words, where the operating system has a code for it", () => {
    const why = (code: string) =>
      Failure.fromPlatform("it cannot be written")(
        PlatformError.systemError({
          _tag: "Unknown",
          module: "FileSystem",
          method: "open",
          cause: Object.assign(new Error(`${code}: in the system's words`), { code })
        })
      ).message
    assert.strictEqual(why("EROFS"), "it cannot be written: the file system is read-only")
    assert.strictEqual(why("ENOSPC"), "it cannot be written: the disk is full")
    assert.strictEqual(why("EWHAT"), "it cannot be written: EWHAT: in the system's words")
  })
})

it.layer(sandbox({ wire: [{ kind: "error", operations: ["universalTransfers", "subAccountDeposits"] }] }), {
  excludeTestServices: true
})("against a service that fails", (it) => {
  it.effect("reconcile does not call books clean of which it could read nothing, and exits 3", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const accounts = yield* put("accounts.txt", "sub00001\n")
      const { exitCode, stderr, stdout } = yield* run(["reconcile", "--accounts", accounts])
      assert.strictEqual(exitCode, 3, stderr)
      assert.include(stdout, "Whether the books agree is not decidable: deposits were not all read")
      assert.include(stderr, "503")
    }))
})
