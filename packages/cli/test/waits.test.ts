/** Ctrl-C and SIGTERM while the command waits for something: it ends, and leaves nothing half done. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import * as Http from "node:http"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as later } from "node:timers/promises"
import { MAIN, run, type Running, start } from "./support/Process.ts"

const LONG = 60_000
const AT = Date.UTC(2026, 10, 19, 8)
const row = (id: string): string => `${JSON.stringify({ id, asset: "USDT", amount: "1", at: AT })}\n`

/** A deposit as the service tells it. */
const record = (txId: string): string => {
  const fields = {
    amount: "1",
    coin: "USDT",
    network: "TRX",
    status: 5,
    address: "address-1",
    txId,
    insertTime: AT,
    memo: ""
  }
  return `${JSON.stringify({ ...fields, unlockConfirm: "10", confirmTimes: "12" })}\n`
}

let parent = ""
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "tallystick-waits-"))
})
afterAll(() => rmSync(parent, { recursive: true }))

/** A folder with what the commands below read. */
const prepared = (): string => {
  const folder = mkdtempSync(join(parent, "wait-"))
  writeFileSync(join(folder, "accounts.txt"), "sub00001\n")
  writeFileSync(join(folder, "rows.ndjson"), row("t1"))
  writeFileSync(join(folder, "records.ndjson"), record("hash:1"))
  execFileSync("mkfifo", [join(folder, "pipe")])
  return folder
}

const listen = async (server: Net.Server): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

type Answer = (response: Http.ServerResponse) => void

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => (response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
}

interface Wait {
  readonly env: Record<string, string>
  /** Ends when the command waits. */
  readonly begun: (running: Running) => Promise<unknown>
  readonly end: () => void
}

const key = { TALLYSTICK_API_KEY: "mx0key", TALLYSTICK_SECRET_KEY: "very-secret" }

const never: Answer = () => undefined

/** A service that tells its time and answers the rest so. */
const service =
  (answer: Answer, time: Answer = (response) => json(200, { serverTime: Date.now() })(response)) =>
  async (): Promise<Wait> => {
    const server = Http.createServer((request, response) => {
      const isTime = request.url?.startsWith("/api/v3/time") === true
      ;(isTime ? time : answer)(response)
      if (!isTime || time === never) server.emit("waits")
    })
    const waits = once(server, "waits")
    return {
      env: { ...key, TALLYSTICK_BASE_URL: `http://127.0.0.1:${await listen(server)}` },
      begun: () => waits,
      end: () => {
        server.closeAllConnections()
        server.close()
      }
    }
  }
