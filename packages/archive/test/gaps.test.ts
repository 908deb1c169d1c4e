/** A service that answers nothing leaves a gap in each of many lists: they are kept together, as each would be by itself. */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as TestClock from "effect/testing/TestClock"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import { NOW } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

const HOUR = 3_600_000

const queryOf = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

const part = (query: Coverage.TransferQuery, interval: Coverage.Interval, detail?: string): Coverage.Coverage => ({
  operation: "transfers",
  query,
  ...interval,
  readAt: NOW,
  ...(detail === undefined
    ? { state: "complete" as const }
    : { state: "incomplete" as const, gap: { code: "failed-page" as const, detail } })
})

const sliceOf = ({ from, to, ...rest }: Coverage.Coverage) => ({
  from,
  to,
  records: [],
  bad: [],
  coverage: [{ from, to, ...rest }]
})

/** Some accounts of which something is complete, and gaps of those and others, in order of time. */
const scene = (seed: number) => {
  const random = Seeded.make(seed)
  const queries = Array.from({ length: 12 }, (_, index) => queryOf(`sub${index}`))
  const parts = (most: number, share: number, detail: () => string | undefined) =>
    queries.flatMap((query) => {
      let at = NOW - random.int(20, 100) * HOUR
      return Array.from({ length: random.chance(share) ? random.int(1, most) : 0 }, () => {
        const from = at + random.int(0, 2) * HOUR
        at = from + random.int(1, 9) * HOUR
        return part(query, { from, to: at }, detail())
      })
    })
  return {
    complete: parts(3, 0.6, () => undefined),
    gaps: [parts(4, 0.8, () => random.chance(0.5) ? "no answer" : "HTTP 403"), parts(2, 0.5, () => "no answer")]
  }
}

const COUNT = 40
const accounts = { list: Array.from({ length: COUNT }, (_, index) => `sub${index}`), complete: true }

/** A broker that answers nothing, over the books of an empty exchange. */
const silent = Layer.effect(
  Broker.Broker,
  Effect.map(Broker.Broker, (broker): Broker.Service => {
    const gap = (coverage: Omit<Coverage.Coverage, "gap" | "readAt" | "state">) =>
      Stream.fromEffect(
        Effect.map(Clock.currentTimeMillis, (readAt) =>
          sliceOf({ ...coverage, readAt, state: "incomplete", gap: { code: "failed-page", detail: "no answer" } }))
      )
    return {
      ...broker,
      scanSubAccountDeposits: ({ from, to }) => gap({ operation: "deposits", from: Number(from), to: Number(to) }),
      scanUniversalTransfers: ({ from, to, ...input }) => {
        const query = Struct.pick(input, ["fromAccount", "toAccount", "fromAccountType", "toAccountType"])
        return gap({ operation: "transfers", query, from: Number(from), to: Number(to) })
      }
    }
  })
)
const exchange = Broker.Broker.layerMemory({})
const dead = Layer.provide(silent, exchange)

describe.each(databases)("gaps of many lists in $name", ({ layer }) => {
  it.effect("are kept together as each would be kept by itself, and take back nothing that is complete", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      for (let seed = 0; seed < 4; seed++) {
        const { complete, gaps } = scene(seed)
        const kept = (together: boolean) =>
          Effect.gen(function*() {
            const { claim, coverage, queries, structure, transfers } = yield* Archive
            yield* claim({ baseUrl: "https://broker.example", fingerprint: "00aa" })
            for (const one of complete) yield* transfers.saveSlice(sliceOf(one), one.query)
            for (const some of gaps) {
              if (together) yield* transfers.saveGaps(some)
              else for (const one of some) yield* transfers.saveSlice(sliceOf(one), one.query)
            }
            assert.deepStrictEqual(yield* structure, [])
            return { coverage: yield* coverage(), queries: yield* queries }
          }).pipe(Effect.provide(Layer.provide(Layer.fresh(Archive.layer), layer)))
        const found = yield* kept(true)
        assert.deepStrictEqual(found, yield* kept(false), `seed ${seed}`)
        for (const one of complete) {
          const own = found.coverage.filter(({ query, state }) =>
            state === "complete" && query?.fromAccount === one.query?.fromAccount
          )
          assert.isTrue(Timeline.covers(own, one), `seed ${seed}`)
        }
      }
    }))

  it.effect("are those of their operation, and say of nothing that it is complete", () =>
    Effect.gen(function*() {
      const { coverage, transfers } = yield* Archive
      const [query, interval] = [queryOf("a"), { from: NOW - HOUR, to: NOW }]
      yield* transfers.saveGaps([
        part(query, interval),
        { ...part(query, interval, "no answer"), operation: "deposits" }
      ])
      assert.deepStrictEqual(yield* coverage(), [])
      const error = yield* Effect.flip(transfers.saveGaps([part(query, { from: NOW, to: Number.NaN }, "no answer")]))
      assert.strictEqual(error.reason._tag, "InvalidRange")
    }).pipe(Effect.provide(Layer.provide(Layer.fresh(Archive.layer), layer))))
})

describe("a round of sync of which nothing is answered", () => {
  it.effect("keeps its gaps in few transactions and claims no archive, and the next one reads everything", () => {
    let transactions = 0
    const counting = Layer.effect(
      Database,
      Effect.map(Database, (database) => {
        const { withTransaction } = database.sql
        const sql = Object.assign(database.sql, {
          withTransaction: <R, E, A>(self: Effect.Effect<A, E, R>) =>
            Effect.andThen(Effect.sync(() => transactions++), withTransaction(self))
        })
        return { ...database, sql }
      })
    ).pipe(Layer.provide(Drivers.layerMemory()))
    return Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { coverage, queries, stamps } = yield* Archive
      const before = transactions
      const { gaps, left } = yield* Effect.provide(Sync.run({ accounts }), dead)
      assert.isAtMost(transactions - before, 20)
      const named = new Set(gaps.flatMap(({ query }) => query?.fromAccount ?? []))
      assert.deepStrictEqual([named.size, left, (yield* queries).length], [COUNT, 0, COUNT])
      assert.isTrue((yield* coverage()).every(({ state }) => state === "incomplete"))
      assert.deepStrictEqual(yield* stamps, [])
      yield* TestClock.adjust("10 minutes")
      const next = yield* Effect.provide(Sync.run({ accounts }), exchange)
      assert.deepStrictEqual([next.gaps, next.left], [[], 0])
    }).pipe(Effect.provide(Layer.provide(Layer.fresh(Archive.layer), counting)))
  })
})
