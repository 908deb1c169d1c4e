/** A pruning takes away what later runs stand for, and nothing else; every run is whole, or has no outcome and says so. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Run from "@tallystick/archive/Run"
import * as Runs from "@tallystick/archive/Runs"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Drivers from "../src/internal/Drivers.ts"
import * as Prune from "../src/internal/runs/Prune.ts"
import * as Question from "../src/internal/runs/Question.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const read = { from: NOW - 40 * HOUR, to: NOW + 40 * HOUR }
const COUNT = 60

const arrived = Array.from(
  { length: COUNT },
  (_, index) => deposit({ txId: `t${index}`, amount: `${index + 1}.5`, insertTime: NOW + index * 1000 })
)

/** So many of the deposits were moved; the run that follows comes to something else than the one before. */
const moved = (count: number) =>
  Archive.Archive.use(Effect.fnUntraced(function*({ claim, deposits, transfers }) {
    yield* claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
    const known = { ...read, readAt: NOW + 50 * HOUR, state: "complete" } as const
    const records = arrived.slice(0, count).map(({ amount, insertTime, txId }) =>
      transfer({ tranId: txId, amount, timestamp: insertTime + 1000 })
    )
    yield* deposits.saveSlice({ ...read, records: arrived, bad: [], coverage: [{ ...known, operation: "deposits" }] })
    yield* transfers.saveSlice({ ...read, records, bad: [], coverage: [{ ...known, operation: "transfers" }] })
  }))

const asked = {
  range: { from: NOW - HOUR, to: NOW + 2 * HOUR },
  accounts: { list: ["a@x"], complete: true }
}
const options: ArchiveReconciliation.Options = { ...asked, addresses: [{ address: "TAbc", account: "a@x" }] }

/** The report after so many were moved. */
const reported = (count: number) => Effect.andThen(moved(count), ArchiveReconciliation.run(options))

/** Records a run after so many were moved, and lets an hour pass. */
const recorded = Effect.fnUntraced(function*(count: number, asked: ArchiveReconciliation.Options = options) {
  yield* moved(count)
  const { run } = yield* ArchiveReconciliation.record(asked)
  yield* TestClock.adjust("1 hour")
  return run
})

const outcomesOf = (run: Run.Run) => Effect.flatMap(Runs.Runs, ({ outcomes }) => Stream.runCollect(outcomes(run)))

const prune = (before = Number.MAX_SAFE_INTEGER) => Effect.flatMap(Runs.Runs, (runs) => runs.prune(before))

const rowsOf = Database.use(({ sql }) =>
  Effect.map(
    Effect.forEach(["outcomes", "run_outcomes", "packs", "run_packs"], (table) => sql`SELECT * FROM ${sql(table)}`),
    (tables) => tables.reduce((sum, rows) => sum + rows.length, 0)
  )
)

const isSound = Effect.map(Integrity.check(), Integrity.isSound)

const prunedIds = Effect.map(
  Effect.flatMap(Runs.Runs, (runs) => runs.list()),
  (listed) => listed.flatMap((run) => !Run.isDamaged(run) && run.prunedAt !== undefined ? [run.id] : []).toReversed()
)

const withRuns = Layer.mergeAll(Archive.Archive.layer, Runs.Runs.layer)

