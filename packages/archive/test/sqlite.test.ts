import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { join } from "node:path"
import { geteuid, seteuid } from "node:process"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { temporaryFolder } from "./support/databases.ts"
import { reason } from "./support/reason.ts"

const open = (file: string) =>
  Effect.map(
    Layer.build(Layer.fresh(Drivers.layerSqlite({ file, busyTimeout: 0 }))),
    (context) => Context.get(context, Database)
  )

const opening = (file: string) => reason(Effect.scoped(open(file)))

const digest = (file: string) => createHash("sha256").update(fs.readFileSync(file)).digest("hex")

/** Every file of a folder, with what tells its bytes. */
const contents = (folder: string) => fs.readdirSync(folder).toSorted().map((name) => [name, digest(join(folder, name))])

/** An archive with some hundred pages, closed. */
const filled = (file: string) =>
  Effect.scoped(Effect.gen(function*() {
    const { sql } = yield* open(file)
    const text = "x".repeat(1000)
    yield* sql.withTransaction(
      Effect.forEach(Array.from({ length: 400 }, (_, n) => `${n}${text}`), (base_url) =>
        sql`INSERT INTO stamps ${sql.insert({ base_url, fingerprint: "" })}`)
    )
  }))

/** As somebody whom the file system may refuse: root is refused nothing. */
const asNobody = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  geteuid?.() === 0
    ? Effect.acquireUseRelease(
      Effect.sync(() => seteuid?.("nobody")),
      () => effect,
      () => Effect.sync(() => seteuid?.(0))
    )
    : effect

describe("an archive's file", () => {
  it.effect("is its owner's alone, with the files beside it, and stays so", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const database = yield* open(join(folder, "archive.db"))
      yield* database.exclusive("sync")
      assert.deepStrictEqual(
        fs.readdirSync(folder).map((name) => [name, fs.statSync(join(folder, name)).mode & 0o777]),
        [["archive.db", 0o600], ["archive.db-lock", 0o600], ["archive.db-shm", 0o600], ["archive.db-wal", 0o600]]
      )
    }))

  it.effect("keeps the mode that its owner gave it", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* Effect.scoped(open(file))
      fs.chmodSync(file, 0o640)
      yield* Effect.scoped(open(file))
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o640)
    }))

  it.effect("has every commit on the disk before it returns, in a write-ahead log", () =>
    Effect.gen(function*() {
      const { sql } = yield* open(join(yield* temporaryFolder, "archive.db"))
      const pragma = (name: string) =>
        Effect.map(sql`PRAGMA ${sql.literal(name)}`, ([row]) => Object.values(row ?? {})[0])
      assert.strictEqual(yield* pragma("journal_mode"), "wal")
      assert.strictEqual(yield* pragma("synchronous"), 2)
      assert.strictEqual(yield* pragma("fullfsync"), 1)
      assert.strictEqual(yield* pragma("foreign_keys"), 1)
    }))

  it.effect("may have a name with any characters", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      for (const name of ["a b?mode=ro#x%41.db", "file:x.db", ":memory:", "ü😀.db"]) {
        const file = join(folder, name)
        yield* filled(file)
        assert.isAbove(fs.statSync(file).size, 400_000)
        const { sql } = yield* open(file)
        assert.strictEqual((yield* sql`SELECT fingerprint FROM stamps`).length, 400)
      }
    }))

  it.effect("that is empty becomes one, its owner's alone", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "archive.db")
      fs.writeFileSync(file, "")
      fs.chmodSync(file, 0o666)
      const database = yield* open(file)
      yield* database.exclusive("sync")
      assert.deepStrictEqual(
        fs.readdirSync(folder).map((name) => [name, fs.statSync(join(folder, name)).mode & 0o777]),
        [["archive.db", 0o600], ["archive.db-lock", 0o600], ["archive.db-shm", 0o600], ["archive.db-wal", 0o600]]
      )
    }))
})

