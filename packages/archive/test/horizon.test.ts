/** The day (UTC) of which the service shows a part only: what was damaged in it stays a gap, for the reason that is true. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Status from "@tallystick/archive/Status"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { Database } from "../src/internal/sql/Database.ts"
import { at } from "./support/at.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A day (UTC). A round in the middle of it reads it, as does one half a day later; three days after its middle the horizon lies there. */
const FIRST = Math.floor(NOW / DAY) * DAY
const day = { from: FIRST, to: FIRST + DAY }
const LATER = FIRST + 3 * DAY + DAY / 2

const hours = [1, 5, 11, 13, 20]
const shown = [-20, ...hours, 40].map((hour) => deposit({ insertTime: FIRST + hour * HOUR, txId: `${hour}` }))

const round = (now: number) =>
  Sync.run({ accounts: { list: ["a@x"], complete: true } }).pipe(
    Effect.provide(Broker.Broker.layerMemory({ deposits: shown.filter(({ insertTime }) => insertTime < now) })),
    at(now)
  )

const row = (hour: number) => FIRST + hour * HOUR

type Blow = (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>

const blows: ReadonlyArray<readonly [string, Blow]> = [
  ["a row that the service has forgotten was lost", (sql) => sql`DELETE FROM deposits WHERE at = ${row(1)}`],
  ["a row that the service still shows was lost", (sql) => sql`DELETE FROM deposits WHERE at = ${row(20)}`],
  [
    "a row that the service has forgotten was edited",
    (sql) => sql`UPDATE deposits SET memo = 'x' WHERE at = ${row(5)}`
  ],
  [
    "a row and the control totals were lost",
    (sql) =>
      Effect.andThen(
        sql`DELETE FROM deposits WHERE at = ${row(1)}`,
        sql`DELETE FROM controls WHERE operation = 'deposits' AND from_ms = ${day.from}`
      )
  ],
  [
    "a row was lost, another one edited, and the control totals were lost",
    (sql) =>
      Effect.andThen(
        sql`DELETE FROM deposits WHERE at = ${row(1)}`,
        Effect.andThen(
          sql`UPDATE deposits SET memo = 'x' WHERE at = ${row(20)}`,
          sql`DELETE FROM controls WHERE operation = 'deposits' AND from_ms = ${day.from}`
        )
      )
  ],
  [
    "the coverage was lost",
    (sql) => sql`DELETE FROM coverage WHERE operation = 'deposits' AND from_ms >= ${day.from} AND from_ms < ${day.to}`
  ],
  [
    "the coverage of all time was lost",
    (sql) => sql`DELETE FROM coverage WHERE operation = 'deposits'`
  ]
]

const within = (parts: ReadonlyArray<Coverage.Coverage>) =>
  Coverage.clip(parts.filter(({ operation }) => operation === "deposits"), day)

/** What a report and the status of an archive believe of the day. */
const believed = Effect.gen(function*() {
  const { coverage, deposits } = yield* Archive.Archive
  const slices = yield* Stream.runCollect(deposits.slices(day))
  return [
    ...within(slices.flatMap(({ coverage }) => coverage)),
    ...within(Status.withLost(yield* coverage(), yield* Integrity.lost()))
  ]
})

const areDamaged = (parts: ReadonlyArray<Coverage.Coverage>): boolean =>
  parts.length > 0 && parts.every(({ gap, state }) => state === "incomplete" && gap?.code === "damaged")

const isNamed = ({ from, gap, operation, to }: Coverage.Coverage | Sync.Hole): boolean =>
  operation === "deposits" && gap?.code === "damaged" && from < day.from + DAY / 2 && to > day.from

describe.each(databases)("the day in which the service's horizon lies, in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))

  for (const [what, blow] of blows) {
    it.live(`stays a gap of damage, which each round names, where ${what}`, () =>
      Effect.gen(function*() {
        const { sql } = yield* Database
        for (const now of [FIRST + DAY / 2, FIRST + 2 * DAY]) yield* round(now)
        yield* blow(sql)
        for (const now of [LATER, LATER + HOUR / 6, LATER + 8 * HOUR, LATER + 4 * DAY]) {
          const { damaged, gaps, holes, lost } = yield* round(now)
          if (now === LATER) {
            assert.isTrue(damaged.some(({ from, to }) => from <= day.from && to >= day.to), JSON.stringify(damaged))
          }
          assert.isTrue([...gaps, ...holes].some(isNamed), JSON.stringify({ gaps, holes }))
          assert.deepStrictEqual(lost.filter(({ from, to }) => from < day.to && to > day.from), [])
          assert.deepStrictEqual(within(gaps).filter(({ gap }) => gap?.code === "retention"), [])
          const found = yield* believed
          assert.isTrue(areDamaged(found), JSON.stringify(found))
          const { damages, outdated } = yield* Integrity.check(day)
          assert.deepStrictEqual([damages, outdated], [[], []])
        }
        const { deposits } = yield* Archive.Archive
        const kept = yield* Stream.runCollect(deposits.slices(day))
        const times = kept.flatMap(({ records }) => records.map(({ record }) => (record.insertTime - FIRST) / HOUR))
        assert.includeMembers(times, [11, 13, 20])
      }).pipe(Effect.provide(archive)))
  }

  it.live("is not complete again because a page shows a row that was edited, where its control totals were lost", () =>
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      for (const now of [FIRST + DAY / 2, FIRST + 2 * DAY]) yield* round(now)
      yield* sql`DELETE FROM deposits WHERE at = ${row(1)}`
      yield* sql`UPDATE deposits SET memo = 'x' WHERE at = ${row(20)}`
      yield* sql`DELETE FROM controls WHERE operation = 'deposits' AND from_ms = ${day.from}`
      yield* deposits.savePage({ readAt: LATER, records: shown.filter(({ txId }) => txId === "20"), bad: [] })
      assert.isTrue(areDamaged(yield* believed))
    }).pipe(Effect.provide(archive)))
})
