/** The list of sub-accounts, read instead of claimed: `accounts`, `--accounts service`, and the list of keys. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { decodeReport, listing, names, run, sandbox } from "./support/Listing.ts"
import { directory, type Options } from "./support/Run.ts"

it.layer(sandbox(), { excludeTestServices: true })("tallystick accounts", (it) => {
  it.effect("prints what the exchange lists, and says that it is proven", () =>
    Effect.gen(function*() {
      const { history } = yield* Sandbox.Sandbox
      assert.deepStrictEqual(history.subAccounts, names)
      const { exitCode, stderr, stdout } = yield* run(["accounts"])
      assert.strictEqual(exitCode, 0, stderr)
      const [header = "", ...rows] = stdout.trimEnd().split("\n")
      assert.match(header, /^SUB-ACCOUNT +CREATED +NOTE$/)
      assert.deepStrictEqual(rows.map((row) => row.split(" ")[0]), names)
      assert.include(stderr, "7 sub-accounts, proven to be all that the exchange lists")
    }))

  it.effect("prints JSON that --accounts reads, and CSV", () =>
    Effect.gen(function*() {
      const { history: { options } } = yield* Sandbox.Sandbox
      const { at, get } = yield* directory
      const written = yield* run(["accounts", "--format", "json", "--out", at("accounts.json")])
      assert.strictEqual(written.exitCode, 0, written.stderr)
      const timestamp = options.to - options.span
      assert.deepStrictEqual(
        JSON.parse(yield* get("accounts.json")),
        names.map((subAccount) => ({ subAccount, note: "", timestamp }))
      )
      const reconciled = yield* run([
        "reconcile",
        "--since",
        "3h",
        "--format",
        "json",
        "--accounts",
        at("accounts.json")
      ])
      assert.deepInclude((yield* decodeReport(reconciled.stdout)).accounts, { count: 7, complete: false })
      const named = yield* run(["accounts", "--out", at("named.json")])
      assert.strictEqual(named.exitCode, 0, named.stderr)
      assert.strictEqual(yield* get("named.json"), yield* get("accounts.json"))
      const promised = yield* run(["accounts", "--out", at("accounts.xlsx")])
      assert.strictEqual(promised.exitCode, 2)
      assert.include(
        promised.stderr,
        "this is not written as .xlsx; let the name end in .json, .csv or .txt, or give --format"
      )
      const { stdout } = yield* run(["accounts", "--format", "csv"])
      assert.deepStrictEqual(stdout.trimEnd().split("\n").slice(0, 2), [
        "subAccount,note,timestamp,exact",
        `sub00001,,${timestamp},`
      ])
    }))

  it.effect("prints a table and CSV that --accounts refuses, under whatever name", () =>
    Effect.gen(function*() {
      const { at } = yield* directory
      const reconcile = (name: string) => run(["reconcile", "--since", "3h", "--accounts", at(name)])
      for (
        const [name, format, told] of [
          ["table.json", "table", "table.json: not JSON, as its name says that it is"],
          ["table.txt", "table", "is a row of a table and no name"],
          ["table.csv", "csv", "a table of sub-accounts is no list of names"]
        ] as const
      ) {
        assert.strictEqual((yield* run(["accounts", "--format", format, "--out", at(name)])).exitCode, 0)
        const { exitCode, stderr } = yield* reconcile(name)
        assert.strictEqual(exitCode, 2, name)
        assert.include(stderr, told)
        assert.include(stderr, "tallystick accounts --format json writes")
      }
    }))

  it.effect("lists the keys of a sub-account, and no secret", () =>
    Effect.gen(function*() {
      const { exchange } = yield* Sandbox.Sandbox
      const create = [
        "keys",
        "create",
        "--sub-account",
        "sub00001",
        "--permissions",
        "SPOT_ACCOUNT_READ,SPOT_DEAL_READ"
      ]
      const made = yield* run([...create, "--note", "=desk", "--ip", "192.0.2.1", "--show-secret"])
      assert.strictEqual(made.exitCode, 0, made.stderr)
      const [key] = yield* exchange.keys
      assert.isDefined(key)
      const list = ["keys", "list", "--sub-account", "sub00001"]
      const table = yield* run(list)
      assert.strictEqual(table.exitCode, 0, table.stderr)
      assert.match(table.stdout, /^NOTE +CREATED +KEY +PERMISSIONS +ADDRESSES\n=desk /)
      assert.include(table.stdout, `${key?.apiKey}  SPOT_ACCOUNT_READ,SPOT_DEAL_READ  192.0.2.1`)
      const listed = {
        subAccount: "sub00001",
        note: "=desk",
        apiKey: key?.apiKey,
        permissions: ["SPOT_ACCOUNT_READ", "SPOT_DEAL_READ"],
        ip: ["192.0.2.1"],
        createTime: key?.createTime
      }
      assert.deepStrictEqual(JSON.parse((yield* run([...list, "--format", "json"])).stdout), [listed])
      const csv = (yield* run([...list, "--format", "csv"])).stdout.split("\n")
      assert.strictEqual(csv[0], "subAccount,note,apiKey,permissions,ip,createTime,exact")
      assert.match(csv[1] ?? "", /^sub00001,"'=desk",/)
      const others = yield* run(["keys", "list", "--sub-account", "sub00002"])
      assert.strictEqual(others.stdout, "")
      assert.include(others.stderr, "the exchange lists 0 keys of sub00002")
      const secret = /"secretKey": "([^"]+)"/.exec(made.stdout)?.[1] ?? ""
      assert.notStrictEqual(secret, "")
      for (const { stderr, stdout } of [table, others]) assert.notInclude(stdout + stderr, secret)
    }))

  it.effect("is asked by reconcile, whose report says that the accounts are proven and not vouched for", () =>
    Effect.gen(function*() {
      const before = yield* Clock.currentTimeMillis
      const json = yield* run(["reconcile", "--accounts", "service", "--since", "3h", "--format", "json"])
      assert.isBelow(json.exitCode, 2, json.stderr)
      const { accounts, meaning } = yield* decodeReport(json.stdout)
      assert.deepInclude(accounts, { count: 7, complete: true })
      assert.isAtLeast(accounts.provenAt ?? 0, before - 60_000)
      assert.match(
        meaning,
        / from 7 sub-accounts to master\. The list of sub-accounts is complete as the exchange gave it on \d/
      )
      const table = yield* run(["reconcile", "--accounts", "service", "--since", "3h"])
      assert.match(table.stdout, /7 as the exchange lists them, complete as it listed them at\s+20/)
      assert.notInclude(table.stdout, "confirmed")
      const lines = yield* run(["reconcile", "--accounts", "service", "--since", "3h", "--format", "ndjson"])
      assert.isBelow(lines.exitCode, 2, lines.stderr)
    }))

  it.effect("is asked where the environment, the configuration file or the file of accounts says so", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const of = (args: ReadonlyArray<string>, options: Options = {}) =>
        Effect.flatMap(
          run(["reconcile", "--since", "3h", "--format", "json", ...args], options),
          ({ stdout }) => Effect.map(decodeReport(stdout), ({ accounts }) => accounts)
        )
      assert.isTrue((yield* of([], { env: { TALLYSTICK_ACCOUNTS: "service" } })).complete)
      yield* put("tallystick.json", JSON.stringify({ accounts: "service" }))
      assert.isTrue((yield* of([], { folder: at("") })).complete)
      const file = yield* put("accounts.json", JSON.stringify({ master: "desk@example.com", list: "service" }))
      const told = yield* of(["--accounts", file])
      assert.deepInclude(told, { complete: true, count: 7, master: ["desk@example.com"] })
      const vouched = yield* put("vouched.json", JSON.stringify({ list: "service", complete: true }))
      const refused = yield* run(["reconcile", "--accounts", vouched])
      assert.strictEqual(refused.exitCode, 2)
      assert.match(refused.stderr, /vouched\.json: complete: this key is not known here/)
      const proven = yield* put("proven.json", JSON.stringify({ list: ["sub00001"], provenAt: 1 }))
      assert.strictEqual((yield* run(["reconcile", "--accounts", proven])).exitCode, 2)
    }))

  it.effect("does not count as all where the address book names an account that it lacks", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const book = yield* put("addresses.csv", "address,account\n0xabc,sub00001\n0xdef,stranger1\n0x123,master\n")
      const args = ["reconcile", "--accounts", "service", "--addresses", book, "--since", "3h", "--format", "json"]
      const { stderr, stdout } = yield* run(args)
      assert.include(stderr, "not proven complete: it lacks 1 account of the address book: stranger1")
      assert.deepInclude((yield* decodeReport(stdout)).accounts, { complete: false, count: 7 })
    }))

  it.effect("is asked by sync before each round, and doctor says what it is worth", () =>
    Effect.gen(function*() {
      const { at } = yield* directory
      const archive = ["--archive-file", at("books.db")]
      const synced = yield* run(["sync", "--accounts", "service", "--since", "3h", ...archive])
      assert.strictEqual(synced.exitCode, 0, synced.stderr)
      const queries = yield* run([
        "reconcile",
        "--since",
        "2h",
        "--format",
        "json",
        "--accounts",
        "service",
        ...archive
      ])
      assert.deepInclude((yield* decodeReport(queries.stdout)).accounts, { complete: true, count: 7 })
      const doctor = yield* run(["doctor", "--accounts", "service", "--format", "json", ...archive])
      const checks: ReadonlyArray<Record<string, unknown>> = JSON.parse(doctor.stdout)
      assert.deepInclude(checks.find(({ what }) => what === "sub-accounts"), {
        status: "ok",
        finding: "the exchange lists 7 sub-accounts, proven to be all that it lists"
      })
    }))

  it.effect("is held against a file that names the accounts, by doctor", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const compared = Effect.fnUntraced(function*(list: ReadonlyArray<string>) {
        const file = yield* put("accounts.txt", list.join("\n"))
        const args = ["doctor", "--accounts", file, "--format", "json", "--archive-file", at("books.db")]
        const checks: ReadonlyArray<Record<string, unknown>> = JSON.parse((yield* run(args)).stdout)
        return checks.filter(({ what }) => what === "sub-accounts").map(({ finding, status }) =>
          `${String(status)}: ${String(finding)}`.replaceAll(file, "FILE")
        )
      })
      assert.deepStrictEqual(yield* compared(names), [
        "ok: FILE names the accounts that the exchange lists, and no other"
      ])
      assert.deepStrictEqual(yield* compared([...names.slice(2), "sub0001", "master"]), [
        "warning: FILE names 1 account that the exchange does not list: sub0001",
        "warning: the exchange lists 2 accounts that FILE does not name: sub00001 and sub00002"
      ])
    }))

  it.effect("does not count as all in a run over an archive that knows others", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const archive = ["--archive-file", at("books.db")]
      const file = yield* put("accounts.txt", [...names, "formerly1"].join("\n"))
      assert.strictEqual((yield* run(["sync", "--accounts", file, "--since", "3h", ...archive])).exitCode, 0)
      const { stderr, stdout } = yield* run([
        "reconcile",
        "--since",
        "2h",
        "--format",
        "json",
        "--accounts",
        "service",
        ...archive
      ])
      assert.include(stderr, "the archive knows 1 sub-account that the exchange does not list (formerly1)")
      const { accounts } = yield* decodeReport(stdout)
      assert.deepInclude(accounts, { complete: false, count: 8 })
      assert.notProperty(accounts, "provenAt")
    }))

  it.effect("is not asked by a command that asks nobody", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const deposits = yield* put("deposits.ndjson", "")
      const transfers = yield* put("transfers.ndjson", "")
      const policy = yield* put("policy.json", "{}")
      const args = ["backtest", "--deposits", deposits, "--transfers", transfers, "--against", policy]
      const { stderr } = yield* run([...args, "--accounts", "service"])
      assert.include(stderr, "the exchange is not asked for its sub-accounts here")
    }))
})

describe("a list of sub-accounts that proves nothing", () => {
  it.live("is printed with its reason, and ends with 3", () =>
    Effect.gen(function*() {
      const { exitCode, stderr, stdout } = yield* run(["accounts", "--format", "json"])
      assert.strictEqual(exitCode, 3)
      assert.strictEqual(JSON.parse(stdout).length, 7)
      assert.match(stderr, /7 sub-accounts; the exchange's list of sub-accounts is not proven complete: page 2 shows/)
    }).pipe(listing({ ignorePage: true })))

  it.live("is used by reconcile without being taken for all", () =>
    Effect.gen(function*() {
      const { stderr, stdout } = yield* run(["reconcile", "--accounts", "service", "--since", "3h", "--format", "json"])
      assert.include(stderr, "not proven complete")
      const { accounts } = yield* decodeReport(stdout)
      assert.deepInclude(accounts, { complete: false, count: 7 })
      assert.notProperty(accounts, "provenAt")
    }).pipe(listing({ ignorePage: true })))

  it.live("leaves nobody out of a sync whom the archive knows, and the sync ends with 3", () =>
    Effect.gen(function*() {
      const { exchange } = yield* Sandbox.Sandbox
      const { at } = yield* directory
      const sync = ["sync", "--accounts", "service", "--archive-file", at("books.db")]
      assert.strictEqual((yield* run([...sync, "--since", "3h"])).exitCode, 0)
      const asked = Effect.map(exchange.requests, (all) => all.filter(({ path }) => path.endsWith("Transfer")).length)
      yield* exchange.setFaults({ ignorePage: true })
      const doubted = yield* run(sync)
      assert.strictEqual(doubted.exitCode, 3, doubted.stderr)
      assert.include(doubted.stderr, "the exchange's list of sub-accounts is not proven complete: page 2 shows")
      yield* exchange.setFaults({ wire: [{ kind: "error", operations: ["subAccounts"] }] })
      const before = yield* asked
      const lost = yield* run(sync)
      assert.strictEqual(lost.exitCode, 3, lost.stderr)
      assert.match(lost.stderr, /not proven complete: subAccounts: no usable answer.*name the sub-accounts in a file/)
      assert.match(lost.stderr, /complete from .* to/)
      assert.isAtLeast((yield* asked) - before, 7)
    }).pipe(listing({})))

  it.live("says once in a sync which accounts are new, and which the exchange lists no more", () =>
    Effect.gen(function*() {
      const { at } = yield* directory
      const sync = ["sync", "--accounts", "service", "--since", "3h", "--archive-file", at("books.db")]
      const first = yield* run(sync)
      assert.strictEqual(first.exitCode, 0, first.stderr)
      assert.notMatch(first.stderr, /accounts? (is|are) /)
      /** As if a round of another program had read a proven list of all but the first account, and of these. */
      const meanwhile = (...besides: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const { saveSubAccounts } = yield* Archive.Archive
          const subAccounts = [...names.slice(1), ...besides].map((subAccount) => ({ subAccount, note: "" }))
          yield* saveSubAccounts({ subAccounts, at: (yield* Clock.currentTimeMillis) + 1, isProven: true })
        }).pipe(Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") })))
      yield* meanwhile("x1", "x2", "x3", "x4", "x5", "x6")
      const quiet = yield* run([...sync, "--quiet"])
      assert.match(quiet.stderr, /^\S+ \S+ UTC 6 accounts are listed no more: x1, x2, x3, x4, x5 and 1 more\n$/)
      yield* meanwhile()
      assert.include((yield* run(sync)).stderr, `UTC 1 account is listed again: ${names[0]}\n`)
      const again = yield* run(sync)
      assert.notMatch(again.stderr, /accounts? (is|are) /)
    }).pipe(listing({})))

  it.live("leaves nobody out of a report over an archive that knows others", () =>
    Effect.gen(function*() {
      const { exchange } = yield* Sandbox.Sandbox
      const { at, put } = yield* directory
      const archive = ["--archive-file", at("books.db")]
      const file = yield* put("accounts.txt", [...names, "formerly1"].join("\n"))
      assert.strictEqual((yield* run(["sync", "--accounts", file, "--since", "3h", ...archive])).exitCode, 0)
      yield* exchange.setFaults({ ignorePage: true })
      const { stderr, stdout } = yield* run(["reconcile", "--accounts", "service", "--format", "json", ...archive])
      assert.include(stderr, "not proven complete: page 2 shows")
      const report = yield* decodeReport(stdout)
      assert.deepInclude(report.accounts, { complete: false, count: 8 })
      const [entry] = report.outcomes.flatMap(({ deposits, transfers }) => deposits.concat(transfers))
      assert.isDefined(entry)
      const dry = ["decide", "exclude", entry.id, "--reason", "test", "--words", "ours", "--dry-run", ...archive]
      const [told, known] = [yield* run([...dry, "--accounts", "service"]), yield* run(dry)]
      assert.strictEqual(told.exitCode, 0, told.stderr)
      assert.include(told.stderr, "those that the archive knows count")
      assert.strictEqual(told.stdout, known.stdout)
    }).pipe(listing({})))

  it.live("makes no account one that the exchange lists no more", () =>
    Effect.gen(function*() {
      const { exchange } = yield* Sandbox.Sandbox
      const { at } = yield* directory
      const archive = ["--archive-file", at("books.db")]
      const sync = ["sync", "--accounts", "service", "--since", "3h", ...archive]
      assert.strictEqual((yield* run(sync)).exitCode, 0)
      yield* Effect.gen(function*() {
        const { saveSubAccounts } = yield* Archive.Archive
        const at = (yield* Clock.currentTimeMillis) - 86_400_000
        yield* saveSubAccounts({ subAccounts: [{ subAccount: "formerly1", note: "" }], at, isProven: false })
      }).pipe(Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") })))
      yield* exchange.setFaults({ ignorePage: true })
      assert.strictEqual((yield* run(sync)).exitCode, 3)
      const doubted = yield* run(["archive", "status", ...archive])
      assert.match(doubted.stdout, /SUB-ACCOUNTS: 8 on the exchange's lists up to /)
      assert.notInclude(doubted.stdout, "last on the list of")
      yield* exchange.setFaults({})
      assert.strictEqual((yield* run(sync)).exitCode, 0)
      const { stdout } = yield* run(["archive", "status", ...archive])
      assert.match(stdout, /SUB-ACCOUNTS: 7 on the exchange's lists up to /)
      assert.match(stdout, /formerly1: last on the list of .*, and not on\s+that of /)
    }).pipe(listing({})))

  it.live("that is empty names nobody to ask", () =>
    Effect.gen(function*() {
      const { exchange } = yield* Sandbox.Sandbox
      yield* exchange.setFaults({ pagesFromZero: true, lastPage: 1 })
      const { exitCode, stderr } = yield* run(["reconcile", "--accounts", "service"])
      assert.strictEqual(exitCode, 3)
      assert.include(stderr, "The exchange lists no sub-account, which proves nothing: name them in a file")
    }).pipe(listing({})))
})

describe("an account that the exchange lists no more", () => {
  it.live("is read by every sync as long as the archive knows it", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const { exchange } = yield* Sandbox.Sandbox
      const file = yield* put("accounts.txt", [...names, "formerly1"].join("\n"))
      const asked = Effect.fnUntraced(function*(accounts: string) {
        const count = Effect.map(exchange.requests, (all) => all.filter(({ path }) => path.endsWith("Transfer")).length)
        const before = yield* count
        const { exitCode, stderr } = yield* run(["sync", "--accounts", accounts, "--archive-file", at("books.db")])
        assert.strictEqual(exitCode, 0, stderr)
        return (yield* count) - before
      })
      yield* asked(file)
      assert.strictEqual(yield* asked("service"), yield* asked(file))
    }).pipe(listing({})))

  it.live("spoils the list for reports of the time before it was gone, and for no later ones", () =>
    Effect.gen(function*() {
      const { at } = yield* directory
      const archive = ["--archive-file", at("books.db")]
      assert.strictEqual((yield* run(["sync", "--accounts", "service", "--since", "3h", ...archive])).exitCode, 0)
      const now = yield* Clock.currentTimeMillis
      const list = (days: number, ...subAccounts: ReadonlyArray<string>): Archive.ListReading => ({
        subAccounts: subAccounts.map((subAccount) => ({ subAccount, note: "" })),
        at: now - days * 86_400_000,
        isProven: true
      })
      yield* Effect.gen(function*() {
        const { saveSubAccounts } = yield* Archive.Archive
        yield* saveSubAccounts(list(30, "formerly1", ...names))
        yield* saveSubAccounts(list(20, ...names))
      }).pipe(Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") })))
      const accounts = Effect.fnUntraced(function*(since: string) {
        const args = ["reconcile", "--accounts", "service", "--since", since, "--format", "json", ...archive]
        return (yield* decodeReport((yield* run(args)).stdout)).accounts
      })
      assert.deepInclude(yield* accounts("2h"), { complete: true, count: 7 })
      assert.deepInclude(yield* accounts("25d"), { complete: false, count: 8 })
    }).pipe(listing({})))
})
