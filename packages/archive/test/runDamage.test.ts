/** A recorded run of which anything was damaged, lost or edited is never shown as what was recorded. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Backup from "@tallystick/archive/Backup"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Run from "@tallystick/archive/Run"
import * as Runs from "@tallystick/archive/Runs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { join } from "node:path"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Sqlite from "../src/internal/sqlite/Sqlite.ts"
import { databases, temporaryFolder } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const read = { from: NOW - 20 * HOUR, to: NOW + 20 * HOUR }
const options: ArchiveReconciliation.Options = {
  range: { from: NOW - HOUR, to: NOW + 2 * HOUR },
  accounts: { list: ["a@x"], complete: true }
}
/** A range of which the transfers were read for one hour only, so that something in it is not decided. */
const elsewhere: ArchiveReconciliation.Options = { ...options, range: { from: NOW - 12 * HOUR, to: NOW - 9 * HOUR } }

const UNREAD = { from: NOW - 11 * HOUR, to: NOW - 10 * HOUR }

const fill = Archive.Archive.use(Effect.fnUntraced(function*({ claim, deposits, transfers }) {
  yield* claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
  const coverage = { ...read, readAt: NOW + 50 * HOUR, state: "complete" } as const
  const records = [0, 1, 2, 3].map((index) => deposit({ insertTime: NOW + index * 1000, amount: `1${index}` }))
  const undecided = deposit({ insertTime: UNREAD.from + 1, amount: "77" })
  yield* deposits.saveSlice({
    ...read,
    records: [...records, undecided],
    bad: [],
    coverage: [{ ...coverage, operation: "deposits" }]
  })
  yield* transfers.saveSlice({
    ...read,
    records: [1, 2, 3].map((index) =>
      transfer({ tranId: `${index}`, timestamp: NOW + index * 1000 + 60_000, amount: `1${index}` })
    ),
    bad: [],
    coverage: [
      { ...coverage, operation: "transfers", to: UNREAD.from },
      { ...coverage, operation: "transfers", from: UNREAD.to }
    ]
  })
}))

/** All that a run says, as the command shows it. */
const shown = (id: string) =>
  Effect.gen(function*() {
    const runs = yield* Runs.Runs
    const found = yield* Effect.catchTag(runs.get(id), "Ambiguous", Effect.die)
    const { run, summary } = Option.getOrThrow(found)
    return { run, summary, outcomes: yield* Stream.runCollect(runs.outcomes(run)) }
  })

