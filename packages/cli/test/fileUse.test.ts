import { assert, describe, it } from "@effect/vitest"
import * as FileIdentity from "@tallystick/cli/files/FileIdentity"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { spawnSync } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { MAIN } from "./support/Process.ts"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const world = Layer.merge(layerFiles, layerNoNetwork)

const deposit = {
  amount: "1.00",
  coin: "BTC",
  network: "BTC",
  status: 5,
  address: "bc1",
  txId: "tx1",
  unlockConfirm: "2",
  confirmTimes: "3",
  insertTime: 1_795_000_000_000,
  memo: ""
}

/** A folder with a file for everything that a command reads, and what each of them holds. */
const books = Effect.gen(function*() {
  yield* TestClock.setTime(deposit.insertTime)
  const files = yield* directory
  const { at, get, put } = files
  const texts = {
    "deposits.ndjson": `${JSON.stringify(deposit)}\n`,
    "transfers.csv": "id,asset,amount,at\nt1,BTC,1,2026-11-19\n",
    "accounts.json": `{"list":["sub00001"],"complete":true}`,
    "addresses.csv": "address,account\nbc1,sub00001\n",
    "policy.json": "{}",
    "other.json": `{"window":"2h"}`,
    "prices.csv": "asset,price\nBTC,65000\n",
    "tallystick.json": `{"zone":"Europe/Berlin"}`,
    "faults.json": "{}",
    "api.key": "sandbox-key\n",
    "secret.key": "sandbox-secret\n"
  }
  yield* Effect.forEach(Object.entries(texts), ([name, text]) => put(name, text), { discard: true })
  const env = { TALLYSTICK_API_KEY_FILE: at("api.key"), TALLYSTICK_SECRET_KEY_FILE: at("secret.key") }
  yield* tallystick(["import", "--deposits", at("deposits.ndjson"), "--archive-file", at("books.db")])
  const names = yield* files.names
  /** Refused with both names, and every file is as it was. */
  const refused = Effect.fnUntraced(function*(args: ReadonlyArray<string>, ...told: ReadonlyArray<string>) {
    const { exitCode, stderr } = yield* tallystick(args, { env, folder: at("") })
    assert.strictEqual(exitCode, 2, `${args.join(" ")}\n${stderr}`)
    assert.include(stderr, "are one file", args.join(" "))
    for (const words of told) assert.include(stderr, words)
    assert.deepStrictEqual(yield* files.names, names)
    for (const [name, text] of Object.entries(texts)) assert.strictEqual(yield* get(name), text)
  })
  return { ...files, refused }
})

