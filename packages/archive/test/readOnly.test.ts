/** Who only reads an archive needs no right to write to it, and changes nothing in it or beside it. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type { ArchiveError } from "@tallystick/archive/ArchiveError"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Runs from "@tallystick/archive/Runs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import { join } from "node:path"
import { geteuid, seteuid } from "node:process"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Mounts from "../src/internal/sqlite/Mounts.ts"
import { temporaryDatabase, temporaryFolder } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import * as Holder from "./support/Holder.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const read = { from: NOW - 20 * HOUR, to: NOW + 20 * HOUR }
const options: ArchiveReconciliation.Options = {
  range: { from: NOW - HOUR, to: NOW + 2 * HOUR },
  accounts: { list: ["a@x"], complete: true }
}

/** Keeps some records and a run. */
const fill = Archive.Archive.use(Effect.fnUntraced(function*({ claim, deposits, transfers }) {
  yield* claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
  const known = { ...read, readAt: NOW + 50 * HOUR, state: "complete" } as const
  yield* deposits.saveSlice({
    ...read,
    records: [deposit(), deposit({ amount: "7", insertTime: NOW + 1 })],
    bad: [],
    coverage: [{ ...known, operation: "deposits" }]
  })
  yield* transfers.saveSlice({
    ...read,
    records: [transfer({ timestamp: NOW + 1000 })],
    bad: [],
    coverage: [{ ...known, operation: "transfers" }]
  })
  yield* ArchiveReconciliation.record(options)
}))

const within = (location: ArchiveConfig.Location) =>
<A, E>(
  effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs>
): Effect.Effect<A, E | ArchiveError> => Effect.provide(effect, Layer.fresh(Archive.Archive.layerReader(location)))

/** All that the commands which only read ask for. */
const everything = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const runs = yield* Runs.Runs
  const [run] = yield* runs.list({ limit: 5 })
  const found = run === undefined ? Option.none() : yield* Effect.catchTag(runs.get(run.id), "Ambiguous", Effect.die)
  const outcomes = Option.isNone(found) ? [] : yield* Stream.runCollect(runs.outcomes(found.value.run))
  return {
    run,
    outcomes,
    sighting: yield* Effect.catchTag(runs.outcome(outcomes[0]?.id ?? ""), "Ambiguous", Effect.die),
    slices: yield* Stream.runCollect(archive.deposits.slices(read)),
    extent: yield* archive.transfers.extent,
    counts: yield* archive.deposits.counts,
    coverage: yield* archive.coverage(),
    learnt: yield* archive.learnt,
    stamps: yield* archive.stamps,
    integrity: yield* Integrity.check(),
    report: yield* Effect.orDie(ArchiveReconciliation.run(options))
  }
})

/** Whatever would write is refused. */
const isRefused = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const attempts = [
    Effect.scoped(archive.exclusive("sync")),
    archive.vouch("deposits", { from: read.from - HOUR, to: read.from }, NOW + 50 * HOUR),
    archive.deposits.saveSlice({ ...read, records: [deposit({ txId: "new" })], bad: [], coverage: [] }),
    Effect.flatMap(Runs.Runs, ({ prune }) => prune(0)),
    Effect.catchTags(ArchiveReconciliation.record({ ...options, range: { from: NOW, to: NOW + HOUR } }), {
      InvalidRange: Effect.die,
      PolicyError: Effect.die
    })
  ]
  for (const attempt of attempts) assert.strictEqual((yield* reason(attempt))._tag, "ReadOnly")
})

const asNobody = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  geteuid?.() === 0
    ? Effect.acquireUseRelease(
      Effect.sync(() => seteuid?.("nobody")),
      () => effect,
      () => Effect.sync(() => seteuid?.(0))
    )
    : effect

/** All that is in a folder, with modes and times of changes. */
const seen = (folder: string) =>
  fs.readdirSync(folder).toSorted().map((name) => {
    const path = join(folder, name)
    const { mode, mtimeMs } = fs.statSync(path)
    return [name, mode & 0o777, mtimeMs, createHash("sha256").update(fs.readFileSync(path)).digest("hex")] as const
  })

/** An archive's file in a folder of its own, and what is read of it by somebody who may write. */
const filled: Effect.Effect<
  { readonly folder: string; readonly file: string; readonly whole: Effect.Success<typeof everything> },
  ArchiveError,
  Scope.Scope
> = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.map(temporaryFolder, (folder) => {
      fs.chmodSync(folder, 0o755)
      return folder
    }),
    (folder) => Effect.sync(() => fs.chmodSync(folder, 0o755))
  )
  const file = join(folder, "archive.db")
  const layer = Layer.fresh(Archive.Archive.layerSqlite({ file }))
  const whole = yield* Effect.provide(Effect.andThen(Effect.orDie(fill), everything), layer)
  fs.chmodSync(file, 0o644)
  return { folder, file, whole }
})

const at = (file: string) => within({ _tag: "File", file })

describe("an archive's file that may only be read", () => {
  const ways: ReadonlyArray<
    readonly [
      what: string,
      file: number,
      folder: number,
      as: <A, E, R>(effect: Effect.Effect<A, E, R>) => typeof effect
    ]
  > = [
    ["because of its mode", 0o444, 0o755, (effect) => effect],
    ["because of the mode of its folder", 0o644, 0o555, (effect) => effect],
    ["because it is somebody else's", 0o644, 0o755, asNobody],
    ["because it is somebody else's, and no mode allows it", 0o444, 0o555, asNobody]
  ]

  it.effect.each(ways)(
    "%s is read as a whole, and nothing changes in it or beside it",
    ([, mode, ofFolder, as]) =>
      Effect.gen(function*() {
        const { file, folder, whole } = yield* filled
        fs.chmodSync(file, mode)
        fs.chmodSync(folder, ofFolder)
        const before = seen(folder)
        assert.deepStrictEqual(yield* as(at(file)(everything)), whole)
        yield* as(at(file)(isRefused))
        assert.deepStrictEqual(seen(folder), before)
      }).pipe(Effect.scoped)
  )

  it.live("is read beside a program that writes to it, as that leaves it", () =>
    Effect.gen(function*() {
      const { file, folder } = yield* filled
      const writer = yield* Holder.start({ _tag: "File", file }, { program: "writer.ts" })
      assert.strictEqual(yield* writer.tell("open"), "ok")
      assert.strictEqual(yield* writer.tell("write first"), "ok")
      fs.chmodSync(file, 0o444)
      const stamps = Effect.flatMap(Archive.Archive, ({ place }) => Effect.succeed(place)).pipe(
        Effect.andThen(Database.use(({ sql }) => sql`SELECT base_url FROM stamps ORDER BY 1`.values))
      )
      const reader = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Drivers.layerReader({ _tag: "File", file })))
      const before = seen(folder)
      yield* Effect.gen(function*() {
        assert.deepInclude(yield* stamps, ["first"])
        assert.deepStrictEqual(seen(folder), before)
        assert.strictEqual(yield* writer.tell("write second"), "ok")
        assert.deepInclude(yield* stamps, ["second"])
      }).pipe(Effect.provide(reader))
      yield* asNobody(Effect.provide(Effect.map(stamps, (rows) => assert.deepInclude(rows, ["second"])), reader))

      // What was written last is in the log of a program that was killed.
      yield* writer.kill
      const left = seen(folder)
      assert.include(left.map(([name]) => name), "archive.db-wal")
      yield* Effect.provide(Effect.map(stamps, (rows) => assert.deepInclude(rows, ["second"])), reader)
      yield* asNobody(Effect.provide(Effect.map(stamps, (rows) => assert.deepInclude(rows, ["second"])), reader))
      assert.deepStrictEqual(seen(folder), left)

      fs.rmSync(`${file}-shm`)
      const alone = yield* reason(at(file)(everything))
      assert.strictEqual(alone._tag, "Failed")
      assert.include(alone.message, "copy all of its files to a folder of your own, and open the copy")
      assert.notInclude(fs.readdirSync(folder), "archive.db-shm")
    }).pipe(Effect.scoped))

  it.effect("is not believed where somebody wrote to it, or opened it, while it was read", () =>
    Effect.gen(function*() {
      const { file, folder } = yield* filled
      fs.chmodSync(folder, 0o555)
      const extent = Archive.Archive.use(({ deposits }) => deposits.extent)
      const changes = [
        () => fs.utimesSync(file, 1, 1),
        () => fs.appendFileSync(file, Buffer.alloc(4096)),
        () => fs.writeFileSync(`${file}-wal`, "")
      ]
      for (const change of changes) {
        yield* Effect.gen(function*() {
          yield* extent
          change()
          assert.include(
            (yield* reason(extent)).message,
            "another program wrote to it, or opened it, while it was read"
          )
        }).pipe(at(file))
      }
    }).pipe(Effect.scoped))

  it.effect("is refused with what to do where the version before wrote it, and brought to this one where that may be", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "archive.db")
      yield* Earlier.make({ _tag: "File", file }, 12)
      fs.chmodSync(file, 0o444)
      const before = seen(folder)
      const older = yield* reason(at(file)(everything))
      assert.deepInclude(older, { _tag: "Older", found: 12 })
      assert.include(older.message, "run a command on it once as somebody who may write to it")
      assert.deepStrictEqual(seen(folder), before)
      fs.chmodSync(file, 0o600)
      yield* at(file)(Effect.asVoid(everything))
    }).pipe(Effect.scoped))

  it.effect("on a network file system is read where nobody has it open, also where it may be written to", () =>
    Effect.gen(function*() {
      const { file, folder, whole } = yield* filled
      const table = `63 43 254:0 / / rw - ext4 /dev/vda rw\n64 63 0:50 / ${folder} rw - nfs4 server:/books rw\n`
      const mounted = Effect.provideService(Mounts.Mounts, Effect.succeed(Mounts.parse(Buffer.from(table))))
      const before = seen(folder)
      assert.deepStrictEqual(yield* mounted(at(file)(everything)), whole)
      assert.deepStrictEqual(seen(folder), before)
      fs.writeFileSync(`${file}-wal`, "")
      fs.writeFileSync(`${file}-shm`, "")
      assert.strictEqual((yield* reason(mounted(at(file)(everything))))._tag, "Remote")
    }).pipe(Effect.scoped))

  it.effect("is not made where it is not there", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      assert.strictEqual((yield* reason(at(join(folder, "none.db"))(everything)))._tag, "CannotOpen")
      assert.deepStrictEqual(fs.readdirSync(folder), [])
    }).pipe(Effect.scoped))
})