type Statement = (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>

/** What may happen to the first of two runs, and whether a list, which looks at no outcome, sees it. */
const DAMAGES: ReadonlyArray<readonly [name: string, seen: "listed" | "unlisted", statement: Statement]> = [
  ["what an outcome says was edited", "unlisted", (sql) =>
    sql`UPDATE outcomes
    SET content = REPLACE(content, '"residual":null', '"residual":"1"') WHERE at >= ${NOW}`],
  ["an outcome has another code", "unlisted", (sql) => sql`UPDATE outcomes SET code = 'late' WHERE at >= ${NOW}`],
  ["an outcome is gone", "unlisted", (sql) => sql`DELETE FROM outcomes WHERE at = ${NOW}`],
  ["it is not known that it came to an outcome", "unlisted", (sql) => sql`DELETE FROM run_outcomes WHERE at = ${NOW}`],
  ["an outcome has another id in it", "unlisted", (sql) =>
    sql`UPDATE run_outcomes
    SET id = '0000000000000000' WHERE at = ${NOW}`],
  ["an outcome of another run is counted as its own", "unlisted", (sql) =>
    sql`UPDATE run_outcomes
    SET run = (SELECT MIN(number) FROM runs) WHERE at < ${NOW}`],
  ["it is called clean", "listed", (sql) => sql`UPDATE runs SET clean = 1 WHERE discrepancies > 0`],
  ["its discrepancies are counted as matched", "listed", (sql) =>
    sql`UPDATE runs
    SET matched = matched + discrepancies, discrepancies = 0 WHERE discrepancies > 0`],
  ["its range was changed", "listed", (sql) => sql`UPDATE runs SET to_ms = to_ms + 1 WHERE discrepancies > 0`],
  ["the time of its recording was changed", "listed", (sql) =>
    sql`UPDATE runs
    SET touched_at = touched_at + 1 WHERE discrepancies > 0`],
  ["its summary was replaced", "unlisted", (sql) => sql`UPDATE runs SET summary = '{}' WHERE discrepancies > 0`]
]

const withRuns = Layer.mergeAll(Archive.Archive.layer, Runs.Runs.layer)

describe.each(databases)("a run in $name", ({ fresh, layer }) => {
  const archive = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs | Database>) =>
    Effect.scoped(Effect.provide(Effect.andThen(fill, effect), Layer.provideMerge(Layer.fresh(withRuns), layer)))

  const twoRuns = Effect.gen(function*() {
    const first = yield* ArchiveReconciliation.record(options)
    yield* TestClock.adjust("1 hour")
    const second = yield* ArchiveReconciliation.record(elsewhere)
    assert.deepStrictEqual((yield* Integrity.check()).runs, { ids: [], lost: 0 })
    return { first, second }
  })

  it.effect.each(DAMAGES)(
    "of which %s is refused, named, and whole again when it is recorded again",
    ([, seen, statement]) =>
      archive(Effect.gen(function*() {
        const runs = yield* Runs.Runs
        const { first, second } = yield* twoRuns
        const whole = yield* shown(first.run.id)
        const untouched = yield* shown(second.run.id)
        yield* statement((yield* Database).sql)

        const refused = yield* reason(shown(first.run.id))
        assert.strictEqual(refused._tag, "Damaged")
        assert.include(refused.message, `run ${first.run.id} is not as it was recorded`)
        assert.include(refused.message, "reconcile the same range from it again")
        const integrity = yield* Integrity.check()
        assert.isTrue(integrity.runs.ids.includes(first.run.id))
        assert.isFalse(Integrity.isSound(integrity))
        assert.deepStrictEqual(
          yield* runs.list(),
          [second.run, seen === "listed" ? { id: first.run.id, damaged: true } : first.run]
        )

        const again = yield* ArchiveReconciliation.record(options)
        assert.strictEqual(again.run.id, first.run.id)
        assert.deepStrictEqual(yield* shown(first.run.id), { ...whole, run: again.run })
        yield* ArchiveReconciliation.record(elsewhere)
        assert.deepStrictEqual((yield* shown(second.run.id)).outcomes, untouched.outcomes)
        assert.isTrue(Integrity.isSound(yield* Integrity.check()))
      }))
  )

  it.effect("is not said to have seen an outcome when it has others than those it was recorded with", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      const { first, second } = yield* twoRuns
      const { id } = Option.getOrThrow(Option.fromUndefinedOr(second.report.outcomes[0]))
      const { sql } = yield* Database
      yield* sql`UPDATE run_outcomes SET run = (SELECT MIN(number) FROM runs) WHERE id = ${id}`
      const sighting = Option.getOrThrow(yield* runs.outcome(id))
      assert.deepStrictEqual(sighting.versions.map((version) => version.runs), [[{ id: first.run.id, damaged: true }]])

      yield* sql`UPDATE outcomes SET content = REPLACE(content, '77', '78') WHERE id = ${id}`
      const refused = yield* Effect.flip(runs.outcome(id))
      assert.include(refused.message, `outcome ${id} is not as it was recorded`)
    })))

  it.effect("says of what was not read when that was, and nothing where this was changed", () =>
    archive(Effect.gen(function*() {
      const { second } = yield* twoRuns
      const { sql } = yield* Database
      const before = yield* shown(second.run.id)
      assert.isTrue(before.outcomes.some(({ missing }) => missing !== undefined))
      yield* sql`UPDATE outcomes SET content = REPLACE(content, '"readAt":', '"readAt":1') WHERE kind = 'undetermined'`
      assert.strictEqual((yield* reason(shown(second.run.id)))._tag, "Damaged")
      assert.deepStrictEqual((yield* Integrity.check()).runs.ids, [second.run.id])
    })))

  it.effect("that is gone is missed by its outcomes, and they get into no other run", () =>
    archive(Effect.gen(function*() {
      const { second } = yield* twoRuns
      const { sql } = yield* Database
      yield* sql`DELETE FROM runs WHERE id = ${second.run.id}`
      const integrity = yield* Integrity.check()
      assert.deepStrictEqual([integrity.runs, Integrity.isSound(integrity)], [{ ids: [], lost: 1 }, false])
      const other = yield* ArchiveReconciliation.record({ ...options, range: { from: NOW, to: NOW + HOUR } })
      assert.deepStrictEqual((yield* shown(other.run.id)).run, other.run)
      assert.deepStrictEqual((yield* Integrity.check()).runs.ids, [])
    })))

  it.effect("that came to no outcome is missed where it is gone, also after others were recorded", () =>
    archive(Effect.gen(function*() {
      const empty = { ...options, range: { from: NOW + 5 * HOUR, to: NOW + 6 * HOUR } }
      const { sql } = yield* Database
      const { report, run } = yield* ArchiveReconciliation.record(empty)
      assert.deepStrictEqual(report.outcomes, [])
      assert.isFalse((yield* ArchiveReconciliation.record(empty)).isNew)
      assert.isTrue(Integrity.isSound(yield* Integrity.check()))

      yield* sql`UPDATE runs SET clean = 1 - clean WHERE id = ${run.id}`
      assert.isTrue((yield* ArchiveReconciliation.record(empty)).isNew)
      assert.isTrue(Integrity.isSound(yield* Integrity.check()))

      yield* sql`DELETE FROM runs WHERE id = ${run.id}`
      assert.deepStrictEqual((yield* Integrity.check()).runs, { ids: [], lost: 1 })
      yield* ArchiveReconciliation.record(options)
      const integrity = yield* Integrity.check()
      assert.deepStrictEqual([integrity.runs, integrity.structure], [{ ids: [], lost: 1 }, []])
      assert.isFalse(Integrity.isSound(integrity))
    })))

  it.effect("is counted with the others by the next one where their number was damaged or lost", () =>
    archive(Effect.gen(function*() {
      const { sql } = yield* Database
      const changes = [
        "DELETE FROM scopes",
        "UPDATE scopes SET records = 0",
        `UPDATE scopes SET records = ${2n ** 60n}`
      ]
      for (const [hour, change] of changes.entries()) {
        yield* ArchiveReconciliation.record({ ...options, range: { from: NOW, to: NOW + (2 * hour + 1) * HOUR } })
        yield* sql.unsafe(`${change} WHERE operation = 'runs'`)
        const { runs, structure } = yield* Integrity.check()
        assert.deepStrictEqual([runs, structure.length], [{ ids: [], lost: 0 }, 1], change)
        assert.include(structure[0], "how many runs were recorded")
        yield* ArchiveReconciliation.record({ ...options, range: { from: NOW, to: NOW + (2 * hour + 2) * HOUR } })
        assert.isTrue(Integrity.isSound(yield* Integrity.check()))
      }
      yield* sql`DELETE FROM runs WHERE number = (SELECT MAX(number) FROM runs)`
      assert.strictEqual((yield* Integrity.check()).runs.lost, 1)
    })))

  it.effect("whose id is gone is not taken for one that nobody finished, and is not removed as that is", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      const { first, second } = yield* twoRuns
      const { sql } = yield* Database
      yield* sql`UPDATE runs SET id = NULL WHERE id = ${second.run.id}`
      yield* TestClock.adjust("2 hours")
      assert.isFalse((yield* ArchiveReconciliation.record(options)).isNew)
      assert.deepStrictEqual(yield* runs.list(), [first.run])
      assert.deepStrictEqual((yield* Integrity.check()).runs, { ids: [], lost: 1 })
    })))

  it.effect("is looked at only where it is about the time that is asked for", () =>
    archive(Effect.gen(function*() {
      const { first } = yield* twoRuns
      const { sql } = yield* Database
      yield* sql`DELETE FROM outcomes WHERE at = ${NOW}`
      const { damagedRuns } = yield* Archive.Archive
      assert.deepStrictEqual((yield* damagedRuns({ from: NOW, to: NOW + 1 })).ids, [first.run.id])
      assert.deepStrictEqual((yield* damagedRuns({ from: NOW - 15 * HOUR, to: NOW - HOUR })).ids, [])
    })))

  it.effect("that an earlier version recorded is taken as it is, unless it has lost an outcome", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const use = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs | Database>) =>
        Effect.scoped(Effect.provide(
          effect,
          Layer.fresh(Layer.provideMerge(Layer.fresh(withRuns), Layer.fresh(Drivers.layerLocation(location))))
        ))
      const { first, second, told } = yield* use(Effect.gen(function*() {
        yield* fill
        const { first, second } = yield* twoRuns
        const { sql } = yield* Database
        const told = yield* shown(first.run.id)
        yield* sql`DELETE FROM run_outcomes WHERE at < ${NOW}`
        yield* Earlier.asOfNinth(sql)
        yield* sql`DELETE FROM tallystick_migrations WHERE migration_id >= 10`
        return { first, second, told }
      }))
      yield* use(Effect.gen(function*() {
        assert.deepStrictEqual(yield* shown(first.run.id), told)
        assert.deepStrictEqual((yield* Integrity.check()).runs, { ids: [second.run.id], lost: 0 })
        assert.isFalse((yield* ArchiveReconciliation.record(options)).isNew)
      }))
    }).pipe(Effect.scoped))
})