describe("no command writes over what it reads", () => {
  it.effect("whatever a flag names, and whichever command it is", () =>
    Effect.gen(function*() {
      const { at, refused } = yield* books
      const [deposits, transfers] = [["--deposits", at("deposits.ndjson")], ["--transfers", at("transfers.csv")]]
      const settings = [
        ["--accounts", at("accounts.json")],
        ["--addresses", at("addresses.csv")],
        ["--policy", at("policy.json")]
      ]
      const all = [deposits, transfers, ...settings]
      const commands = [
        [["reconcile"], [...all, ["--prices", at("prices.csv")], ["--config", at("tallystick.json")]]],
        [["backtest"], [...all, ["--against", at("other.json")]]],
        [["doctor"], all],
        [["config", "show"], [...settings, ["--prices", at("prices.csv")], ["--archive-file", at("books.db")]]],
        [["export", "--side", "deposits"], [["--archive-file", at("books.db")]]],
        [["archive", "status"], [["--archive-file", at("books.db")]]],
        [["runs"], [["--archive-file", at("books.db")]]],
        [["show", "r1"], [["--archive-file", at("books.db")], ["--prices", at("prices.csv")]]],
        [["policy", "check", at("policy.json")], [deposits, transfers]]
      ] as const
      for (const [command, inputs] of commands) {
        for (const [flag = "", path = ""] of inputs) {
          yield* refused([...command, ...inputs.flat(), "--out", path], `--out ${path} and ${flag} ${path} are`)
        }
      }
      yield* refused(["policy", "check", at("policy.json"), "--out", at("policy.json")], `and ${at("policy.json")} are`)
      yield* refused(
        ["sandbox", "--faults", at("faults.json"), "--addresses-out", at("faults.json")],
        `--addresses-out ${at("faults.json")} and --faults ${at("faults.json")} are`
      )
      yield* refused(
        ["import", ...deposits, "--archive-file", at("new.db"), "--rejects", at("deposits.ndjson")],
        `--rejects ${at("deposits.ndjson")} and --deposits ${at("deposits.ndjson")} are`
      )
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("a secret, the configuration and an archive that only the environment names", () =>
    Effect.gen(function*() {
      const { at, refused } = yield* books
      const run = ["deposits", "--out"]
      yield* refused([...run, at("secret.key")], "--out", "TALLYSTICK_SECRET_KEY_FILE")
      yield* refused([...run, at("api.key")], "--out", "TALLYSTICK_API_KEY_FILE")
      yield* refused([...run, at("tallystick.json")], "--out", "the configuration file")
      yield* refused([
        "keys",
        "create",
        "--sub-account",
        "s",
        "--permissions",
        "P",
        "--note",
        "n",
        "--out",
        at("api.key")
      ])
      yield* refused(["sandbox", "--addresses-out", at("secret.key")], "--addresses-out", "TALLYSTICK_SECRET_KEY_FILE")
      for (const end of ["", "-wal", "-shm", "-journal", "-lock"]) {
        const env = { TALLYSTICK_ARCHIVE: at("books.db") }
        const { exitCode, stderr } = yield* tallystick([...run, `${at("books.db")}${end}`], { env })
        assert.strictEqual(exitCode, 2)
        assert.include(stderr, "TALLYSTICK_ARCHIVE names, are one file")
      }
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("as a backup neither, and no file that SQLite keeps beside the archive", () =>
    Effect.gen(function*() {
      const { at, refused } = yield* books
      const archives = [[["--archive-file", at("books.db")], {}], [[], { TALLYSTICK_ARCHIVE: at("books.db") }]] as const
      for (const [flags, env] of archives) {
        for (const end of ["", "-wal", "-shm", "-journal", "-lock"]) {
          const { exitCode, stderr } = yield* tallystick(["archive", "backup", ...flags, at(`books.db${end}`)], { env })
          assert.strictEqual(exitCode, 2, stderr)
          assert.include(stderr, `${at(`books.db${end}`)} and `)
          assert.include(stderr, "are one file")
        }
      }
      yield* refused(["archive", "backup", "--archive-file", at("books.db"), at("secret.key")])
      const link = ["archive", "backup", "--archive-file", at("books.db"), at("other.db-journal")]
      const { exitCode, stderr } = yield* tallystick(link)
      assert.strictEqual(exitCode, 2)
      assert.include(stderr, "name another file")
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("an archive or a backup that no setting names, and every other file gives way", () =>
    Effect.gen(function*() {
      const { at, get, put } = yield* books
      const backup = ["archive", "backup", at("backup.db"), "--archive-file", at("books.db")]
      assert.strictEqual((yield* tallystick(backup)).exitCode, 0)
      const before = readFileSync(at("backup.db"))
      const input = ["--deposits", at("deposits.ndjson"), "--transfers", at("transfers.csv")]
      for (
        const args of [
          ["reconcile", ...input],
          ["export", "--side", "deposits", "--archive-file", at("books.db")],
          ["archive", "status", "--archive-file", at("books.db")]
        ]
      ) {
        const { exitCode, stderr } = yield* tallystick([...args, "--out", at("backup.db")])
        assert.strictEqual(exitCode, 2, stderr)
        assert.include(stderr, `--out ${at("backup.db")} is an archive of Tallystick, or a backup of one`)
        assert.deepStrictEqual(readFileSync(at("backup.db")), before)
      }
      const database = new DatabaseSync(at("other.db"))
      database.exec("CREATE TABLE t (c)")
      database.close()
      yield* put("short.txt", "SQLite format 3")
      for (const name of ["other.db", "short.txt"]) {
        const { exitCode, stderr } = yield* tallystick(["reconcile", ...input, "--out", at(name)])
        assert.notStrictEqual(exitCode, 2, stderr)
        assert.notInclude(yield* get(name), "SQLite format 3")
      }
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("what the configuration file names, also where a variable says another", () =>
    Effect.gen(function*() {
      const { at, get, names, put, refused: _ } = yield* books
      const fileSystem = yield* FileSystem.FileSystem
      const whole = yield* fileSystem.readFile(at("books.db"))
      yield* put("tallystick.json", `{"apiKeyFile":"api.key","secretKeyFile":"secret.key","archive":"books.db"}`)
      const before = yield* names
      const cases = [
        ["secret.key", "secretKeyFile", { TALLYSTICK_SECRET_KEY: "another" }],
        ["secret.key", "secretKeyFile", { TALLYSTICK_SECRET_KEY_FILE: at("policy.json") }],
        ["api.key", "apiKeyFile", { TALLYSTICK_API_KEY: "another" }],
        ["books.db", "archive", { TALLYSTICK_DATABASE_URL: "postgres://127.0.0.1:1/books" }],
        ["books.db-wal", "archive", { TALLYSTICK_DATABASE_URL: "postgres://127.0.0.1:1/books" }],
        ["books.db", "archive", { TALLYSTICK_ARCHIVE: at("other.db") }]
      ] as const
      for (const [name, key, env] of cases) {
        const args = ["export", "--side", "deposits", "--out", at(name)]
        const { exitCode, stderr } = yield* tallystick(args, { env, folder: at("") })
        assert.strictEqual(exitCode, 2, `${name}: ${stderr}`)
        assert.include(stderr, `which ${key} in ${at("tallystick.json")} names`)
        assert.include(stderr, "are one file")
      }
      assert.deepStrictEqual(yield* names, before)
      assert.strictEqual(yield* get("secret.key"), "sandbox-secret\n")
      assert.strictEqual(yield* get("api.key"), "sandbox-key\n")
      assert.deepStrictEqual(yield* fileSystem.readFile(at("books.db")), whole)
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("certificates, and configuration files where another one is named", () =>
    Effect.gen(function*() {
      const { at, get, put } = yield* books
      const texts = { "ca.pem": "certificates", "tallystick.json": "{}", "second.json": `{"rate":"1"}` }
      yield* Effect.forEach(Object.entries(texts), ([name, text]) => put(name, text), { discard: true })
      const env = { TALLYSTICK_CONFIG: at("second.json") }
      const cases = [
        ["ca.pem", "which NODE_EXTRA_CA_CERTS names", { NODE_EXTRA_CA_CERTS: at("ca.pem") }],
        ["ca.pem", "which SSL_CERT_FILE names", { SSL_CERT_FILE: at("ca.pem") }],
        ["second.json", `the configuration file ${at("second.json")}`, env],
        ["tallystick.json", `the configuration file ${at("tallystick.json")}`, env]
      ] as const
      const config = ["--config", yield* put("third.json", "{}"), "--archive-file", at("books.db")]
      for (const [name, told, env] of cases) {
        const args = ["export", "--side", "deposits", ...config, "--out", at(name)]
        const { exitCode, stderr } = yield* tallystick(args, { env, folder: at("") })
        assert.strictEqual(exitCode, 2, `${name}: ${stderr}`)
        assert.include(stderr, told)
        assert.include(stderr, "are one file")
      }
      for (const [name, text] of Object.entries(texts)) assert.strictEqual(yield* get(name), text)
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("a file that a variable or the configuration file names in the place of a flag", () =>
    Effect.gen(function*() {
      const { at, get, put } = yield* books
      const args = ["reconcile", "--deposits", at("deposits.ndjson"), "--transfers", at("transfers.csv"), "--out"]
      const byVariable = yield* tallystick([...args, at("policy.json")], {
        env: { TALLYSTICK_POLICY: at("policy.json") }
      })
      assert.strictEqual(byVariable.exitCode, 2)
      assert.include(
        byVariable.stderr,
        `--out ${at("policy.json")} and ${at("policy.json")}, which TALLYSTICK_POLICY names`
      )
      yield* put("tallystick.json", `{"prices":"prices.csv"}`)
      const byFile = yield* tallystick([...args, at("prices.csv")], { folder: at("") })
      assert.strictEqual(byFile.exitCode, 2)
      assert.include(byFile.stderr, "prices in ")
      assert.strictEqual(yield* get("prices.csv"), "asset,price\nBTC,65000\n")
      // An export reads no prices.
      const unread = ["export", "--side", "deposits", "--archive-file", at("books.db"), "--out", at("prices.csv")]
      const byOther = yield* tallystick(unread, { folder: at("") })
      assert.strictEqual(byOther.exitCode, 2)
      assert.include(byOther.stderr, "prices in ")
      assert.strictEqual(yield* get("prices.csv"), "asset,price\nBTC,65000\n")
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("by whichever name the file goes: links, hard links and detours", () =>
    Effect.gen(function*() {
      const { at, put, refused: _, ...files } = yield* books
      const fileSystem = yield* FileSystem.FileSystem
      yield* fileSystem.symlink(at("deposits.ndjson"), at("soft"))
      yield* fileSystem.symlink("soft", at("softer"))
      yield* fileSystem.link(at("deposits.ndjson"), at("hard"))
      yield* fileSystem.makeDirectory(at("folder"))
      yield* fileSystem.symlink(at(""), at("folder/home"))
      const before = yield* files.get("deposits.ndjson")
      const input = ["--deposits", at("deposits.ndjson"), "--transfers", at("transfers.csv")]
      for (const name of ["soft", "softer", "hard", "folder/../deposits.ndjson", "folder/home/deposits.ndjson"]) {
        const { exitCode, stderr } = yield* tallystick(["reconcile", ...input, "--out", at(name)])
        assert.strictEqual(exitCode, 2, name)
        assert.include(stderr, `--out ${at(name)} and --deposits ${at("deposits.ndjson")} are one file`)
        const back = [
          "reconcile",
          "--deposits",
          at(name),
          "--transfers",
          at("transfers.csv"),
          "--out",
          at("deposits.ndjson")
        ]
        assert.strictEqual((yield* tallystick(back)).exitCode, 2, name)
      }
      assert.strictEqual(yield* files.get("deposits.ndjson"), before)
      // Another file of the same name elsewhere is another file.
      yield* put("folder/deposits.ndjson", "")
      const other = yield* tallystick(["reconcile", ...input, "--out", at("folder/deposits.ndjson")])
      assert.notStrictEqual(other.exitCode, 2, other.stderr)
      assert.notStrictEqual(yield* files.get("folder/deposits.ndjson"), "")
    }).pipe(Effect.scoped, Effect.provide(world)))

  it.effect("the rejects that stand beside an import, where they would replace the other side", () =>
    Effect.gen(function*() {
      const { at, put, refused: _, ...files } = yield* books
      const other = yield* put("deposits.ndjson.rejects.ndjson", "kept\n")
      const { exitCode, stderr } = yield* tallystick(
        ["import", "--deposits", at("deposits.ndjson"), "--transfers", other, "--archive-file", at("new.db")]
      )
      assert.strictEqual(exitCode, 2)
      assert.include(stderr, `${other}, for lines that are no records, and --transfers ${other} are one file`)
      assert.strictEqual(yield* files.get("deposits.ndjson.rejects.ndjson"), "kept\n")
      assert.notInclude(yield* files.names, "new.db")
    }).pipe(Effect.scoped, Effect.provide(world)))
})

describe("the identity of a file", () => {
  it.effect("is the same before it is made, by whichever name, and undefined of what is no regular file", () =>
    Effect.gen(function*() {
      const { at } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      yield* fileSystem.makeDirectory(at("folder"))
      yield* fileSystem.symlink(at("folder"), at("linked"))
      yield* fileSystem.symlink("folder/new", at("dangling"))
      yield* fileSystem.symlink("round", at("round"))
      const identity = FileIdentity.of(at("folder/new"))
      assert.isDefined(identity)
      for (const name of ["linked/new", "folder/../linked/new", "dangling"]) {
        assert.strictEqual(FileIdentity.of(at(name)), identity, name)
      }
      for (const name of ["new", "folder/other", "linked/other"]) {
        assert.notStrictEqual(FileIdentity.of(at(name)), identity)
      }
      assert.isUndefined(FileIdentity.of(at("round")))
      assert.isUndefined(FileIdentity.of(at("folder")))
      assert.isUndefined(FileIdentity.of("/dev/null"))
    }).pipe(Effect.scoped, Effect.provide(world)))
})

describe("the streams of a process", () => {
  const run = (args: ReadonlyArray<string>, cwd: string, stdin: string, stdout?: string) => {
    const opened = [openSync(stdin, "r"), ...(stdout === undefined ? [] : [openSync(stdout, "a")])]
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "" },
      stdio: [opened[0], opened[1] ?? "pipe", "pipe"]
    })
    for (const descriptor of opened) closeSync(descriptor)
    return { exitCode: status, stderr }
  }

  it.effect("are files that are read and written where they were redirected", () =>
    Effect.gen(function*() {
      const { at, get } = yield* books
      const args = ["reconcile", "--deposits", "-", "--transfers", at("transfers.csv"), "--complete"]
      const before = yield* get("deposits.ndjson")
      const over = run([...args, "--out", "deposits.ndjson"], at(""), at("deposits.ndjson"))
      assert.deepStrictEqual(over, {
        exitCode: 2,
        stderr: "tallystick: --out deposits.ndjson and --deposits - are one file, which the result would replace: " +
          "let the result go elsewhere\n"
      })
      const behind = run(args, at(""), at("deposits.ndjson"), at("transfers.csv"))
      assert.strictEqual(behind.exitCode, 2)
      assert.include(behind.stderr, `stdout and --transfers ${at("transfers.csv")} are one file`)
      const same = run([...args, "--out", "report"], at(""), at("deposits.ndjson"), at("report"))
      assert.strictEqual(same.exitCode, 2)
      assert.include(same.stderr, "--out report and stdout are one file: name one for each")
      assert.strictEqual(yield* get("deposits.ndjson"), before)
      assert.strictEqual(yield* get("transfers.csv"), "id,asset,amount,at\nt1,BTC,1,2026-11-19\n")
    }).pipe(Effect.scoped, Effect.provide(world)))
})
