/** Outcomes that stay as they are stand in packs: runs share them, and find each of them again. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Runs from "@tallystick/archive/Runs"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Drivers from "../src/internal/Drivers.ts"
import type * as Content from "../src/internal/runs/Content.ts"
import * as Pack from "../src/internal/runs/Pack.ts"
import * as Packer from "../src/internal/runs/Packer.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

const HOUR = 3_600_000
const MINUTE = 60_000
const read = { from: NOW - 40 * HOUR, to: NOW + 40 * HOUR }

/** An entry a minute; the first and the last are the only deposits that nobody moved. */
const COUNT = 1200

const fill = Archive.Archive.use(Effect.fnUntraced(function*({ claim, deposits, transfers }) {
  yield* claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
  const known = { ...read, readAt: NOW + 50 * HOUR, state: "complete" } as const
  const arrived = Array.from(
    { length: COUNT },
    (_, index) => deposit({ txId: `t${index}`, amount: `${index + 1}.5`, insertTime: NOW - 10 * HOUR + index * MINUTE })
  )
  const moved = arrived.slice(1, -1).map(({ amount, insertTime, txId }) =>
    transfer({ tranId: txId, amount, timestamp: insertTime + 1000 })
  )
  yield* deposits.saveSlice({ ...read, records: arrived, bad: [], coverage: [{ ...known, operation: "deposits" }] })
  yield* transfers.saveSlice({ ...read, records: moved, bad: [], coverage: [{ ...known, operation: "transfers" }] })
}))

const about = (from: number, to: number): ArchiveReconciliation.Options => ({
  range: { from: NOW + from * HOUR, to: NOW + to * HOUR },
  accounts: { list: ["a@x"], complete: true }
})

const isSettled = ({ outcome }: Outcome.Outcome): boolean => outcome === "matched" || outcome === "set-aside"

const byId = (outcomes: ReadonlyArray<Outcome.Outcome>) => outcomes.toSorted((a, b) => (a.id < b.id ? -1 : 1))

const counts = Database.use(({ sql }) =>
  Effect.map(
    Effect.all({
      packs: sql`SELECT digest FROM packs`,
      members: sql`SELECT digest FROM run_packs`,
      rows: sql`SELECT digest FROM outcomes`
    }),
    ({ members, packs, rows }) => ({ packs: packs.length, members: members.length, rows: rows.length })
  )
)

const withRuns = Layer.mergeAll(Archive.Archive.layer, Runs.Runs.layer)