describe.each(databases)("a pruning in $name", ({ layer }) => {
  const archive = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs | Database>) =>
    Effect.scoped(Effect.provide(effect, Layer.provideMerge(Layer.fresh(withRuns), layer)))

  it.effect("takes the outcomes of all runs of a range but the last, and leaves what they came to in short", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      const first = yield* recorded(10)
      const second = yield* recorded(20)
      const last = yield* recorded(30)
      const [kept, before] = [yield* outcomesOf(last), yield* rowsOf]
      const summary = Option.map(yield* runs.get(first.id), ({ summary }) => summary)
      const { bytes, ids, rows } = yield* prune()
      assert.deepStrictEqual(ids.toSorted(), [first.id, second.id].toSorted())
      assert.strictEqual(rows, before - (yield* rowsOf))
      assert.isAbove(rows, 10)
      assert.isAbove(bytes, rows * 10)
      assert.deepStrictEqual(yield* outcomesOf(last), kept)
      assert.isTrue(yield* isSound)

      const prunedAt = 3 * HOUR
      assert.deepStrictEqual(yield* runs.list(), [last, { ...second, prunedAt }, { ...first, prunedAt }])
      assert.deepStrictEqual(
        yield* runs.get(first.id),
        Option.map(summary, (summary) => ({ summary, run: { ...first, prunedAt } }))
      )
      const refused = yield* reason(outcomesOf(first))
      assert.deepInclude(refused, { _tag: "Pruned", run: first.id, prunedAt })
      assert.include(refused.message, "tallystick runs prune took them away at 1970-01-01T03:00:00.000Z")
      assert.deepStrictEqual(yield* prune(), { ids: [], rows: 0, bytes: 0 })
    })))

  it.effect("takes no run that is young, and none that a reconciliation came to after the others", () =>
    archive(Effect.gen(function*() {
      const { save } = yield* Runs.Runs
      const reports = [yield* reported(10), yield* reported(20)] as const
      const saved = (report: Report.Report) => Effect.tap(save(report), TestClock.adjust("1 hour"))
      const first = yield* saved(reports[0])
      const second = yield* saved(reports[1])
      assert.deepStrictEqual((yield* prune(0)).ids, [])
      assert.deepStrictEqual(yield* saved(reports[0]), { run: first.run, isNew: false })
      assert.isTrue(yield* isSound)
      assert.deepStrictEqual((yield* prune(HOUR)).ids, [])
      assert.deepStrictEqual((yield* prune(HOUR + 1)).ids, [second.run.id])
      assert.isAbove((yield* outcomesOf(first.run)).length, 0)
      assert.isTrue(yield* isSound)
    })))

  it.effect("takes no run that was asked something else than a later one", () =>
    archive(Effect.gen(function*() {
      const policy = yield* Policy.make({ window: { after: "2 hours" } })
      yield* recorded(10)
      yield* recorded(20, { ...options, policy })
      yield* recorded(30, { ...options, accounts: { list: ["a@x", "b@x"], complete: false } })
      yield* recorded(40, asked)
      yield* recorded(50, { ...options, range: { from: NOW, to: NOW + 2 * HOUR } })
      assert.deepStrictEqual((yield* prune()).ids, [])
      assert.isTrue(yield* isSound)
    })))

  it.effect("takes nothing where the run that would stand in its place is damaged", () =>
    archive(Effect.gen(function*() {
      const first = yield* recorded(10)
      const last = yield* recorded(20)
      const { sql } = yield* Database
      yield* sql`UPDATE outcomes SET content = REPLACE(content, '"residual":null', '"residual":"1"')
        WHERE digest IN (SELECT digest FROM run_outcomes WHERE run = (SELECT MAX(number) FROM runs))`
      assert.isFalse(yield* isSound)
      assert.deepStrictEqual((yield* prune()).ids, [])
      yield* ArchiveReconciliation.record(options)
      assert.deepStrictEqual((yield* prune()).ids, [first.id])
      assert.isAbove((yield* outcomesOf(last)).length, 0)
    })))

  it.effect("goes on to another run that is whole, where the last one is damaged", () =>
    archive(Effect.gen(function*() {
      const first = yield* recorded(10)
      yield* recorded(20)
      yield* recorded(30)
      const { sql } = yield* Database
      yield* sql`UPDATE run_packs SET outcomes = outcomes + 1 WHERE run = (SELECT MAX(number) FROM runs)`
      assert.isFalse(yield* isSound)
      assert.deepStrictEqual((yield* prune()).ids, [first.id])
    })))

  it.effect("takes nothing where records were lost since", () =>
    archive(Effect.gen(function*() {
      const first = yield* recorded(10)
      const { sql } = yield* Database
      yield* sql`DELETE FROM deposits WHERE tx_id = 't3'`
      assert.isFalse(yield* isSound)
      const { isNew, run } = yield* ArchiveReconciliation.record(options)
      assert.deepStrictEqual([isNew, run.id === first.id], [true, false])
      assert.deepStrictEqual((yield* prune()).ids, [])
      assert.isAbove((yield* outcomesOf(first)).length, 0)
    })))

  it.effect("is undone for a run when that is recorded again", () =>
    archive(Effect.gen(function*() {
      const { list, save } = yield* Runs.Runs
      const reports = [yield* reported(10), yield* reported(20)] as const
      const first = yield* save(reports[0])
      const second = yield* save(reports[1])
      const whole = yield* outcomesOf(first.run)
      assert.deepStrictEqual((yield* prune()).ids, [first.run.id])
      assert.deepStrictEqual(yield* save(reports[0]), first)
      assert.deepStrictEqual(yield* outcomesOf(first.run), whole)
      assert.deepStrictEqual(yield* list(), [first.run, second.run])
      assert.deepStrictEqual((yield* prune()).ids, [second.run.id])
      assert.isTrue(yield* isSound)
    })))

  it.effect("takes what a recording that was killed left behind", () =>
    archive(Effect.gen(function*() {
      const last = yield* recorded(30)
      const { sql } = yield* Database
      const [digest, content] = ["0".repeat(32), new Uint8Array([1])]
      yield* sql`INSERT INTO packs ${sql.insert({ digest, content, ids: content })}`
      yield* sql`INSERT INTO outcomes (at, digest, id, kind, code, content, checksum)
        SELECT at, ${digest}, id, kind, code, content, checksum FROM outcomes ORDER BY at LIMIT 1`
      const { bytes, ids, rows } = yield* prune()
      assert.deepStrictEqual([ids, rows], [[], 2])
      assert.isAbove(bytes, 50)
      assert.isAbove((yield* outcomesOf(last)).length, 0)
      assert.isTrue(yield* isSound)
    })))

  it.effect("takes the rows of runs that the version before recorded", () =>
    Effect.gen(function*() {
      const kind = databases.find(({ layer: other }) => other === layer)
      const location = yield* Option.getOrThrow(Option.fromUndefinedOr(kind)).fresh
      const use = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs | Database>) =>
        Effect.scoped(Effect.provide(
          effect,
          Layer.fresh(Layer.provideMerge(Layer.fresh(withRuns), Layer.fresh(Drivers.layerLocation(location))))
        ))
      const first = yield* use(Effect.gen(function*() {
        const first = yield* recorded(40)
        yield* recorded(41)
        const { sql } = yield* Database
        yield* Earlier.asOfTwelfth(sql)
        yield* sql`DELETE FROM tallystick_migrations WHERE migration_id >= 13`
        return first
      }))
      yield* use(Effect.gen(function*() {
        const last = yield* recorded(50)
        const before = yield* rowsOf
        const { ids, rows } = yield* prune(90 * 60_000)
        assert.include(ids, first.id)
        assert.strictEqual(rows, before - (yield* rowsOf))
        assert.isAbove(rows, 60)
        assert.isAbove((yield* outcomesOf(last)).length, 0)
        assert.isTrue(yield* isSound)
      }))
    }).pipe(Effect.scoped))

  it.effect("that is broken off at any transaction leaves whole runs, and the next one ends its work", () =>
    archive(Effect.gen(function*() {
      const all = [yield* recorded(10), yield* recorded(20), yield* recorded(30), yield* recorded(40)]
      const last = Option.getOrThrow(Option.fromUndefinedOr(all.at(-1)))
      const database = yield* Database
      const { withTransaction } = database.sql
      for (let transactions = 0; transactions < 8; transactions++) {
        let left = transactions
        // The transaction that is one too many is undone.
        const breaking: typeof withTransaction = (effect) =>
          withTransaction(Effect.tap(effect, () => left-- > 0 ? Effect.void : Effect.die("killed")))
        const sql = new Proxy(database.sql, {
          get: (target, key) => key === "withTransaction" ? breaking : Reflect.get(target, key)
        })
        const exit = yield* Effect.exit(Prune.make({ ...database, sql })(Number.MAX_SAFE_INTEGER))
        assert.isTrue(yield* isSound, `after ${transactions} transactions`)
        const gone = new Set(yield* prunedIds)
        for (const run of all) {
          if (!gone.has(run.id)) assert.isAbove((yield* outcomesOf(run)).length, 0)
        }
        assert.isFalse(gone.has(last.id))
        if (exit._tag === "Success") break
      }
      yield* prune()
      assert.deepStrictEqual(yield* prunedIds, all.slice(0, -1).map(({ id }) => id))
      assert.deepStrictEqual(yield* prune(), { ids: [], rows: 0, bytes: 0 })
      assert.isTrue(yield* isSound)
    })))
})

