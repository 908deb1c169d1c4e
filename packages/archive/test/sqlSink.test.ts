/** Outcomes that are written into a table, on each kind of database. */
import { assert, describe, it } from "@effect/vitest"
import * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as SqlSink from "@tallystick/reconcile/SqlSink"
import * as SqlSource from "@tallystick/reconcile/SqlSource"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { clients, one, open } from "./support/clients.ts"

const T = 1_790_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const range = { from: T, to: T + HOUR }

const entry = (side: Entry.Side, id: string, offset: number, amount: string): Entry.Entry => ({
  side,
  id,
  asset: "USDT",
  amount,
  at: T + offset,
  status: "settled"
})

/** A side that was read up to an offset behind the beginning of the range. */
const side = (entries: ReadonlyArray<Entry.Entry>, operation: "deposits" | "transfers", readTo = 9 * HOUR) =>
  Slice.fromEntries(Stream.fromIterable(entries), [
    { operation, from: T - HOUR, to: T + readTo, readAt: T + readTo, state: "complete" }
  ])

const COUNT = 25

/** Deposits of every kind of outcome: swept, swept with another amount, and not swept. */
const deposits = Array.from({ length: COUNT }, (_, n) => entry("deposit", `d${n}`, n * MINUTE, `${n + 1}.50`))
const transfers = deposits.flatMap(({ amount, at }, n) =>
  n % 5 === 0 ? [] : [entry("transfer", `t${n}`, at - T + 20_000, amount)]
)

const policy = Policy.make({ window: { after: "30 seconds" }, late: "0 seconds" })

const events = (
  options: {
    readonly deposits?: ReadonlyArray<Entry.Entry>
    readonly transfers?: ReadonlyArray<Entry.Entry>
    readonly readTo?: number
    readonly range?: { readonly from: number; readonly to: number }
  } = {}
) =>
  Stream.unwrap(Effect.map(policy, (policy) =>
    Reconciliation.events(
      side(options.deposits ?? deposits, "deposits", options.readTo),
      side(options.transfers ?? transfers, "transfers", options.readTo),
      { policy, range: options.range ?? range }
    )))

const write = <E, R>(
  sql: SqlClient.SqlClient,
  events: Stream.Stream<Reconciliation.Event, E, R>,
  options: Partial<SqlSink.Options> = {}
) =>
  Stream.run(events, SqlSink.make({ run: "day", batchSize: 10, ...options })).pipe(
    Effect.provideService(SqlClient.SqlClient, sql)
  )

const migrated = (kind: (typeof clients)[number]) =>
  Effect.tap(one(kind), (sql) => Effect.provideService(SqlSink.migrate(), SqlClient.SqlClient, sql))

interface Row {
  readonly run: string
  readonly id: string
  readonly code: string
  readonly final: number
  readonly content: string
  readonly withdrawn: number
}

const rowsOf = (sql: SqlClient.SqlClient) => sql<Row>`SELECT * FROM tallystick_outcomes ORDER BY run, id`

const current = (sql: SqlClient.SqlClient) =>
  Effect.map(
    rowsOf(sql),
    (rows) =>
      rows.filter(({ withdrawn }) => withdrawn === 0).map(({ code, content, final, id }) => ({
        id,
        code,
        final: final === 1,
        content
      }))
  )

const outcomesOf = <E, R>(events: Stream.Stream<Reconciliation.Event, E, R>) =>
  Effect.map(
    Stream.runCollect(events),
    (all) => all.flatMap((event) => event._tag === "Outcome" ? [event.outcome] : [])
  )

/** What the table must hold after a pass that told these outcomes. */
const expected = (outcomes: ReadonlyArray<Outcome.Outcome>) =>
  outcomes.map((outcome) => ({
    id: outcome.id,
    code: outcome.code,
    final: outcome.final,
    content: JSON.stringify(Report.written(outcome))
  })).toSorted((a, b) => a.id < b.id ? -1 : 1)

const finished = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ run: string; finished: number }>`SELECT run, CASE WHEN finished_at IS NULL THEN 0 ELSE 1 END AS finished
      FROM tallystick_outcomes_runs ORDER BY run`,
    (rows) => rows.map(({ finished, run }) => [run, finished === 1])
  )