type Statement = (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>

/** Changes a byte in the middle of a column of bytes. */
const flip = (table: string, column: string): Statement =>
  Effect.fnUntraced(function*(sql) {
    const [row] = yield* sql<Record<string, Uint8Array>>`SELECT ${sql(column)} FROM ${sql(table)}
      WHERE ${sql(column)} IS NOT NULL ORDER BY 1 LIMIT 1`
    const before = row?.[column] ?? new Uint8Array()
    const after = Uint8Array.from(before)
    after[before.length >> 1] = (after[before.length >> 1] ?? 0) ^ 1
    yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = ${after} WHERE ${sql(column)} = ${before}`
  })

const DAMAGES: ReadonlyArray<readonly [name: string, statement: Statement]> = [
  ["a byte of what outcomes say was changed", flip("packs", "content")],
  ["the id of an outcome was changed", flip("packs", "ids")],
  ["a run counts one more outcome", (sql) => sql`UPDATE run_packs SET outcomes = outcomes + 1 WHERE place = 0`],
  ["a pack is gone", (sql) => sql`DELETE FROM packs WHERE digest = (SELECT MIN(digest) FROM packs)`],
  ["it is not known that it came to a pack", (sql) => sql`DELETE FROM run_packs WHERE place = 1`],
  ["a pack stands in another place", (sql) => sql`UPDATE run_packs SET place = 1000 WHERE place = 0`],
  [
    "it is said to have come to a pack twice",
    (sql) => sql`INSERT INTO run_packs SELECT run, 1000, digest, outcomes FROM run_packs WHERE place = 0`
  ],
  ["its packed summary was changed", flip("runs", "packed_summary")]
]

describe.each(databases)("packs in $name", ({ fresh, layer }) => {
  const archive = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs | Database>) =>
    Effect.scoped(Effect.provide(Effect.andThen(fill, effect), Layer.provideMerge(Layer.fresh(withRuns), layer)))

  it.effect("hold what is matched, and rows what is open; a run gives all of it", () =>
    archive(Effect.gen(function*() {
      const { report, run } = yield* ArchiveReconciliation.record(about(-40, 40))
      const { packs, rows } = yield* counts
      assert.strictEqual(rows, 2)
      assert.isAbove(packs, 1)
      const { outcomes } = yield* Runs.Runs
      const found = yield* Stream.runCollect(outcomes(run))
      assert.deepStrictEqual(
        found.map(isSettled),
        report.outcomes.map(isSettled).toSorted((a, b) => Number(a) - Number(b))
      )
      assert.deepStrictEqual(byId(found).map(({ id }) => id), byId(report.outcomes).map(({ id }) => id))
      assert.isTrue(Integrity.isSound(yield* Integrity.check()))
    })))

  it.effect("are shared by runs over ranges that overlap, but for those at their ends", () =>
    archive(Effect.gen(function*() {
      yield* ArchiveReconciliation.record(about(-40, 5))
      const first = yield* counts
      yield* ArchiveReconciliation.record(about(-20, 7))
      const second = yield* counts
      const added = second.packs - first.packs
      // The first pack is cut short, the last one is not full yet, and two hours more are 120 outcomes more.
      assert.isAtMost(added, 3)
      assert.isAbove(second.members - first.members, added)
    })))

  it.effect("give an outcome by the beginning of its id, with every run that came to it", () =>
    archive(Effect.gen(function*() {
      const runs = yield* Runs.Runs
      const first = yield* ArchiveReconciliation.record(about(-40, 5))
      yield* TestClock.adjust("1 hour")
      const second = yield* ArchiveReconciliation.record(about(-3, 9))
      const seen = (report: { readonly outcomes: ReadonlyArray<Outcome.Outcome> }) => report.outcomes.filter(isSettled)
      const isBoth = new Set(seen(second.report).map(({ id }) => id))
      const both = Option.getOrThrow(Option.fromUndefinedOr(seen(first.report).find(({ id }) => isBoth.has(id))))
      const one = Option.getOrThrow(Option.fromUndefinedOr(seen(first.report).find(({ id }) => !isBoth.has(id))))
      for (const digits of [16, 13, 12, 11]) {
        const sighting = Option.getOrThrow(yield* runs.outcome(both.id.slice(0, digits)))
        assert.deepStrictEqual(sighting.versions.map((version) => version.runs), [[first.run, second.run]])
        assert.strictEqual(sighting.versions[0]?.outcome.explanation, both.explanation)
      }
      const sighting = Option.getOrThrow(yield* runs.outcome(one.id))
      assert.deepStrictEqual(sighting.versions.map((version) => version.runs), [[first.run]])
      const all = new Set([...first.report.outcomes, ...second.report.outcomes].map(({ id }) => id))
      for (const prefix of ["0", "7f", "c"]) {
        const ambiguous = yield* Effect.flip(runs.outcome(prefix))
        const count = Array.from(all).filter((id) => id.startsWith(prefix)).length
        assert.strictEqual(ambiguous.message, `${count} outcomes begin with ${prefix}; give more of the id`)
      }
      assert.deepStrictEqual(yield* runs.outcome(`${both.id}0`), Option.none())
    })))

  it.effect.each(DAMAGES)(
    "of which %s belong to a damaged run, which is whole again when it is recorded again",
    ([, damage]) =>
      archive(Effect.gen(function*() {
        const runs = yield* Runs.Runs
        const { run } = yield* ArchiveReconciliation.record(about(-40, 40))
        const whole = yield* Stream.runCollect(runs.outcomes(run))
        yield* damage((yield* Database).sql)
        const shown = Effect.andThen(runs.get(run.id), Stream.runDrain(runs.outcomes(run)))
        const refused = yield* reason(Effect.catchTag(shown, "Ambiguous", Effect.die))
        assert.strictEqual(refused._tag, "Damaged")
        assert.include(refused.message, `run ${run.id} is not as it was recorded`)
        assert.deepStrictEqual((yield* Integrity.check()).runs.ids, [run.id])
        const again = yield* ArchiveReconciliation.record(about(-40, 40))
        assert.strictEqual(again.run.id, run.id)
        assert.deepStrictEqual(yield* Stream.runCollect(runs.outcomes(again.run)), whole)
        assert.isTrue(Integrity.isSound(yield* Integrity.check()))
      }))
  )

  it.effect("are looked at only where their run is about the time that is asked for", () =>
    archive(Effect.gen(function*() {
      const { run } = yield* ArchiveReconciliation.record(about(-40, 0))
      yield* flip("packs", "content")((yield* Database).sql)
      const { damagedRuns } = yield* Archive.Archive
      assert.deepStrictEqual((yield* damagedRuns({ from: NOW - HOUR, to: NOW })).ids, [run.id])
      assert.deepStrictEqual((yield* damagedRuns({ from: NOW, to: NOW + HOUR })).ids, [])
    })))

  it.effect("stand beside the rows of runs that the version before recorded, which stay as they are", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const use = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Runs.Runs | Database>) =>
        Effect.scoped(Effect.provide(
          effect,
          Layer.fresh(Layer.provideMerge(Layer.fresh(withRuns), Layer.fresh(Drivers.layerLocation(location))))
        ))
      const first = yield* use(Effect.gen(function*() {
        yield* fill
        const first = yield* ArchiveReconciliation.record(about(-40, 5))
        const { sql } = yield* Database
        yield* Earlier.asOfTwelfth(sql)
        yield* sql`DELETE FROM tallystick_migrations WHERE migration_id >= 13`
        return first
      }))
      yield* use(Effect.gen(function*() {
        const runs = yield* Runs.Runs
        assert.deepStrictEqual(yield* runs.list(), [first.run])
        assert.deepStrictEqual(Option.map(yield* runs.get(first.run.id), ({ run }) => run), Option.some(first.run))
        const found = yield* Stream.runCollect(runs.outcomes(first.run))
        assert.deepStrictEqual(found.map(({ id }) => id), byId(first.report.outcomes).map(({ id }) => id))
        assert.isTrue(Integrity.isSound(yield* Integrity.check()))
        assert.isFalse((yield* ArchiveReconciliation.record(about(-40, 5))).isNew)
        assert.deepInclude(yield* counts, { members: 0, packs: 0 })

        const second = yield* ArchiveReconciliation.record(about(-40, 9))
        const one = Option.getOrThrow(Option.fromUndefinedOr(first.report.outcomes.find(isSettled)))
        const sighting = Option.getOrThrow(yield* runs.outcome(one.id))
        assert.deepStrictEqual(sighting.versions.map((version) => version.runs), [[first.run, second.run]])
      }))
    }).pipe(Effect.scoped))
})

describe("a packer", () => {
  const random = Seeded.make(7)
  const hex = (digits: number): string => Array.from({ length: digits }, () => random.int(0, 15).toString(16)).join("")
  const contents = Array.from({ length: 30_000 }, (_, index): Content.Content => ({
    at: NOW + index * 1000 + random.int(0, 999),
    digest: hex(32),
    id: hex(16),
    kind: "matched",
    code: "exact",
    content: "{}",
    checksum: 0
  }))

  const packed = (contents: ReadonlyArray<Content.Content>) => {
    const packer = Packer.make()
    return [...contents.flatMap((content) => packer.add(content)), ...packer.finish()]
  }

  const names = (groups: ReadonlyArray<ReadonlyArray<Content.Content>>) =>
    groups.map((group) => group.map(({ id }) => id).join())

  it("loses nothing, keeps the order of time, and makes packs of some hundred outcomes", () => {
    const groups = packed(contents)
    assert.deepStrictEqual(groups.flat(), contents)
    assert.isTrue(groups.every(({ length }) => length > 0 && length <= 1024))
    assert.isAbove(groups.length, 60)
    assert.isBelow(groups.length, 240)
  })

  it("makes the same packs of outcomes that came somewhat out of turn", () => {
    const shuffled = contents.map((content, index) => ({ content, turn: index + random.int(0, 2000) }))
      .toSorted((a, b) => a.turn - b.turn).map(({ content }) => content)
    assert.deepStrictEqual(names(packed(shuffled)), names(packed(contents)))
  })

  it("makes the same packs of the time that two runs have in common, but for one at each end", () => {
    const all = new Set(names(packed(contents)))
    for (let index = 0; index < 20; index++) {
      const from = random.int(0, 10_000)
      const part = packed(contents.slice(from, from + random.int(2000, 15_000)))
      assert.isAtMost(names(part).filter((name) => !all.has(name)).length, 2)
    }
  })

  it("takes what is matched or set aside, of an id that the engine made, unless something was not read", () => {
    const matched: Outcome.Outcome = {
      id: "0123456789abcdef",
      outcome: "matched",
      code: "exact",
      final: true,
      lagMs: 1,
      residual: "0",
      explanation: "a sentence",
      deposits: [],
      transfers: [],
      candidates: []
    }
    const missing = { operation: "deposits", from: 1, to: 2, readAt: 3, state: "incomplete" } as const
    assert.isTrue(Pack.takes(matched))
    assert.isTrue(Pack.takes({ ...matched, outcome: "set-aside", code: "out-of-flow" }))
    for (const changes of [{ id: "my-id" }, { id: "0123456789ABCDEF" }, { outcome: "pending" }, { missing }] as const) {
      assert.isFalse(Pack.takes({ ...matched, ...changes }), JSON.stringify(changes))
    }
  })
})
