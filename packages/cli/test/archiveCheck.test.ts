import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { DatabaseSync } from "node:sqlite"
import { books, sandbox } from "./support/Books.ts"

/** As somebody does who knows SQL. */
const edit = (file: string, statement: string): void => {
  const db = new DatabaseSync(file)
  db.exec(statement)
  db.close()
}

it.layer(sandbox, { excludeTestServices: true })("an archive that was damaged", (it) => {
  it.effect("is named by check, doctor and the report, and mended by sync, where the service still shows it", () =>
    Effect.gen(function*() {
      const { at, history, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const whole = yield* run(["archive", "check"])
      assert.strictEqual(whole.exitCode, 0, whole.stderr)
      assert.match(whole.stderr, /books\.db holds what was written to it\n$/)
      assert.strictEqual(whole.stdout, "")

      edit(at("books.db"), "UPDATE deposits SET amount = '999' WHERE id = (SELECT max(id) FROM deposits)")
      const found = yield* run(["archive", "check"])
      assert.strictEqual(found.exitCode, 1)
      assert.match(
        found.stdout,
        /^deposits from 20\S+ 00:00:00 to 20\S+ 00:00:00 UTC: \d+ rows written, \d+ found, 1 of them not as written\n$/
      )
      assert.include(found.stderr, "does not hold what was written to it")
      assert.include(found.stderr, "Restore a backup; tallystick sync reads again what the service still shows.")
      const doctor = yield* run(["doctor"])
      assert.include(doctor.stdout.replaceAll(/\s+/g, " "), "1 of them not as written")
      const report = yield* run(["reconcile", "--archive", "--since", "70h", "--format", "json"])
      assert.notStrictEqual(report.exitCode, 0)
      assert.include(report.stdout, "the archive does not hold what was proven here")

      const mended = yield* run(sync)
      assert.match(
        mended.stderr,
        /deposits from .* UTC: the archive was damaged, what the service still shows was read again/
      )
      const again = yield* run(["archive", "check"])
      assert.strictEqual(again.exitCode, 0, again.stdout)
      const status = yield* run(["archive", "status", "--format", "json"])
      assert.strictEqual(JSON.parse(status.stdout).deposits.records, history.deposits.length)
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
      const twice = yield* run(["archive", "backup", at("copy.db")])
      assert.strictEqual(twice.exitCode, 2)
      assert.include(twice.stderr, "exists already")
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
})