/** The question for the time takes the only permit of a minute. */
const limited = async (): Promise<Wait> => {
  const server = Http.createServer((_, response) => {
    json(200, { serverTime: Date.now() })(response)
    response.once("close", () => server.emit("waits"))
  })
  const waits = once(server, "waits")
  const env = { TALLYSTICK_BASE_URL: `http://127.0.0.1:${await listen(server)}`, TALLYSTICK_RATE: "1/1 minute" }
  return {
    env: { ...key, ...env },
    begun: () => waits,
    end: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Somebody who takes a connection and says nothing. */
const silent = (env: (port: number) => Record<string, string>) => async (): Promise<Wait> => {
  const sockets = new Set<Net.Socket>()
  const server = Net.createServer((socket) => {
    sockets.add(socket.on("error", () => undefined))
    socket.once("data", () => server.emit("waits"))
  })
  const waits = once(server, "waits")
  return {
    env: env(await listen(server)),
    begun: () => waits,
    end: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

const isOpen = (pid: number, file: string): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === file
    } catch {
      return false
    }
  })

const opened = async (process: Running["process"], file: string): Promise<void> => {
  if (process.pid === undefined || isOpen(process.pid, file)) return
  await later(20)
  await opened(process, file)
}

/** A pipe that nobody writes to. */
const pipe = (folder: string) => (): Promise<Wait> =>
  Promise.resolve({
    env: {},
    begun: (running) => opened(running.process, join(folder, "pipe")),
    end: () => undefined
  })

/** Stdin that does not end: what it was given first is taken. */
const taken = (): Promise<Wait> =>
  Promise.resolve({
    env: {},
    begun: ({ process }) => new Promise((resolve) => process.stdin?.once("drain", resolve)),
    end: () => undefined
  })

const sync = ["sync", "--since", "1h", "--accounts", "accounts.txt", "--archive-file", "books.db"]
const deposits = ["deposits", "--since", "1h", "--out", "out.ndjson"]
const reconcile = ["reconcile", "--complete", "--transfers", "rows.ndjson", "--out", "report.json"]
const importing = ["import", "--archive-file", "books.db", "--deposits"]

const failing = json(503, { msg: "later" })
const slow = json(429, { code: 429, msg: "slow" }, { "retry-after": "200" })
const postgres = (port: number) => ({
  TALLYSTICK_DATABASE_URL: `postgres://someone:very-secret@127.0.0.1:${port}/books`
})
const proxied = (port: number) => ({
  ...key,
  TALLYSTICK_BASE_URL: "https://api.example.com",
  NODE_USE_ENV_PROXY: "1",
  HTTPS_PROXY: `http://someone:very-secret@127.0.0.1:${port}`
})

type Way = (folder: string) => () => Promise<Wait>

const waits: ReadonlyArray<readonly [string, ReadonlyArray<string>, Way]> = [
  ["an answer", deposits, () => service(never)],
  ["the service's time", deposits, () => service(never, never)],
  ["the next attempt", deposits, () => service(failing)],
  ["the next attempt of a sync", sync, () => service(failing)],
  ["the end of a Retry-After", deposits, () => service(slow)],
  ["the end of a Retry-After of a sync", sync, () => service(slow)],
  ["a permit", deposits, () => limited],
  ["a proxy", deposits, () => silent(proxied)],
  ["an answer that doctor asked for", ["doctor"], () => service(never, never)],
  ["PostgreSQL", ["archive", "status"], () => silent(postgres)],
  ["PostgreSQL, to write", ["import", "--deposits", "records.ndjson"], () => silent(postgres)],
  ["a writer to a pipe of entries", [...reconcile, "--deposits", "pipe"], pipe],
  ["a writer to a pipe with the policy", [...reconcile, "--deposits", "rows.ndjson", "--policy", "pipe"], pipe],
  ["a writer to a pipe with the policy of a run", ["reconcile", "--archive", "--policy", "pipe"], pipe],
  ["a writer to a pipe of records", [...importing, "pipe"], pipe],
  ["more records on stdin", [...importing, "-"], () => taken]
]

const records = Array.from({ length: 20_000 }, (_, n) => record(`hash:${n}`)).join("")

describe("the command, told to end while it waits", { timeout: LONG }, () => {
  // In the long run by both signals; else by one of them, in turn.
  const signals = ["SIGINT", "SIGTERM"] as const
  const isLong = process.env["TALLYSTICK_CASES"] !== undefined
  const cases = waits.flatMap(([what, args, way], index) =>
    signals.filter((_, turn) => isLong || turn === index % signals.length)
      .map((signal) => [what, signal, args, way] as const)
  )

  it.each(cases)("for %s, ends by %s and leaves nothing behind", async (_, signal, args, way) => {
    const folder = prepared()
    const before = readdirSync(folder)
    const wait = await way(folder)()
    const running = start(args, { cwd: folder, env: wait.env, stdin: args.includes("-") ? records : "", endless: true })
    await Promise.race([wait.begun(running), running.ended])
    running.process.kill(signal)
    const { exitCode, stderr, stdout } = await running.ended
    wait.end()
    assert.strictEqual(exitCode, 130, stderr)
    assert.notMatch(stdout + stderr, /very-secret|mx0key| {4}at /)
    if (["deposits", "reconcile", "doctor"].includes(args[0] ?? "")) {
      const out = args[args.indexOf("--out") + 1]
      const run = args.includes("--archive") ? " The run was not recorded." : ""
      const file = args.includes("--out") ? ` to ${out}` : ""
      assert.include(stderr, `Interrupted. Nothing was written${file}.${run}\n`)
    }
    const left = readdirSync(folder).filter((name) => !/^books\.db(-lock)?$/.test(name))
    assert.deepStrictEqual(left, before)
    if (!readdirSync(folder).includes("books.db")) return
    const status = await run(["archive", "status", "--archive-file", "books.db", "--format", "json"], { cwd: folder })
    assert.strictEqual(status.exitCode, 0, status.stderr)
    assert.isNull(JSON.parse(status.stdout).holder)
  })
})

describe("a named pipe", { timeout: LONG }, () => {
  it("is read to its end, whoever comes first and however much it is", async () => {
    const folder = prepared()
    const text = Array.from({ length: 5000 }, (_, n) => row(`d${n}`)).join("")
    writeFileSync(join(folder, "file.ndjson"), text)
    const args = ["reconcile", "--complete", "--transfers", "rows.ndjson", "--format", "json", "--deposits"]
    const expected = await run([...args, "file.ndjson"], { cwd: folder })
    const { counts } = JSON.parse(expected.stdout)

    const first = start([...args, "pipe"], { cwd: folder })
    const writer = await open(join(folder, "pipe"), "w")
    await writer.writeFile(text)
    await writer.close()
    const { exitCode, stderr, stdout } = await first.ended
    assert.strictEqual(exitCode, expected.exitCode, stderr)
    assert.deepStrictEqual(JSON.parse(stdout).counts, counts)

    const command = `"$0" "$1" ${args.join(" ")} <(cat file.ndjson)`
    const substituted = spawnSync("bash", ["-c", command, process.execPath, MAIN], { cwd: folder, encoding: "utf8" })
    assert.strictEqual(substituted.status, expected.exitCode, substituted.stderr)
    assert.deepStrictEqual(JSON.parse(substituted.stdout).counts, counts)
  })
})
