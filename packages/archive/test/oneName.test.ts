/** An archive has one writer and one log, also when its file gets another name or loses the files beside it. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { ArchiveError } from "../src/ArchiveError.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Mounts from "../src/internal/sqlite/Mounts.ts"
import { temporaryFolder } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import * as Holder from "./support/Holder.ts"
import { reason } from "./support/reason.ts"

const open = (file: string): Effect.Effect<Database["Service"], ArchiveError, Scope.Scope> =>
  Effect.map(
    Layer.build(Layer.fresh(Drivers.layerSqlite({ file, busyTimeout: 0 }))),
    (context) => Context.get(context, Database)
  )

const opening = (file: string) => reason(Effect.scoped(open(file)))

const write = ({ error, sql }: Database["Service"], word: string) =>
  Effect.mapError(
    sql.withTransaction(sql`INSERT INTO stamps ${sql.insert({ base_url: word, fingerprint: "" })}`),
    error
  )

const written = ({ error, sql }: Database["Service"]) =>
  Effect.mapError(sql`SELECT base_url FROM stamps ORDER BY base_url`.values, error)

/** Another process that holds the archive of the file. */
const holding = Effect.fnUntraced(function*(file: string) {
  const holder = yield* Holder.start({ _tag: "File", file })
  assert.strictEqual(yield* holder.said, "open")
  assert.strictEqual(yield* holder.said, "held")
  return holder
})

/** What another process that opens the file says at last. */
const other = Effect.fnUntraced(function*(file: string) {
  const { said } = yield* Holder.start({ _tag: "File", file })
  const first = yield* said
  return first === "open" ? yield* said : first
})

describe("an archive's file with a second name", () => {
  it.live("is refused by either name, also beside a process that has it open", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const [file, link] = [join(folder, "archive.db"), join(folder, "link.db")]
      yield* holding(file)
      fs.linkSync(file, link)
      for (const name of [file, link]) {
        const refused = yield* opening(name)
        assert.deepInclude(refused, { _tag: "Aliased", place: name })
        assert.include(refused.message, "it has 2 names (hard links)")
        assert.strictEqual(yield* other(name), "Aliased")
      }
      assert.notInclude(fs.readdirSync(folder).join(), "link.db-")
      fs.unlinkSync(link)
      assert.strictEqual(yield* other(file), "Held")
    }).pipe(Effect.scoped))

  it.live("keeps its one writer when it gets another name, until that one has ended", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const [file, moved] = [join(folder, "archive.db"), join(folder, "moved.db")]
      const holder = yield* holding(file)
      fs.renameSync(file, moved)
      const refused = yield* opening(moved)
      assert.deepInclude(refused, { _tag: "Occupied", place: moved })
      assert.include(refused.message, "that program changes its tables or knows it by another name")
      assert.strictEqual(yield* other(moved), "Occupied")
      yield* holder.kill
      const { exclusive } = yield* open(moved)
      yield* exclusive("sync")
    }).pipe(Effect.scoped))

  it.effect("is written no more by a process that opened it under the first one", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const [file, moved] = [join(folder, "archive.db"), join(folder, "moved.db")]
      const database = yield* open(file)
      yield* write(database, "before")
      fs.renameSync(file, moved)
      assert.deepInclude(yield* reason(write(database, "after")), { _tag: "Moved", place: file, file: "archive.db" })
      assert.strictEqual((yield* reason(written(database)))._tag, "Moved")
      fs.renameSync(moved, file)
      assert.deepStrictEqual(yield* written(database), [["before"]])
    }))
})

