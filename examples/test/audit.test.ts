/** What the page for auditors shows is run as it stands there, over an archive that is sound and over some that are not. */
import { assert, layer } from "@effect/vitest"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { chdir, cwd } from "node:process"
import { DatabaseSync } from "node:sqlite"
import * as Afternoon from "../../packages/cli/test/support/Afternoon.ts"
import * as Command from "./support/Command.ts"
import * as Documents from "./support/Documents.ts"
import { folder } from "./support/Program.ts"
import * as Tools from "./support/Tools.ts"

const DAY = 86_400_000

const blocks = Documents.blocks("docs/audit.md")
  .filter(({ code, language }) => language === "sh" && code.includes("sqlite3"))
  .map(({ code }) => code)

/** A check says what is wrong; a question has an answer. */
const checks = blocks.filter((code) => code.includes("echo"))
const questions = blocks.filter((code) => !code.includes("echo"))

const iso = (ms: number): string => new Date(ms).toISOString()

/**
 * The backup of an archive in which people decided between executions, of which one is about an account that nobody read, and one carries.
 * Behind these there is a row of each other kind: a period was closed and reopened, and a second person approved an acceptance.
 */
const audited = Effect.gen(function*() {
  const { environment, history } = yield* Sandbox.Sandbox
  const root = yield* folder
  const before = cwd()
  yield* Effect.acquireRelease(Effect.sync(() => chdir(root)), () => Effect.sync(() => chdir(before)))
  const list = (name: string, accounts: ReadonlyArray<string>): void =>
    writeFileSync(name, JSON.stringify({ list: accounts, complete: true }))
  list("accounts.json", history.subAccounts)
  list("more.json", [...history.subAccounts, "sub00009"])
  writeFileSync("addresses.json", JSON.stringify(history.addressBook))
  const env = { ...environment(), TALLYSTICK_RETRIES: "0" }
  const run = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
    const { exitCode, output } = yield* Command.run(args, { env })
    assert.notStrictEqual(exitCode, 2, output)
    return output
  })
  const { to } = history.options
  const book = (accounts: string, from: number, to: number, ...more: ReadonlyArray<string>) =>
    run(
      ...`reconcile --archive --book --by clerk --accounts ${accounts} --addresses addresses.json`.split(" "),
      "--from",
      iso(from),
      "--to",
      iso(to),
      "--format",
      "json",
      ...more
    )
  yield* run("sync", "--accounts", "accounts.json")
  const told = yield* book("accounts.json", to - 2 * DAY, to - DAY)
  const transfer = /"transfers": ?\[\s*\{\s*"id": ?"([^"]+)"/.exec(told)?.[1] ?? assert.fail(told)
  const why = ["--words", "a test of ours, it's done", "--by", "clerk"]
  yield* run("decide", "exclude", transfer, "--reason", "test", ...why)
  yield* book("more.json", to - 2 * DAY, to + DAY)
  yield* run("decide", "revoke", "2", ...why)
  yield* book("more.json", to - DAY, to)
  yield* book("accounts.json", to - 2 * DAY, to, "--declare")
  yield* run("close", "--to", iso(to - 2 * DAY).slice(0, 10), "--carry-open", "--by", "clerk")
  yield* run("reopen", "--reason", "other", ...why)
  const waiting = yield* run("open")
  const item = /\bi[0-9a-f]{16}\b/.exec(waiting)?.[0] ?? assert.fail(waiting)
  yield* run("archive", "setting", "--approvals", "on", ...why)
  yield* run("decide", "accept", item, "--provisional", "--reason", "write-off", ...why)
  yield* run("decide", "approve", "10", "--by", "auditor")
  yield* run("archive", "backup", "audit.db")
  return { root, audit: join(root, "audit.db") }
})

interface Place {
  readonly folder: string
  readonly head: string
}

/** What a block of the page says in a folder that holds `audit.db`. */
const said = ({ folder, head }: Place, code: string): string => {
  const env = { ...process.env, PATH: [folder, process.env["PATH"]].join(delimiter), head }
  const { status, stderr, stdout } = spawnSync("sh", ["-c", code], { cwd: folder, env, encoding: "utf8" })
  assert.deepStrictEqual([stderr, status], ["", 0], code)
  return stdout
}

/** The one value that a query gives. */
const value = (file: string, query: string): string => {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare(query).get()
  database.close()
  return String(Object.values(row ?? {})[0])
}

const counted = (file: string, what: string): number => Number(value(file, `SELECT count(*) FROM ${what}`))

