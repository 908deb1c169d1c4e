import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { createServer } from "node:net"
import * as ArchiveError from "../src/ArchiveError.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import { ofMigration, toArchiveError, unfit } from "../src/internal/postgres/PostgresError.ts"
import * as PostgresUrl from "../src/internal/postgres/PostgresUrl.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { temporaryDatabase } from "./support/databases.ts"
import { reason } from "./support/reason.ts"

const open = (url: Redacted.Redacted, options: { readonly lockTimeout?: number } = {}) =>
  Effect.map(
    Layer.build(Layer.fresh(Drivers.layerPostgres({ url, ...options }))),
    (context) => Context.get(context, Database)
  )

const opening = (url: Redacted.Redacted) => reason(Effect.scoped(open(url)))

/** A client that knows nothing of archives. */
const client = (url: Redacted.Redacted) => Effect.provide(PgClient.make({ url, maxConnections: 2 }), Reactivity.layer)

/** The address with something changed. */
const changed = (url: Redacted.Redacted, change: (url: URL) => void): Redacted.Redacted => {
  const copy = new URL(Redacted.value(url))
  change(copy)
  return Redacted.make(copy.href)
}

const tables = (url: Redacted.Redacted) =>
  Effect.scoped(Effect.gen(function*() {
    const sql = yield* client(url)
    const rows = yield* sql<{ name: string }>`SELECT table_schema || '.' || table_name AS name
      FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`
    return rows.map(({ name }) => name)
  }))

/** Another role of the same server, with a password of its own. */
const role = (url: Redacted.Redacted) =>
  Effect.gen(function*() {
    const sql = yield* client(url)
    const name = `reader_${randomUUID().replaceAll("-", "")}`
    const password = randomUUID()
    yield* Effect.acquireRelease(
      sql`CREATE ROLE ${sql(name)} LOGIN PASSWORD '${sql.literal(password)}'`,
      () => Effect.orDie(Effect.andThen(sql`DROP OWNED BY ${sql(name)}`, sql`DROP ROLE ${sql(name)}`))
    )
    return changed(url, (it) => {
      it.username = name
      it.password = password
    })
  })

