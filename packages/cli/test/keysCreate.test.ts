/** `tallystick keys create` under Ctrl-C: waits end at once, a request on its way is finished, and what is said is true. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import * as Http from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Running, start } from "./support/Process.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tallystick-keys-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Answer = (response: Http.ServerResponse) => void

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => (response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
}
const serverTime: Answer = (response) => json(200, { serverTime: Date.now() })(response)
const waitLong = json(429, { code: 429, msg: "slow" }, { "retry-after": "200" })
const never: Answer = () => undefined

/** A service that answers so, and a command that asks it for a key. */
const asking = async (
  answers: { readonly time?: Answer; readonly create?: Answer; readonly list?: Answer },
  env: Record<string, string> = {},
  more: ReadonlyArray<string> = []
) => {
  const waiting: Array<Http.ServerResponse> = []
  const counts = { time: 0, create: 0, list: 0 }
  const { create = (response) => void waiting.push(response), list = never, time = serverTime } = answers
  const server = Http.createServer((request, response) => {
    const isTime = request.url?.startsWith("/api/v3/time") === true
    const name = isTime ? "time" : request.method === "GET" ? "list" : "create"
    counts[name]++
    request.resume().once("end", () => {
      ;({ time, create, list })[name](response)
      server.emit(name)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const out = join(mkdtempSync(join(folder, "key-")), "key.json")
  const args = ["keys", "create", "--sub-account", "sub00001", "--permissions", "SPOT_ACCOUNT_READ", "--note", "n1"]
  const running = start([...args, "--out", out, ...more], {
    env: {
      TALLYSTICK_BASE_URL: `http://127.0.0.1:${port}`,
      TALLYSTICK_API_KEY: "mx0key",
      TALLYSTICK_SECRET_KEY: "very-secret",
      ...env
    }
  })
  /** Ends with the command. */
  const end = async () => {
    const ended = await running.ended
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    return {
      ...ended,
      key: existsSync(out) ? readFileSync(out, "utf8") : undefined,
      names: readdirSync(dirname(out)),
      requests: counts.create,
      lists: counts.list
    }
  }
  return { server, running, waiting, end }
}

/** Ends when the command has said this, or has ended without. */
const told = (running: Running, part: string): Promise<void> =>
  new Promise((resolve) => {
    let text = ""
    running.process.once("close", () => resolve()).stderr?.on("data", (chunk: string) => {
      text += chunk
      if (text.includes(part)) resolve()
    })
  })

describe("keys create, interrupted", () => {
  it.each<readonly [string, Parameters<typeof asking>, string, number]>([
    ["while it waits for the end of a Retry-After", [{ create: waitLong }], "create", 1],
    ["while the question for the time is not answered", [{ time: never }], "time", 0],
    ["while it waits for a permit", [{}, { TALLYSTICK_RATE: "1/1 minute" }], "time", 0]
  ])("ends at once %s, and no key was made", async (_, [answers, env], event, requests) => {
    const { end, running, server } = await asking(answers, env)
    await once(server, event)
    running.process.kill("SIGINT")
    const ended = await end()
    assert.strictEqual(ended.exitCode, 130, ended.stderr)
    assert.include(ended.stderr, "Interrupted before a key was made.")
    assert.isUndefined(ended.key)
    assert.strictEqual(ended.requests, requests)
  })

  const answered = async (
    answer: Answer,
    more: ReadonlyArray<string> = [],
    signals: ReadonlyArray<NodeJS.Signals> = ["SIGINT"]
  ) => {
    const { end, running, server, waiting } = await asking({}, {}, more)
    await once(server, "create")
    const heard = told(running, "is awaited")
    for (const signal of signals) running.process.kill(signal)
    await heard
    for (const response of waiting) answer(response)
    const ended = await end()
    assert.strictEqual(ended.requests, 1)
    assert.strictEqual(ended.exitCode, 130, ended.stderr)
    return ended
  }

  it("finishes the request that is on its way, keeps its key and says so", async () => {
    const { key = "", stderr } = await answered(json(200, { apiKey: "mx0new", secretKey: "new-secret", createTime: 1 }))
    assert.strictEqual(JSON.parse(key).secretKey, "new-secret")
    assert.include(stderr, "A key of sub00001 was made")
    assert.notInclude(stderr, "before a key was made")
  })

  it("prints the key that comes after all, when that was asked for", async () => {
    const made = json(200, { apiKey: "mx0new", secretKey: "new-secret", createTime: 1 })
    const { key, names, stderr, stdout } = await answered(made, ["--show-secret"])
    assert.strictEqual(JSON.parse(stdout).secretKey, "new-secret")
    assert.strictEqual(stdout, key)
    assert.deepStrictEqual(names, ["key.json"])
    assert.match(stderr, /key and secret are in .*key\.json and on stdout\n$/)
  })

  it("loses no key to a terminal that goes away while the request is on its way", async () => {
    const made = json(200, { apiKey: "mx0new", secretKey: "new-secret", createTime: 1 })
    const { key = "", stderr } = await answered(made, [], ["SIGHUP", "SIGHUP"])
    assert.strictEqual(JSON.parse(key).secretKey, "new-secret")
    assert.include(stderr, "A key of sub00001 was made")
  })

  it("leaves no file of the key's name when it is killed before the answer", async () => {
    const { end, running, server } = await asking({})
    await once(server, "create")
    running.process.kill("SIGKILL")
    assert.isUndefined((await end()).key)
  })

  it("says that a key may have been made, when the request on its way ends so", async () => {
    const { key, lists, names, stderr } = await answered(json(502, {}))
    // A person who interrupts waits for no other answer.
    assert.strictEqual(lists, 0)
    assert.isUndefined(key)
    assert.deepStrictEqual(names, [])
    assert.include(stderr, "whether the key was made is unknown")
    assert.notInclude(stderr, "before a key was made")
  })

  it("does not wait for another attempt, when the request on its way is refused for now", async () => {
    const { key, stderr } = await answered(waitLong)
    assert.isUndefined(key)
    assert.include(stderr, "Interrupted before a key was made.")
  })
})

describe("keys create, interrupted while it looks for a lost key", () => {
  it("has said nothing false", async () => {
    const { end, running, server } = await asking({ create: json(502, {}) })
    await once(server, "list")
    running.process.kill("SIGINT")
    const ended = await end()
    assert.strictEqual(ended.exitCode, 130, ended.stderr)
    assert.include(ended.stderr, "whether the key was made is unknown")
    assert.notInclude(ended.stderr, "before a key was made")
    assert.isUndefined(ended.key)
  })
})