describe("what is no archive is refused and left as it is, byte by byte", () => {
  const refuses = (file: string, tag: string, detail: string) =>
    Effect.gen(function*() {
      const before = contents(join(file, ".."))
      const refused = yield* opening(file)
      assert.strictEqual(refused._tag, tag)
      assert.include(refused.message, detail)
      assert.deepStrictEqual(contents(join(file, "..")), before)
    })

  it.effect("a text", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "notes.txt")
      fs.writeFileSync(file, "not a database\n".repeat(500))
      yield* refuses(file, "Foreign", "not an SQLite database")
      fs.writeFileSync(file, "x")
      yield* refuses(file, "Foreign", "not an SQLite database")
    }))

  it.effect("another program's database, also while it is in use", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "other.db")
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(file)),
        (db) => Effect.sync(() => db.close())
      )
      other.exec("CREATE TABLE deposits (a); INSERT INTO deposits VALUES (1)")
      yield* refuses(file, "Foreign", "another program")
      other.exec("PRAGMA journal_mode = WAL; INSERT INTO deposits VALUES (2)")
      yield* refuses(file, "Foreign", "another program")
    }))

  it.effect("another program's tables under our mark", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "other.db")
      yield* Effect.scoped(Effect.gen(function*() {
        const { sql } = yield* open(file)
        yield* sql`DROP TABLE tallystick_migrations`
      }))
      yield* refuses(file, "Foreign", "a table of another program")
    }))

  it.effect("an archive of a later version", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* Effect.scoped(Effect.gen(function*() {
        const { sql } = yield* open(file)
        yield* sql`INSERT INTO tallystick_migrations ${sql.insert({ migration_id: 999, name: "later" })}`
      }))
      yield* refuses(file, "Newer", "schema 999")
    }))

  it.effect("an archive that was cut off, or overwritten", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "archive.db")
      yield* filled(file)
      const whole = fs.readFileSync(file)
      fs.writeFileSync(file, whole.subarray(0, 8192))
      yield* refuses(file, "Damaged", "restore it from a backup")
      fs.writeFileSync(file, whole.fill(0x5a, 4096))
      yield* refuses(file, "Damaged", "restore it from a backup")
    }))

  it.effect("a folder, and a file in a folder that is missing", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      assert.include((yield* opening(folder)).message, "it is a folder; name a file in it")
      assert.include((yield* opening(join(folder, "missing", "archive.db"))).message, "its folder does not exist")
    }))

  it.effect("a link to nothing, which is told as one, with where it leads", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      fs.symlinkSync("real.db", join(folder, "link.db"))
      assert.strictEqual(
        (yield* opening(join(folder, "link.db"))).message,
        `${join(folder, "link.db")} cannot be opened: it is a link to real.db, and nothing is there`
      )
      assert.deepStrictEqual(fs.readdirSync(folder), ["link.db"])
    }))
})

/** What a checkpoint does first, and no more: page 1 as the log has it, in a file that lacks the pages it counts. */
const breakOff = (file: string) => {
  const log = fs.readFileSync(`${file}-wal`)
  const size = log.readUInt32BE(8)
  const frames = Array.from({ length: (log.length - 32) / (24 + size) }, (_, n) => 32 + n * (24 + size))
  const newest = frames.findLast((at) => log.readUInt32BE(at) === 1) ?? assert.fail("no page 1 in the log")
  const page = log.subarray(newest + 24, newest + 24 + size)
  assert.isAbove(page.readUInt32BE(28) * size, fs.statSync(file).size)
  const main = fs.openSync(file, "r+")
  fs.writeSync(main, page, 0, size, 0)
  fs.closeSync(main)
}

/** The files of a database as a kill leaves them. */
const copied = (file: string, folder: string) => {
  const copy = join(folder, "killed.db")
  for (const end of ["", "-wal"]) fs.copyFileSync(`${file}${end}`, `${copy}${end}`)
  return copy
}

