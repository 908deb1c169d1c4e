import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import { linkSync } from "node:fs"
import { books, sandbox } from "./support/Books.ts"

it.layer(sandbox, { excludeTestServices: true })("tallystick archive", (it) => {
  it.effect("shows what is kept, what is complete and what is missing, for people and for programs", () =>
    Effect.gen(function*() {
      const { history, put, run, sync } = yield* books
      const old = yield* put("old.ndjson", "")
      const vouched = ["--covers-from", "2026-01-01", "--covers-to", "2026-06-01"]
      assert.strictEqual((yield* run(["import", "--deposits", old, ...vouched])).exitCode, 0)
      const first = yield* run([...sync, "--since", "71h"])
      assert.strictEqual(first.exitCode, 3, first.stderr)
      assert.match(
        first.stderr,
        / UTC deposits from 2026-06-01 00:00:00 to .* UTC: lost, the service had forgotten them/
      )
      const shown = yield* run(["archive", "status"])
      assert.strictEqual(shown.exitCode, 0, shown.stderr)
      const lines = shown.stdout.split("\n")
      assert.match(lines[0] ?? "", /books\.db$/)
      assert.match(lines[1] ?? "", /^ {2}http:\/\/127\.0\.0\.1, key [0-9a-f]{16}$/)
      assert.include(shown.stdout, `DEPOSITS: ${history.deposits.length} records from 20`)
      assert.include(shown.stdout, "TRANSFERS of 3 queries: ")
      assert.match(shown.stdout, /^ {2}2026-01-01 00:00 \++!+ 20/m)
      assert.include(shown.stdout, "  + complete by your word   ! not proven")
      assert.match(shown.stdout, /- deposits from 2026-06-01 00:00:00 to 20[^\n]*:\s+the service\s+had\s+forgotten/)
      assert.match(shown.stdout, /the service forgets the first unread deposit in (?:71\.9|72\.0) hours/)
      assert.include(shown.stdout, "Times in UTC.")
      for (const line of lines) assert.isAtMost(line.length, 100)

      const { deadline, deposits, holder, now, stamps, transfers } = JSON.parse(
        (yield* run(["archive", "status", "--format", "json"])).stdout
      )
      assert.strictEqual(deposits.records, history.deposits.length)
      const codes = deposits.gaps.map(({ gap }: { readonly gap: { readonly code: string } }) => gap.code)
      assert.deepStrictEqual(Array.from(new Set(codes)), ["retention"])
      assert.strictEqual(transfers.coverage.length, 3)
      assert.isAbove(deadline, now)
      assert.isNull(holder)
      assert.strictEqual(stamps.length, 1)
    }))

  it.effect("says that the service is forgetting what was never read, and who is at work", () =>
    Effect.gen(function*() {
      const { at, put, run } = yield* books
      const old = yield* put("old.ndjson", "")
      yield* run(["import", "--deposits", old])
      const empty = yield* run(["archive", "status"])
      assert.include(empty.stdout, "claimed by nobody yet")
      assert.include(empty.stdout, "DEPOSITS: no record")
      assert.include(empty.stdout, "not complete anywhere")
      assert.include(empty.stdout, "the service is forgetting deposits that were never read")
      const busy = yield* Effect.gen(function*() {
        const archive = yield* Archive.Archive
        yield* archive.exclusive("sync")
        return yield* run(["archive", "status"])
      }).pipe(Effect.scoped, Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") })))
      assert.strictEqual(busy.exitCode, 0)
      assert.match(busy.stdout, /in use: sync, process \d+ on /)
    }))

  it.effect("is refused by every command where its file has a second name, and nothing is written", () =>
    Effect.gen(function*() {
      const { at, names, put, run, sync } = yield* books
      const none = yield* put("none.ndjson", "")
      yield* run(["import", "--deposits", none])
      linkSync(at("books.db"), at("linked.db"))
      const before = yield* names
      const commands = [
        [...sync, "--since", "1h"],
        ["import", "--deposits", none],
        ["export", "--side", "deposits"],
        ["reconcile", "--archive"],
        ["runs"],
        ["show", "r1"],
        ["archive", "status"],
        ["archive", "trust"]
      ]
      for (const name of ["books.db", "linked.db"]) {
        const env = { TALLYSTICK_ARCHIVE: at(name) }
        for (const command of commands) {
          const { exitCode, stderr, stdout } = yield* run(command, { env })
          assert.strictEqual(exitCode, 2, command.join(" "))
          assert.include(stderr, `${name} may not be opened by this name: it has 2 names (hard links)`)
          assert.strictEqual(stdout, "")
        }
        const doctor = yield* run(["doctor"], { env })
        assert.notStrictEqual(doctor.exitCode, 0)
        assert.include(doctor.stdout.replaceAll(/\s+/g, " "), "it has 2 names (hard links)")
      }
      assert.deepStrictEqual(yield* names, before)
    }))

  it.effect("takes another key of the same master after a person said so, and none of another exchange", () =>
    Effect.gen(function*() {
      const { run, sync } = yield* books
      const { exchange } = yield* Sandbox.Sandbox
      assert.strictEqual((yield* run([...sync, "--since", "1h"])).exitCode, 0)
      const status = yield* run(["archive", "status"])
      assert.match(status.stdout, /^ {2}20[-\d]+ \d\d:\d\d #+[~.]* 20/m)
      assert.include(status.stdout, "  # complete   ")
      assert.match(status.stdout, /the service forgets the first unread deposit in (?:71\.9|72\.0) hours/)
      const replaced = { env: { TALLYSTICK_API_KEY: "mx0REPLACED" } }
      assert.include((yield* run([...sync, "--since", "1h"], replaced)).stderr, "tallystick archive trust")
      const before = (yield* exchange.requests).length
      const trusted = yield* run(["archive", "trust"], replaced)
      assert.strictEqual(trusted.exitCode, 0, trusted.stderr)
      assert.match(trusted.stderr, /takes records by this key from now on: http:\/\/127\.0\.0\.1, key [0-9a-f]{16}\n/)
      assert.notInclude(trusted.stderr, "mx0REPLACED")
      assert.include((yield* run(["archive", "trust"], replaced)).stderr, "knows this key already")
      assert.strictEqual((yield* exchange.requests).length, before)
      const asked = yield* run([...sync, "--since", "1h"], replaced)
      assert.notInclude(asked.stderr, "archive trust")
      const elsewhere = yield* run(["archive", "trust"], { env: { TALLYSTICK_BASE_URL: "https://api.example.com" } })
      assert.strictEqual(elsewhere.exitCode, 2)
      assert.include(elsewhere.stderr, "no archive keeps the records of two exchanges")
      assert.notInclude(elsewhere.stderr, "archive trust")
    }))
})
