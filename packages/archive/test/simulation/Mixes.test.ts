/**
 * Archives put together from two states of one archive, table by table or row by row, as a disk that lost some writes leaves
 * them, or a copy of only some pages.
 *
 * There is one truth, which every reading shows: of time that an archive calls complete it must hold exactly that, at once,
 * after further readings, and after repairs.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as ControlTable from "../../src/internal/coverage/ControlTable.ts"
import { Database } from "../../src/internal/sql/Database.ts"
import * as Sqlite from "../../src/internal/sqlite/Sqlite.ts"
import { deposit, NOW, transfer } from "../support/records.ts"
import * as Seeded from "../support/Seeded.ts"

const HOUR = 3_600_000
const HOURS = 72
const whole = { from: NOW, to: NOW + HOURS * HOUR }
const tables = [
  "deposits",
  "transfers",
  "versions",
  "bad_records",
  "queries",
  "scopes",
  "coverage",
  "controls"
] as const
const accounts = ["a@x", "b@x", "c@x"]

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

const times = Array.from({ length: 2 * HOURS }, (_, index) => NOW + index * HOUR / 2 + 1)
const truth = {
  deposits: times.map((insertTime) => deposit({ insertTime, txId: `${insertTime}` })),
  transfers: accounts.flatMap((fromAccount) =>
    times.map((timestamp) => transfer({ tranId: `${fromAccount} ${timestamp}`, fromAccount, timestamp }))
  )
}

const shown = {
  deposits: ({ from, to }: Coverage.Interval) =>
    truth.deposits.filter(({ insertTime }) => insertTime >= from && insertTime < to),
  transfers: ({ from, to }: Coverage.Interval, account: string) =>
    truth.transfers.filter(({ fromAccount, timestamp }) =>
      fromAccount === account && timestamp >= from && timestamp < to
    )
}

/** One transaction that an archive may see. */
const change = Effect.fnUntraced(function*({ chance, int, pick }: Seeded.Seeded, damages: boolean) {
  const { deposits, transfers } = yield* Archive.Archive
  const { sql } = yield* Database
  const begin = int(0, HOURS - 1)
  const interval = { from: NOW + begin * HOUR, to: NOW + int(begin + 1, Math.min(begin + 30, HOURS)) * HOUR }
  const operation = pick(["deposits", "transfers"] as const)
  const account = pick(accounts)
  // Readings of several queries are not kept in the order in which the service was asked.
  const readAt = whole.to + int(0, 20)
  const kind = int(0, damages ? 11 : 9)
  if (kind === 9) {
    const small = ControlTable.make(sql, { most: int(2, 8), ahead: 4 })
    const at = interval.from + 1
    return yield* sql.withTransaction(small.apply(operation, [{ at, records: 0, checksums: 0 }]))
  }
  if (kind > 9) {
    if (chance(0.5)) yield* sql`DELETE FROM ${sql(operation)} WHERE at >= ${interval.from} AND at < ${interval.to}`
    return yield* operation === "deposits" ? deposits.repair(whole) : transfers.repair(whole)
  }
  if (kind > 7) {
    return yield* operation === "deposits"
      ? deposits.savePage({ readAt, records: shown.deposits(interval), bad: [] })
      : transfers.savePage({ readAt, records: shown.transfers(interval, account), bad: [] }, query(account))
  }
  const part = { operation, ...interval, readAt }
  if (kind === 7) {
    const gap = { code: "unproven", detail: "HTTP 503" } as const
    const coverage = [{ ...part, state: "incomplete" as const, gap, query: query(account) }]
    const slice = { ...interval, records: [], bad: [] }
    return yield* operation === "deposits"
      ? deposits.saveSlice({ ...slice, coverage: [{ ...part, state: "incomplete", gap }] })
      : transfers.saveSlice({ ...slice, coverage }, query(account))
  }
  return yield* read({ operation, ...interval, readAt }, account)
})

const read = Effect.fnUntraced(function*(part: Omit<Coverage.Coverage, "state">, account: string) {
  const { deposits, transfers } = yield* Archive.Archive
  const slice = { from: part.from, to: part.to, bad: [] }
  const complete = { ...part, state: "complete" as const }
  if (part.operation === "deposits") {
    return yield* deposits.saveSlice({ ...slice, records: shown.deposits(part), coverage: [complete] })
  }
  const coverage = [{ ...complete, query: query(account) }]
  return yield* transfers.saveSlice(
    { ...slice, records: shown.transfers(part, account), coverage },
    query(account)
  )
})

type Row = Readonly<Record<string, unknown>>
type State = Readonly<Record<typeof tables[number], ReadonlyArray<Row>>>

/** Every table, from what is told of one. */
const each = (rows: (table: typeof tables[number]) => ReadonlyArray<Row>): State => ({
  deposits: rows("deposits"),
  transfers: rows("transfers"),
  versions: rows("versions"),
  bad_records: rows("bad_records"),
  queries: rows("queries"),
  scopes: rows("scopes"),
  coverage: rows("coverage"),
  controls: rows("controls")
})

const state = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const found = new Map<string, ReadonlyArray<Row>>()
  for (const table of tables) found.set(table, yield* sql<Row>`SELECT * FROM ${sql(table)}`)
  return each((table) => found.get(table) ?? [])
})