describe("a checkpoint that was broken off", () => {
  it.effect("leaves an archive that is whole, with the log beside it", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const { sql } = yield* open(file)
      yield* sql`PRAGMA wal_autocheckpoint = 0`
      yield* sql.withTransaction(Effect.forEach([1, 2, 3], (n) =>
        sql`INSERT INTO stamps ${sql.insert({ base_url: `${n}`.repeat(40_000), fingerprint: "" })}`))
      const killed = copied(file, yield* temporaryFolder)
      breakOff(killed)
      const again = yield* open(killed)
      assert.strictEqual((yield* again.sql`SELECT * FROM stamps`).length, 3)
      assert.deepStrictEqual(yield* again.sql`PRAGMA integrity_check`.values, [["ok"]])
    }))

  it.effect("tells what is another program's, and leaves that as it is", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "other.db")
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(file)),
        (db) => Effect.sync(() => db.close())
      )
      other.exec("PRAGMA journal_mode = WAL; CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(100000))")
      const folder = yield* temporaryFolder
      const killed = copied(file, folder)
      breakOff(killed)
      const before = contents(folder)
      assert.include((yield* opening(killed)).message, "it is the database of another program")
      assert.deepStrictEqual(contents(folder), before)
    }))

  it.effect("for want of room loses nothing, whoever opens the archive then", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* filled(file)
      const full = Math.ceil(fs.statSync(file).size / 512)
      const { spawnSync } = yield* Effect.promise(() => import("node:child_process"))
      const { signal, stderr, stdout } = spawnSync("sh", [
        "-c",
        `ulimit -c 0; ulimit -f ${full + 8}; exec "$@"`,
        "sh",
        process.execPath,
        fileURLToPath(new URL("support/cramped.ts", import.meta.url)),
        file
      ], { encoding: "utf8" })
      assert.deepStrictEqual({ signal, stdout, stderr }, { signal: "SIGKILL", stdout: "10\n", stderr: "" })
      assert.strictEqual(Math.ceil(fs.statSync(file).size / 512), full + 8)
      const { sql } = yield* open(file)
      assert.strictEqual((yield* sql`SELECT * FROM stamps`).length, 410)
      assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`.values, [["ok"]])
    }))
})

describe("a file that cannot be written to", () => {
  it.effect("is told at once: the file, or its folder, or the folder of a new one", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "archive.db")
      yield* filled(file)
      const before = digest(file)
      yield* Effect.gen(function*() {
        fs.chmodSync(file, 0o444)
        fs.chmodSync(folder, 0o777)
        assert.deepInclude(yield* asNobody(opening(file)), { _tag: "ReadOnly", place: file })
        fs.chmodSync(file, 0o666)
        fs.chmodSync(folder, 0o555)
        assert.deepInclude(yield* asNobody(opening(file)), { _tag: "ReadOnly", place: file })
        assert.strictEqual((yield* asNobody(opening(join(folder, "new.db"))))._tag, "ReadOnly")
        fs.chmodSync(file, 0o000)
        assert.strictEqual((yield* asNobody(opening(file)))._tag, "ReadOnly")
      }).pipe(Effect.ensuring(Effect.sync(() => {
        fs.chmodSync(folder, 0o700)
        fs.chmodSync(file, 0o600)
      })))
      assert.strictEqual(digest(file), before)
    }))

  it.effect("for want of room is whole when there is room again", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* filled(file)
      const { error, place, sql } = yield* open(file)
      yield* sql`PRAGMA max_page_count = 1`
      const more = sql.withTransaction(
        Effect.forEach([1, 2, 3], (n) =>
          sql`INSERT INTO stamps ${sql.insert({ base_url: `${n}`.repeat(4000), fingerprint: "" })}`)
      )
      assert.deepInclude(error(yield* Effect.flip(more)).reason, { _tag: "DiskFull", place })
      assert.strictEqual((yield* sql`SELECT fingerprint FROM stamps`).length, 400)
      yield* sql`PRAGMA max_page_count = 1000000`
      yield* more
      assert.strictEqual((yield* sql`SELECT fingerprint FROM stamps`).length, 403)
    }))
})

describe("an archive that another program writes to", () => {
  it.effect("can be opened and read meanwhile, and says so to who would write", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* filled(file)
      const writer = yield* open(file)
      yield* writer.sql.withTransaction(Effect.gen(function*() {
        yield* writer.sql`DELETE FROM stamps`
        const { error, exclusive, place, sql } = yield* open(file)
        assert.strictEqual((yield* sql`SELECT fingerprint FROM stamps`).length, 400)
        const write = Effect.mapError(sql.withTransaction(sql`DELETE FROM stamps`), error)
        assert.deepInclude(yield* reason(write), { _tag: "Locked", place })
        assert.deepInclude(yield* reason(exclusive("sync")), { _tag: "Locked", place })
      }))
    }))

  it.effect("is told to be held where it is, however long its holder writes", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const holder = yield* open(file)
      const other = yield* open(file)
      yield* holder.exclusive("import")
      yield* holder.sql.withTransaction(Effect.gen(function*() {
        const held = yield* reason(other.exclusive("sync"))
        assert.include(held.message, "is in use: import, process")
      }))
    }))

  it.effect("loses no lock to another opening in the same process", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const first = yield* open(file)
      yield* first.sql`INSERT INTO stamps ${first.sql.insert({ base_url: "kept", fingerprint: "" })}`
      yield* Effect.scoped(open(file))
      // A stranger's closing removes the log only if nobody else seems to have the file open.
      const script = "const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]);" +
        "db.prepare('SELECT * FROM stamps').all(); db.close()"
      const { spawnSync } = yield* Effect.promise(() => import("node:child_process"))
      assert.strictEqual(spawnSync(process.execPath, ["-e", script, file]).status, 0)
      assert.include(fs.readdirSync(join(file, "..")), "archive.db-wal")
    }))
})

describe("the SQLite client", () => {
  it.effect("keeps few statements prepared, however many are run, and each keeps working", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      for (let n = 0; n < 300; n++) {
        const [row] = yield* sql<{ n: number }>`SELECT ${n} + ${sql.literal(String(n))} AS n`
        assert.strictEqual(row?.n, 2 * n)
      }
      const [row] = yield* sql<{ n: number }>`SELECT ${1} + ${sql.literal("0")} AS n`
      assert.strictEqual(row?.n, 1)
    }).pipe(Effect.provide(Drivers.layerMemory())))

  it.effect("gives rows as arrays where that is asked for", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`SELECT 1 AS a, 'x' AS a`.values, [[1, "x"]])
      assert.deepStrictEqual({ ...(yield* sql`SELECT 1 AS a`)[0] }, { a: 1 })
    }).pipe(Effect.provide(Drivers.layerMemory())))

  it.effect("refuses a parameter that SQL has no kind for", () =>
    Effect.gen(function*() {
      const { error, sql } = yield* Database
      for (const value of [undefined, true, {}, [1]]) {
        const failure = yield* Effect.flip(sql`SELECT ${value} AS a`)
        assert.include(error(failure).message, "neither text, a number, bytes nor null")
      }
    }).pipe(Effect.provide(Drivers.layerMemory())))
})