describe.each(clients)("a sink on $name", (kind) => {
  it.effect("writes every outcome of a run, and its summary last", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      const outcomes = yield* outcomesOf(events())
      assert.strictEqual(outcomes.length, COUNT)
      assert.deepStrictEqual(yield* write(sql, events()), { outcomes: COUNT, withdrawn: 0, finished: true })
      assert.deepStrictEqual(yield* current(sql), expected(outcomes))
      assert.deepStrictEqual(yield* finished(sql), [["day", true]])
      const [run] = yield* sql<{ summary: string; clean: number }>`SELECT summary, clean FROM tallystick_outcomes_runs`
      const summary = yield* Schema.decodeEffect(Schema.fromJsonString(Report.Summary))(run?.summary ?? "")
      assert.deepStrictEqual([summary.clean, run?.clean, summary.range], [false, 0, range])
    }))

  it.effect("keeps amounts as exact text, and times and kinds for queries", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      const amount = "12345678901234567890.123456789012345678"
      yield* write(
        sql,
        events({
          deposits: [entry("deposit", "d", 0, amount), entry("deposit", "open", HOUR / 2, "0.10")],
          transfers: [entry("transfer", "t", 10_000, amount)]
        })
      )
      const rows = yield* sql`SELECT outcome, code, asset, deposits, transfers, deposited, transferred, residual,
        CAST(at AS TEXT) AS at FROM tallystick_outcomes ORDER BY at`
      assert.deepStrictEqual(rows, [
        {
          outcome: "matched",
          code: "exact",
          asset: "USDT",
          deposits: 1,
          transfers: 1,
          deposited: amount,
          transferred: amount,
          residual: "0",
          at: `${T}`
        },
        {
          outcome: "discrepancy",
          code: "missing-transfer",
          asset: "USDT",
          deposits: 1,
          transfers: 0,
          deposited: "0.1",
          transferred: null,
          residual: null,
          at: `${T + HOUR / 2}`
        }
      ])
    }))

  it.effect("adds nothing twice when a run is repeated, or begun again after it broke off", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      const whole = expected(yield* outcomesOf(events()))
      const broken = Stream.concat(Stream.take(events().pipe(Stream.rechunk(1)), 17), Stream.fail("the source failed"))
      assert.strictEqual(yield* Effect.flip(write(sql, broken)), "the source failed")
      // One transaction of ten was done.
      assert.strictEqual((yield* rowsOf(sql)).length, 10)
      assert.deepStrictEqual(yield* finished(sql), [["day", false]])
      for (let pass = 0; pass < 2; pass++) {
        assert.deepStrictEqual(yield* write(sql, events()), { outcomes: COUNT, withdrawn: 0, finished: true })
        assert.deepStrictEqual(yield* current(sql), whole)
        assert.strictEqual((yield* rowsOf(sql)).length, COUNT)
      }
      // It is not finished while another pass has not come to its end.
      yield* Effect.flip(write(sql, broken))
      assert.deepStrictEqual(yield* finished(sql), [["day", false]])
      assert.deepStrictEqual(yield* current(sql), whole)
    }))

  it.effect("keeps the summary of a finished run until another pass writes, and loses none to a source that fails at once", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      yield* write(sql, events())
      const told = sql`SELECT run, finished_at, from_ms, to_ms, clean, summary FROM tallystick_outcomes_runs`
      const before = yield* told
      const single = events().pipe(Stream.rechunk(1))
      // Nine outcomes wait for their transaction of ten.
      const fails = [Stream.fail("down"), Stream.concat(Stream.take(single, 9), Stream.fail("down"))]
      for (const failing of fails) {
        assert.strictEqual(yield* Effect.flip(write(sql, failing)), "down")
        assert.deepStrictEqual(yield* told, before)
      }
      const finishedAtOnce = Effect.map(finished(sql), ([run]) => run?.[1])
      const seen: Array<unknown> = []
      yield* write(sql, Stream.tap(single, () => Effect.map(finishedAtOnce, (is) => seen.push(is))))
      assert.deepStrictEqual(seen.slice(0, 11), [...Array<boolean>(10).fill(true), false])
      assert.deepStrictEqual(new Set(seen.slice(11)), new Set([false]))
      assert.deepStrictEqual(yield* finished(sql), [["day", true]])
    }))

  it.effect("keeps runs of other names apart", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      yield* write(sql, events(), { run: "one" })
      yield* write(sql, events({ transfers: [] }), { run: "two" })
      const rows = yield* rowsOf(sql)
      assert.strictEqual(rows.filter(({ run }) => run === "one").length, COUNT)
      assert.strictEqual(rows.filter(({ run }) => run === "two").length, COUNT)
      assert.isTrue(rows.every(({ withdrawn }) => withdrawn === 0))
    }))

  it.effect("leaves nothing of a transaction that fails", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* Effect.forEach(SqlSink.ddl(), (statement) =>
        sql.unsafe(statement.replace("\"explanation\" TEXT", "\"explanation\" TEXT CHECK (\"explanation\" <> 'no')")))
      const unfit = (at: number) =>
        events().pipe(
          Stream.rechunk(1),
          Stream.mapAccum(() =>
            0, (count, event): readonly [number, ReadonlyArray<Reconciliation.Event>] => [
            count + 1,
            [
              count === at && event._tag === "Outcome"
                ? { ...event, outcome: { ...event.outcome, explanation: "no" } }
                : event
            ]
          ])
        )
      const outcomes = yield* outcomesOf(events())
      const error = yield* Effect.flip(write(sql, unfit(14)))
      assert.strictEqual(error._tag, "SqlError")
      assert.deepStrictEqual(yield* current(sql), expected(outcomes.slice(0, 10)))
      assert.strictEqual((yield* Effect.flip(write(sql, unfit(22))))._tag, "SqlError")
      assert.deepStrictEqual(yield* current(sql), expected(outcomes.slice(0, 20)))
      assert.deepStrictEqual(yield* finished(sql), [["day", false]])
      yield* write(sql, events())
      assert.deepStrictEqual(yield* current(sql), expected(outcomes))
    }))

  it.effect("writes over what has become final, withdraws what is told no more, and takes back what is told again", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      const early = { readTo: 24 * MINUTE + 25_000 }
      const before = yield* outcomesOf(events(early))
      const after = yield* outcomesOf(events())
      assert.isTrue(before.some(({ final }) => !final))
      yield* write(sql, events(early))
      const { withdrawn } = yield* write(sql, events())
      const told = new Set(after.map(({ id }) => id))
      assert.strictEqual(withdrawn, before.filter(({ id }) => !told.has(id)).length)
      assert.isAbove(
        after.filter(({ final, id }) => final && before.some((one) => one.id === id && !one.final)).length,
        0
      )
      assert.deepStrictEqual(yield* current(sql), expected(after))
      // A sweep that was booked late: the break is gone, and it comes back with the booking's removal.
      const booked = { transfers: [...transfers, entry("transfer", "t0", 10_000, "1.50")] }
      assert.strictEqual((yield* write(sql, events(booked))).withdrawn, 1)
      assert.deepStrictEqual(yield* current(sql), expected(yield* outcomesOf(events(booked))))
      assert.strictEqual((yield* write(sql, events())).withdrawn, 1)
      assert.deepStrictEqual(yield* current(sql), expected(after))
    }))

  it.effect("withdraws an outcome that began before the range and reaches into it", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      const early = [entry("deposit", "early", -1000, "7")]
      const books = { deposits: early, transfers: [entry("transfer", "within", 1000, "7")] }
      assert.strictEqual((yield* write(sql, events(books))).outcomes, 1)
      assert.deepStrictEqual((yield* current(sql)).map(({ code }) => code), ["exact"])
      const { withdrawn } = yield* write(sql, events({ deposits: early, transfers: [] }))
      assert.strictEqual(withdrawn, 1)
      assert.deepStrictEqual(yield* current(sql), [])
    }).pipe(Effect.scoped))

  it.effect("withdraws nothing of a time that a pass was not asked about, and nothing before a pass has ended", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      yield* write(sql, events())
      const half = { from: T, to: T + HOUR / 4 }
      assert.strictEqual((yield* write(sql, events({ range: half }))).withdrawn, 0)
      assert.strictEqual((yield* current(sql)).length, COUNT)
      const ended = yield* write(sql, Stream.take(events({ transfers: [] }).pipe(Stream.rechunk(1)), 3))
      assert.deepStrictEqual(ended, { outcomes: 3, withdrawn: 0, finished: false })
      assert.deepStrictEqual(yield* finished(sql), [["day", false]])
      assert.deepStrictEqual((yield* rowsOf(sql)).filter(({ withdrawn }) => withdrawn !== 0), [])
    }))

  it.effect("pulls no further while a transaction is under way", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      const behind: Array<number> = []
      let pulled = 0
      yield* write(
        sql,
        Stream.mapEffect(Stream.rechunk(events(), 1), (event) =>
          Effect.map(rowsOf(sql), (rows) => {
            behind.push(pulled++ - rows.length)
            return event
          }))
      )
      assert.strictEqual(pulled, COUNT + 1)
      assert.isBelow(Math.max(...behind), 10)
    }))

  it.effect("writes over the client of which its source reads", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      yield* sql`CREATE TABLE bookings (id TEXT, at BIGINT, amount TEXT)`
      yield* Effect.forEach(
        transfers,
        ({ amount, at, id }) => sql`INSERT INTO bookings ${sql.insert({ id, at, amount })}`
      )
      const rules = yield* policy
      const ledger = SqlSource.transfers({
        policy: rules,
        accounts: { list: [], complete: false },
        from: T - HOUR,
        to: T + 2 * HOUR,
        completeTo: T + 2 * HOUR,
        pageSize: 3,
        query: (sql) => sql`SELECT id, at, amount, 'USDT' AS asset FROM bookings`
      })
      const written = yield* write(
        sql,
        Reconciliation.events(side(deposits, "deposits"), ledger, { policy: rules, range }),
        { batchSize: 2 }
      ).pipe(Effect.provideService(SqlClient.SqlClient, sql))
      assert.isTrue(written.finished)
    }))

  it.effect("lets the later of two passes of one run count", () =>
    Effect.gen(function*() {
      const client = yield* kind.fresh
      const sql = yield* open(client)
      const other = yield* open(client)
      yield* Effect.provideService(SqlSink.migrate(), SqlClient.SqlClient, sql)
      const queue = yield* Queue.unbounded<Reconciliation.Event>()
      const [first, ...rest] = yield* Stream.runCollect(events({ transfers: [] }))
      if (first !== undefined) yield* Queue.offer(queue, first)
      const slow = yield* Effect.forkChild(write(sql, Stream.fromQueue(queue), { batchSize: 1 }))
      yield* Effect.repeat(rowsOf(other), { until: (rows) => rows.length === 1 })
      yield* write(other, events())
      yield* Queue.offerAll(queue, rest)
      const error = yield* Effect.flip(Fiber.join(slow))
      assert.strictEqual(error._tag, "Overtaken")
      assert.deepStrictEqual(yield* current(other), expected(yield* outcomesOf(events())))
    }))

  it.effect("writes a report as it writes the stream of its outcomes, into tables of any name", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      if (kind.name === "PostgreSQL") yield* sql`CREATE SCHEMA books`
      const table = kind.name === "PostgreSQL" ? "books.my outcomes" : "my outcomes"
      const program = Effect.gen(function*() {
        yield* SqlSink.migrate({ table })
        yield* SqlSink.migrate({ table })
        const report = yield* Reconciliation.reconcile(side(deposits, "deposits"), side(transfers, "transfers"), {
          policy: yield* policy,
          range
        })
        const written = yield* SqlSink.write(report, { run: "day", table })
        assert.deepStrictEqual(written, { outcomes: COUNT, withdrawn: 0, finished: true })
        assert.deepStrictEqual(yield* SqlSink.write({ run: "day", table })(report), written)
        const rows = yield* sql<{ id: string }>`SELECT id FROM ${sql(table)} ORDER BY id`
        assert.deepStrictEqual(rows.map(({ id }) => id), report.outcomes.map(({ id }) => id).toSorted())
      })
      yield* Effect.provideService(program, SqlClient.SqlClient, sql)
    }))

  it.effect("keeps a stranger's text that the database cannot hold", () =>
    Effect.gen(function*() {
      const sql = yield* migrated(kind)
      const asset = "US\0DT\uD800"
      const hostile = [{ ...entry("deposit", "d\0'; DROP TABLE tallystick_outcomes; --", 0, "1"), asset }]
      yield* write(sql, events({ deposits: hostile, transfers: [] }))
      const [row] = yield* sql<{ asset: string; content: string }>`SELECT asset, content FROM tallystick_outcomes`
      assert.strictEqual(row?.asset, "US\uFFFDDT\uFFFD")
      assert.strictEqual(JSON.parse(row?.content ?? "").deposits[0].id, hostile[0]?.id)
      yield* write(sql, events({ deposits: hostile, transfers: [] }))
      assert.strictEqual((yield* rowsOf(sql)).length, 1)
    }))

  it.effect("fails where its tables are missing", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      assert.strictEqual((yield* Effect.flip(write(sql, events())))._tag, "SqlError")
    }))

  if (kind.name === "PostgreSQL") {
    it.effect("fails, and dies not, where its connection is lost in a transaction, and goes on with another", () =>
      Effect.gen(function*() {
        const sql = yield* migrated(kind)
        yield* sql.unsafe(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`)
        const outcomes = yield* outcomesOf(events())
        const unlucky = outcomes[13]?.id ?? ""
        yield* sql.unsafe(`CREATE TRIGGER lose BEFORE INSERT ON tallystick_outcomes FOR EACH ROW
          WHEN (NEW.id = '${unlucky}') EXECUTE FUNCTION lose()`)
        assert.strictEqual((yield* Effect.flip(write(sql, events().pipe(Stream.rechunk(1)))))._tag, "SqlError")
        assert.deepStrictEqual(yield* current(sql), expected(outcomes.slice(0, 10)))
        yield* sql`DROP TRIGGER lose ON tallystick_outcomes`
        yield* write(sql, events())
        assert.deepStrictEqual(yield* current(sql), expected(outcomes))
      }))
  }
})
