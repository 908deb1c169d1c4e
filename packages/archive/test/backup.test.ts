/** A backup is whole and verified, or it is not there; what a restored one claims is true. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Backup from "@tallystick/archive/Backup"
import * as Integrity from "@tallystick/archive/Integrity"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { temporaryDatabase, temporaryFolder } from "./support/databases.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW } from "./support/records.ts"

const DAY = 86_400_000

const opened = (file: string) =>
  Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Layer.fresh(Drivers.layerSqlite({ file }))))

const range = { from: NOW - DAY, to: NOW + DAY }

const complete: Coverage.Coverage = { operation: "deposits", ...range, readAt: NOW + DAY, state: "complete" }

const fill = (count: number) =>
  Archive.Archive.use(({ claim, deposits }) => {
    const records = Array.from({ length: count }, (_, index) => deposit({ insertTime: NOW + index, txId: `${index}` }))
    return Effect.andThen(
      claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" }),
      deposits.saveSlice({ ...range, records, bad: [], coverage: [complete] })
    )
  })

const given = Archive.Archive.use(({ deposits }) =>
  Effect.map(Stream.runCollect(deposits.slices(range)), (slices) => slices.flatMap(({ records }) => records))
)

describe("a backup", () => {
  it.effect("holds what the archive holds, is the owner's alone, and leaves nothing beside it", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "copy.db")
      const records = yield* Effect.andThen(fill(500), Effect.tap(given, () => Backup.make(file))).pipe(
        Effect.provide(opened(join(folder, "archive.db")))
      )
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(folder).filter((name) => name.includes("copy")), ["copy.db"])
      const copy = yield* Effect.all([given, Integrity.check()]).pipe(Effect.provide(opened(file)))
      assert.deepStrictEqual(copy[0], records)
      assert.isTrue(Integrity.isSound(copy[1]))
    }).pipe(Effect.scoped))

  it.effect("names its own place, not the archive's, where the disk is full", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "copy.db")
      const refused = yield* Effect.gen(function*() {
        const archive = yield* Archive.Archive
        const full = ArchiveError.ArchiveError.of(new ArchiveError.DiskFull({ place: archive.place }))
        return yield* Effect.provideService(Backup.make(file), Archive.Archive, {
          ...archive,
          copyTo: () => Effect.fail(full)
        }).pipe(Effect.flip)
      }).pipe(Effect.provide(opened(join(folder, "archive.db"))))
      assert.strictEqual(
        refused.message,
        `${file}: the disk is full; nothing was changed by what was being written: make room, then run it again`
      )
      assert.deepStrictEqual(readdirSync(folder).filter((name) => name.includes("copy")), [])
    }).pipe(Effect.scoped))

  it.effect("is of one moment while another writes", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const [file, copy] = [join(folder, "archive.db"), join(folder, "copy.db")]
      const write = Archive.Archive.use(({ deposits }) =>
        Effect.forEach(Array.from({ length: 50 }, (_, index) => index), (index) =>
          deposits.savePage({ readAt: NOW, records: [deposit({ insertTime: NOW - index - 1 })], bad: [] }))
      ).pipe(Effect.provide(opened(file)))
      yield* fill(2000).pipe(Effect.provide(opened(file)))
      const writing = yield* Effect.forkScoped(write)
      yield* Effect.yieldNow
      yield* Backup.make(copy).pipe(Effect.provide(opened(file)))
      yield* Fiber.join(writing)
      assert.isTrue(Integrity.isSound(yield* Integrity.check().pipe(Effect.provide(opened(copy)))))
    }).pipe(Effect.scoped))

  it.effect("replaces no file, and is not made of an archive that is damaged", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const [file, taken, copy] = ["archive.db", "taken.db", "copy.db"].map((name) => join(folder, name))
      if (file === undefined || taken === undefined || copy === undefined) return
      writeFileSync(taken, "mine")
      yield* Effect.gen(function*() {
        yield* fill(50)
        assert.deepInclude(yield* reason(Backup.make(taken)), { _tag: "Exists" })
        const { sql } = yield* Database
        yield* sql`DELETE FROM deposits WHERE at = ${NOW + 7}`
        const refused = yield* reason(Backup.make(copy))
        assert.deepInclude(refused, { _tag: "Damaged" })
        assert.include(refused.message, "a part of it is not as it was written; no backup was made")
        assert.include(refused.message, "tallystick archive check")
      }).pipe(Effect.provide(opened(file)))
      assert.deepStrictEqual(readdirSync(folder).toSorted(), ["archive.db", "archive.db-lock", "taken.db"])
    }).pipe(Effect.scoped))

  it.effect("has no name of a file that belongs to another, with which SQLite would delete it", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "archive.db")
      yield* Effect.andThen(
        fill(5),
        Effect.forEach(
          ["archive.db-journal", "link.db-wal", "archive.db-SHM", "later.db-lock"],
          (name) =>
            Effect.gen(function*() {
              const refused = yield* reason(Backup.make(join(folder, name)))
              assert.deepInclude(refused, { _tag: "Aliased", place: join(folder, name) })
              assert.include(refused.message, "name another file")
              const opened = Archive.Archive.use(({ stamps }) => stamps)
              const opening = Effect.provide(opened, Archive.Archive.layerSqlite({ file: join(folder, name) }))
              assert.deepInclude(yield* reason(opening), { _tag: "Aliased" })
            })
        )
      ).pipe(Effect.provide(opened(file)))
      assert.deepStrictEqual(readdirSync(folder).toSorted(), ["archive.db", "archive.db-lock"])
    }).pipe(Effect.scoped))

  it.effect("is not made beside files that were left of another, which SQLite would read into it", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "archive.db")
      const left = ["-wal", "-shm", "-journal", "-lock"]
      for (const [index, end] of left.entries()) writeFileSync(join(folder, `${index}.db${end}`), "left")
      symlinkSync(join(folder, "nowhere"), join(folder, "4.db-wal"))
      yield* Effect.gen(function*() {
        yield* fill(5)
        for (const [index, end] of [...left, "-wal"].entries()) {
          const refused = yield* reason(Backup.make(join(folder, `${index}.db`)))
          assert.deepInclude(refused, { _tag: "Aliased", place: join(folder, `${index}.db`) })
          assert.include(refused.message, `${join(folder, `${index}.db${end}`)} is there and belongs to another file`)
        }
      }).pipe(Effect.provide(opened(file)))
      assert.deepStrictEqual(readdirSync(folder).filter((name) => name.endsWith(".db")), ["archive.db"])
    }).pipe(Effect.scoped))

  it.effect("tells of which time the archive lost rows earlier", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.gen(function*() {
        yield* fill(50)
        const { deposits } = yield* Archive.Archive
        const { sql } = yield* Database
        assert.deepStrictEqual((yield* Backup.make(join(folder, "before.db"))).lost, [])
        yield* sql`DELETE FROM deposits WHERE at = ${NOW + 7}`
        yield* deposits.repair(range)
        yield* fill(50)
        const { lost } = yield* Backup.make(join(folder, "after.db"))
        assert.deepStrictEqual(lost.map(({ operation }) => operation), ["deposits"])
        assert.isTrue(lost.every(({ from, to }) => from <= NOW + 7 && NOW + 7 < to))
      }).pipe(Effect.provide(opened(join(folder, "archive.db"))))
    }).pipe(Effect.scoped))

  it.effect("of PostgreSQL is the business of pg_dump", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const url = yield* temporaryDatabase
      const refused = yield* reason(
        Backup.make(join(folder, "copy.db")).pipe(Effect.provide(Archive.Archive.layerPostgres({ url })))
      )
      assert.include(refused.message, "pg_dump")
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.scoped))
})