describe("a PostgreSQL archive", () => {
  it.effect("has every commit on the disk, and sees what was committed, whatever the database's defaults", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      for (const setting of ["synchronous_commit = off", "default_transaction_isolation = 'repeatable read'"]) {
        yield* admin.unsafe(
          `DO $x$ BEGIN EXECUTE format($y$ALTER DATABASE %I SET ${setting}$y$, current_database()); END $x$`
        )
      }
      const { sql } = yield* open(url)
      const [row] = yield* sql.withTransaction(sql`SELECT current_setting('synchronous_commit') AS commit,
        current_setting('transaction_isolation') AS isolation, current_setting('lock_timeout') AS wait`)
      assert.deepStrictEqual({ ...row }, { commit: "on", isolation: "read committed", wait: "10s" })
    }))

  it.effect("gives what a number cannot hold as a number that is not safe, so that no checksum takes it for another", () =>
    Effect.gen(function*() {
      const { sql } = yield* open(yield* temporaryDatabase)
      const [most] =
        yield* sql`SELECT 9007199254740991::bigint AS n, ${-5}::bigint AS m, ${9_007_199_254_740_991n} AS o`
      assert.deepStrictEqual({ ...most }, { n: Number.MAX_SAFE_INTEGER, m: -5, o: Number.MAX_SAFE_INTEGER })
      const [beyond] = yield* sql`SELECT 9007199254740993::bigint AS n`
      assert.deepStrictEqual({ ...beyond }, { n: Number.MAX_SAFE_INTEGER + 1 })
      const rows = yield* sql`SELECT unnest(${[2 ** 40, 2 ** 41]}::bigint[]) AS n`
      assert.deepStrictEqual(rows.map(({ n }) => n), [2 ** 40, 2 ** 41])
    }))

  it.effect("makes a transaction wait for its turn, and says so to who would not wait longer", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const first = yield* open(url)
      const second = yield* open(url, { lockTimeout: 1 })
      const insert = second.sql`INSERT INTO stamps ${second.sql.insert({ base_url: "a", fingerprint: "b" })}`
      yield* first.sql.withTransaction(Effect.gen(function*() {
        const locked = yield* reason(Effect.mapError(second.sql.withTransaction(insert), second.error))
        assert.deepInclude(locked, { _tag: "Locked", place: second.place })
        assert.strictEqual((yield* second.sql`SELECT * FROM stamps`).length, 0)
      }))
      yield* second.sql.withTransaction(insert)
      yield* first.exclusive("import")
      yield* first.sql.withTransaction(Effect.gen(function*() {
        assert.include((yield* reason(second.exclusive("sync"))).message, "is in use: import, process")
      }))
    }))

  it.effect("is one for each schema, each with a lock of its own", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      yield* admin`CREATE SCHEMA other`
      const first = yield* open(url)
      const second = yield* open(changed(url, (it) => it.searchParams.set("options", "-c search_path=other")))
      yield* first.sql`INSERT INTO stamps ${first.sql.insert({ base_url: "a", fingerprint: "b" })}`
      assert.strictEqual((yield* second.sql`SELECT * FROM stamps`).length, 0)
      yield* first.exclusive("sync")
      yield* second.exclusive("sync")
      assert.strictEqual((yield* reason(first.exclusive("import")))._tag, "Held")
    }))

  it.effect("says that its server is gone in the midst of a transaction, and goes on when that is back", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const { error, place, sql } = yield* open(url)
      const admin = yield* client(url)
      const cut = sql.withTransaction(Effect.gen(function*() {
        yield* sql`INSERT INTO stamps ${sql.insert({ base_url: "undone", fingerprint: "" })}`
        yield* admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'tallystick'`
        return yield* sql.withTransaction(sql`SELECT 1`)
      }))
      assert.deepInclude(error(yield* Effect.flip(cut)).reason, { _tag: "Unreachable", place })
      assert.deepStrictEqual(yield* sql`SELECT base_url FROM stamps`, [])
    }))

  it.effect("says so too where the transaction had failed by an error of the archive, and hides no mistake of ours", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const { error, place, sql } = yield* open(url)
      const admin = yield* client(url)
      const cut = admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tallystick'`
      const refused = ArchiveError.ArchiveError.of(new ArchiveError.Held({ place, holder: "sync" }))
      const failing = sql.withTransaction(Effect.andThen(cut, Effect.fail(refused)))
      const failure = yield* Effect.flip(failing)
      assert.strictEqual(failure._tag, "SqlError")
      if (failure._tag === "SqlError") assert.deepInclude(error(failure).reason, { _tag: "Unreachable", place })
      const mistaken = sql.withTransaction(Effect.andThen(cut, Effect.die(new TypeError("a mistake"))))
      const defects = (yield* Effect.flip(Effect.sandbox(mistaken))).reasons.filter(Cause.isDieReason)
      assert.include(defects.map(({ defect }) => String(defect)), "TypeError: a mistake")
      assert.strictEqual((yield* sql.withTransaction(sql`SELECT 1 AS n`)).length, 1)
    }))
})

