import { assert, it } from "@effect/vitest"
import * as Run from "@tallystick/archive/Run"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { books, rows, sandbox } from "./support/Books.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(Report.Report))
const decodeRuns = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Run.Run)))

const Sighting = Schema.Struct({
  id: Schema.String,
  versions: Schema.Array(Schema.Struct({ outcome: Report.ReportOutcome, runs: Schema.Array(Run.Run) }))
})
const decodeSighting = Schema.decodeEffect(Schema.fromJsonString(Sighting))

const ids = (outcomes: ReadonlyArray<Outcome.Outcome>) => outcomes.map(({ id }) => id).toSorted()

/** The same, with everything of the last 71 hours in it. */
const kept = Effect.gen(function*() {
  const all = yield* books
  const { history, put, run, sync } = all
  const synced = yield* run([...sync, "--since", "71h"])
  assert.strictEqual(synced.exitCode, 0, synced.stderr)
  const addresses = yield* put("addresses.json", JSON.stringify(history.addressBook))
  const settings = ["--addresses", addresses, "--accounts", all.accounts]
  return { ...all, settings }
})

it.layer(sandbox, { excludeTestServices: true })("tallystick reconcile --archive", (it) => {
  it.effect("comes to the outcomes that the service's own records come to, and records the run once", () =>
    Effect.gen(function*() {
      const { at, get, history, run, settings } = yield* kept
      const range = ["--since", "60h"]
      const served = yield* run(["reconcile", ...settings, ...range, "--format", "json"])
      const archived = yield* run(["reconcile", "--archive", ...settings, ...range, "--format", "json"])
      assert.strictEqual(archived.exitCode, 1, archived.stderr)
      assert.match(archived.stderr, /\nrecorded as run r[0-9a-f]{16}\n/)
      const report = yield* decode(archived.stdout)
      const missing = (all: Report.Report) => all.outcomes.filter(({ code }) => code === "missing-transfer")
      assert.isNotEmpty(missing(report))
      assert.deepStrictEqual(ids(missing(report)), ids(missing(yield* decode(served.stdout))))

      const fixed = ["--from", new Date(history.options.to - 60 * 3_600_000).toISOString()]
      const first = yield* run(["reconcile", "--archive", ...settings, ...fixed, "--out", at("first.txt")])
      const again = yield* run(["reconcile", "--archive", ...settings, ...fixed, "--out", at("again.txt")])
      const [id] = /r[0-9a-f]{16}/.exec(first.stderr) ?? []
      assert.include(again.stderr, `nothing new: the same as run ${id}, recorded at `)
      assert.strictEqual(yield* get("again.txt"), yield* get("first.txt"))
      const runs = yield* decodeRuns((yield* run(["runs", "--format", "json"])).stdout)
      assert.strictEqual(runs.length, 2)
      assert.strictEqual(runs[0]?.id, id)
    }))

  it.effect("says what became of the report and of its run where it is interrupted", () =>
    Effect.gen(function*() {
      const { run, settings } = yield* kept
      const archived = ["reconcile", "--archive", ...settings]
      const whole = yield* run(archived, { interrupted: true })
      const [, id = ""] =
        /Interrupted\. What was written is not complete\. The run was recorded: tallystick show (r\w+) /
          .exec(whole.stderr) ?? []
      assert.strictEqual((yield* run(["show", id])).exitCode, 0, whole.stderr)
      const streamed = yield* run([...archived, "--day", "yesterday", "--format", "ndjson"], { interrupted: true })
      assert.include(streamed.stderr, "Interrupted. What was written is not complete. The run was not recorded.\n")
      assert.lengthOf(yield* decodeRuns((yield* run(["runs", "--format", "json"])).stdout), 1)
    }))

  it.effect("streams the same outcomes as lines, and records the same run", () =>
    Effect.gen(function*() {
      const { history, run, settings } = yield* kept
      const range = ["--from", new Date(history.options.to - 40 * 3_600_000).toISOString()]
      const whole = yield* run(["reconcile", "--archive", ...settings, ...range, "--format", "json"])
      const streamed = yield* run(["reconcile", "--archive", ...settings, ...range, "--format", "ndjson"])
      assert.strictEqual(streamed.exitCode, whole.exitCode)
      assert.include(streamed.stderr, "nothing new: the same as run")
      const lines = rows(streamed.stdout)
      const report = yield* decode(whole.stdout)
      assert.strictEqual(lines.length, report.outcomes.length + 1)
    }))

  it.effect("masks the accounts of the archive where that is asked for, also when a run is shown again, and records them as they are", () =>
    Effect.gen(function*() {
      const { history, run, settings } = yield* kept
      const range = ["--from", new Date(history.options.to - 40 * 3_600_000).toISOString()]
      const open = yield* run(["reconcile", "--archive", ...settings, ...range, "--format", "json"])
      const [id = ""] = /r[0-9a-f]{16}/.exec(open.stderr) ?? []
      const names = new Set(history.addressBook.flatMap(({ account, address }) => [account, address]))
      for (const format of ["json", "ndjson"]) {
        const masked = yield* run([
          "reconcile",
          "--archive",
          ...settings,
          ...range,
          "--mask-accounts",
          "--format",
          format
        ])
        const shown = yield* run(["show", id, "--mask-accounts", ...settings, "--format", format])
        const shownIn = ({ stdout }: { readonly stdout: string }) =>
          stdout.split("\n").filter((line) => line.startsWith("{\"id\":"))
            .map((line) => line.match(/"id":"[^"]*"|"account":"[^"]*"/g)?.join() ?? "").toSorted()
        assert.deepStrictEqual(shownIn(shown), shownIn(masked))
        assert.include(masked.stderr, `nothing new: the same as run ${id}`)
        for (const { stdout } of [masked, shown]) {
          assert.include(stdout, "account-1")
          for (const name of names) assert.notInclude(stdout, name)
        }
      }
      assert.include((yield* run(["show", id, "--format", "json"])).stdout, "sub00001")
    }))

  it.effect("is about the last 24 hours before the end of what is complete, and of the accounts that the archive knows", () =>
    Effect.gen(function*() {
      const { run } = yield* kept
      const { exitCode, stderr, stdout } = yield* run(["reconcile", "--archive", "--format", "json"])
      assert.include([1, 3], exitCode, stderr)
      const { accounts, coverage, range } = yield* decode(stdout)
      const end = Math.min(...coverage.filter(({ state }) => state === "complete").map(({ to }) => to))
      assert.strictEqual(range?.to, end)
      assert.strictEqual((range?.to ?? 0) - (range?.from ?? 0), 86_400_000)
      assert.strictEqual(accounts.count, 3)
      assert.isFalse(accounts.complete)
      assert.include(stderr, "of 3 sub-accounts that the archive knows")
    }))

  it.effect("refuses what contradicts it, and an archive of which nothing is complete", () =>
    Effect.gen(function*() {
      const { accounts, at, put, run } = yield* books
      const file = yield* put("d.ndjson", "")
      yield* run(["import", "--deposits", file])
      for (
        const [args, told] of [
          [["--archive", "--deposits", file, "--transfers", file], "leave out --deposits and --transfers"],
          [["--archive", "--complete"], "the archive knows what is complete"],
          [["--archive", "--accounts", accounts], "nothing in the archive is complete"],
          [
            ["--archive", "--accounts", accounts, "--since", "1h"],
            "were never read; run tallystick sync, or say where"
          ],
          [["--archive-file", at("absent.db")], "there is no archive"]
        ] as const
      ) {
        const { exitCode, stderr } = yield* run(["reconcile", ...args])
        assert.strictEqual(exitCode, 2, stderr)
        assert.include(stderr, told)
      }
    }))

  it.effect("is remembered: runs are listed, and a run and its outcomes are shown again by the beginning of their ids", () =>
    Effect.gen(function*() {
      const { history, run, settings } = yield* kept
      const begin = (hours: number) => ["--from", new Date(history.options.to - hours * 3_600_000).toISOString()]
      assert.include((yield* run(["runs"])).stderr, "no run is recorded")
      const made = yield* run(["reconcile", "--archive", ...settings, ...begin(60), "--format", "json"])
      const report = yield* decode(made.stdout)
      yield* run(["reconcile", "--archive", ...settings, ...begin(50), "--format", "json"])
      const listed = yield* run(["runs"])
      assert.strictEqual(listed.exitCode, 0, listed.stderr)
      assert.match(
        listed.stdout,
        /^RUN +RECORDED +FROM +TO +CLEAN +MATCHED +BREAKS +PENDING +UNKNOWN +ASIDE\nr/
      )
      assert.strictEqual(listed.stdout.trimEnd().split("\n").length, 3)
      assert.include(listed.stdout, "  no  ")

      const [id = ""] = /r[0-9a-f]{16}/.exec(made.stderr) ?? []
      const shown = yield* run(["show", id.slice(0, 9), "--format", "json"])
      assert.strictEqual(shown.exitCode, 0, shown.stderr)
      const again = yield* decode(shown.stdout)
      assert.deepStrictEqual(ids(again.outcomes), ids(report.outcomes))
      assert.deepStrictEqual(again.totals, report.totals)
      const table = yield* run(["show", id])
      assert.include(table.stdout, "BREAKS")
      assert.include(table.stderr, `run ${id}, recorded at 20`)

      const forms = { csv: "outcome,code,", markdown: "# ", html: "<!doctype html>", ndjson: "{\"id\":" }
      for (const [format, begin] of Object.entries(forms)) {
        const { exitCode, stderr, stdout } = yield* run(["show", id, "--format", format])
        assert.strictEqual(exitCode, 0, stderr)
        assert.isTrue(stdout.startsWith(begin), format)
        if (format === "ndjson") assert.deepStrictEqual(rows(stdout).length, report.outcomes.length + 1)
      }
      assert.match(made.stderr, new RegExp(`\\ntallystick summary result=not-clean exit=1 .* run=${id}\\n$`))

      const late = history.options.to - 40 * 3_600_000
      const missing = report.outcomes.find(({ code, deposits }) =>
        code === "missing-transfer" && (deposits[0]?.at ?? 0) > late
      )
      const sighting = yield* decodeSighting((yield* run(["show", missing?.id ?? "", "--format", "json"])).stdout)
      assert.strictEqual(sighting.id, missing?.id)
      assert.strictEqual(sighting.versions.flatMap(({ runs }) => runs).length, 2)
      const asTable = yield* run(["show", missing?.id ?? "", "--format", "csv"])
      assert.strictEqual(asTable.exitCode, 2)
      assert.include(asTable.stderr, "an outcome is shown as table or json, not as csv")
      const told = yield* run(["show", (missing?.id ?? "").slice(0, 14).toUpperCase()])
      assert.strictEqual(told.exitCode, 0, told.stderr)
      assert.include(told.stdout, "1 unmatched deposit [missing-transfer]")
      assert.include(told.stdout, missing?.deposits[0]?.id ?? "absent")
      assert.include(told.stdout, "seen in 2 runs:\n    r")

      const ambiguous = yield* run(["show", "r"])
      assert.strictEqual(ambiguous.exitCode, 2)
      assert.include(ambiguous.stderr, "2 runs begin with r; give more of the id")
      for (const unknown of ["r0000000", "zzz", "'; DROP TABLE runs"]) {
        const { exitCode, stderr } = yield* run(["show", unknown])
        assert.strictEqual(exitCode, 2)
        assert.include(stderr, "no run and no outcome has an id that begins with")
      }
    }))
})