describe("a later run of the same range", () => {
  const accounts = { master: ["master"], count: 3, complete: true, digest: "aaaa" }
  const addresses = { count: 5, digest: "eeee" }
  const [from, middle, to] = [NOW, NOW + HOUR, NOW + 2 * HOUR]
  const part: Coverage.Coverage = { operation: "deposits", from, to, readAt: to, state: "complete" }
  const query = { fromAccountType: "SPOT", toAccountType: "SPOT", fromAccount: "a@x" }
  const coverage: ReadonlyArray<Coverage.Coverage> = [part, { ...part, operation: "transfers", query }]
  const earlier: Question.Question = { policy: "one", accounts, addresses, coverage }
  const replaces = (changes: Partial<Question.Question>) => Question.replaces({ ...earlier, ...changes }, earlier)
  const listed = (changes: Partial<Report.Summary["accounts"]>) => ({ accounts: { ...accounts, ...changes } })

  it("takes the place of an earlier one where it was asked the same, or knew more", () => {
    assert.isTrue(replaces({}))
    assert.isTrue(replaces({ addresses: { count: 6, digest: "ffff" } }))
    assert.isTrue(replaces(listed({ count: 4, digest: "bbbb" })))
  })

  it("takes the place of none that followed another policy, knew more, or was about others", () => {
    assert.isFalse(replaces({ policy: "two" }))
    assert.isFalse(replaces({ addresses: { count: 4, digest: "ffff" } }))
    assert.isFalse(replaces({ addresses: { count: 5, digest: "ffff" } }))
    assert.isFalse(replaces(listed({ master: ["other"] })))
    assert.isFalse(replaces(listed({ complete: false })))
    assert.isFalse(replaces(listed({ count: 2, digest: "bbbb" })))
    const some = { ...earlier, ...listed({ complete: false }) }
    assert.isFalse(Question.replaces({ ...some, ...listed({ complete: true, digest: "bbbb" }) }, some))
    assert.isTrue(Question.replaces(some, some))
  })

  it("takes the place of none that read what it could not read", () => {
    const [deposits, transfers] = [part, { ...part, operation: "transfers" as const, query }]
    const incomplete = { state: "incomplete", gap: { code: "damaged", detail: "rows were lost" } } as const
    assert.isFalse(replaces({ coverage: [deposits] }))
    assert.isFalse(replaces({ coverage: [{ ...deposits, ...incomplete }, transfers] }))
    assert.isFalse(replaces({ coverage: [deposits, { ...transfers, query: { ...query, fromAccount: "b@x" } }] }))
    assert.isFalse(replaces({ coverage: [deposits, { ...transfers, to: middle }] }))
    assert.isTrue(replaces({ coverage: [deposits, { ...transfers, to: middle }, { ...transfers, from: middle }] }))
    assert.isTrue(replaces({ coverage: [deposits, { ...part, operation: "transfers" }] }))
    const less = { ...earlier, coverage: [deposits, { ...transfers, ...incomplete }] }
    assert.isTrue(Question.replaces(earlier, less))
    assert.isTrue(Question.replaces(less, less))
  })
})
