/** What another process of this machine sees of a running command: its command line, its environment, its signals. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type Running, start } from "./support/Process.ts"

const NAMES = ["TALLYSTICK_BASE_URL", "TALLYSTICK_API_KEY", "TALLYSTICK_SECRET_KEY"] as const

let folder = ""
let sandbox: Running
let address = ""
let [key, secret] = ["", ""]

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tallystick-secrets-"))
  sandbox = start(["sandbox", "--deposits", "20"])
  const lines = await Promise.all(NAMES.map((name) => sandbox.line(`${name}=`)))
  ;[address = "", key = "", secret = ""] = lines.map((line) => line.slice(line.indexOf("=") + 1))
})
afterAll(async () => {
  sandbox.process.kill("SIGINT")
  await sandbox.ended
  rmSync(folder, { recursive: true })
})

/** A command that has used its key, and runs on. */
const watching = async (credentials: Record<string, string>, name: string) => {
  const args = ["--accounts", file("accounts.txt", "sub00001\n"), "--archive-file", join(folder, `${name}.db`)]
  const running = start(["sync", "--watch", "--every", "1h", "--since", "1h", ...args], {
    env: { TALLYSTICK_BASE_URL: address, ...credentials },
    cwd: folder
  })
  const told = await running.told("hours left")
  assert.include(told, " ok: ", told)
  return running
}

const end = async ({ ended, process }: Running) => {
  process.kill("SIGTERM")
  return await ended
}

/** The process with this number, and those that it began. */
const family = (pid: number): ReadonlyArray<number> => {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, "latin1").replace(/^.*\) /s, "").split(" ")
      return [{ pid: Number(name), parent: Number(parent) }]
    } catch {
      return [] // It has ended.
    }
  })
  const below = (parent: number): ReadonlyArray<number> => [
    parent,
    ...processes.filter((one) => one.parent === parent).flatMap((one) => below(one.pid))
  ]
  return below(pid)
}

/** What `ps` tells to everybody, and `/proc` to the same user. */
const seen = ({ process: { pid = 0 } }: Running) => {
  const all = (name: string) => family(pid).map((pid) => readFileSync(`/proc/${pid}/${name}`, "utf8")).join("\n")
  return { line: all("cmdline"), environment: all("environ") }
}

describe("a running command", () => {
  it("shows no secret that came from a file, in its command line, its environment or its output", async () => {
    const running = await watching({
      TALLYSTICK_API_KEY_FILE: file("key", key),
      TALLYSTICK_SECRET_KEY_FILE: file("secret", secret)
    }, "files")
    const { environment, line } = seen(running)
    const { stderr, stdout } = await end(running)
    assert.include(line, "--watch")
    assert.include(environment, join(folder, "secret"))
    for (const text of [line, environment, stdout, stderr]) {
      assert.isFalse(text.includes(secret) || text.includes(key))
    }
  })

  it("shows a secret of the environment to the same user, in the environment only", async () => {
    const running = await watching({ TALLYSTICK_API_KEY: key, TALLYSTICK_SECRET_KEY: secret }, "environment")
    const { environment, line } = seen(running)
    await end(running)
    assert.isTrue(environment.includes(secret))
    assert.isFalse(line.includes(secret))
  })

  it("opens no debugger when it is asked to by SIGUSR1, and goes on", async () => {
    const credentials = { TALLYSTICK_API_KEY: key, TALLYSTICK_SECRET_KEY: secret }
    const options = `--inspect-port=0 --report-on-signal --report-directory=${folder}`
    const running = await watching({ ...credentials, NODE_OPTIONS: options }, "signals")
    running.process.kill("SIGUSR1")
    running.process.kill("SIGUSR2")
    await running.told("report completed")
    const { exitCode, stderr } = await end(running)
    assert.strictEqual(exitCode, 0, stderr)
    assert.notInclude(stderr, "Debugger")
    const reports = readdirSync(folder).filter((name) => name.startsWith("report."))
    assert.strictEqual(reports.length, 1)
    for (const name of reports) {
      const report = readFileSync(join(folder, name), "utf8")
      assert.include(report, "\"commandLine\"")
      assert.isFalse(report.includes(secret) || report.includes(key))
    }
  })

  it("was given no secret as an argument: such a command line is refused, and nothing repeats it", async () => {
    const word = "recognisable-secret"
    const lines = [
      ["deposits", `--secret-key=${word}`],
      ["--api-key", word, "deposits"],
      ["deposits", "--since", "1h", "--password", word],
      ["sync", "--token", word],
      ["archive", "status", "--archive-file", `postgres://books:${word}@localhost/books`],
      ["sync", `--archive-file=postgresql://localhost/books?password=${word}`]
    ]
    for (const { exitCode, stderr, stdout } of await Promise.all(lines.map((args) => run(args)))) {
      assert.strictEqual(exitCode, 2, stderr)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /^tallystick: [^\n]* every user of this machine may see a command line: [^\n]*\n$/)
      assert.isFalse(stderr.includes(word))
    }
  })
})