const restore = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, state: State) {
  for (const table of tables) {
    yield* sql`DELETE FROM ${sql(table)}`
    for (const row of state[table]) yield* sql`INSERT INTO ${sql(table)} ${sql.insert({ ...row })}`
  }
})

const keys = {
  deposits: ["at", "id"],
  transfers: ["id"],
  versions: ["operation", "id", "number"],
  bad_records: ["operation", "query", "id", "timed", "at"],
  queries: ["id"],
  scopes: ["operation", "query"],
  coverage: ["operation", "query", "from_ms"],
  controls: ["operation", "from_ms"]
} as const

/** Each table of the one state or the other, or rows of both. */
const mixed = ({ chance, int }: Seeded.Seeded, older: State, newer: State): State =>
  each((table) => {
    const kind = int(0, 4)
    if (kind < 4) return kind < 2 ? older[table] : newer[table]
    const byKey = (rows: ReadonlyArray<Row>) =>
      new Map(rows.map((row) => [JSON.stringify(keys[table].map((column) => row[column])), row]))
    const [before, after] = [byKey(older[table]), byKey(newer[table])]
    return Array.from(new Set([...before.keys(), ...after.keys()])).flatMap((key): ReadonlyArray<Row> => {
      const row = (chance(0.5) ? before : after).get(key)
      return row === undefined ? [] : [row]
    })
  })

/** What is held and not true, or true and not held, of time that is called complete. */
const falsehoods = Archive.Archive.use(({ deposits, transfers }) =>
  Effect.gen(function*() {
    const side = <Record>(
      history: Archive.History<Record>,
      records: ReadonlyArray<Record>,
      at: (record: Record) => number,
      account: (record: Record) => string | undefined
    ) =>
      Effect.map(Stream.runCollect(history.slices({ ...whole, batch: 7 })), (slices) => {
        const coverage = slices.flatMap(({ coverage }) => coverage).filter(({ state }) => state === "complete")
        const proven = (all: ReadonlyArray<Record>) =>
          all.filter((record) =>
            coverage.some(({ from, query, to }) =>
              from <= at(record) && at(record) < to && query?.fromAccount === account(record)
            )
          ).map((record) => `${account(record)} ${at(record)}`)
        const [held, wanted] = [
          proven(slices.flatMap(({ records }) => records.map(({ record }) => record))),
          proven(records)
        ]
        return [...held.filter((one) => !wanted.includes(one)), ...wanted.filter((one) => !held.includes(one))]
      })
    return [
      ...yield* side(deposits, truth.deposits, ({ insertTime }) => insertTime, () => undefined),
      ...yield* side(transfers, truth.transfers, ({ timestamp }) => timestamp, ({ fromAccount }) => fromAccount)
    ]
  })
)

const damaged = Archive.Archive.use((archive) =>
  Effect.map(archive.coverage(), (coverage) => coverage.filter(({ gap }) => gap?.code === "damaged"))
)

const seeds = Array.from({ length: Math.min(Seeded.cases(12), 80) }, (_, index) => index + 1)

describe("two states of one archive", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))

  it.effect.each(seeds)("put together say nothing that is false, seed %i", (seed) =>
    Effect.gen(function*() {
      const random = Seeded.make(seed)
      const { deposits, transfers } = yield* Archive.Archive
      const { sql } = yield* Database
      const states = [yield* state(sql)]
      const damages = random.chance(0.5)
      for (let index = 0; index < 25; index++) {
        // A backup was restored, and what it lacked was read again in another order.
        const backup = random.chance(0.1) ? states[random.int(0, states.length - 1)] : undefined
        if (backup !== undefined) yield* restore(sql, backup)
        yield* change(random, damages)
        states.push(yield* state(sql))
        if (!damages) assert.deepStrictEqual(yield* damaged, [], "an archive that nobody damaged")
      }
      for (let index = 0; index < 12; index++) {
        const newer = random.int(1, states.length - 1)
        const older = random.chance(0.5) ? Math.max(0, newer - random.int(1, 4)) : random.int(0, newer - 1)
        const [before, after] = [states[older], states[newer]]
        if (before === undefined || after === undefined) continue
        yield* restore(sql, mixed(random, before, after))
        assert.deepStrictEqual(yield* falsehoods, [], `states ${older} and ${newer}`)
        for (let more = 0; more < 3; more++) yield* change(random, false)
        assert.deepStrictEqual(yield* falsehoods, [], `states ${older} and ${newer}, and readings of since`)
        yield* deposits.repair({ from: 0, to: 2 * whole.to })
        yield* transfers.repair({ from: 0, to: 2 * whole.to })
        assert.deepStrictEqual(yield* falsehoods, [], `states ${older} and ${newer}, repaired`)
        yield* read({ operation: "deposits", ...whole, readAt: 2 * whole.to }, "")
        for (const account of accounts) {
          yield* read({ operation: "transfers", ...whole, readAt: 2 * whole.to }, account)
        }
        assert.deepStrictEqual(yield* falsehoods, [], `states ${older} and ${newer}, read again`)
      }
    }).pipe(Effect.provide(archive)), 60_000)
})
