import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import { decode, doctor, env, KEY, line, NOW, SECRET } from "./support/Doctor.ts"
import { run as runProcess, start } from "./support/Process.ts"
import { directory, layerFiles, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"

it.layer(layerFiles)("tallystick doctor", (it) => {
  it.effect("finds nothing where nothing is wrong, with four requests and exit code 0", () =>
    Effect.gen(function*() {
      const { checks, exitCode, one, seen, stderr } = yield* doctor({})
      assert.strictEqual(exitCode, 0, stderr)
      assert.deepStrictEqual(checks.map(({ status, what }) => `${what} ${status}`), [
        "configuration ok",
        "connection ok",
        "clock ok",
        "read deposits ok",
        "read transfers ok",
        "write permission skipped",
        "rate ok",
        "retention ok"
      ])
      assert.deepStrictEqual(seen, ["time", "time", "deposits", "transfers"])
      assert.include(one("configuration").finding, "https://api.example.com/spot")
      assert.include(one("configuration").finding, "at most 20 requests in 1s")
      assert.include(line(one("write permission")), "SPOT_TRANSFER_READ and SPOT_DEPOSIT_READ and nothing else")
      assert.include(one("rate").finding, "of the 4 requests of these checks none was too many")
      assert.match(one("retention").finding, /deposits for 72 hours .*, at least every day$/)
      const short = JSON.stringify({ depositHistory: 86_400_000 })
      const hurried = yield* doctor({}, [], { env: { ...env, TALLYSTICK_CONVENTIONS: short } })
      assert.match(hurried.one("retention").finding, /deposits for 24 hours .*, at least every 8 h$/)
    }))

  it.effect("prints a line a check, with what to do below", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { client } = Service.make({ time: Service.timeAhead(1500) })
      const { exitCode, stderr, stdout } = yield* tallystick(["doctor"], { env }).pipe(
        Effect.provideService(HttpClient.HttpClient, client)
      )
      assert.strictEqual(exitCode, 0)
      assert.match(stdout, /^ok {7}configuration {5}https:/)
      assert.match(stdout, /\nwarning {2}clock {13}this machine's clock is 1 s 500 ms behind/)
      assert.match(stdout, /\n {27}> Set the clock by NTP/)
      assert.strictEqual(stderr, "nothing failed; with warnings: clock\n")
    }))

  it.effect("writes the checks to a file", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { at, get } = yield* directory
      const { client } = Service.make({})
      yield* tallystick(["doctor", "--format", "json", "--out", at("checks.json")], { env }).pipe(
        Effect.provideService(HttpClient.HttpClient, client)
      )
      assert.strictEqual((yield* decode(yield* get("checks.json"))).length, 8)
    }))

  describe("configuration", () => {
    it.effect("names every variable that is missing or wrong, never a value, and asks nobody", () =>
      Effect.gen(function*() {
        const { exitCode, of, one, seen } = yield* doctor({}, [], {
          env: {
            TALLYSTICK_BASE_URL: "ftp://somewhere",
            TALLYSTICK_API_KEY: KEY,
            TALLYSTICK_RATE: "lots",
            TALLYSTICK_CONVENTIONS: "{\"recvWindw\":1}"
          }
        })
        assert.strictEqual(exitCode, 2)
        assert.deepStrictEqual(seen, [])
        const text = of("configuration").map(line).join("\n")
        for (const name of ["BASE_URL", "SECRET_KEY", "RATE", "CONVENTIONS"]) {
          assert.include(text, `failed: TALLYSTICK_${name} `)
        }
        assert.notInclude(text, "lots")
        assert.strictEqual(one("read deposits").status, "skipped")
      }))

    it.effect("tells what is changed, and from where key and secret come", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const fileSystem = yield* FileSystem.FileSystem
        const file = yield* put("secret", `${SECRET}\n`)
        yield* fileSystem.chmod(file, 0o600)
        const { of, one } = yield* doctor({}, [], {
          env: {
            TALLYSTICK_BASE_URL: env.TALLYSTICK_BASE_URL,
            TALLYSTICK_API_KEY: KEY,
            TALLYSTICK_SECRET_KEY_FILE: file,
            TALLYSTICK_CONVENTIONS: "{\"recvWindow\":9000}",
            TALLYSTICK_RETRIES: "1",
            TALLYSTICK_RATE: "500/10 seconds"
          }
        })
        assert.strictEqual(of("configuration").length, 1)
        const { finding } = one("configuration")
        assert.include(finding, "secret from TALLYSTICK_SECRET_KEY_FILE")
        assert.include(finding, "at most 500 requests in 10s")
        assert.include(finding, "; 1 retry; ")
        assert.include(finding, "changed conventions: recvWindow")
      }))

    it.effect("warns of a secret's file that others may open", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const fileSystem = yield* FileSystem.FileSystem
        const file = yield* put("secret", SECRET)
        yield* fileSystem.chmod(file, 0o644)
        const { exitCode, of } = yield* doctor({}, [], {
          env: { ...env, TALLYSTICK_SECRET_KEY: "", TALLYSTICK_SECRET_KEY_FILE: file }
        })
        assert.strictEqual(exitCode, 0)
        assert.include(of("configuration").map(line).join("\n"), `(mode 644) > chmod 600 ${file}`)
      }))

    it.effect("warns of plain http to another host, and of variables that nothing reads", () =>
      Effect.gen(function*() {
        const { of } = yield* doctor({}, [], {
          env: {
            ...env,
            TALLYSTICK_BASE_URL: "http://api.example.com",
            TALLYSTICK_ALLOW_HTTP: "true",
            TALLYSTICK_RTAE: "5"
          }
        })
        const text = of("configuration").map(line).join("\n")
        assert.include(text, "warning: plain http")
        assert.include(text, "warning: TALLYSTICK_RTAE is set, and nothing reads it")
        const loopback = yield* doctor({}, [], { env: { ...env, TALLYSTICK_BASE_URL: "http://127.0.0.1:8089" } })
        assert.strictEqual(loopback.of("configuration").length, 1)
      }))
  })

  describe("connection", () => {
    it.effect.each<readonly [string, string]>([
      ["ENOTFOUND", "the host name is not known"],
      ["EAI_AGAIN", "the name server does not answer"],
      ["ECONNREFUSED", "the connection was refused"],
      ["UND_ERR_CONNECT_TIMEOUT", "no connection came about in time"],
      ["ECONNRESET", "the connection was cut"],
      ["DEPTH_ZERO_SELF_SIGNED_CERT", "nobody whom this machine trusts"],
      ["CERT_HAS_EXPIRED", "certificate is not valid at this moment"],
      ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate is for another host name"],
      ["ERR_SSL_WRONG_VERSION_NUMBER", "does not speak TLS"],
      ["HPE_INVALID_CONSTANT", "does not speak HTTP"]
    ])("tells %s as %s, with advice of its own, and asks no more", ([code, words]) =>
      Effect.gen(function*() {
        const { exitCode, one, seen } = yield* doctor({ time: Service.broken(code) })
        assert.strictEqual(exitCode, 3)
        const { advice = "", finding, status } = one("connection")
        assert.strictEqual(status, "failed")
        assert.include(finding, `api.example.com: `)
        assert.include(finding, words)
        assert.include(finding, code)
        assert.isAbove(advice.length, 20)
        assert.deepStrictEqual(seen, ["time"])
        for (const what of ["read deposits", "clock"] as const) assert.strictEqual(one(what).status, "skipped")
        for (const what of ["rate", "retention", "write permission"] as const) {
          assert.strictEqual(line(one(what)), "skipped: nothing is known of it, because the service gave no answer > ")
        }
      }))

    it.effect("tells a redirect, a proxy and another's page apart, and shows none of them the key", () =>
      Effect.gen(function*() {
        const moved = () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } })
        for (
          const [time, words] of [
            [moved, "the answer is a redirect (HTTP 302), which is never followed"],
            [Service.html(407), "a proxy wants to know who you are"],
            [Service.html(403), "HTTP 403"],
            [Service.html(200), "it begins: <html>Log in"]
          ] as const
        ) {
          const { exitCode, one, seen } = yield* doctor({ time })
          assert.strictEqual(exitCode, 3)
          assert.include(line(one("connection")), words)
          assert.deepStrictEqual(seen, ["time"])
          assert.include(one("read transfers").finding, "not shown the key")
        }
      }))

    it.effect("goes on where the service only does not tell its time, or is in trouble for a moment", () =>
      Effect.gen(function*() {
        for (const time of [Service.refusal(404, 404), Service.html(404), Service.json({ hello: 1 })]) {
          const { exitCode, one } = yield* doctor({ time })
          assert.strictEqual(exitCode, 0)
          assert.match(line(one("connection")), /^warning: api.example.com answers, but not with its time/)
          assert.strictEqual(one("read deposits").status, "ok")
        }
        const { exitCode, one } = yield* doctor({ time: Service.json({}, 503) })
        assert.strictEqual(exitCode, 0)
        assert.match(line(one("connection")), /^warning: .*in trouble: HTTP 503, but only when asked for its time > /)
        assert.strictEqual(one("read deposits").status, "ok")
        const down = yield* doctor({
          time: Service.json({}, 503),
          deposits: Service.json({}, 503),
          transfers: Service.json({}, 503)
        })
        assert.strictEqual(down.exitCode, 3)
        assert.match(line(down.one("connection")), /^failed: .*in trouble: HTTP 503 > /)
      }))

    it.effect("is not looked at where the conventions name no such endpoint", () =>
      Effect.gen(function*() {
        const { one, seen } = yield* doctor({}, [], {
          env: { ...env, TALLYSTICK_CONVENTIONS: "{\"serverTimePath\":null}" }
        })
        assert.strictEqual(one("connection").status, "skipped")
        assert.deepStrictEqual(seen, ["deposits", "transfers"])
      }))
  })

  describe("clock", () => {
    it.effect.each([-3_600_000, -500, -499, 499, 500, 90_000])(
      "that is off by %d ms",
      (ahead) =>
        Effect.gen(function*() {
          const { exitCode, one } = yield* doctor({ time: Service.timeAhead(ahead) })
          assert.strictEqual(exitCode, 0)
          const { finding, status } = one("clock")
          assert.strictEqual(status, Math.abs(ahead) < 500 ? "ok" : "warning")
          if (status === "ok") assert.include(finding, `right to ${Math.abs(ahead)} ms`)
          else {
            assert.include(finding, ahead > 0 ? "behind the service's" : "ahead of the service's")
            assert.include(finding, "requests are corrected")
          }
        })
    )
  })

  describe("key and permissions", () => {
    it.effect.each<readonly [number, string, number]>([
      [700001, "the service does not know this key", 1],
      [700002, "the signature was refused: the secret does not belong to the key", 1],
      [700003, "the request's time was refused", 1],
      [700006, "this machine's address is not linked to the key", 2],
      [700007, "the key lacks the permission SPOT_DEPOSIT_READ", 2],
      [730603, "the account was refused", 2]
    ])("tells code %d as: %s", ([code, words, asked]) =>
      Effect.gen(function*() {
        const refused = Service.refusal(code)
        const { exitCode, one, seen } = yield* doctor({ deposits: refused, transfers: refused })
        assert.strictEqual(exitCode, 3)
        assert.include(line(one("read deposits")), `failed: ${words}`)
        assert.isAbove(one("read deposits").advice?.length ?? 0, 20)
        assert.strictEqual(new Set(seen.filter((name) => name !== "time")).size, asked)
        assert.strictEqual(one("read transfers").status, asked === 1 ? "skipped" : "failed")
      }))

    it.effect("names the permission that is missing when only one of them is", () =>
      Effect.gen(function*() {
        const { exitCode, one } = yield* doctor({ transfers: Service.refusal(700007, 403) })
        assert.strictEqual(exitCode, 3)
        assert.strictEqual(one("read deposits").status, "ok")
        assert.include(line(one("read transfers")), "lacks the permission SPOT_TRANSFER_READ")
      }))

    it.effect("tells for how long it is banned or must wait, sends nothing more, and speaks of the rate", () =>
      Effect.gen(function*() {
        for (
          const [status, words] of [[418, "banned this machine or key for another 10 min"], [
            429,
            "asks to wait 10 min"
          ]] as const
        ) {
          const held = Service.json({ code: status, msg: "slow" }, status, { "retry-after": "600" })
          const late = yield* doctor({ deposits: held })
          assert.strictEqual(late.exitCode, 3)
          assert.include(line(late.one("read deposits")), words)
          assert.strictEqual(late.one("read transfers").status, "skipped")
          assert.strictEqual(late.one("rate").status, "warning")
          assert.notInclude(late.seen, "transfers")
          const early = yield* doctor({ time: held })
          assert.include(line(early.one("connection")), words)
          assert.deepStrictEqual(early.seen, ["time"])
        }
      }))

    it.effect("waits for nothing: a ban that begins between two questions is told at once", () =>
      Effect.gen(function*() {
        let asked = 0
        const time: Service.Answer = (url) =>
          asked++ === 0 ? Service.timeAhead(0)(url) : Service.json({}, 418, { "retry-after": "60" })(url)
        const { exitCode, one, seen } = yield* doctor({ time })
        assert.strictEqual(exitCode, 3)
        assert.include(line(one("read deposits")), "banned this machine or key for another 1 min")
        assert.deepStrictEqual(seen, ["time", "time"])
      }))

    it.effect("asks about a sub-account when it is given one, and asks for it where the question was refused", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const refused = Service.refusal(700004)
        const { exitCode, one, urls } = yield* doctor({ transfers: refused })
        assert.strictEqual(exitCode, 0)
        assert.include(line(one("read transfers")), "warning: the key was accepted, but not the question")
        assert.include(line(one("read transfers")), "--accounts")
        assert.isFalse(urls.some(({ searchParams }) => searchParams.has("fromAccount")))
        const named = yield* doctor({}, ["--accounts", yield* put("accounts.txt", "sub1\nsub2")])
        const asked = named.urls.find(({ searchParams }) => searchParams.has("fromAccount"))
        assert.strictEqual(asked?.searchParams.get("fromAccount"), "sub1")
        assert.strictEqual(asked?.searchParams.get("limit"), "1")
      }))
  })
})

