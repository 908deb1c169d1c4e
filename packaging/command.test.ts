/** The installed command, as npm links it, on both Nodes. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Exchange from "./support/Exchange.ts"
import { nodes } from "./support/Packed.ts"
import * as Process from "./support/Process.ts"

const { consumer } = inject("packed")
const bin = join(consumer, "node_modules/.bin/tallystick")
const { version } = JSON.parse(readFileSync(join(consumer, "node_modules/@tallystick/cli/package.json"), "utf8"))

/** Finds the files that every command loads: a file, and all that it imports statically. */
const atStart = (file: string, seen = new Map<string, number>()): ReadonlyMap<string, number> => {
  if (seen.has(file)) return seen
  const code = readFileSync(file, "utf8")
  seen.set(file, code.length)
  for (const [, chunk = ""] of code.matchAll(/(?:from|import) ?["'`](\.[^"'`]+)["'`]/g)) {
    atStart(join(dirname(file), chunk), seen)
  }
  return seen
}

/** Has Node tell on stderr what it loads. */
const telling = `data:text/javascript,${
  encodeURIComponent(
    `import { registerHooks } from "node:module"
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + "\\n"), next(url, context)) })`
  )
}`

const noon = 1_790_000_000_000
const deposits = [
  { id: "d1", asset: "USDT", amount: "10.00", at: noon, status: "settled" },
  { id: "d2", asset: "USDT", amount: "25.5", at: noon + 60_000, status: "settled" }
]
const transfers = [{ id: "t1", asset: "USDT", amount: "10", at: noon + 90_000, status: "settled" }]
const files = ["reconcile", "--deposits", "deposits.json", "--transfers", "transfers.json", "--complete"]

const bundle = join(consumer, "node_modules/@tallystick/cli/dist/bundle")
const main = readFileSync(join(bundle, "main.js"), "utf8")
const [, entered = ""] = /import\(["'`](\.[^"'`]+)["'`]\)/.exec(main) ?? []

describe("the bundle", () => {
  it("loads a tenth of itself to say what it can do: no command, no driver, no HTTP client", () => {
    const loaded = atStart(join(bundle, entered))
    const sizes = [...loaded.values()]
    assert.isAbove(sizes.length, 5)
    assert.isBelow(sizes.reduce((sum, size) => sum + size, 0), 550_000)
    for (const file of loaded.keys()) {
      assert.notMatch(file, /\/(Undici|Postgres|Sqlite|Reconciliation|Reconcile|Sandbox|Html)-/)
    }
  })

  it("loads for the help of a command nothing of what the command does", async () => {
    const { stdout } = await Process.run(nodes["24"], [join(bundle, "main.js"), "--help"], { cwd: consumer })
    const [, listed = ""] = /\nCOMMANDS\n([^]*?)\n\n/.exec(stdout) ?? []
    const commands = Array.from(listed.matchAll(/^ {2}(\w+)/gm), ([, name = ""]) => name)
    assert.include(commands, "reconcile")
    const asked = commands.map(async (command) => {
      const { code, stderr } = await Process.run(
        nodes["24"],
        ["--import", telling, join(bundle, "main.js"), command, "--help"],
        { cwd: consumer }
      )
      assert.strictEqual(code, 0)
      assert.include(stderr, "/main.js")
      assert.notMatch(
        stderr,
        /\/(ArchivePlace|Broker|Html|Matching|Output|Postgres|Reconciliation|ReportOutput|Sqlite|Undici)-|node:sqlite/,
        command
      )
    })
    await Promise.all(asked)
  })

  it("asks for a newer Node before it loads anything that an old one cannot read", async () => {
    assert.deepStrictEqual([...atStart(join(bundle, "main.js")).keys()], [join(bundle, "main.js")])
    assert.notMatch(main, /\?\?|\?\.|await/)
    const old = "data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.18.9' } })"
    const { code, stderr, stdout } = await Process.run(
      nodes["24"],
      ["--import", old, join(bundle, "main.js"), "demo"],
      { cwd: consumer }
    )
    assert.strictEqual(code, 2)
    assert.strictEqual(stdout, "")
    assert.strictEqual(stderr, "tallystick: Node 22.19 or newer is needed; this is Node 22.18.9\n")
  })
})

describe.each(Object.entries(nodes))("tallystick on Node %s", (name, node) => {
  const cwd = mkdtempSync(join(consumer, `command-${name}-`))
  writeFileSync(join(cwd, "deposits.json"), JSON.stringify(deposits))
  writeFileSync(join(cwd, "transfers.json"), JSON.stringify(transfers))
  const tallystick = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
    Process.run(bin, args, { cwd, env: { ...Process.withNode(node), ...env } })

  it("tells the package's version, and nothing else", async () => {
    assert.deepStrictEqual(await tallystick(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" })
  })

  it("lists its subcommands, and explains one", async () => {
    const { stdout } = await tallystick(["--help"])
    for (const command of ["demo", "reconcile", "sync", "doctor"]) {
      assert.match(stdout, new RegExp(`^  ${command} `, "m"))
    }
    assert.include((await tallystick(["reconcile", "--help"])).stdout, "--deposits")
  })

  it.for(
    [
      ["table", /missing-transfer/],
      ["json", /^\{[^]*"code": ?"missing-transfer"/],
      ["ndjson", /"code":"missing-transfer"/],
      ["csv", /missing-transfer/],
      ["xlsx", /^PK/],
      ["markdown", /missing-transfer/],
      ["html", /^<!doctype html>[^]*missing-transfer/i]
    ] as const
  )("reconciles two files as %s", async ([format, expected]) => {
    const { code, stderr, stdout } = await tallystick([...files, "--format", format])
    assert.strictEqual(code, 1, stderr)
    assert.match(stdout, expected)
    assert.notInclude(stderr, "Warning")
  })
})

describe("tallystick with a sandbox that it started itself", () => {
  const cwd = mkdtempSync(join(consumer, "command-"))
  let exchange: Exchange.Exchange
  beforeAll(async () => {
    exchange = await Exchange.start(consumer, nodes["24"])
    writeFileSync(join(cwd, "accounts.json"), JSON.stringify({ list: ["sub00001"], complete: false }))
  })
  afterAll(() => exchange.stop())
  const tallystick = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
    Process.run(bin, args, { cwd, env: { ...Process.withNode(nodes["24"]), ...exchange.env, ...env } })

  it("syncs into an SQLite file over its own undici, and reports from it", async () => {
    const sync = await tallystick(["sync", "--accounts", "accounts.json"])
    assert.strictEqual(sync.code, 0, sync.stderr)
    const { code, stdout } = await tallystick(["archive", "status"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /deposits/)
  })

  it("brings its PostgreSQL driver, and says when no database answers", async () => {
    const { code, stderr } = await tallystick(["archive", "status"], {
      TALLYSTICK_DATABASE_URL: "postgres://nobody:nothing@127.0.0.1:1/none"
    })
    assert.strictEqual(code, 3)
    assert.include(stderr, "127.0.0.1:1/none")
    assert.notInclude(stderr, "internal error")
  })

  it("shows a demonstration", async () => {
    const { code, stderr, stdout } = await tallystick(["demo", "--deposits", "200"])
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout + stderr, "invented 0")
  })
})
