/** Recorded runs: which are listed, which are none, which lose their outcomes, and what somebody sees who may only read. */
import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Run from "@tallystick/archive/Run"
import * as Runs from "@tallystick/archive/Runs"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import { dirname } from "node:path"
import { books, sandbox } from "./support/Books.ts"

const HOUR = 3_600_000

/** A deposit that the service did not show. */
const DEPOSIT = {
  amount: "3.25",
  coin: "USDT",
  network: "TRX",
  status: 5,
  address: "TAbc",
  txId: "late:0",
  unlockConfirm: "10",
  confirmTimes: "12",
  memo: ""
}

const decodeRuns = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Run.Run)))

const iso = (ms: number): string => new Date(ms).toISOString()

/** An archive of the last 71 hours, and how to reconcile some of them. */
const kept = Effect.gen(function*() {
  const all = yield* books
  const synced = yield* all.run([...all.sync, "--since", "71h"])
  assert.strictEqual(synced.exitCode, 0, synced.stderr)
  const addresses = yield* all.put("addresses.json", JSON.stringify(all.history.addressBook))
  const settings = ["--archive", "--addresses", addresses, "--accounts", all.accounts]
  const end = all.history.options.to
  const over = (from: number, to: number) => ["--from", iso(end - from * HOUR), "--to", iso(end - to * HOUR)]
  const reconcile = (range: ReadonlyArray<string>, ...more: ReadonlyArray<string>) =>
    all.run(["reconcile", ...settings, ...range, ...(more.includes("ndjson") ? [] : ["--format", "json"]), ...more])
  const listed = (...args: ReadonlyArray<string>) =>
    Effect.flatMap(all.run(["runs", "--format", "json", ...args]), ({ stdout }) => decodeRuns(stdout))
  return { ...all, end, over, reconcile, listed }
})

/** A report of a run that was not recorded has all but the identity of one that was. */
const withoutIdentity = (json: string): string => json.replace(/"identity":\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\},/, "")

