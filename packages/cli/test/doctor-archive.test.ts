import { assert, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { books, sandbox } from "./support/Books.ts"
import { decode, line } from "./support/Doctor.ts"

/** What doctor finds about the archive. */
const looked = Effect.fnUntraced(function*(
  run: Effect.Success<typeof books>["run"],
  args: ReadonlyArray<string> = [],
  env: Record<string, string> = {}
) {
  const { exitCode, stdout } = yield* run(["doctor", "--format", "json", ...args], { env })
  const checks = yield* decode(stdout)
  const of = (wanted: string) => checks.filter(({ what }) => what === wanted).map(line)
  return { exitCode, found: of("archive"), unread: of("unread") }
})

it.layer(sandbox, { excludeTestServices: true })("doctor, of the archive", (it) => {
  it.effect("says how far it reaches and how long there is time", () =>
    Effect.gen(function*() {
      const { run, sync } = yield* books
      const absent = yield* looked(run)
      assert.match(
        absent.found.join("\n"),
        /^skipped: there is no archive in .*books\.db yet; tallystick sync makes it > $/
      )
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const { exitCode, found, unread } = yield* looked(run)
      assert.strictEqual(exitCode, 0)
      assert.match(
        found.join("\n"),
        /^ok: .*books\.db: \d+ deposits and \d+ transfers, recorded as complete from [-\d]+ [:.\d]+ to [-\d]+ [:.\d]+ UTC.*$/
      )
      assert.match(unread.join("\n"), /^ok: the service forgets .* in 7[12]\.\d hours .*$/)
    }))

  it.effect("tells the time that is left by the retention that is configured, and so does archive status, with no key", () =>
    Effect.gen(function*() {
      const { run, sync } = yield* books
      const env = { TALLYSTICK_CONVENTIONS: JSON.stringify({ depositHistory: 240 * 3_600_000 }) }
      yield* run([...sync, "--since", "71h"], { env })
      const { unread } = yield* looked(run, [], env)
      assert.match(unread.join("\n"), /the service forgets the first unread deposit in (?:239|240)\.\d hours/)
      const keyless = { ...env, TALLYSTICK_BASE_URL: "", TALLYSTICK_API_KEY: "", TALLYSTICK_SECRET_KEY: "" }
      const status = yield* run(["archive", "status"], { env: keyless })
      assert.strictEqual(status.exitCode, 0, status.stderr)
      assert.match(
        status.stdout.replaceAll(/\s+/g, " "),
        /the service forgets the first unread deposit in (?:239|240)\.\d hours/
      )
      const wrong = yield* run(["archive", "status"], {
        env: { ...keyless, TALLYSTICK_CONVENTIONS: "{\"depositHistory\":-1}" }
      })
      assert.strictEqual(wrong.exitCode, 2)
      assert.include(wrong.stderr, "TALLYSTICK_CONVENTIONS")
    }))

  it.effect("tells that nothing was read yet, and warns when others may open the file", () =>
    Effect.gen(function*() {
      const { at, put, run } = yield* books
      const fileSystem = yield* FileSystem.FileSystem
      yield* run(["import", "--deposits", yield* put("old.ndjson", "")])
      yield* fileSystem.chmod(at("books.db"), 0o644)
      const { exitCode, found, unread } = yield* looked(run)
      assert.strictEqual(exitCode, 0)
      assert.match(found[0] ?? "", /^ok: .*0 deposits and 0 transfers, not complete anywhere/)
      assert.deepStrictEqual(unread, ["skipped: nothing was read from the service yet > Run tallystick sync."])
      assert.match(found[1] ?? "", /^warning: others than its owner may open .*books\.db \(mode 644\) > chmod 600 /)
      assert.strictEqual(found.length, 2)
    }))

  it.effect("ends with 1 where the service soon forgets something unread, and with 3 where it does already; so do others", () =>
    Effect.gen(function*() {
      const { run, sync } = yield* books
      yield* run([...sync, "--since", "71h"])
      for (const command of [["doctor"], ["archive", "status"], [...sync]]) {
        const close = yield* run([...command, "--warn-hours", "100"])
        assert.strictEqual(close.exitCode, 1, close.stderr)
        assert.strictEqual((yield* run([...command, "--warn-hours", "0"])).exitCode, 0)
      }
      // An archive that was read once and whose service keeps deposits for minutes only has lost some by now.
      const env = { TALLYSTICK_CONVENTIONS: JSON.stringify({ depositHistory: 60_000, depositReach: 96 * 3_600_000 }) }
      for (const command of [["doctor"], ["archive", "status"]]) {
        const lost = yield* run(command, { env })
        assert.strictEqual(lost.exitCode, 3, lost.stderr)
        assert.include(lost.stderr, command[0] === "doctor" ? "unread" : "is forgetting deposits that were never read")
      }
    }))

  it.effect("names the operation whose lists are not believed, and so does archive status", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      yield* run([...sync, "--since", "1h"])
      const answers = { believed: false, learntAt: Date.UTC(2026, 10, 22, 9), agreements: 0, pageLength: 500 }
      const lengths = { backwards: 0, forwards: 0, longestResponse: 0, longestList: 0 }
      yield* Archive.use(({ saveLearnt }) => saveLearnt({ transfers: { ...answers, ...lengths } })).pipe(
        Effect.provide(Archive.layerSqlite({ file: at("books.db") }))
      )
      const { exitCode, found } = yield* looked(run)
      assert.strictEqual(exitCode, 0)
      assert.match(
        found[1] ?? "",
        /^warning: .*books\.db: the service's lists of transfers are not believed since 2026-11-22 09:00:00 UTC, because two /
      )
      assert.strictEqual(found.length, 2)
      const { stdout } = yield* run(["archive", "status"])
      const [before, after] = stdout.replaceAll(/\s+/g, " ").split("TRANSFERS")
      assert.notInclude(before, "not believed")
      assert.include(after, "since 2026-11-22 09:00:00 the service's lists of transfers are not believed")
      const json = yield* run(["archive", "status", "--format", "json"])
      assert.match(json.stdout, /"disbelievedSince": null[^]*"disbelievedSince": 1795338000000/)
    }))

  it.effect("fails for the archive of another master, for a file that is none, and for two places at once", () =>
    Effect.gen(function*() {
      const { at, put, run, sync } = yield* books
      yield* run([...sync, "--since", "1h"])
      const other = yield* looked(run, [], { TALLYSTICK_API_KEY: "mx0REPLACED" })
      assert.match(
        other.found[1] ?? "",
        /^failed: .* keeps the records of .*, but the configuration names .* > .*archive trust/
      )
      const letter = yield* put("letter.txt", "no database".repeat(300))
      const foreign = yield* looked(run, ["--archive-file", letter])
      assert.strictEqual(foreign.exitCode, 2)
      assert.match(foreign.found[0] ?? "", /^failed: .*letter\.txt is no archive of Tallystick.* > Name another file/)
      const env = { TALLYSTICK_DATABASE_URL: "postgres://books:recognisable-word@127.0.0.1:1/books" }
      const both = yield* looked(run, ["--archive-file", at("books.db")], env)
      assert.match(both.found[0] ?? "", /^failed: .*only one of them can be the archive/)
      const absent = yield* looked(run, [], env)
      assert.match(
        absent.found[0] ?? "",
        /^failed: PostgreSQL 127\.0\.0\.1:1\/books cannot be reached: .* > Look whether the server runs/
      )
      assert.notInclude(JSON.stringify([both, absent]), "recognisable-word")
    }))
})
