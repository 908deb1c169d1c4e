import { assert, describe, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { execFile, execFileSync } from "node:child_process"
import { promisify } from "node:util"
import { directory, layerFiles, layerNoNetwork, type Options, tallystick } from "./support/Run.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const plain = (id: string, amount: string, at: number, more: object = {}) =>
  JSON.stringify({ id, asset: "USDT", amount, at, account: "sub00001", ...more })

const deposits = [plain("d1", "10.5", AT), plain("d2", "20", AT + HOUR), plain("d3", "30", AT + 9 * HOUR)].join("\n")
const transfers = [plain("t1", "10.50", AT + MINUTE), plain("t3", "30", AT + 9 * HOUR + MINUTE)].join("\n")

const read = Schema.decodeSync(Schema.fromJsonString(Report.Report))

/** A run over two files of this directory, at a time when all of it is past. */
const reconcile = Effect.fnUntraced(function*(
  [left, right]: readonly [string, string],
  args: ReadonlyArray<string> = [],
  options: Options = {}
) {
  yield* TestClock.setTime(AT + 48 * HOUR)
  const result = yield* tallystick(
    [
      "reconcile",
      "--deposits",
      left,
      "--transfers",
      right,
      ...(args.includes("--format") ? [] : ["--format", "json"]),
      ...args
    ],
    options
  )
  return result
})

const codes = ({ outcomes }: Report.Report) =>
  Object.fromEntries(
    outcomes.flatMap(({ code, deposits, transfers }) => [...deposits, ...transfers].map(({ id }) => [id, code]))
  )

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick reconcile from files", (it) => {
  it.effect("matches two NDJSON files and exits with 1 when something is missing", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const result = yield* reconcile([yield* put("d.ndjson", deposits), yield* put("t.ndjson", transfers)], [
        "--complete"
      ])
      assert.deepStrictEqual(codes(read(result.stdout)), {
        d1: "exact",
        t1: "exact",
        d2: "missing-transfer",
        d3: "exact",
        t3: "exact"
      })
      assert.strictEqual(result.exitCode, 1)
      assert.match(result.stderr, /^tallystick: The books do not agree: 1 unmatched deposit/)
    }))

  it.effect("exits with 0 when the books agree", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.ndjson", plain("d1", "1", AT))
      const other = yield* put("t.ndjson", plain("t1", "1", AT + MINUTE))
      const result = yield* reconcile([one, other], ["--complete"])
      assert.strictEqual(result.exitCode, 0)
      assert.isTrue(read(result.stdout).clean)
    }))

  it.effect("exits with 1 where a link names what is not at hand, and warns of it", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.ndjson", plain("d1", "1", AT))
      const other = yield* put("t.ndjson", plain("t1", "1", AT + MINUTE))
      const policy = yield* put("p.json", JSON.stringify({ links: [{ deposits: ["d1"], transfers: ["t0"] }] }))
      const args = ["--complete", "--policy", policy]
      const result = yield* reconcile([one, other], args)
      const report = read(result.stdout)
      assert.deepStrictEqual(codes(report), { d1: "coverage-gap", t1: "missing-deposit" })
      assert.deepStrictEqual(report.warnings, [
        `The policy links deposit "d1", transfer "t0"; not among the entries: transfer "t0".`
      ])
      const lines = yield* reconcile([one, other], [...args, "--format", "ndjson"])
      assert.deepStrictEqual([result.exitCode, lines.exitCode], [1, 1])
      assert.include(lines.stdout, `"code":"coverage-gap"`)
    }))

  it.effect("reads the same from NDJSON, from a JSON array, from a saved response and from CSV", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const other = yield* put("t.ndjson", transfers)
      const rows = deposits.split("\n")
      const csv = [
        "id,asset,amount,at,account,reference",
        ...rows.map((row) => JSON.parse(row)).map(({ account, amount, asset, at, id }) =>
          [id, asset, amount, new Date(at).toISOString(), account, ""].join(",")
        )
      ].join("\r\n")
      const forms = [
        yield* put("a.ndjson", deposits),
        yield* put("b.json", `[\n  ${rows.join(",\n  ")}\n]`),
        yield* put("c.json", `{"result":[${rows.join(",")}],"totalCount":3}`),
        yield* put("d.csv", csv),
        yield* put("e.csv", csv.replaceAll(",", ";"))
      ]
      const results = yield* Effect.forEach(forms, (form) => reconcile([form, other], ["--complete"]))
      const [first, ...rest] = results.map(({ stdout }) => read(stdout).outcomes)
      for (const outcomes of rest) assert.deepStrictEqual(outcomes, first)
    }))

  it.effect("takes empty ends of the service's transfers in CSV for the master account, and ends that have no column for none", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const none = yield* put("d.ndjson", "")
      const row = `t1,USDT,1,SUCCESS,${AT}`
      const own = yield* put("own.csv", `tranId,asset,amount,status,timestamp,fromAccount,toAccount\n${row},,\n`)
      const other = yield* put("other.csv", `tranId,asset,amount,status,timestamp,fromEmail,toEmail\n${row},a,b\n`)
      const codes = Effect.fnUntraced(function*(file: string) {
        return read((yield* reconcile([none, file], ["--complete"])).stdout).outcomes.map(({ code }) => code)
      })
      assert.deepStrictEqual(yield* codes(own), ["out-of-flow"])
      assert.deepStrictEqual(yield* codes(other), ["bad-record"])
    }))

  it.effect("keeps what it cannot read as bad records with file, line and text, and exits with 1", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const broken = [
        plain("d1", "10.5", AT),
        "{\"id\": \"d2\", \"asset\"",
        "{\"id\":\"d3\",\"asset\":\"USDT\",\"amount\":1.50,\"at\":1}",
        plain("d4", "-1", AT),
        plain("d5", "1", 1234)
      ].join("\n")
      const one = yield* put("d.ndjson", broken)
      const other = yield* put("t.ndjson", plain("t1", "10.5", AT + MINUTE))
      const result = yield* reconcile([one, other], ["--complete"])
      const bad = read(result.stdout).outcomes.flatMap(({ bad }) => bad === undefined ? [] : [bad])
      assert.deepStrictEqual(
        new Set(bad.map(({ source }) => source.slice(one.length))),
        new Set([2, 3, 4, 5].map((n) => `, line ${n}`))
      )
      assert.isDefined(bad.find(({ path, raw }) => path === "amount" && raw.includes("1.50")))
      const syntax = bad.find(({ source }) => source.endsWith(", line 2"))
      assert.match(syntax?.reason ?? "", /^not valid JSON: .* at character 21$/)
      assert.strictEqual(result.exitCode, 1)
      assert.match(result.stderr, /Whether the books agree is not decidable: 4 records that could not be read/)
    }))

  it.effect("loses no row of a broken CSV file but the broken ones", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const rows = Array.from({ length: 2000 }, (_, n) => `d${n},USDT,${n + 1},${AT + n}`)
      rows[700] = "d700,\"US\"DT,1,1"
      rows[1500] = "d1500,\"USDT,1,1"
      rows[1999] = "d1999,USDT"
      const one = yield* put("d.csv", ["id,asset,amount,at", ...rows].join("\n"))
      const other = yield* put("t.ndjson", "")
      const report = read((yield* reconcile([one, other], ["--complete"])).stdout)
      const lines = report.outcomes.flatMap(({ bad }) =>
        bad === undefined ? [] : [Number(bad.source.split(" ").at(-1))]
      )
      assert.deepStrictEqual(new Set(lines), new Set([702, 1502, 2001]))
      assert.strictEqual(report.outcomes.flatMap(({ deposits }) => deposits).length, 1997)
    }))

  it.effect("keeps the records of a JSON array that breaks off, and says that some may be missing", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.json", `[${plain("d1", "1", AT)},\n${plain("d2", "2", AT)},\n{"id":`)
      const other = yield* put("t.json", "[]")
      const report = read((yield* reconcile([one, other], ["--complete"])).stdout)
      assert.strictEqual(report.outcomes.flatMap(({ deposits }) => deposits).length, 2)
      const bad = report.outcomes.flatMap(({ bad }) => bad === undefined ? [] : [bad])
      assert.isTrue(bad.some(({ reason, source }) => reason.includes("does not end") && source.endsWith("line 3")))
    }))

  it.effect("never rounds an id that came as a number", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.ndjson", plain("d1", "1", AT))
      const record = {
        fromAccount: "sub00001",
        toAccount: "master",
        clientTranId: "",
        asset: "USDT",
        amount: "1",
        fromAccountType: "SPOT",
        toAccountType: "SPOT",
        fromSymbol: "SPOT",
        toSymbol: "SPOT",
        status: "SUCCESS",
        timestamp: AT + MINUTE
      }
      const text = JSON.stringify(record).replace("{", "{\"tranId\":123456789012345678901,")
      const report = read((yield* reconcile([one, yield* put("t.ndjson", text)], ["--complete"])).stdout)
      assert.strictEqual(report.outcomes[0]?.transfers[0]?.id, "123456789012345678901")
    }))

  it.effect("claims nothing at the edges of a file, and names the flag that would settle them", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.ndjson", deposits)
      const other = yield* put("t.ndjson", plain("t2", "20", AT + HOUR + MINUTE))
      const { exitCode, stdout } = yield* reconcile([one, other])
      const report = read(stdout)
      assert.deepStrictEqual(codes(report), { d1: "coverage-gap", d2: "exact", t2: "exact", d3: "in-flight" })
      const gap = report.outcomes.find(({ code }) => code === "coverage-gap")
      assert.include(gap?.explanation, "--from or --complete")
      assert.isTrue(report.warnings.some((warning) => warning.includes("--to, or by --complete")))
      assert.strictEqual(exitCode, 1)
    }))

  it.effect("takes --from and --to as a promise that the files are complete there", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.ndjson", plain("d1", "1", AT + HOUR))
      const other = yield* put("t.ndjson", plain("t9", "9", AT + HOUR))
      const range = ["--from", "2026-11-18", "--to", "2026-11-20T00:00:00Z"]
      const report = read((yield* reconcile([one, other], range)).stdout)
      assert.deepStrictEqual(codes(report), { d1: "missing-transfer", t9: "missing-deposit" })
      assert.deepStrictEqual(report.range, { from: Date.UTC(2026, 10, 18), to: Date.UTC(2026, 10, 20) })
    }))

  it.effect("gives the same bytes when it is run again", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const paths = [yield* put("d.ndjson", deposits), yield* put("t.ndjson", transfers)] as const
      const first = yield* reconcile(paths)
      yield* TestClock.adjust("3 hours")
      assert.strictEqual((yield* reconcile(paths)).stdout, first.stdout)
    }))

  it.effect("reads one side from stdin, and not both", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const other = yield* put("t.ndjson", transfers)
      const piped = yield* reconcile(["-", other], ["--complete"], { stdin: deposits })
      assert.strictEqual(read(piped.stdout).outcomes.flatMap(({ deposits }) => deposits).length, 3)
      const both = yield* reconcile(["-", "-"])
      assert.strictEqual(both.exitCode, 2)
      assert.include(both.stderr, "stdin can be read once")
      const withPolicy = yield* reconcile(["-", other], ["--policy", "-"], { stdin: deposits })
      assert.strictEqual(withPolicy.exitCode, 2)
      assert.include(withPolicy.stderr, "only one of --deposits and --policy may be -")
    }))

  it.effect("prints a table for people by default, with times in the zone that was asked for", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.ndjson", deposits)
      const other = yield* put("t.ndjson", transfers)
      yield* TestClock.setTime(AT + 48 * HOUR)
      const { stdout } = yield* tallystick(
        ["reconcile", "--deposits", one, "--transfers", other, "--complete", "--zone", "Europe/Berlin"]
      )
      assert.match(stdout, /^Everything that was read\nThe books do not agree: /)
      assert.include(stdout, "2026-11-19 10:00:00.000+01:00")
    }))

  it.effect("writes --out whole, keeps its permissions, and leaves nothing else behind", () =>
    Effect.gen(function*() {
      const { at, get, mode, names, put } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      yield* put("report.json", "old")
      yield* fileSystem.chmod(at("report.json"), 0o600)
      const one = yield* put("d.ndjson", deposits)
      const other = yield* put("t.ndjson", transfers)
      const result = yield* reconcile([one, other], ["--complete", "--out", at("report.json")])
      assert.strictEqual(result.stdout, "")
      assert.strictEqual(read(yield* get("report.json")).outcomes.length, 3)
      assert.deepStrictEqual(yield* names, ["d.ndjson", "report.json", "t.ndjson"])
      assert.strictEqual(yield* mode("report.json"), 0o600)
    }))

  it.effect("writes --out to where a link leads, though nothing is there yet, and into a pipe as it comes", () =>
    Effect.gen(function*() {
      const { at, get, names, put } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      const one = yield* put("d.ndjson", deposits)
      const other = yield* put("t.ndjson", transfers)
      yield* fileSystem.symlink("second", at("first"))
      yield* fileSystem.symlink("report.json", at("second"))
      yield* reconcile([one, other], ["--complete", "--out", at("first")])
      assert.strictEqual(yield* fileSystem.readLink(at("first")), "second")
      assert.strictEqual(read(yield* get("report.json")).outcomes.length, 3)
      yield* fileSystem.symlink("round", at("round"))
      const round = yield* reconcile([one, other], ["--complete", "--out", at("round")])
      assert.strictEqual(round.exitCode, 2)
      assert.include(round.stderr, "its links lead in a circle")
      assert.deepStrictEqual(yield* names, ["d.ndjson", "first", "report.json", "round", "second", "t.ndjson"])
      execFileSync("mkfifo", [at("pipe")])
      const taken = promisify(execFile)("cat", [at("pipe")])
      yield* reconcile([one, other], ["--complete", "--out", at("pipe")])
      assert.strictEqual(read((yield* Effect.promise(() => taken)).stdout).outcomes.length, 3)
    }))

  it.effect("says what is wrong with a place that cannot be read or written", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const one = yield* put("d.ndjson", deposits)
      const unread = yield* reconcile([at("."), one])
      assert.strictEqual(unread.exitCode, 2)
      assert.include(unread.stderr, "cannot be read: it is a directory")
      const unwritten = yield* reconcile([one, one], ["--out", at("nowhere/report.json")])
      assert.strictEqual(unwritten.exitCode, 3)
      assert.include(unwritten.stderr, "cannot be written: the folder does not exist")
      assert.strictEqual((yield* reconcile([one, one], ["--out", ""])).exitCode, 2)
    }))

  it.effect("leaves the old output file when the run fails", () =>
    Effect.gen(function*() {
      const { at, get, names, put } = yield* directory
      yield* put("report.json", "old")
      const result = yield* reconcile([at("nothing.ndjson"), at("nothing.ndjson")], ["--out", at("report.json")])
      assert.strictEqual(result.exitCode, 2)
      assert.include(result.stderr, "nothing.ndjson cannot be read: it does not exist")
      assert.strictEqual(yield* get("report.json"), "old")
      assert.deepStrictEqual(yield* names, ["report.json"])
    }))

  describe("settings", () => {
    it.effect("names file, key and reason of everything that is wrong in a policy", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const one = yield* put("d.ndjson", deposits)
        const policy = yield* put("policy.json", "{\"windw\": {}, \"late\": \"soon\"}")
        const result = yield* reconcile([one, one], ["--policy", policy])
        assert.strictEqual(result.exitCode, 2)
        assert.include(result.stderr, "policy.json: windw: this key is not known to a policy")
        assert.include(result.stderr, "policy.json: late: ")
        const broken = yield* put("broken.json", "{\n  \"late\": \"1 hour\",\n}")
        const syntax = yield* reconcile([one, one], ["--policy", broken])
        assert.match(syntax.stderr, /broken\.json, line 3, column 1: not valid JSON/)
      }))

    it.effect("names file, line, field and reason of a wrong address", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const one = yield* put("d.ndjson", deposits)
        const book = yield* put("addresses.csv", "address,account\nT1,sub00001\nT2,\n")
        const result = yield* reconcile([one, one], ["--addresses", book])
        assert.strictEqual(result.exitCode, 2)
        assert.match(result.stderr, /addresses\.csv, line 3: account: /)
      }))

    it.effect("names the key of an accounts file that nobody knows, and counts every account once", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const one = yield* put("d.ndjson", deposits)
        const wrong = yield* put("wrong.json", "{\"lst\":[]}")
        const refused = yield* reconcile([one, one], ["--accounts", wrong])
        assert.strictEqual(refused.exitCode, 2)
        assert.include(refused.stderr, "wrong.json: lst: this key is not known here")
        const twice = yield* put("twice.txt", "sub00001\nsub00002\nsub00001\n")
        assert.strictEqual(read((yield* reconcile([one, one], ["--accounts", twice])).stdout).accounts.count, 2)
      }))

    it.effect("reads accounts as JSON, as a list, and as one name a line", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const one = yield* put("d.ndjson", deposits)
        const other = yield* put("t.ndjson", transfers)
        const forms = [
          yield* put("a.json", "{\"master\":\"main\",\"list\":[\"sub00001\",\"sub00002\"],\"complete\":true}"),
          yield* put("b.json", "[\"sub00001\",\"sub00002\"]"),
          yield* put("c.txt", "sub00001\nsub00002\n"),
          yield* put("d.csv", "account\nsub00001\nsub00002\n")
        ]
        const reports = yield* Effect.forEach(forms, (form) =>
          Effect.map(reconcile([one, other], ["--accounts", form]), ({ stdout }) => read(stdout).accounts))
        assert.deepStrictEqual(
          reports.map(({ count }) =>
            count
          ),
          [2, 2, 2, 2]
        )
        assert.deepStrictEqual(reports.map(({ complete }) => complete), [true, false, false, false])
        assert.deepStrictEqual(reports[0]?.master, ["main"])
      }))

    it.effect("refuses a CSV file whose header cannot be meant", () =>
      Effect.gen(function*() {
        const { put } = yield* directory
        const one = yield* put("d.csv", "date;value\n1;2\n")
        const result = yield* reconcile([one, one])
        assert.strictEqual(result.exitCode, 2)
        assert.match(result.stderr, /d\.csv, line 1: the header lacks id, asset, amount, at/)
      }))
  })
})