layer(
  Sandbox.Sandbox.layerInProcess({
    history: { seed: 3, deposits: 10, subAccounts: 2, breaks: 3 },
    rules: { rate: null }
  }).pipe(Layer.provideMerge(Afternoon.layer)),
  { excludeTestServices: true }
)((it) => {
  it.effect("what the page for auditors shows finds nothing in a sound archive, and each damage of another", () =>
    Effect.gen(function*() {
      const { audit, root } = yield* audited
      const head = value(audit, "SELECT number || '@' || id FROM ledger ORDER BY number DESC LIMIT 1")
      assert.strictEqual(checks.length, 5)
      assert.strictEqual(questions.length, 5)
      assert.isAbove(counted(audit, "outcomes WHERE content -> 'missing' IS NOT NULL"), 0)
      assert.isAbove(counted(audit, "run_packs"), 0)
      assert.isAbove(counted(audit, "ledger, json_each(body, '$.carried') WHERE body ->> 'kind' = 'execution'"), 0)

      /** A copy of the archive that was changed, and what each check says of it. */
      const place = (name: string, which: "all" | "missing", change: string): Place => {
        const folder = join(root, name)
        mkdirSync(folder)
        copyFileSync(audit, join(folder, "audit.db"))
        Tools.write(folder, which)
        const database = new DatabaseSync(join(folder, "audit.db"))
        database.exec(`PRAGMA journal_mode = DELETE; ${change}`)
        database.close()
        return { folder, head }
      }
      const found = (place: Place): string => checks.map((code) => said(place, code) === "" ? "-" : "!").join("")

      const sound = place("sound", "missing", "")
      assert.strictEqual(found(sound), "-----")
      const [imported = ""] = questions.splice(-1)
      for (const code of questions) assert.notStrictEqual(said(sound, code), "", code)
      assert.strictEqual(said(sound, imported), "")
      const one = "UPDATE transfers SET imported = 1 WHERE id = (SELECT min(id) FROM transfers)"
      assert.include(said(place("imported", "missing", one), imported), value(audit, "SELECT min(id) FROM transfers"))

      const decisions = said(sound, questions[2] ?? "")
      const day = value(audit, "SELECT body ->> 'through' FROM ledger WHERE number = 7")
      const outcome = value(audit, "SELECT body ->> 'outcome' FROM ledger WHERE number = 10")
      const lines = decisions.trimEnd().split("\n").map((line) => line.split("|"))
      assert.deepStrictEqual(
        lines.map(([number, _at, by, identity, kind, side, _id, ...others]) =>
          [number, by, identity, kind, side, ...others].join("|")
        ),
        [
          "2|clerk|claimed|exclude|transfer||test|a test of ours, it's done||4",
          "4|clerk|claimed|revoke||2||a test of ours, it's done||",
          `7|clerk|claimed|close||${day}||||8`,
          "8|clerk|claimed|reopen||7|other|a test of ours, it's done||",
          "9|clerk|claimed|setting||approvals on, authors any||a test of ours, it's done||",
          `10|clerk|claimed|accept|deposit|${outcome}|write-off|a test of ours, it's done|11|`,
          "11|auditor|claimed|approve||10||||"
        ]
      )

      // No digest is over the columns beside a text, so that none of them hides a discrepancy.
      const columns = place("columns", "missing", "UPDATE outcomes SET kind = 'set-aside', code = 'excluded', id = ''")
      assert.deepStrictEqual(questions.map((code) => said(columns, code)), questions.map((code) => said(sound, code)))

      // Where a machine lacks the tools, those in Node say the same. The last check asks them for a process an outcome.
      const without = place("without", "all", "")
      for (const code of [...checks.slice(0, 4), ...questions]) {
        assert.strictEqual(said(without, code), said(sound, code))
      }

      const damages = {
        "an edited text": "UPDATE ledger SET body = replace(body, 'a test of ours', 'a mistake') WHERE number = 2",
        "a row that is gone": "DELETE FROM ledger WHERE number = 2",
        "a row cut off the end": "DELETE FROM ledger WHERE number = 11",
        "an exchanged number": "UPDATE ledger SET number = 15 WHERE number = 11",
        "an outcome that is gone": "DELETE FROM run_outcomes WHERE digest = (SELECT max(digest) FROM run_outcomes)",
        "a pack that is gone": "DELETE FROM run_packs WHERE place = 0",
        "an edited outcome": "UPDATE outcomes SET content = replace(content, 'deposits', 'transfers')",
        "a lost outcome": "DELETE FROM outcomes WHERE digest = (SELECT max(digest) FROM run_outcomes)"
      }
      const told = Object.entries(damages).map(([name, change], index) => [
        name,
        found(place(`damage${index}`, "missing", change))
      ])
      assert.deepStrictEqual(told, [
        ["an edited text", "!----"],
        ["a row that is gone", "-!---"],
        ["a row cut off the end", "--!--"],
        ["an exchanged number", "-!!--"],
        ["an outcome that is gone", "---!-"],
        ["a pack that is gone", "---!-"],
        ["an edited outcome", "----!"],
        ["a lost outcome", "----!"]
      ])
    }))
})