describe("a file that is mounted by itself", () => {
  const mounts = (table: string) =>
    Effect.provideService(Mounts.Mounts, Effect.succeed(Mounts.parse(Buffer.from(table))))

  it.effect("is refused, with the folder to mount instead", () =>
    Effect.gen(function*() {
      const folder = fs.realpathSync(yield* temporaryFolder)
      const file = join(folder, "my books.db")
      const root = "63 43 254:0 / / rw - ext4 /dev/vda rw"
      const alone = `64 63 254:0 /srv/the\\040books/b.db ${folder}/my\\040books.db rw - ext4 /dev/vda rw`
      yield* Effect.scoped(open(file)).pipe(mounts(root))
      const refused = yield* opening(file).pipe(mounts(`${root}\n${alone}\n`))
      assert.deepInclude(refused, { _tag: "Aliased", place: file })
      assert.include(
        refused.message,
        "it is mounted by itself, without the files that SQLite keeps beside it; mount its folder " +
          "(/srv/the books, from the top of its file system) and name b.db in there"
      )
    }))

  it.effect("is told from a folder that is mounted, and from its neighbours", () =>
    Effect.gen(function*() {
      const folder = fs.realpathSync(yield* temporaryFolder)
      const table = `64 63 254:0 /srv/books ${folder} rw shared:1 - ext4 /dev/vda rw
65 63 254:0 /srv/archive.db-wal ${folder}/archive.db-old rw - ext4 /dev/vda rw`
      yield* Effect.scoped(open(join(folder, "archive.db"))).pipe(mounts(table))
    }))

  it.live("is told by the system's own table, where one may mount", () =>
    Effect.gen(function*() {
      const folder = fs.realpathSync(yield* temporaryFolder)
      const file = join(folder, "archive.db")
      yield* Effect.scoped(open(file))
      const alone = join(folder, "inside", "archive.db")
      fs.mkdirSync(join(folder, "inside"))
      fs.writeFileSync(alone, "")
      const mounted = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        "mount --bind \"$0\" \"$1\" && shift && exec \"$@\"",
        file,
        alone
      ]
      const { said } = yield* Holder.start({ _tag: "File", file: alone }, { before: mounted })
      // Where nobody may mount, nothing was started.
      assert.include(["Aliased", "undefined"], yield* said)
      assert.deepStrictEqual(fs.readdirSync(join(folder, "inside")), ["archive.db"])
    }).pipe(Effect.scoped))

  it.effect("is refused on a network file system, before it is made there", () =>
    Effect.gen(function*() {
      const folder = fs.realpathSync(yield* temporaryFolder)
      const mount = (kind: string) => mounts(`63 43 0:50 / ${folder} rw - ${kind} server:/export rw`)
      for (const kind of ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "fuse.glusterfs"]) {
        const refused = yield* opening(join(folder, "archive.db")).pipe(mount(kind))
        assert.deepInclude(refused, { _tag: "Remote", fileSystem: kind })
      }
      assert.deepStrictEqual(fs.readdirSync(folder), [])
      for (const kind of ["ext4", "overlay", "btrfs", "fuse.virtiofs", "fuseblk", "tmpfs"]) {
        yield* Effect.scoped(open(join(folder, "archive.db"))).pipe(mount(kind))
      }
    }))
})

describe("a lock file that somebody removes", () => {
  it.live("lets no second writer in: none that comes, and none that has the archive open already", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const early = yield* open(file)
      const holder = yield* holding(file)
      fs.unlinkSync(`${file}-lock`)
      assert.deepInclude(yield* reason(Effect.scoped(early.exclusive("sync"))), {
        _tag: "Moved",
        file: "archive.db-lock"
      })
      const refused = yield* opening(file)
      assert.strictEqual(refused._tag, "Occupied")
      assert.include(refused.message, "-lock, its lock, was removed or replaced")
      assert.strictEqual(yield* other(file), "Occupied")
      fs.writeFileSync(`${file}-lock`, "")
      assert.deepInclude(yield* reason(Effect.scoped(early.exclusive("sync"))), {
        _tag: "Moved",
        file: "archive.db-lock"
      })
      assert.strictEqual(yield* other(file), "Occupied")
      yield* holder.kill
      assert.strictEqual((yield* opening(file))._tag, "Occupied")
    }).pipe(Effect.scoped))

  it.live("is made anew by the first process that has the archive for itself, and is a lock then", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* Effect.scoped(open(file))
      fs.unlinkSync(`${file}-lock`)
      yield* holding(file)
      assert.strictEqual(yield* other(file), "Held")
    }).pipe(Effect.scoped))
})

describe("a lock that the system forgets, as a network file system may", () => {
  it.live("is noticed by its number: the loser writes nothing more, and says who took over", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const database = yield* open(file)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* database.exclusive("sync")
        yield* write(database, "held")
        // Closing any handle of a file ends the process's locks on it.
        fs.closeSync(fs.openSync(`${file}-lock`, "r"))
        const next = yield* holding(file)
        const lost = yield* reason(write(database, "lost"))
        assert.deepInclude(lost, { _tag: "Superseded", place: file })
        assert.include(lost.message, `was taken over by import, process ${next.pid} on `)
        yield* next.kill
        assert.strictEqual((yield* reason(write(database, "lost too")))._tag, "Superseded")
        assert.deepStrictEqual(yield* written(database), [["held"]])
      }))
      yield* Effect.scoped(Effect.andThen(database.exclusive("sync"), write(database, "later")))
      assert.deepStrictEqual(yield* written(database), [["held"], ["later"]])
    }).pipe(Effect.scoped))
})

