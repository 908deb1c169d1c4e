import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { run, start } from "./support/Process.ts"

const LONG = 60_000

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tallystick-process-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** A port at which nothing listens any more. Port 9 would not do: fetch refuses it by itself. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const AT = Date.UTC(2026, 10, 19, 8)
const row = (id: string, at: number): string => `${JSON.stringify({ id, asset: "USDT", amount: "1", at })}\n`

describe("the tallystick process", { timeout: LONG }, () => {
  it("prints help on stdout when it is asked for, and exits with 0", async () => {
    const { exitCode, stderr, stdout } = await run(["--help"])
    assert.strictEqual(exitCode, 0)
    assert.strictEqual(stderr, "")
    for (const name of ["demo", "reconcile", "sync", "archive", "deposits", "transfers", "keys", "doctor", "sandbox"]) {
      assert.include(stdout, name)
    }
    assert.include(stdout, "OTEL_EXPORTER_OTLP_ENDPOINT")
  })

  it("exits with 3 and a word when a part of it cannot be loaded", async () => {
    const alone = join(folder, "alone")
    cpSync(fileURLToPath(new URL("../src/main.ts", import.meta.url)), join(alone, "main.ts"))
    const { exitCode, stderr, stdout } = await run(["--help"], { main: join(alone, "main.ts") })
    assert.strictEqual(exitCode, 3)
    assert.strictEqual(stdout, "")
    assert.match(stderr, /^tallystick: internal error: .*Process\.ts/m)
  })

  it("exits with 2 on a usage error, with nothing on stdout", async () => {
    for (const { exitCode, stderr, stdout } of await Promise.all([run([]), run(["reconcile", "--formt", "json"])])) {
      assert.strictEqual(exitCode, 2)
      assert.strictEqual(stdout, "")
      assert.notStrictEqual(stderr, "")
      assert.notInclude(stderr, "    at ")
    }
  })

  it("exits with 2 and names every variable that is missing, and the accounts, at once", async () => {
    const variables = "TALLYSTICK_BASE_URL is missing[^\\n]*\\n" +
      "TALLYSTICK_API_KEY is missing[^\\n]*\\nTALLYSTICK_SECRET_KEY is missing[^\\n]*\\n$"
    const deposits = await run(["deposits"])
    assert.strictEqual(deposits.exitCode, 2)
    assert.strictEqual(deposits.stdout, "")
    assert.match(deposits.stderr, new RegExp(`^tallystick: ${variables}`))
    const report = await run(["reconcile"])
    assert.strictEqual(report.exitCode, 2)
    assert.match(
      report.stderr,
      new RegExp(`^tallystick: The service must be asked for each sub-account[^\\n]*\\n${variables}`)
    )
  })

  it("exits with 3 and one sentence when nothing listens at the base URL", async () => {
    const env = {
      TALLYSTICK_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
      TALLYSTICK_API_KEY: "mx0key",
      TALLYSTICK_SECRET_KEY: "very-secret",
      TALLYSTICK_RETRIES: "0"
    }
    const { exitCode, stderr, stdout } = await run(["deposits", "--since", "1h"], { env })
    assert.strictEqual(exitCode, 3)
    assert.strictEqual(stdout, "")
    assert.match(stderr, /^[^\n]*ECONNREFUSED[^\n]*\n$/m)
    assert.notMatch(stderr, /very-secret|mx0key| {4}at /)
  })

  it("keeps stdout for the report, and says in its exit code whether the books agree", async () => {
    const deposits = file("d.ndjson", row("d1", AT))
    const transfers = file("t.ndjson", row("t1", AT + 60_000))
    const args = ["reconcile", "--deposits", deposits, "--complete", "--format", "json", "--transfers"]
    const clean = await run([...args, transfers])
    assert.strictEqual(clean.exitCode, 0, clean.stderr)
    assert.isTrue(JSON.parse(clean.stdout).clean)
    const piped = await run([...args, "-"], { stdin: row("t1", AT + 60_000) + row("t2", AT) })
    assert.strictEqual(piped.exitCode, 1)
    assert.isFalse(JSON.parse(piped.stdout).clean)
    assert.match(piped.stderr, /^tallystick: The books do not agree/)
  })

  it("ends without a word where its reader has seen enough, with the exit code that shells know", async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => row(`deposit-${n}`, AT + n)).join("")
    const args = ["reconcile", "--deposits", file("long.ndjson", rows), "--transfers", file("no.ndjson", "")]
    const formats = ["json", "ndjson", "csv"]
    const ended = await Promise.all(
      formats.map((format) => run([...args, "--complete", "--format", format], { deafReader: true }))
    )
    assert.deepStrictEqual(ended, formats.map(() => ({ stdout: "", stderr: "", exitCode: 141 })))
    const { exitCode, stderr } = await run(["--completions", "bash"], { deafReader: true })
    assert.strictEqual(stderr, "")
    assert.include([0, 141], exitCode)
  })

  it("ends when its reader has everything, and not before", async () => {
    const rows = Array.from({ length: 64 }, (_, n) => row(`deposit-${n}`, AT + n * 86_400)).join("")
    const args = ["reconcile", "--deposits", file("many.ndjson", rows), "--transfers", file("none.ndjson", "")]
    const json = [...args, "--day", "2026-11-19", "--format", "json"]
    const { stderr } = await run([...json, "--out", join(folder, "whole.json")])
    assert.match(stderr, /^tallystick: The books do not agree/)
    const whole = readFileSync(join(folder, "whole.json"), "utf8")
    // A little more than a pipe holds: the rest waits in this process when all is written.
    assert.isAbove(whole.length, 66_000)
    assert.isBelow(whole.length, 80_000)
    const { stdout } = await run(json, { lateReader: true })
    assert.strictEqual(stdout, whole)
  })

  it("takes no broken pipe of anything else for a reader that went away", async () => {
    const broken = "setTimeout(() => { throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) }, 1000)"
    const env = { NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(broken)}"` }
    const transfers = file("waits.ndjson", row("t1", AT))
    const args = ["reconcile", "--deposits", "-", "--transfers", transfers, "--complete"]
    const { exitCode, stderr } = await start(args, { env, stdin: row("d1", AT), endless: true }).ended
    assert.strictEqual(exitCode, 3, stderr)
    assert.include(stderr, "tallystick: internal error: Error: write EPIPE")
  })

  it("gives outcomes while its input is still coming, and leaves nothing behind when it is interrupted", async () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => row(`r${n}`, AT + n * 60_000).replace("\"1\"", `"${n + 1}"`))
    const transfers = file("stream.ndjson", rows.join(""))
    const args = ["reconcile", "--deposits", "-", "--transfers", transfers, "--complete", "--format", "ndjson"]
    const input = { stdin: rows.join(""), endless: true }

    const open = start(args, input)
    assert.include(await open.line("{"), `"code":"exact"`)
    open.process.kill("SIGINT")
    assert.strictEqual((await open.ended).exitCode, 130)

    const out = mkdtempSync(join(folder, "interrupted-"))
    const begun = new Promise<void>((resolve) => watch(out, () => resolve()))
    const kept = start([...args, "--out", join(out, "outcomes.ndjson")], input)
    await begun
    kept.process.kill("SIGHUP")
    assert.strictEqual((await kept.ended).exitCode, 130)
    assert.deepStrictEqual(readdirSync(out), [])
  })

  it("leaves the old report where it is interrupted before a new one is whole", async () => {
    const transfers = file("few.ndjson", row("t1", AT))
    const many = Array.from({ length: 20_000 }, (_, n) => row(`d${n}`, AT + n * 60_000)).join("")
    const out = mkdtempSync(join(folder, "old-"))
    await Promise.all(["report.html", "report.csv"].map(async (name) => {
      writeFileSync(join(out, name), "old")
      const args = ["--deposits", "-", "--transfers", transfers, "--complete", "--out", join(out, name)]
      const running = start(["reconcile", ...args], { stdin: many, endless: true })
      // It takes what it is given, and waits for more.
      await new Promise((resolve) => running.process.stdin?.once("drain", resolve))
      running.process.kill(name === "report.csv" ? "SIGHUP" : "SIGINT")
      assert.strictEqual((await running.ended).exitCode, 130)
      assert.strictEqual(readFileSync(join(out, name), "utf8"), "old")
    }))
    assert.deepStrictEqual(readdirSync(out).toSorted(), ["report.csv", "report.html"])
  })

  it("never colours what goes into a pipe", async () => {
    const deposits = file("d.ndjson", row("d1", AT))
    const { stdout } = await run(["reconcile", "--deposits", deposits, "--transfers", deposits, "--complete"])
    assert.notInclude(stdout, "\u001b")
  })

  it("serves the sandbox to other processes, with credentials as environment lines, until it is interrupted", async () => {
    const sandbox = start(["sandbox", "--deposits", "100", "--addresses-out", join(folder, "addresses.json")])
    const env = Object.fromEntries(
      await Promise.all(["TALLYSTICK_BASE_URL", "TALLYSTICK_API_KEY", "TALLYSTICK_SECRET_KEY"].map(async (name) => {
        const line = await sandbox.line(`${name}=`)
        return [name, line.slice(name.length + 1)] as const
      }))
    )
    const deposits = await run(["deposits", "--since", "3d", "--out", join(folder, "deposits.ndjson")], { env })
    assert.include([0, 3], deposits.exitCode, deposits.stderr)
    assert.isAbove(readFileSync(join(folder, "deposits.ndjson"), "utf8").trimEnd().split("\n").length, 90)

    const key = join(folder, "key.json")
    const create = ["keys", "create", "--sub-account", "sub00001", "--permissions", "SPOT_ACCOUNT_READ", "--note", "n1"]
    const made = await run([...create, "--out", key], { env })
    assert.strictEqual(made.exitCode, 0, made.stderr)
    assert.strictEqual(made.stdout, "")
    assert.strictEqual(statSync(key).mode & 0o777, 0o600)
    assert.strictEqual(JSON.parse(readFileSync(key, "utf8")).note, "n1")

    sandbox.process.kill("SIGINT")
    const { exitCode, stderr } = await sandbox.ended
    assert.strictEqual(exitCode, 130)
    assert.notInclude(stderr, "sandbox-secret")
  })

  it("demonstrates that the report and the planted truth agree", async () => {
    const { exitCode, stderr, stdout } = await run(["demo", "--deposits", "500"])
    assert.strictEqual(exitCode, 0, stderr)
    assert.match(
      stdout,
      new RegExp(
        String.raw`planted (\d+) breaks, found \1, invented 0; stated \d+ pairs, wrong 0; ` +
          String.raw`planted (\d+) groups, found \2, stated \d+, wrong 0; \d+ balanced classes, wrong 0\n$`
      )
    )
    assert.match(stderr, /at up to 500 requests\/s/)
  })
})