describe("a PostgreSQL role that may only read", () => {
  const client = (url: Redacted.Redacted) => Effect.provide(PgClient.make({ url, maxConnections: 1 }), Reactivity.layer)

  /** A role that may read the tables that are there. */
  const reader = Effect.fnUntraced(function*(url: Redacted.Redacted) {
    const sql = yield* client(url)
    const [name, password] = [`reader_${randomUUID().replaceAll("-", "")}`, randomUUID()]
    yield* Effect.acquireRelease(
      sql`CREATE ROLE ${sql(name)} LOGIN PASSWORD '${sql.literal(password)}'`,
      () => Effect.orDie(Effect.andThen(sql`DROP OWNED BY ${sql(name)}`, sql`DROP ROLE ${sql(name)}`))
    )
    yield* sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`
    yield* sql`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${sql(name)}`
    const copy = new URL(Redacted.value(url))
    copy.username = name
    copy.password = password
    return Redacted.make(copy.href)
  })

  it.effect("reads an archive as a whole, and writes nothing", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const whole = yield* Effect.provide(
        Effect.andThen(Effect.orDie(fill), everything),
        Layer.fresh(Archive.Archive.layerPostgres({ url }))
      )
      const asReader = within({ _tag: "Postgres", url: yield* reader(url) })
      assert.deepStrictEqual(yield* asReader(everything), whole)
      yield* asReader(isRefused)

      const sql = yield* client(url)
      yield* sql`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`
      assert.deepStrictEqual(yield* within({ _tag: "Postgres", url })(everything), whole)
      yield* within({ _tag: "Postgres", url })(isRefused)
    }).pipe(Effect.scoped))

  it.effect("is told what to do about an archive that the version before wrote", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      yield* Earlier.make({ _tag: "Postgres", url }, 12)
      const older = yield* reason(within({ _tag: "Postgres", url: yield* reader(url) })(everything))
      assert.deepInclude(older, { _tag: "Older", found: 12 })
      assert.include(older.message, "run a command on it once as somebody who may write to it")
      yield* within({ _tag: "Postgres", url })(Effect.asVoid(everything))
    }).pipe(Effect.scoped))
})