describe("a run whose number is beyond any that is given", () => {
  const archive = Layer.provideMerge(Layer.fresh(withRuns), Layer.fresh(Sqlite.layerMemory()))

  for (const number of [2n ** 53n - 1n, 2n ** 60n + 1n, 2n ** 63n - 1n]) {
    it.effect(`is named, and no other is recorded behind it, ${number}`, () =>
      Effect.gen(function*() {
        yield* fill
        const { run } = yield* ArchiveReconciliation.record(options)
        yield* (yield* Database).sql.unsafe(`UPDATE runs SET number = ${number}`)
        assert.deepStrictEqual((yield* Integrity.check()).runs.ids, [run.id])
        const { message } = yield* Effect.flip(ArchiveReconciliation.record(elsewhere))
        assert.include(message, "is damaged: a run has a number that none was given")
        assert.deepStrictEqual((yield* Runs.Runs.use(({ list }) => list())).length, 1)
      }).pipe(Effect.provide(archive)))
  }
})

describe("a backup of an archive with a damaged run", () => {
  it.effect("is made, names the run, and believes it no more than the archive does", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const [file, copy] = [join(folder, "archive.db"), join(folder, "copy.db")]
      const id = yield* Effect.gen(function*() {
        yield* fill
        const { run } = yield* ArchiveReconciliation.record(options)
        assert.deepStrictEqual((yield* Backup.make(join(folder, "whole.db"))).runs, { ids: [], lost: 0 })
        yield* (yield* Database).sql`UPDATE runs SET clean = 1`
        assert.deepStrictEqual((yield* Backup.make(copy)).runs, { ids: [run.id], lost: 0 })
        return run.id
      }).pipe(Effect.provide(Layer.provideMerge(Layer.fresh(withRuns), Layer.fresh(Drivers.layerSqlite({ file })))))
      yield* Effect.gen(function*() {
        assert.deepStrictEqual((yield* Runs.Runs.use(({ list }) => list())).map(Run.isDamaged), [true])
        assert.strictEqual((yield* reason(shown(id)))._tag, "Damaged")
      }).pipe(Effect.provide(Archive.Archive.layerBackup(copy)))
    }).pipe(Effect.scoped))
})