describe("the doctor process", () => {
  it("asks a real server, and says in its exit code what is wrong", async () => {
    const sandbox = start(["sandbox", "--deposits", "50"])
    const lines = await Promise.all(
      ["TALLYSTICK_BASE_URL", "TALLYSTICK_API_KEY", "TALLYSTICK_SECRET_KEY"].map((name) => sandbox.line(`${name}=`))
    )
    const own = Object.fromEntries(lines.map((line) => line.split("=", 2)))
    const [well, wrong] = await Promise.all([
      runProcess(["doctor"], { env: own }),
      runProcess(["doctor"], { env: { ...own, TALLYSTICK_SECRET_KEY: "another" } })
    ])
    sandbox.process.kill("SIGINT")
    await sandbox.ended
    assert.strictEqual(well.exitCode, 0, well.stdout + well.stderr)
    assert.match(well.stderr, /^nothing failed/)
    assert.strictEqual(wrong.exitCode, 3)
    assert.include(wrong.stdout, "the secret does not belong to the key")
    assert.strictEqual(wrong.stderr, "tallystick: failed: read deposits\n")
    // The server is gone: its port refuses.
    const refused = await runProcess(["doctor"], { env: own })
    assert.strictEqual(refused.exitCode, 3)
    assert.include(refused.stdout, "ECONNREFUSED")
    assert.match(refused.stdout, /^skipped +retention/m)
  })
})