describe("a log that somebody removes", () => {
  it.live("while the archive is open keeps others out, and a process that has it open from going on", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const database = yield* open(file)
      yield* write(database, "kept")
      for (const end of ["-wal", "-shm"]) fs.unlinkSync(`${file}${end}`)
      const refused = yield* opening(file)
      assert.strictEqual(refused._tag, "Occupied")
      assert.include(refused.message, "archive.db-wal and archive.db-shm were removed meanwhile")
      assert.strictEqual(yield* other(file), "Occupied")
      assert.deepInclude(yield* reason(write(database, "lost")), { _tag: "Moved", file: "archive.db-wal" })
      assert.strictEqual((yield* reason(Effect.scoped(database.exclusive("sync"))))._tag, "Moved")
    }).pipe(Effect.scoped))

  it.live("loses nothing that was committed while its writer still had it", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* Effect.scoped(Effect.gen(function*() {
        const database = yield* open(file)
        yield* write(database, "kept")
        for (const end of ["-wal", "-shm"]) fs.unlinkSync(`${file}${end}`)
      }))
      assert.deepStrictEqual(yield* written(yield* open(file)), [["kept"]])
    }).pipe(Effect.scoped))

  it.effect("in the midst of a transaction undoes it", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const database = yield* open(file)
      const { error, sql } = database
      const cut = sql.withTransaction(Effect.gen(function*() {
        yield* sql`INSERT INTO stamps ${sql.insert({ base_url: "undone", fingerprint: "" })}`
        fs.renameSync(`${file}-wal`, `${file}-away`)
      }))
      assert.strictEqual((yield* reason(Effect.mapError(cut, error)))._tag, "Moved")
      fs.renameSync(`${file}-away`, `${file}-wal`)
      assert.deepStrictEqual(yield* written(database), [])
    }))

  it.live("after its writer was killed is told, because nobody else knows what it held", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      const holder = yield* holding(file)
      yield* holder.kill
      fs.renameSync(`${file}-wal`, `${file}-away`)
      const refused = yield* opening(file)
      assert.strictEqual(refused._tag, "Damaged")
      assert.include(
        refused.message,
        "archive.db-wal, which holds what was written last, was removed from beside it; put it back, or restore it from a backup"
      )
      fs.renameSync(`${file}-away`, `${file}-wal`)
      yield* Effect.scoped(open(file))
    }).pipe(Effect.scoped))
})

describe("an archive beside programs that only look into it", () => {
  it.live("is opened and held as ever, whichever came first", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* Effect.scoped(open(file))
      const looking = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(file)),
        (db) => Effect.sync(() => db.close())
      )
      assert.deepStrictEqual(looking.prepare("SELECT * FROM stamps").all(), [])
      const database = yield* open(file)
      yield* Effect.scoped(Effect.andThen(database.exclusive("sync"), write(database, "seen")))
      assert.strictEqual(looking.prepare("SELECT * FROM stamps").all().length, 1)
      yield* holding(file)
      assert.deepStrictEqual(yield* written(yield* open(file)), [["seen"]])
    }).pipe(Effect.scoped))
})

describe("an archive of an earlier version", () => {
  it.effect("is not changed while a program has it open that may be of that version", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "archive.db")
      yield* Earlier.make({ _tag: "File", file }, 6)
      yield* Effect.scoped(Effect.gen(function*() {
        const early = yield* Effect.acquireRelease(
          Effect.sync(() => new DatabaseSync(file)),
          (db) => Effect.sync(() => db.close())
        )
        assert.strictEqual(early.prepare("SELECT * FROM stamps").all().length, 1)
        const refused = yield* opening(file)
        assert.strictEqual(refused._tag, "Occupied")
        assert.include(refused.message, "its tables are of an earlier version (schema 6; this one needs ")
        early.exec("INSERT INTO holder VALUES ('sync', 1, 'h', 1)")
      }))
      const database = yield* open(file)
      yield* database.exclusive("sync")
      // As the earlier version would take it.
      const early = new DatabaseSync(file)
      assert.throws(
        () => early.exec("INSERT INTO holder (purpose, process, host, since) VALUES ('sync', 1, 'h', 1)"),
        /NOT NULL constraint failed: holder.fence/
      )
      early.close()
    }))
})
