import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { books, sandbox } from "./support/Books.ts"
import { edit } from "./support/Edit.ts"

/** Of SQLite, bytes. */
const PAGE = 4096

/** The bytes of a file, and the names of those beside it. */
const seen = (file: string) => ({
  bytes: createHash("sha256").update(readFileSync(file)).digest("hex"),
  beside: readdirSync(dirname(file)).toSorted()
})

it.layer(sandbox, { excludeTestServices: true })("an archive that was damaged", (it) => {
  it.effect("says how many rows are missing, and not that none of the others is altered", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      edit(at("books.db"), "DELETE FROM deposits WHERE id = (SELECT id FROM deposits ORDER BY at LIMIT 1 OFFSET 1)")
      const found = yield* run(["archive", "check"])
      assert.strictEqual(found.exitCode, 1)
      assert.match(found.stdout, /^deposits from .* UTC: \d+ rows written, \d+ found, 1 is missing\n$/)
    }))

  it.effect("is named by check, doctor and the report, and mended by sync, where the service still shows it", () =>
    Effect.gen(function*() {
      const { at, history, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const whole = yield* run(["archive", "check"])
      assert.strictEqual(whole.exitCode, 0, whole.stderr)
      assert.match(whole.stderr, /books\.db holds what was written to it\n$/)
      assert.strictEqual(whole.stdout, "")
      const recorded = /what was recorded; tallystick archive check reads what is kept and verifies it/
      assert.match((yield* run(["archive", "status"])).stdout.replaceAll(/\s+/g, " "), recorded)

      // Of a day between others, which the service still shows as a whole.
      const middle = "SELECT id FROM deposits ORDER BY at LIMIT 1 OFFSET (SELECT count(*) / 2 FROM deposits)"
      edit(at("books.db"), `UPDATE deposits SET amount = '999' WHERE id = (${middle})`)
      const found = yield* run(["archive", "check"])
      assert.strictEqual(found.exitCode, 1)
      assert.match(
        found.stdout,
        /^deposits from 20\S+ 00:00:00 to 20\S+ 00:00:00 UTC: \d+ rows written, \d+ found, 1 of them not as written\n$/
      )
      assert.include(found.stderr, "does not hold what was written to it")
      assert.include(found.stderr, "Restore a backup. Without one, ")
      const doctor = yield* run(["doctor"])
      assert.include(doctor.stdout.replaceAll(/\s+/g, " "), "1 of them not as written")
      assert.notMatch(doctor.stdout, /^(?:ok|warning) +archive/m)
      assert.notInclude(doctor.stdout, "complete to")
      const unmade = yield* run(["archive", "backup", at("unmade.db")])
      assert.strictEqual(unmade.exitCode, 3)
      assert.include(unmade.stderr, "a part of it is not as it was written; no backup was made")
      const report = yield* run(["reconcile", "--archive", "--since", "70h", "--format", "json"])
      assert.notStrictEqual(report.exitCode, 0)
      assert.include(report.stdout, "the archive does not hold what was proven here")

      const mended = yield* run(sync)
      assert.match(
        mended.stderr,
        /deposits from .* UTC: the archive was damaged; sync reads again what the service still shows, but .* stays a gap until/
      )
      const later = yield* run(sync)
      assert.strictEqual(later.exitCode, 0, later.stderr)
      assert.match(
        later.stderr,
        /complete from [-\d]+ [:.\d]+ to [-\d]+ [:.\d]+ UTC, but for 1 gap that tallystick archive status names\n/
      )
      const again = yield* run(["archive", "check"])
      assert.strictEqual(again.exitCode, 0, again.stdout)
      assert.match(
        again.stdout,
        /^deposits from 20\S+ \S+ to 20\S+ 00:00:00 UTC: the archive lost rows of this time, .*\n$/
      )
      assert.match(again.stderr, /books\.db holds what was written to it, but for the rows that it lost earlier\n$/)
      const told = yield* run(["doctor", "--format", "json"])
      assert.match(
        told.stdout,
        /"status":\s*"warning",\s*"finding":\s*"[^"]*books\.db lost rows earlier: deposits from /
      )
      assert.match(
        told.stdout,
        /recorded as complete from [-\d]+ [:.\d]+ to [-\d]+ [:.\d]+ UTC, but for 1 gap that tallystick archive status/
      )
      const status = yield* run(["archive", "status"])
      assert.include(status.stdout.replaceAll(/\s+/g, " "), "the archive lost rows of this time")
      const { deposits, verified } = JSON.parse((yield* run(["archive", "status", "--format", "json"])).stdout)
      assert.isFalse(verified)
      assert.strictEqual(deposits.records, history.deposits.length)
      const [{ from, to }] = deposits.lost
      const isLost = (gap: { readonly from: number; readonly to: number }) => gap.from < to && from < gap.to
      assert.isTrue(deposits.gaps.some(isLost))
      const sound = yield* run(["archive", "backup", at("sound.db")])
      assert.strictEqual(sound.exitCode, 0, sound.stderr)
      assert.notInclude(sound.stderr, "whole")
      assert.include(sound.stderr, "sound.db lacks them too: keep the backups of before")
      assert.match(sound.stderr, /^deposits from .* the archive lost rows of this time/m)
      assert.include(
        (yield* run(["archive", "backup", "--quiet", at("quiet.db")])).stderr,
        "keep the backups of before"
      )
    }))

  it.effect("says how it is mended where it lost whose records it keeps", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      edit(at("books.db"), "DELETE FROM stamps")
      const found = yield* run(["archive", "check"])
      assert.strictEqual(found.exitCode, 1)
      assert.match(found.stdout, /^it does not tell any more whose records it keeps, .*tallystick archive trust .*\n$/)
      assert.include(found.stderr, "run the command that is named above, if any, and then tallystick sync")
      const refused = yield* run(sync)
      assert.strictEqual(refused.exitCode, 3)
      assert.include(refused.stderr, "tallystick archive trust")
      const told = yield* run(["doctor"])
      assert.strictEqual(told.exitCode, 2)
      assert.match(told.stdout, /tallystick\s+archive trust/)
      assert.notMatch(told.stdout, /Restore\s+it/)
      assert.strictEqual((yield* run(["archive", "trust"])).exitCode, 0)
      assert.strictEqual((yield* run(sync)).exitCode, 0)
      assert.strictEqual((yield* run(["archive", "check"])).exitCode, 0)
    }))

  it.effect("is checked also where pages of it cannot be read, and where SQLite cannot open it at all", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      assert.strictEqual((yield* run(["archive", "backup", at("copy.db")])).exitCode, 0)
      const whole = readFileSync(at("copy.db"))
      const pages = Math.floor(whole.length / PAGE)
      let named = 0
      let unread = 0
      for (let page = 1; page < pages; page += Math.ceil(pages / 8)) {
        writeFileSync(at("copy.db"), Buffer.from(whole).fill(0x55, page * PAGE, (page + 1) * PAGE))
        const { exitCode, stderr, stdout } = yield* run(["archive", "check", at("copy.db")])
        assert.strictEqual(exitCode, 1, `page ${page}: ${stderr}`)
        assert.notInclude(stdout, "***")
        if (stdout.includes("not all of it can be read")) {
          unread++
          assert.match(stdout, /page \d+|index/, `page ${page}: ${stdout}`)
        }
        if (stdout !== "") named++
      }
      assert.isAbove(named, 0)
      assert.isAbove(unread, 0)
      writeFileSync(at("copy.db"), whole.subarray(0, whole.length / 2))
      for (const args of [[at("copy.db")], ["--archive-file", at("copy.db")]]) {
        const { exitCode, stderr } = yield* run(["archive", "check", ...args])
        assert.strictEqual(exitCode, 1, stderr)
      }
    }))

  it.effect("is backed up to a file of its own, which check takes, and which no backup replaces", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      const fileSystem = yield* FileSystem.FileSystem
      assert.include((yield* run(["archive", "backup", at("copy.db")])).stderr, "there is no archive in")
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const made = yield* run(["archive", "backup", at("copy.db")])
      assert.strictEqual(made.exitCode, 0, made.stderr)
      assert.match(made.stderr, /copy\.db holds all of .*books\.db: it was read again and is whole\n$/)
      assert.strictEqual((yield* fileSystem.stat(at("copy.db"))).mode & 0o777, 0o600)
      assert.strictEqual((yield* run(["archive", "check", at("copy.db")])).exitCode, 0)
      const folder = yield* run(["archive", "backup", at("copies/")])
      assert.strictEqual(folder.exitCode, 2)
      assert.include(folder.stderr, `a backup is a file, and ${at("copies/")} names a directory`)
      const none = yield* run(["archive", "backup", "-"])
      assert.strictEqual(none.exitCode, 2)
      assert.include(none.stderr, "a backup goes into a file")
      const twice = yield* run(["archive", "backup", at("copy.db")])
      assert.strictEqual(twice.exitCode, 2)
      assert.include(twice.stderr, "is an archive of Tallystick, or a backup of one")
      edit(at("copy.db"), "DELETE FROM deposits WHERE id = (SELECT max(id) FROM deposits)")
      const hurt = yield* run(["archive", "check", at("copy.db")])
      assert.strictEqual(hurt.exitCode, 1)
      assert.strictEqual((yield* run(["archive", "check", at("none.db")])).exitCode, 2)
      const postgres = yield* run(["archive", "backup", at("dump")], {
        env: { TALLYSTICK_ARCHIVE: "", TALLYSTICK_DATABASE_URL: "postgres://someone:s3cret@db.example.com/books" }
      })
      assert.strictEqual(postgres.exitCode, 2)
      assert.include(postgres.stderr, "pg_dump --format=custom --file=")
      assert.include(postgres.stderr, "postgres://someone@db.example.com/books")
      assert.notInclude(postgres.stderr, "s3cret")
    }))

  it.effect("shows no recorded run that is not as it was recorded, names it everywhere, and records it again", () =>
    Effect.gen(function*() {
      const { at, history, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const [from, to] = [40, 10].map((hours) => new Date(history.options.to - hours * 3_600_000).toISOString())
      const reconcile = ["reconcile", "--archive", "--from", `${from}`, "--to", `${to}`, "--format", "json"]
      const first = yield* run(reconcile)
      const [id = ""] = /r[0-9a-f]{16}/.exec(first.stderr) ?? []
      const whole = yield* run(["show", id, "--format", "json"])
      assert.strictEqual(whole.exitCode, 0, whole.stderr)

      edit(at("books.db"), "UPDATE runs SET clean = 1 - clean")
      const listed = yield* run(["runs"])
      assert.match(listed.stdout, new RegExp(`${id} +damaged`))
      assert.include(listed.stderr, "of 1 damaged one nothing is told")
      assert.deepStrictEqual(JSON.parse((yield* run(["runs", "--format", "json"])).stdout), [{ id, damaged: true }])
      for (const format of ["json", "ndjson"]) {
        const shown = yield* run(["show", id, "--format", format])
        assert.deepStrictEqual([shown.exitCode, shown.stdout], [3, ""])
        assert.include(shown.stderr, `run ${id} is not as it was recorded; reconcile the same range from it again`)
      }
      const check = yield* run(["archive", "check"])
      assert.deepStrictEqual([check.exitCode, check.stdout], [1, `run ${id} is not as it was recorded\n`])
      assert.include(check.stderr, "tallystick reconcile --archive records a damaged run again")
      assert.include((yield* run(["doctor"])).stdout.replaceAll(/\s+/g, " "), `run ${id} is not as it was recorded`)
      const backup = yield* run(["archive", "backup", at("copy.db")])
      assert.strictEqual(backup.exitCode, 1)
      assert.include(backup.stderr, `run ${id} is not as it was recorded`)
      assert.strictEqual((yield* run(["archive", "check", at("copy.db")])).stdout, check.stdout)

      assert.include((yield* run(reconcile)).stderr, `recorded as run ${id}`)
      const again = yield* run(["show", id, "--format", "json"])
      // All but the time at which it was recorded.
      const withoutTime = (text: string) => text.replace(/"madeAt":\d+/, "")
      assert.strictEqual(withoutTime(again.stdout), withoutTime(whole.stdout))
      assert.strictEqual((yield* run(["archive", "check"])).exitCode, 0)
    }))

  it.effect("misses what syncs learnt of the service, and a run of which nothing is left", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      yield* run(["reconcile", "--archive", "--since", "40h", "--format", "json"])
      assert.strictEqual((yield* run(["archive", "check"])).exitCode, 0)
      edit(at("books.db"), "DELETE FROM learnt; DELETE FROM runs; DELETE FROM run_outcomes; DELETE FROM run_packs")
      const check = yield* run(["archive", "check"])
      assert.strictEqual(check.exitCode, 1)
      assert.match(
        check.stdout,
        /^it lost some of what syncs learnt of how the service answers, .*\n1 run lost once: .*\n$/
      )
      const unknown = /lists of deposits are not believed, because the archive lost what it knew of them/
      assert.match((yield* run(["archive", "status"])).stdout.replaceAll(/\s+/g, " "), unknown)
      const doctor = yield* run(["doctor"])
      assert.strictEqual(doctor.exitCode, 2)
      assert.match(doctor.stdout.replaceAll(/\s+/g, " "), unknown)
    }))

  it.effect("is not changed by those who look at it, and neither is a backup, nor anything beside them", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      assert.strictEqual((yield* run(["archive", "backup", at("copy.db")])).exitCode, 0)
      const before = [seen(at("books.db")), seen(at("copy.db"))]
      const unchanged = (what: string) =>
        assert.deepStrictEqual([seen(at("books.db")), seen(at("copy.db"))], before, what)
      for (
        const args of [["archive", "status"], ["archive", "check"], ["archive", "check", at("copy.db")], ["doctor"]]
      ) {
        const { exitCode, stderr } = yield* run(args)
        assert.include(args[0] === "doctor" ? [0, 1] : [0], exitCode, stderr)
        unchanged(args.join(" "))
      }
    }))

  it.effect("is not claimed for being open: a check of a backup refuses what it would have to change, or cannot see whole", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const open = new DatabaseSync(at("books.db"))
      open.prepare("SELECT * FROM holder").all()
      const used = yield* run(["archive", "check", at("books.db")])
      open.close()
      assert.strictEqual(used.exitCode, 3, used.stderr)
      assert.include(used.stderr, "books.db-wal or books.db-shm stands beside it")
      assert.include(
        used.stderr,
        "Only if these files are its own and were not left beside it by another file of that name"
      )
      assert.include(used.stderr, "open it as an archive")

      assert.strictEqual((yield* run(["archive", "backup", at("copy.db")])).exitCode, 0)
      edit(at("copy.db"), "DELETE FROM tallystick_migrations WHERE migration_id > 7")
      const before = seen(at("copy.db"))
      const older = yield* run(["archive", "check", at("copy.db")])
      assert.strictEqual(older.exitCode, 2, older.stderr)
      assert.match(older.stderr, /was written by an earlier version of Tallystick \(schema 7; /)
      assert.include(older.stderr, "open a copy that you may write to")
      assert.deepStrictEqual(seen(at("copy.db")), before)

      writeFileSync(at("empty.db"), "")
      assert.strictEqual((yield* run(["archive", "check", at("empty.db")])).exitCode, 2)
      assert.strictEqual(readFileSync(at("empty.db")).length, 0)
    }))
})