describe("what is no PostgreSQL archive is refused and left as it is", () => {
  it.effect("tables of another program", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* client(url)
      yield* sql`CREATE TABLE deposits (amount numeric)`
      const foreign = yield* opening(url)
      assert.strictEqual(foreign._tag, "Foreign")
      assert.include(foreign.message, "relation \"deposits\" already exists")
      assert.deepStrictEqual(yield* tables(url), ["public.deposits"])
    }))

  it.effect("a database of a later version", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* client(url)
      yield* sql`CREATE TABLE tallystick_migrations (migration_id integer, name text)`
      yield* sql`INSERT INTO tallystick_migrations VALUES (999, 'later')`
      assert.deepInclude(yield* opening(url), { _tag: "Newer", found: 999 })
      assert.deepStrictEqual(yield* tables(url), ["public.tallystick_migrations"])
    }))

  it.effect("a database that a later version changed while this one had it open", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const { error, sql } = yield* open(url)
      yield* sql`INSERT INTO tallystick_migrations (migration_id, name) VALUES (999, 'later')`
      const writing = sql.withTransaction(sql`DELETE FROM tallystick_migrations`)
      const refused = yield* Effect.flip(Effect.mapError(writing, error))
      assert.deepInclude(refused.reason, { _tag: "Newer", found: 999 })
      assert.isNotEmpty(yield* sql`SELECT 1 FROM tallystick_migrations`)
    }).pipe(Effect.scoped))

  it.effect("a database that cannot hold every text", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* client(url)
      const name = `ascii_${randomUUID().replaceAll("-", "")}`
      yield* Effect.acquireRelease(
        sql`CREATE DATABASE ${sql(name)} ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
        () => Effect.orDie(sql`DROP DATABASE ${sql(name)} WITH (FORCE)`)
      )
      const refused = yield* opening(changed(url, (it) => {
        it.pathname = `/${name}`
      }))
      assert.include(refused.message, "keeps text as SQL_ASCII; make one with ENCODING 'UTF8'")
    }))

  it.effect("a role that may not write, a database that allows reading only", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* client(url)
      yield* sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`
      const reader = yield* role(url)
      const denied = yield* opening(reader)
      assert.strictEqual(denied._tag, "ReadOnly")
      assert.include(denied.message, "permission denied for schema public; check who owns it")
      yield* sql`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`
      const readOnly = yield* opening(url)
      assert.strictEqual(readOnly._tag, "ReadOnly")
      assert.include(readOnly.message, "read-only transaction")
      assert.deepStrictEqual(yield* tables(url), [])
    }))
})

describe("a PostgreSQL that does not answer or does not let us in is told without its password", () => {
  const SECRET = randomUUID()
  const tells = (url: Redacted.Redacted, detail: string, category: ArchiveError.Category = "place") =>
    Effect.gen(function*() {
      const refused = yield* opening(url)
      assert.strictEqual(refused.category, category)
      assert.include(refused.message, detail)
      const { password } = new URL(Redacted.value(url))
      for (const secret of [SECRET, password]) {
        assert.isAbove(secret.length, 20)
        assert.notInclude(`${refused.message}${JSON.stringify(refused)}`, secret)
      }
    })

  it.effect("a wrong password", () =>
    Effect.gen(function*() {
      const url = changed(yield* temporaryDatabase, (it) => {
        it.password = SECRET
      })
      yield* tells(url, "password authentication failed")
    }))

  it.effect("no password", () =>
    Effect.gen(function*() {
      const url = changed(yield* temporaryDatabase, (it) => {
        it.password = ""
      })
      assert.include((yield* opening(url)).message, "requested password authentication")
    }))

  it.effect("a database that is missing", () =>
    Effect.gen(function*() {
      const url = changed(yield* role(yield* temporaryDatabase), (it) => {
        it.pathname = "/nowhere"
      })
      yield* tells(url, "database \"nowhere\" does not exist")
    }))

  it.effect("a port that nothing listens to", () =>
    Effect.gen(function*() {
      const port = yield* Effect.callback<number>((resume) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
          const address = server.address()
          server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
        })
      })
      yield* tells(
        Redacted.make(`postgres://user:${SECRET}@127.0.0.1:${port}/books`),
        `PostgreSQL 127.0.0.1:${port}/books cannot be reached: nothing listens there`,
        "transient"
      )
    }))

  it.effect("something else than PostgreSQL", () =>
    Effect.gen(function*() {
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"))
            .listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      yield* tells(Redacted.make(`postgres://user:${SECRET}@127.0.0.1:${port}/books`), "cannot be reached", "transient")
    }))

  it.effect("an address that is none", () =>
    Effect.gen(function*() {
      for (
        const address of [
          `mysql://user:${SECRET}@host/books`,
          `postgres://user:${SECRET}`,
          `postgres://user:${SECRET}/x@host/books`,
          `postgres://user:1/${SECRET}@host/books`,
          SECRET
        ]
      ) {
        const refused = yield* opening(Redacted.make(address))
        assert.include(refused.message, "the address is not postgres://user:password@host:port/database")
        assert.notInclude(JSON.stringify(refused), SECRET)
      }
    }))
})