it.layer(sandbox, { excludeTestServices: true })("tallystick runs", (it) => {
  it.effect("lists the last ones, those recorded since a time, and those about a day", () =>
    Effect.gen(function*() {
      const { end, listed, over, reconcile, run } = yield* kept
      for (const range of [over(60, 50), over(40, 38), over(10, 5)]) yield* reconcile(range)
      const all = yield* listed()
      assert.lengthOf(all, 3)
      assert.deepStrictEqual(yield* listed("--limit", "2"), all.slice(0, 2))
      assert.deepStrictEqual(yield* listed("--since", "1h"), all)
      assert.deepStrictEqual(yield* listed("--since", "0s"), [])
      const day = iso(end - 39 * HOUR).slice(0, 10)
      const [from, to] = [Date.parse(day), Date.parse(day) + 24 * HOUR]
      const about = all.filter(({ range }) => range !== null && range.from < to && range.to > from)
      assert.isAtLeast(about.length, 1)
      assert.deepStrictEqual(yield* listed("--day", day, "--zone", "UTC"), about)
      assert.deepStrictEqual(yield* listed("--day", day, "--zone", "UTC", "--limit", "1"), about.slice(0, 1))
      const none = yield* run(["runs", "--day", "2020-01-01"])
      assert.deepStrictEqual([none.exitCode, none.stdout], [0, ""])
      assert.include(none.stderr, "no run is recorded that was asked for")
      for (const wrong of [["--limit", "0"], ["--since", "soon"], ["--day", "someday"]]) {
        assert.strictEqual((yield* run(["runs", ...wrong])).exitCode, 2)
      }
    }))

  it.effect("has no run of time that nobody read, nor of the future, nor of one that was not to be recorded", () =>
    Effect.gen(function*() {
      const { end, listed, over, reconcile } = yield* kept
      const unread = yield* reconcile(["--day", iso(end - 400 * 24 * HOUR).slice(0, 10)])
      assert.strictEqual(unread.exitCode, 3, unread.stderr)
      assert.include(unread.stderr, "no run was recorded: nothing of this time was read or imported")
      assert.include(unread.stderr, " run=none")
      const future = yield* reconcile(["--day", iso(end + 48 * HOUR).slice(0, 10)])
      assert.strictEqual(future.exitCode, 2, future.stderr)
      assert.include(future.stderr, "the range lies in the future: it begins now or later")
      const unrecorded = yield* reconcile(over(60, 50), "--no-record")
      assert.include([0, 1], unrecorded.exitCode, unrecorded.stderr)
      assert.notInclude(unrecorded.stderr, "recorded")
      assert.deepStrictEqual(yield* listed(), [])
      const recorded = yield* reconcile(over(60, 50), "--workers", "2")
      assert.strictEqual(withoutIdentity(recorded.stdout), withoutIdentity(unrecorded.stdout))
      assert.lengthOf(yield* listed(), 1)
      const lines = yield* reconcile(over(60, 50), "--workers", "2", "--format", "ndjson")
      assert.strictEqual(lines.exitCode, 2, lines.stderr)
    }))

  it.effect("prune takes the outcomes of what later runs replace, says how much went, and show says so", () =>
    Effect.gen(function*() {
      const { accounts, end, history, listed, over, put, reconcile, run } = yield* kept
      const refused = yield* run(["runs", "prune"])
      assert.strictEqual(refused.exitCode, 2)
      assert.strictEqual((yield* run(["runs", "prune", "--keep", "long"])).exitCode, 2)
      yield* reconcile(over(60, 20))
      const nothing = yield* run(["runs", "prune", "--keep", "0s"])
      assert.strictEqual(nothing.exitCode, 0, nothing.stderr)
      assert.match(nothing.stderr, /no run from before .* UTC has a later one in its place/)

      // A deposit of which the exchange knows nothing makes a run that is less certain, and replaces none.
      const late = yield* put("late.ndjson", `${JSON.stringify({ ...DEPOSIT, insertTime: end - 30 * HOUR })}\n`)
      const imported = yield* run(["import", "--deposits", late])
      assert.strictEqual(imported.exitCode, 0, imported.stderr)
      yield* reconcile(over(60, 20))
      const none = yield* run(["runs", "prune", "--keep", "0s"])
      assert.match(none.stderr, /no run from before .* UTC has a later one in its place that is whole/)

      // One whose address book has grown is about no less.
      const grown = [...history.addressBook, { address: "of nobody", account: "sub00001" }]
      const book = yield* put("grown.json", JSON.stringify(grown))
      const asked = ["reconcile", "--archive", "--accounts", accounts, "--addresses", book, "--format", "json"]
      yield* run([...asked, ...over(60, 20)])
      const [last, first] = yield* listed()
      const pruned = yield* run(["runs", "prune", "--keep", "0s"])
      assert.strictEqual(pruned.exitCode, 0, pruned.stderr)
      assert.include(pruned.stderr, `1 run lost its outcomes, because a later one stands in its place: ${first?.id}`)
      assert.match(pruned.stderr, /[\d,]+ rows? of [\d,]+ bytes (?:is|are) gone; the database uses their room again/)

      const shown = yield* run(["show", first?.id ?? ""])
      assert.strictEqual(shown.exitCode, 2)
      assert.include(shown.stderr, `holds no outcomes of run ${first?.id} any more`)
      assert.include([0, 1], (yield* run(["show", last?.id ?? "", "--format", "json"])).exitCode)
      const table = yield* run(["runs"])
      assert.match(table.stdout, /ASIDE +OUTCOMES\n/)
      assert.match(table.stdout, new RegExp(`${first?.id}.* taken away\\n`))
      assert.strictEqual((yield* run(["archive", "check"])).exitCode, 0)
    }))

  it.effect("needs no right to write, as show, export, status, check and reconcile --no-record", () =>
    Effect.gen(function*() {
      const { at, over, reconcile, run } = yield* kept
      const recorded = yield* reconcile(over(60, 20))
      const [id = ""] = /r[0-9a-f]{16}/.exec(recorded.stderr) ?? []
      const commands = [
        ["runs", "--format", "json"],
        ["show", id, "--format", "json"],
        ["export", "--side", "transfers"],
        ["archive", "status"],
        ["archive", "check"]
      ]
      const before = yield* Effect.forEach(commands, (command) => run(command))
      const file = at("books.db")
      const folder = dirname(file)
      const names = fs.readdirSync(folder).toSorted()
      fs.chmodSync(file, 0o444)
      for (const [index, command] of commands.entries()) {
        const { exitCode, stderr, stdout } = yield* run(command)
        assert.strictEqual(exitCode, before[index]?.exitCode, stderr)
        // The status tells how much time is left, which is less now.
        if (!command.includes("status")) assert.strictEqual(stdout, before[index]?.stdout, command.join(" "))
      }
      const again = yield* reconcile(over(60, 20), "--no-record")
      assert.deepStrictEqual(
        [again.exitCode, withoutIdentity(again.stdout)],
        [recorded.exitCode, withoutIdentity(recorded.stdout)]
      )
      const lines = yield* reconcile(over(60, 20), "--no-record", "--format", "ndjson")
      assert.strictEqual(lines.exitCode, recorded.exitCode)
      assert.deepStrictEqual(fs.readdirSync(folder).toSorted(), names)
    }))

  it.effect("are shown with the marks of their own version of reports", () =>
    Effect.gen(function*() {
      const { at, over, reconcile, run } = yield* kept
      const { stdout } = yield* reconcile(over(60, 50))
      const report = yield* Schema.decodeEffect(Schema.fromJsonString(Report.Report))(stdout)
      const earlier = yield* Effect.flatMap(Runs.Runs, (runs) => runs.save({ ...report, version: 1 })).pipe(
        Effect.scoped,
        Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") }))
      )
      for (const format of ["json", "ndjson"]) {
        const told = yield* run(["show", earlier.run.id, "--format", format])
        assert.strictEqual(told.exitCode, 0, told.stderr)
        assert.include(told.stdout, "\"version\":1")
        assert.notInclude(told.stdout, "inRange")
      }
    }))
})
