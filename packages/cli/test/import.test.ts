import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { spawnSync } from "node:child_process"
import { basename } from "node:path"
import { archive, DAY, deposit, ndjson, transfer } from "./support/Imports.ts"
import * as Process from "./support/Process.ts"
import { layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const rows = (text: string): ReadonlyArray<unknown> =>
  text.split("\n").filter((line) => line !== "").map((line): unknown => JSON.parse(line))

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick import and export", (it) => {
  it.effect("leave no archive behind where the file cannot be read", () =>
    Effect.gen(function*() {
      const { at, run } = yield* archive
      const { exitCode, stderr } = yield* run("import", "--deposits", at("absent.csv"))
      assert.strictEqual(exitCode, 2)
      assert.include(stderr, "absent.csv cannot be read: it does not exist")
      const none = yield* run("runs")
      assert.include(none.stderr, "there is no archive")
    }))

  it.effect("vouches for no deposits whose file is in no order, for twins may be lost in it", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const input = yield* put("mixed.ndjson", ndjson([deposit(2), deposit(1), deposit(3), deposit(1)]))
      const covers = ["--covers-from", "2026-11-19", "--covers-to", "2026-11-20"]
      const { exitCode, stderr } = yield* run("import", "--deposits", input, ...covers)
      assert.strictEqual(exitCode, 1)
      assert.include(stderr, "No coverage was recorded for deposits: sort the file by time")
      const sorted = yield* put("sorted.ndjson", ndjson([deposit(1), deposit(1), deposit(2), deposit(3)]))
      const again = yield* run("import", "--deposits", sorted, ...covers)
      assert.strictEqual(again.exitCode, 0, again.stderr)
      assert.include(again.stderr, "you vouched for them")
    }))

  it.effect("give back what was put in, in order of time and in every format, and a second import adds nothing", () =>
    Effect.gen(function*() {
      const { at, put, run } = yield* archive
      const many = Array.from({ length: 2500 }, (_, n) => deposit(n))
      const input = yield* put("old.ndjson", ndjson(many.toReversed()))
      const first = yield* run("import", "--deposits", input)
      assert.strictEqual(first.exitCode, 0, first.stderr)
      assert.include(first.stderr, "2,500 deposit records read, 2,500 added, 0 changed")
      assert.include(
        (yield* run("import", "--deposits", input)).stderr,
        "2,500 deposit records read, 0 added, 0 changed"
      )
      for (const format of ["ndjson", "csv", "json"]) {
        const out = at(`out.${format}`)
        const written = yield* run("export", "--side", "deposits", "--format", format, "--out", out)
        assert.strictEqual(written.exitCode, 0, written.stderr)
        assert.include(
          (yield* run("import", "--deposits", out)).stderr,
          "2,500 deposit records read, 0 added, 0 changed"
        )
        const copy = ["--archive-file", at(`copy-${format}.db`)]
        assert.strictEqual((yield* tallystick(["import", "--deposits", out, ...copy])).exitCode, 0)
        const back = yield* tallystick(["export", "--side", "deposits", ...copy])
        assert.deepStrictEqual(rows(back.stdout), many)
      }
    }))

  it.effect("keep every twin, wherever a batch of the import ends", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const twins = [
        ...Array.from({ length: 998 }, (_, n) => deposit(n)),
        ...Array.from({ length: 6 }, () => deposit(998)),
        deposit(999)
      ]
      const input = yield* put("twins.ndjson", ndjson(twins))
      assert.include((yield* run("import", "--deposits", input)).stderr, "1,005 added")
      assert.include((yield* run("import", "--deposits", input)).stderr, " 0 added")
      assert.deepStrictEqual(rows((yield* run("export", "--side", "deposits")).stdout), twins)
    }))

  it.effect("take both sides, and a range of them out again", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const deposits = yield* put("d.ndjson", ndjson([deposit(1)]))
      const transfers = yield* put("t.json", JSON.stringify([transfer(1), transfer(DAY)]))
      const taken = yield* run("import", "--deposits", deposits, "--transfers", transfers)
      assert.strictEqual(taken.exitCode, 0, taken.stderr)
      const day = yield* run("export", "--side", "transfers", "--from", "2026-11-20")
      assert.deepStrictEqual(rows(day.stdout), [transfer(DAY)])
      assert.include(day.stderr, "1 record\n")
      assert.include(day.stderr, "Not proven complete:")
    }))

  it.effect("say what of a range was not read, also behind everything that was", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const input = yield* put("d.ndjson", ndjson([deposit(1)]))
      const covers = ["--covers-from", "2026-11-19", "--covers-to", "2026-11-19T12:00:00Z"]
      assert.strictEqual((yield* run("import", "--deposits", input, ...covers)).exitCode, 0)
      const day = yield* run("export", "--side", "deposits", "--day", "2026-11-19")
      assert.strictEqual(day.exitCode, 0)
      assert.strictEqual(
        day.stderr,
        "1 record\nNot proven complete:\ndeposits from 2026-11-19 12:00:00 to 2026-11-20 00:00:00 UTC: not read\n"
      )
      const half = yield* run("export", "--side", "deposits", "--from", "2026-11-19", "--to", "2026-11-19T12:00:00Z")
      assert.strictEqual(half.stderr, "1 record\n")
      assert.strictEqual((yield* run("export", "--side", "deposits")).stderr, "1 record\n")
    }))

  it.effect("take no transfer that names neither end for one of the master account with itself", () =>
    Effect.gen(function*() {
      const { get, names, put, run } = yield* archive
      const { fromAccount, toAccount, ...rest } = transfer(1)
      const columns = Object.keys(rest)
      const cells = Object.values(rest)
      for (
        const [name, text, count] of [
          ["other.ndjson", ndjson([{ ...rest, fromEmail: fromAccount, toEmail: toAccount }]), 0],
          ["other.csv", `${[...columns, "fromEmail"].join(",")}\n${[...cells, fromAccount].join(",")}\n`, 0],
          ["own.csv", `${[...columns, "fromAccount", "toAccount"].join(",")}\n${[...cells, "", ""].join(",")}\n`, 1]
        ] as const
      ) {
        const { exitCode, stderr } = yield* run("import", "--transfers", yield* put(name, text))
        assert.strictEqual(exitCode, count === 0 ? 1 : 0, stderr)
        assert.include(stderr, `${count} transfer record${count === 1 ? "" : "s"} read`)
        const rejects = `${name}.rejects.ndjson`
        assert.strictEqual((yield* names).includes(rejects), count === 0)
        if (count === 0) assert.include(yield* get(rejects), "neither fromAccount nor toAccount is in it")
      }
    }))

  it.effect("put lines that are no records into a file of their own, and lose none of the others", () =>
    Effect.gen(function*() {
      const { at, get, mode, names, put, run } = yield* archive
      const lines = [
        JSON.stringify(deposit(1)),
        "{oops",
        JSON.stringify(deposit(2, { amount: "1e3" })),
        JSON.stringify(deposit(3))
      ]
      const input = yield* put("old.ndjson", lines.join("\n"))
      const covers = ["--covers-from", "2026-11-19", "--covers-to", "2026-11-20"]
      const taken = yield* run("import", "--deposits", input, ...covers)
      assert.strictEqual(taken.exitCode, 1, taken.stderr)
      assert.include(taken.stderr, "2 deposit records read, 2 added")
      assert.include(taken.stderr, "No coverage was recorded for deposits")
      assert.deepStrictEqual(
        rows(yield* get("old.ndjson.rejects.ndjson")).map((row) => Object.assign({}, row, { reason: "" })),
        [{ line: 2, reason: "", path: "", raw: lines[1] }, { line: 3, reason: "", path: "amount", raw: lines[2] }].map((
          row
        ): object => row)
      )
      assert.strictEqual(yield* mode("old.ndjson.rejects.ndjson"), 0o600)
      assert.include((yield* run("export", "--side", "deposits", "--day", "2026-11-19")).stderr, "UTC: not read")

      yield* put("old.ndjson", ndjson([deposit(1), deposit(2), deposit(3)]))
      const corrected = yield* run("import", "--deposits", input, ...covers)
      assert.strictEqual(corrected.exitCode, 0, corrected.stderr)
      assert.include(corrected.stderr, "count as complete: you vouched for them")
      assert.deepStrictEqual((yield* names).filter((name) => name.includes("reject")), [])
      const day = yield* run("export", "--side", "deposits", "--day", "2026-11-19", "--out", at("day.ndjson"))
      assert.strictEqual(day.stderr, "3 records\n")
      const array = yield* put("old.json", JSON.stringify([deposit(1), deposit(2, { amount: "1e3" })]))
      assert.strictEqual((yield* run("import", "--deposits", array)).exitCode, 1)
      assert.include(yield* get("old.json.rejects.ndjson"), `{"line":1,"record":2,"reason":`)
    }))

  it.effect("count what was refused, whether it is one line or several", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const one = yield* put("one.ndjson", `${JSON.stringify(deposit(1))}\n{oops\n`)
      const first = yield* run("import", "--deposits", one)
      assert.include(first.stderr, `; 1 line was no record and is in ${one}.rejects.ndjson\n`)
      assert.include(first.stderr, "tallystick: 1 line was no record; everything else is kept\n")
      const two = yield* put("two.ndjson", `${JSON.stringify(deposit(1))}\n{oops\n{oops\n`)
      const second = yield* run("import", "--deposits", two)
      assert.include(second.stderr, `; 2 lines were no records and are in ${two}.rejects.ndjson\n`)
      assert.include(second.stderr, "tallystick: 2 lines were no records; everything else is kept\n")
    }))

  it.effect("replace no file that holds anything but rejects, and name no folder, device or pipe for them", () =>
    Effect.gen(function*() {
      const { at, get, names, put, run } = yield* archive
      const fileSystem = yield* FileSystem.FileSystem
      const bad = yield* put("bad.ndjson", ndjson([deposit(1), { amount: "2" }]))
      const good = yield* put("good.ndjson", ndjson([deposit(1)]))
      const others = [`precious\n`, " ", JSON.stringify(deposit(2)), `{"line":"1","reason":""}`, `{"line":1,"raw":""}`]
      yield* fileSystem.makeDirectory(at("folder"))
      spawnSync("mkfifo", [at("pipe")])
      for (const input of [bad, good]) {
        for (const text of others) {
          for (const flags of [["--rejects", yield* put("notes.txt", text)], []]) {
            const path = flags[1] ?? (yield* put(`${basename(input)}.rejects.ndjson`, text))
            const { exitCode, stderr } = yield* run("import", "--deposits", input, ...flags)
            assert.strictEqual(exitCode, 2, stderr)
            assert.include(stderr, `${path} holds something else than rejects`)
            assert.include(stderr, "--rejects")
            assert.strictEqual(yield* fileSystem.readFileString(path), text)
            yield* fileSystem.remove(path)
          }
        }
        for (const path of [at("folder"), at("pipe"), "/dev/null"]) {
          const { exitCode, stderr } = yield* run("import", "--deposits", input, "--rejects", path)
          assert.strictEqual(exitCode, 2, stderr)
          assert.include(stderr, `${path} cannot `)
          assert.isTrue(yield* fileSystem.exists(path))
        }
      }
      assert.deepStrictEqual(yield* names, ["bad.ndjson", "folder", "good.ndjson", "pipe"])
      // Empty, of an earlier import, and behind a link: there is nothing to lose.
      yield* fileSystem.symlink(yield* put("empty", ""), at("link"))
      for (let time = 0; time < 2; time++) {
        assert.strictEqual((yield* run("import", "--deposits", bad, "--rejects", at("link"))).exitCode, 1)
        assert.match(yield* get("empty"), /^\{"line":2,"reason":/)
      }
      assert.strictEqual((yield* run("import", "--deposits", good, "--rejects", at("link"))).exitCode, 0)
      assert.notInclude(yield* names, "empty")
      const kept = yield* put("empty", "")
      assert.strictEqual((yield* run("import", "--deposits", good, "--rejects", kept)).exitCode, 0)
      assert.include(yield* names, "empty")
    }))

  it.effect("leave the rejects of an earlier stdin alone, which may have been another text", () =>
    Effect.gen(function*() {
      const { at, get, names } = yield* archive
      const good = JSON.stringify(deposit(1, { insertTime: Date.UTC(2024, 0, 1) }))
      const args = ["import", "--deposits", "-", "--archive-file", at("books.db")]
      const from = (stdin: string) => Effect.promise(() => Process.run(args, { cwd: at(""), stdin }))
      assert.include((yield* from(`${good}\n{first\n`)).stderr, "in stdin.rejects.ndjson\n")
      const first = yield* get("stdin.rejects.ndjson")
      assert.strictEqual((yield* from(`${good}\n`)).exitCode, 0)
      assert.strictEqual(yield* get("stdin.rejects.ndjson"), first)
      assert.include((yield* from(`${good}\n{second\n`)).stderr, "in stdin-2.rejects.ndjson\n")
      assert.strictEqual(yield* get("stdin.rejects.ndjson"), first)
      assert.include(yield* get("stdin-2.rejects.ndjson"), "{second")
      assert.notInclude(yield* names, "stdin-3.rejects.ndjson")
    }))

  it.effect("repeats of a file that is something else no more than its beginning", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const header = `amount,coin,${"x".repeat(300_000)},insertTime`
      for (
        const text of [
          "x".repeat(300_000),
          `${header.replace("coin", "asset")}\n`,
          `${header.replace("insert", "INSERT")},coin\n`
        ]
      ) {
        const { exitCode, stderr } = yield* run("import", "--deposits", yield* put("long.txt", text))
        assert.strictEqual(exitCode, 2)
        assert.isBelow(stderr.length, 1000)
      }
    }))

  it.effect("read a header that is longer than what is read of a file at once", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const text = `amount,coin,${
        "x".repeat(300_000)
      },network,status,address,txId,unlockConfirm,confirmTimes,insertTime,memo\n`
      const { exitCode, stderr } = yield* run("import", "--deposits", yield* put("long.csv", text))
      assert.deepStrictEqual([exitCode, stderr.includes("0 deposit records read")], [0, true])
    }))

  it.effect("take no record in which a key stands twice, in whatever form the file is", () =>
    Effect.gen(function*() {
      const { at, get, put, run } = yield* archive
      const twice = JSON.stringify(deposit(2)).replace("{", "{\"amount\":\"9\",")
      const good = JSON.stringify(deposit(1))
      const files = {
        "a.ndjson": `${good}\n${twice}\n`,
        "b.json": `[${good},${twice}]`,
        "c.json": `{"result":[${good},${twice}]}`
      }
      for (const [name, text] of Object.entries(files)) {
        assert.strictEqual((yield* run("import", "--deposits", yield* put(name, text))).exitCode, 1)
        const rejects = yield* get(`${name}.rejects.ndjson`)
        assert.include(rejects, "\\\"amount\\\" stands twice, again at character")
        const report = [
          "reconcile",
          "--deposits",
          at(name),
          "--transfers",
          yield* put("none.csv", "id,asset,amount,at\n")
        ]
        const { stdout } = yield* tallystick([...report, "--complete", "--format", "json"])
        assert.include(stdout, "stands twice, again at character")
      }
      const exported = yield* run("export", "--side", "deposits")
      assert.deepStrictEqual(rows(exported.stdout), [deposit(1)])
    }))

  it.effect("pass over no second list in a file", () =>
    Effect.gen(function*() {
      const { get, put, run } = yield* archive
      const [one, other] = [JSON.stringify([deposit(1)]), JSON.stringify([deposit(2)])]
      for (
        const [name, text] of [["a.json", `${one}\n${other}`], [
          "b.json",
          `{"result":${one},"result":${other}}`
        ]] as const
      ) {
        const { exitCode } = yield* run("import", "--deposits", yield* put(name, text))
        assert.strictEqual(exitCode, 1)
        assert.include(yield* get(`${name}.rejects.ndjson`), "more stands behind it; records may be missing")
      }
      const whole = `{"totalCount":1,"result":${one},"totalCount":1 }\n`
      assert.strictEqual((yield* run("import", "--deposits", yield* put("c.json", whole))).exitCode, 0)
    }))

  it.effect("refuse what cannot be meant, before anything is written", () =>
    Effect.gen(function*() {
      const { at, names, put, run } = yield* archive
      const input = yield* put("d.ndjson", ndjson([deposit(1)]))
      const entries = yield* put("ledger.csv", "id,asset,amount,at\na,BTC,1,2026-11-19\n")
      assert.strictEqual((yield* run("import", "--deposits", entries)).exitCode, 2)
      assert.notInclude(yield* names, "books.db")
      yield* run("import", "--deposits", yield* put("none.ndjson", ""))
      const cases = [
        [["--deposits", input, "--rejects", `${at("")}/./d.ndjson`], "are one file"],
        [["--deposits", input, "--rejects", at("books.db")], "are one file"],
        [[], "Nothing to import"],
        [["--deposits", input, "--covers-from", "2026-11-19"], "go together"],
        [["--deposits", input, "--covers-from", "2026-11-19", "--covers-to", "2026-11-19"], "must lie behind"],
        [["--deposits", input, "--covers-from", "2026-11-19", "--covers-to", "2026-11-29"], "lies in the future"],
        [
          ["--deposits", input, "--covers-from", "2026-11-18", "--covers-to", "2026-11-20", "--seen", "2026-11-19"],
          "lies behind --seen"
        ],
        [["--deposits", input, "--seen", "2026-11-29"], "--seen lies in the future"],
        [["--deposits", input, "--covers-from", "soon", "--covers-to", "2026-11-19"], "--covers-from"],
        [["--deposits", input, "--rejects", input], "are one file"],
        [["--deposits", input, "--transfers", input, "--rejects", at("r")], "import one at a time"],
        [["--deposits", "-", "--transfers", "-"], "stdin can be read once"],
        [["--deposits", entries], "plain entries of a ledger"],
        [["--deposits", at("absent")], "cannot be read"]
      ] as const
      for (const [args, told] of cases) {
        const { exitCode, stderr } = yield* run("import", ...args)
        assert.strictEqual(exitCode, 2, stderr)
        assert.include(stderr, told)
      }
      assert.deepStrictEqual((yield* names).filter((name) => name.includes("reject")), [])
      for (const name of ["books.db", "books.db-lock"]) {
        const over = yield* run("export", "--side", "deposits", "--out", at(name))
        assert.strictEqual(over.exitCode, 2)
        assert.include(over.stderr, "are one file")
      }
      for (const asked of [[], ["--from", "2026-11-19"], ["--to", "2026-11-19"]]) {
        const none = yield* run("export", "--side", "deposits", ...asked)
        assert.strictEqual(none.exitCode, 0, none.stderr)
        assert.strictEqual(none.stdout, "")
      }
    }))

  it.effect("make no archive to read from, and none of a file that is something else", () =>
    Effect.gen(function*() {
      const { at, get, names, put } = yield* archive
      const absent = yield* tallystick(["export", "--side", "deposits", "--archive-file", at("absent.db")])
      assert.strictEqual(absent.exitCode, 2)
      assert.include(absent.stderr, "tallystick sync or tallystick import makes one")
      assert.deepStrictEqual(yield* names, [])
      const letter = "Dear finance desk, this is a letter and no database; do not write into it. ".repeat(20)
      const other = yield* put("letter.txt", letter)
      const input = yield* put("d.ndjson", ndjson([deposit(1)]))
      const refused = yield* tallystick(["import", "--deposits", input, "--archive-file", other])
      assert.strictEqual(refused.exitCode, 2, refused.stderr)
      assert.include(refused.stderr, "is no archive of Tallystick")
      assert.strictEqual(yield* get("letter.txt"), letter)
      const toFolder = yield* tallystick(["import", "--deposits", input, "--archive-file", at("")])
      assert.strictEqual(toFolder.exitCode, 2, toFolder.stderr)
      assert.include(toFolder.stderr, "is no archive of Tallystick: it is a folder; name a file in it")
      for (const asked of [["status"], ["check"], ["backup", at("copy.db")]]) {
        const none = yield* tallystick(["archive", ...asked, "--archive-file", at("")])
        assert.strictEqual(none.exitCode, 2)
        assert.include(none.stderr, "it is a folder; name a file in it")
      }
      const env = { TALLYSTICK_DATABASE_URL: "postgres://books:recognisable-word@127.0.0.1:1/books" }
      const both = yield* tallystick(["import", "--deposits", input, "--archive-file", at("a.db")], { env })
      assert.strictEqual(both.exitCode, 2)
      assert.include(both.stderr, "only one of them can be the archive")
      assert.notInclude(both.stderr, "recognisable-word")
    }))
})