describe("a PostgreSQL server", () => {
  const server = { number: 140_000, version: "14.0", encoding: "UTF8" }
  const of = (address: string) => PostgresUrl.place(address)

  it("is told by host, port and database", () => {
    assert.deepInclude(of("postgres://u:p@db.example:6543/books"), { value: "PostgreSQL db.example:6543/books" })
    assert.deepInclude(of("postgresql://u@[::1]/books"), { value: "PostgreSQL [::1]:5432/books" })
    assert.deepInclude(of("postgres://u:p@h"), { value: "PostgreSQL h:5432/u" })
    assert.deepInclude(of("postgres:///books?host=/run/postgresql&port=5433"), {
      value: "PostgreSQL /run/postgresql:5433/books"
    })
  })

  it("is not told at all where part of a password may stand in its place", () => {
    for (const values of ["sslmode=word", "sslmode=require&sslmode=word", "connect_timeout=word", "port=word"]) {
      assert.strictEqual(of(`postgres://u:p@h/db?${values}`)._tag, "None", values)
    }
    for (const rest of ["12345#rest@host/db", "12345?rest@host/db", "54321/x%40y?z@host/db", "1/2@host/db"]) {
      assert.strictEqual(of(`postgres://u:${rest}`)._tag, "None", rest)
    }
  })

  it("is too old before 14", () => {
    assert.isUndefined(unfit("PostgreSQL", server))
    assert.isUndefined(unfit("PostgreSQL", { ...server, number: 180_004 }))
    const reason = unfit("PostgreSQL", { ...server, number: 130_022, version: "13.22" })
    assert.strictEqual(reason?._tag, "TooOld")
    assert.strictEqual(reason?.message, "PostgreSQL runs PostgreSQL 13.22; 14 or newer is needed")
  })

  it("has its error codes told in our words", () => {
    const words: ReadonlyArray<readonly [code: string, tag: string]> = [
      ["55P03", "Locked"],
      ["40P01", "Locked"],
      ["40001", "Locked"],
      ["42501", "ReadOnly"],
      ["25006", "ReadOnly"],
      ["53100", "DiskFull"],
      ["XX001", "Damaged"],
      ["XX002", "Damaged"],
      ["3D000", "CannotOpen"],
      ["53300", "Unreachable"],
      ["08006", "Unreachable"],
      ["28P01", "CannotOpen"],
      ["57P03", "Unreachable"],
      ["57014", "Unreachable"],
      ["42703", "Failed"]
    ]
    const failure = (code: string) =>
      new SqlError({ reason: new UnknownError({ cause: Object.assign(new Error("the server's words"), { code }) }) })
    for (const [code, tag] of words) {
      assert.strictEqual(toArchiveError("PostgreSQL")(failure(code)).reason._tag, tag, code)
      assert.strictEqual(ofMigration("PostgreSQL")(failure(code)).reason._tag, tag, code)
    }
    assert.strictEqual(ofMigration("PostgreSQL")(failure("42P07")).reason._tag, "Foreign")
  })

  it.effect("quotes no value that it refuses", () =>
    Effect.gen(function*() {
      const { error, sql } = yield* open(yield* temporaryDatabase)
      for (const value of ["stranger", "stranger\u0000"]) {
        const refused = error(yield* Effect.flip(sql`SELECT ${value}::bigint AS n`))
        assert.include(refused.message, "a value was refused, 22")
        assert.notInclude(JSON.stringify(refused), "stranger")
      }
    }))
})
