/** What an archive is about, and whose it is: a row of that which is lost or edited is never taken for one that never was. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Integrity from "@tallystick/archive/Integrity"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Queries from "../src/internal/coverage/Queries.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { copy } from "./support/copy.ts"
import { databases } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const DAY = 86_400_000
const HOUR = 3_600_000
const range = { from: NOW - 5 * DAY, to: NOW + 5 * DAY }
const queryOf = (fromAccount: string) => ({ fromAccount, fromAccountType: "SPOT", toAccountType: "SPOT" })
/** What number the query of an account has. */
const numberOf = (from_account: string) =>
  Queries.numberOf({ from_account, to_account: null, from_account_type: "SPOT", to_account_type: "SPOT" })
const [A, B] = [numberOf("a@x"), numberOf("b@x")]
const origin = { baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" }

const other = { baseUrl: "https://other.example.com", fingerprint: "0000000000000000" }

const disbelieved = {
  believed: false,
  learntAt: NOW,
  agreements: 1,
  pageLength: 100,
  backwards: 0,
  forwards: 0,
  longestResponse: 2,
  longestList: 2
}

const complete = (operation: "deposits" | "transfers"): Coverage.Coverage => ({
  operation,
  ...range,
  readAt: NOW + 6 * DAY,
  state: "complete"
})

const saveAccount = (fromAccount: string, state: "complete" | "incomplete") =>
  Archive.Archive.use(({ transfers }) => {
    const query = queryOf(fromAccount)
    const gap = { code: "failed-page", detail: "HTTP 503" } as const
    const part = { ...complete("transfers"), query, state, ...(state === "complete" ? {} : { gap }) }
    const records = fromAccount === "a@x" ? [transfer({ timestamp: NOW + 60_000 })] : []
    return transfers.saveSlice({ ...range, records, bad: [], coverage: [part] }, query)
  })

/** A deposit that is matched; one account was read, the other was not. */
const fill = Effect.gen(function*() {
  const { claim, deposits } = yield* Archive.Archive
  yield* claim(origin)
  yield* deposits.saveSlice({ ...range, records: [deposit()], bad: [], coverage: [complete("deposits")] })
  yield* saveAccount("a@x", "complete")
  yield* saveAccount("b@x", "incomplete")
})

/** A report over the accounts that the archive knows. */
const isClean = Effect.gen(function*() {
  const { coverage } = yield* Archive.Archive
  const list = [...new Set((yield* coverage()).flatMap(({ query }) => query?.fromAccount ?? []))]
  const { clean } = yield* ArchiveReconciliation.run({
    range: { from: NOW - HOUR, to: NOW + HOUR },
    accounts: { list, complete: false }
  })
  return clean
})

const isSound = Effect.map(Integrity.check(), Integrity.isSound)

const damage = (change: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>) =>
  Effect.flatMap(Database, ({ sql }) => change(sql))

const losses: ReadonlyArray<
  readonly [what: string, change: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>]
> = [
  ["the row of a query is lost", (sql) => sql`DELETE FROM queries WHERE id = ${B}`],
  ["the row of a query was edited", (sql) => sql`UPDATE queries SET from_account = 'a@x' WHERE id = ${B}`],
  ["all coverage of a query is lost", (sql) => sql`DELETE FROM coverage WHERE query = ${B}`],
  ["the coverage of a query was edited", (sql) => sql`UPDATE coverage SET to_ms = 5 WHERE query = ${B}`],
  ["the coverage of a query was moved", (sql) => sql`UPDATE coverage SET query = 7 WHERE query = ${B}`],
  [
    "a query and its coverage are lost",
    (sql) => Effect.andThen(sql`DELETE FROM queries WHERE id = ${B}`, sql`DELETE FROM coverage WHERE query = ${B}`)
  ]
]

describe.each(databases)("an archive in $name", ({ fresh, layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(Effect.andThen(fill, body), archive))

  it.effect.each(losses)("makes no report clean where %s, and is not sound", ([, change]) =>
    Effect.gen(function*() {
      yield* fill
      assert.isFalse(yield* isClean)
      assert.isTrue(yield* isSound)
      yield* damage(change)
      assert.isFalse(yield* isClean)
      assert.isFalse(yield* isSound)
    }).pipe(Effect.provide(archive)))

  it.effect.each(losses.slice(0, 2))(
    "is sound again where %s, once that account was read completely",
    ([, change]) =>
      Effect.gen(function*() {
        yield* fill
        yield* damage(change)
        yield* saveAccount("b@x", "complete")
        yield* saveAccount("a@x", "complete")
        assert.deepStrictEqual(yield* Integrity.check(), {
          structure: [],
          damages: [],
          outdated: [],
          lost: [],
          runs: { ids: [], lost: 0 }
        })
        assert.isTrue(yield* isClean)
      }).pipe(Effect.provide(archive))
  )

  test(
    "keeps a gap for every account where coverage of one was lost, also of what is read again",
    Effect.gen(function*() {
      const { coverage, transfers } = yield* Archive.Archive
      yield* damage((sql) => sql`DELETE FROM coverage WHERE query = ${A}`)
      const part = { ...complete("transfers"), from: NOW, query: queryOf("a@x") }
      yield* transfers.saveSlice({ ...range, from: NOW, records: [], bad: [], coverage: [part] }, queryOf("a@x"))
      const found = (yield* coverage()).filter(({ operation }) => operation === "transfers")
      assert.isNotEmpty(found)
      assert.isTrue(found.every(({ state }) => state === "incomplete"))
      assert.isFalse(yield* isClean)
    })
  )

  test(
    "is claimed by nobody else where the stamp was lost or edited, until a person says whose it is",
    Effect.gen(function*() {
      const { claim, stamps, structure, trust } = yield* Archive.Archive
      for (const change of ["DELETE FROM stamps", "UPDATE stamps SET base_url = 'x'"]) {
        yield* damage((sql) => sql.unsafe(change))
        assert.strictEqual((yield* reason(claim(other)))._tag, "Damaged")
        assert.strictEqual((yield* reason(claim(origin)))._tag, "Damaged")
        assert.strictEqual((yield* reason(stamps))._tag, "Damaged")
        const [told = "", ...others] = yield* structure
        assert.match(told, /^it does not tell any more whose records it keeps, .*tallystick archive trust/)
        assert.deepStrictEqual(others, [])
        yield* trust(origin)
        assert.deepStrictEqual(yield* stamps, [origin])
        assert.deepStrictEqual(yield* structure, [])
        assert.strictEqual((yield* reason(claim(other)))._tag, "OtherMaster")
      }
    })
  )

  test(
    "tells a stamp that no longer is text as damage, not as a defect",
    Effect.gen(function*() {
      const { stamps } = yield* Archive.Archive
      yield* damage((sql) => sql`UPDATE stamps SET base_url = ${"\u0001x"}`)
      assert.strictEqual((yield* reason(stamps))._tag, "Damaged")
    })
  )

  test(
    "takes the last reading and the end of coverage from rows that hold what was written",
    Effect.gen(function*() {
      const { coveredTo, lastReading } = yield* Archive.Archive
      yield* damage((sql) => sql`UPDATE coverage SET read_at = read_at + 5, to_ms = to_ms + 5 WHERE query = ${B}`)
      assert.deepStrictEqual(yield* Effect.all([lastReading, coveredTo]), [NOW + 6 * DAY, range.to])
    })
  )

  test(
    "is not taken for unclaimed where the stamp and their number were lost",
    Effect.gen(function*() {
      const { claim, stamps, structure, trust } = yield* Archive.Archive
      const changes = [
        "DELETE FROM scopes",
        "UPDATE scopes SET records = 0",
        "DELETE FROM scopes; DELETE FROM coverage"
      ]
      for (const change of changes) {
        for (const one of ["DELETE FROM stamps", ...change.split("; ")]) yield* damage((sql) => sql.unsafe(one))
        for (const by of [origin, other]) assert.strictEqual((yield* reason(claim(by)))._tag, "Damaged", change)
        assert.strictEqual((yield* reason(stamps))._tag, "Damaged", change)
        assert.include((yield* structure).join("\n"), "it does not tell any more whose records it keeps", change)
        yield* trust(origin)
        assert.deepStrictEqual(yield* stamps, [origin])
        assert.notInclude((yield* structure).join("\n"), "it does not tell any more whose records it keeps", change)
      }
    })
  )

  it.effect("is sound too while a sync asks for an account for the first time", () =>
    Effect.gen(function*() {
      yield* fill
      const { sql } = yield* Database
      const { transfers } = yield* Archive.Archive
      let isAsked = false
      const first = Effect.suspend(() => {
        if (isAsked) return Effect.void
        isAsked = true
        const part = { ...complete("transfers"), query: queryOf("c@x") }
        return transfers.saveSlice({ ...range, records: [], bad: [], coverage: [part] }, queryOf("c@x"))
      })
      // Whichever statement comes first, the sync writes behind it.
      const beside = new Proxy(sql, {
        apply: (target, self, args) => Effect.tap(Reflect.apply(target, self, args), () => first)
      })
      const { lost } = Queries.make(beside)
      assert.deepStrictEqual(yield* lost, [])
      assert.isTrue(isAsked)
      assert.deepStrictEqual(yield* lost, [])
    }).pipe(Effect.provide(archive)))

  it.effect("is unclaimed and sound before the first sync, whatever a person imported and vouched for", () =>
    Effect.gen(function*() {
      const { claim, deposits, saveLearnt, stamps, structure, vouch } = yield* Archive.Archive
      assert.deepStrictEqual(yield* structure, [])
      yield* deposits.importRecords([deposit()])
      yield* vouch("deposits", range, NOW + HOUR)
      yield* saveLearnt({})
      assert.deepStrictEqual([yield* stamps, yield* structure], [[], []])
      assert.isTrue(yield* isSound)
      yield* claim(other)
      assert.deepStrictEqual([yield* stamps, yield* structure], [[other], []])
    }).pipe(Effect.provide(archive)))

  test(
    "does not believe lists of which it does not know any more whether they are to be believed",
    Effect.gen(function*() {
      const { learnt, saveLearnt } = yield* Archive.Archive
      yield* saveLearnt({ deposits: disbelieved, transfers: { ...disbelieved, believed: true } })
      assert.isTrue(yield* isSound)
      yield* damage((sql) => sql`UPDATE learnt SET agreements = 7 WHERE operation = 'deposits'`)
      const { deposits, transfers } = yield* learnt
      assert.deepStrictEqual([deposits?.believed, transfers?.believed], [false, false])
      yield* damage((sql) => sql`UPDATE learnt SET operation = 'none' WHERE operation = 'transfers'`)
      assert.strictEqual((yield* learnt).transfers?.believed, false)
      assert.isFalse(yield* isSound)
    })
  )

  test(
    "misses what it learnt of the service where a row of that was lost, and doubts until that is learnt again",
    Effect.gen(function*() {
      const { learnt, saveLearnt, structure } = yield* Archive.Archive
      const believed = { ...disbelieved, believed: true }
      const losses = ["DELETE FROM learnt WHERE operation = 'deposits'", "DELETE FROM learnt"]
      for (const loss of losses) {
        yield* saveLearnt({ deposits: disbelieved, transfers: believed })
        yield* damage((sql) => sql.unsafe(loss))
        assert.strictEqual((yield* learnt).deposits?.believed, false, loss)
        assert.deepStrictEqual((yield* structure).map((line) => line.includes("how the service answers")), [true], loss)
        yield* saveLearnt({ transfers: believed })
        const { deposits, transfers } = yield* learnt
        assert.deepStrictEqual([deposits?.believed, transfers?.believed], [false, true], loss)
        assert.isTrue(yield* isSound)
      }
      yield* saveLearnt({ deposits: believed })
      yield* damage((sql) => sql`DELETE FROM scopes WHERE operation = 'learnt'`)
      assert.strictEqual((yield* learnt).deposits?.believed, false)
      assert.isFalse(yield* isSound)
    })
  )

  test(
    "believes no list by what it learnt before it learnt otherwise",
    Effect.gen(function*() {
      const { learnt, saveLearnt } = yield* Archive.Archive
      const believed = { ...disbelieved, believed: true }
      yield* saveLearnt({ deposits: believed, transfers: believed })
      assert.deepStrictEqual(yield* learnt, { deposits: believed, transfers: believed })
      const older = yield* copy("learnt")
      yield* saveLearnt({ deposits: disbelieved })
      yield* older
      assert.strictEqual((yield* learnt).deposits?.believed, false)
      assert.isFalse(yield* isSound)
      yield* saveLearnt({ deposits: believed, transfers: believed })
      assert.isTrue(yield* isSound)
    })
  )

  it.effect("that an earlier version left is sound, and misses what is lost from then on", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const use = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Database>) =>
        Effect.scoped(Effect.provide(
          effect,
          Layer.fresh(
            Layer.provideMerge(Layer.fresh(Archive.Archive.layer), Layer.fresh(Drivers.layerLocation(location)))
          )
        ))
      yield* use(Effect.gen(function*() {
        const { saveLearnt } = yield* Archive.Archive
        yield* fill
        yield* saveLearnt({ deposits: disbelieved })
        yield* damage((sql) => sql`DELETE FROM scopes WHERE operation IN ('learnt', 'runs')`)
        yield* damage(Earlier.asOfTwelfth)
        yield* damage((sql) => sql`ALTER TABLE holder DROP COLUMN turn`)
        yield* damage((sql) => sql`DELETE FROM tallystick_migrations WHERE migration_id >= 11`)
      }))
      yield* use(Effect.gen(function*() {
        const { learnt } = yield* Archive.Archive
        assert.isTrue(yield* isSound)
        assert.deepStrictEqual(yield* learnt, { deposits: disbelieved })
        yield* damage((sql) => sql`DELETE FROM learnt`)
        assert.isFalse(yield* isSound)
        assert.strictEqual((yield* learnt).deposits?.believed, false)
      }))
    }).pipe(Effect.scoped))

  test(
    "is held by the next one where the row of the last holder does not read as one, with a greater number",
    Effect.gen(function*() {
      const { exclusive } = yield* Archive.Archive
      const hold = Effect.scoped(Effect.andThen(
        exclusive("sync"),
        Effect.flatMap(Database, ({ sql }) => sql<{ readonly fence: number }>`SELECT fence FROM holder`)
      ))
      let last = (yield* hold)[0]?.fence ?? 0
      for (const since of [9_000_000_000_000_000n, 2n ** 60n, -1n]) {
        yield* damage((sql) => sql.unsafe(`UPDATE holder SET since = ${since}`))
        const fence = (yield* hold)[0]?.fence ?? 0
        assert.isAbove(fence, last)
        last = fence
      }
      for (const fence of [2n ** 53n - 1n, 2n ** 60n, -7n]) {
        yield* damage((sql) => sql.unsafe(`UPDATE holder SET fence = ${fence}`))
        assert.isAbove((yield* hold)[0]?.fence ?? 0, 2 ** 43)
      }
    })
  )
})
