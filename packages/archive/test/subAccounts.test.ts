/** What the archive keeps of the exchange's lists of sub-accounts: when each account was first and last seen. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as BrokerMemory from "@tallystick/core/BrokerMemory"
import type * as SubAccount from "@tallystick/core/SubAccount"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Drivers from "../src/internal/Drivers.ts"
import { KNOWN } from "../src/internal/migrations/Migrations.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { copy } from "./support/copy.ts"
import { databases } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import { NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000

const named = (...names: ReadonlyArray<string>): ReadonlyArray<SubAccount.SubAccount> =>
  names.map((subAccount) => ({ subAccount, note: "" }))

/** A proven list. */
const list = (at: number, ...names: ReadonlyArray<string>): Archive.ListReading => ({
  subAccounts: named(...names),
  at,
  isProven: true
})

const known = Archive.Archive.use(({ subAccounts }) => Effect.map(subAccounts, ({ accounts }) => accounts))

const damage = (change: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>) =>
  Effect.flatMap(Database, ({ sql }) => change(sql))

describe.each(databases)("the sub-accounts that the exchange listed, in $name", ({ fresh, layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(body, archive))

  test(
    "are kept with the first and the last list that named each",
    Effect.gen(function*() {
      const { saveSubAccounts, subAccounts } = yield* Archive.Archive
      assert.deepStrictEqual(yield* subAccounts, { accounts: [], wholeFrom: 0 })
      yield* saveSubAccounts({
        subAccounts: [{ subAccount: "b", note: "", timestamp: 5 }, ...named("a")],
        at: NOW,
        isProven: true
      })
      yield* saveSubAccounts(list(NOW + HOUR, "b", "c"))
      // A list of an earlier time that is kept late moves no end of what was seen.
      yield* saveSubAccounts(list(NOW - HOUR, "c"))
      assert.deepStrictEqual(yield* known, [
        { name: "a", firstSeen: NOW, lastSeen: NOW, missedAt: NOW + HOUR },
        { name: "b", madeAt: 5, firstSeen: NOW, lastSeen: NOW + HOUR },
        { name: "c", firstSeen: NOW - HOUR, lastSeen: NOW + HOUR }
      ])
    })
  )

  test(
    "are gone only where a proven list lacks them, until another list names them again",
    Effect.gen(function*() {
      const { saveSubAccounts } = yield* Archive.Archive
      const missed = Effect.map(known, (accounts) => accounts.map(({ missedAt, name }) => [name, missedAt]))
      yield* saveSubAccounts(list(NOW, "a", "b"))
      yield* saveSubAccounts({ ...list(NOW + 1, "b", "c"), isProven: false })
      assert.deepStrictEqual(yield* missed, [["a", undefined], ["b", undefined], ["c", undefined]])
      yield* saveSubAccounts(list(NOW + 3, "b"))
      yield* saveSubAccounts(list(NOW + 2, "b", "c"))
      yield* saveSubAccounts(list(NOW + 4, "b"))
      assert.deepStrictEqual(yield* missed, [["a", NOW + 2], ["b", undefined], ["c", NOW + 3]])
      yield* saveSubAccounts({ ...list(NOW + 5, "a"), isProven: false })
      assert.deepStrictEqual(yield* missed, [["a", undefined], ["b", undefined], ["c", NOW + 3]])
    })
  )

  test(
    "may be thousands, of any name",
    Effect.gen(function*() {
      const { saveSubAccounts } = yield* Archive.Archive
      const names = Array.from({ length: 5000 }, (_, index) => `sub${index}`)
      const odd = ["\u0000", "\ud800", "'; DROP TABLE sub_accounts", "\u0001x"]
      yield* saveSubAccounts(list(NOW, ...names, ...odd))
      yield* saveSubAccounts(list(NOW + 1, ...names))
      const kept = new Map((yield* known).map(({ lastSeen, name }) => [name, lastSeen]))
      assert.strictEqual(kept.size, 5004)
      for (const name of odd) assert.strictEqual(kept.get(name), NOW)
      assert.strictEqual(kept.get("sub4999"), NOW + 1)
    })
  )

  const losses: ReadonlyArray<readonly [what: string, statement: string]> = [
    ["a row is lost", "DELETE FROM sub_accounts WHERE name = 'a'"],
    ["a name was edited", "UPDATE sub_accounts SET name = 'z' WHERE name = 'a'"],
    ["a time was edited", "UPDATE sub_accounts SET last_seen = 7 WHERE name = 'a'"],
    ["all rows are lost", "DELETE FROM sub_accounts"],
    ["their number is lost", "DELETE FROM scopes WHERE operation = 'sub_accounts'"]
  ]

  it.effect.each(losses)(
    "are not taken for all where %s, before the list was read again and proven",
    ([, statement]) =>
      Effect.gen(function*() {
        const { saveSubAccounts, structure, subAccounts } = yield* Archive.Archive
        yield* saveSubAccounts(list(NOW, "a", "b"))
        assert.strictEqual((yield* subAccounts).wholeFrom, 0)
        assert.isTrue(Integrity.isSound(yield* Integrity.check()))
        yield* damage((sql) => sql.unsafe(statement))
        assert.strictEqual((yield* subAccounts).wholeFrom, Number.POSITIVE_INFINITY)
        assert.isFalse(Integrity.isSound(yield* Integrity.check()))
        assert.include((yield* structure).join(), "lost some of the sub-accounts that the exchange listed")
        for (const { name } of yield* known) assert.include(["a", "b"], name)
        yield* saveSubAccounts({ ...list(NOW + 1, "a", "b"), isProven: false })
        assert.isTrue(Integrity.isSound(yield* Integrity.check()))
        assert.strictEqual((yield* subAccounts).wholeFrom, Number.POSITIVE_INFINITY)
        for (const at of [NOW + 2, NOW + 3]) {
          yield* saveSubAccounts(list(at, "a", "b"))
          assert.strictEqual((yield* subAccounts).wholeFrom, NOW + 2)
        }
      }).pipe(Effect.provide(archive))
  )

  test(
    "are not taken for all where the table is of an earlier state than the rest",
    Effect.gen(function*() {
      const { saveSubAccounts, subAccounts } = yield* Archive.Archive
      yield* saveSubAccounts(list(NOW, "a"))
      const older = yield* copy("sub_accounts")
      yield* saveSubAccounts(list(NOW + 1, "a", "b"))
      yield* older
      assert.strictEqual((yield* subAccounts).wholeFrom, Number.POSITIVE_INFINITY)
    })
  )

  it.effect("are none in an archive of an earlier version, which keeps them from then on", () =>
    Effect.gen(function*() {
      for (const version of [7, 11, KNOWN - 1]) {
        const location = yield* fresh
        yield* Earlier.make(location, version)
        const opened = Layer.fresh(
          Layer.provideMerge(Layer.fresh(Archive.Archive.layer), Layer.fresh(Drivers.layerLocation(location)))
        )
        yield* Effect.gen(function*() {
          const { saveSubAccounts, stamps, subAccounts } = yield* Archive.Archive
          assert.deepStrictEqual(yield* subAccounts, { accounts: [], wholeFrom: 0 }, `${version}`)
          assert.deepStrictEqual(yield* stamps, [{ baseUrl: Earlier.STAMP.base_url, fingerprint: "kept" }])
          yield* saveSubAccounts(list(NOW, "a"))
          assert.strictEqual((yield* known).length, 1)
        }).pipe(Effect.provide(opened), Effect.scoped)
      }
    }).pipe(Effect.scoped))
})

describe("a sync that is told what the exchange lists", () => {
  const broker = Broker.Broker.layerMemory({
    deposits: [],
    transfers: [transfer({ fromAccount: "a@x", timestamp: NOW - 30 * HOUR })],
    subAccounts: named("a@x", "b@x", "c@x")
  })

  /** As a program does it: the list first, then the round, which reads some accounts besides. */
  const told: Array<Sync.ListChange> = []
  const round = Effect.fnUntraced(function*(...besides: ReadonlyArray<string>) {
    const { serverTime, subAccounts } = yield* Broker.Broker
    const at = yield* serverTime
    const listed = yield* Stream.runCollect(subAccounts)
    return yield* Sync.run({
      accounts: {
        list: Array.from(new Set([...listed.map(({ subAccount }) => subAccount), ...besides])),
        complete: false
      },
      listed: { subAccounts: listed, at, isProven: true },
      onListed: (change) => Effect.sync(() => void told.push(change))
    })
  })

  it.effect("tells once which accounts are gone, new and back, also where the round then fails", () =>
    Effect.gen(function*() {
      told.length = 0
      yield* TestClock.setTime(NOW)
      const memory = yield* BrokerMemory.BrokerMemory
      const broker = yield* Broker.Broker
      const listing = (...names: ReadonlyArray<string>) =>
        memory.update((records) => ({ ...records, subAccounts: named(...names) }))
      const changes = Effect.fnUntraced(function*(...names: ReadonlyArray<string>) {
        yield* TestClock.adjust("1 hour")
        yield* listing(...names)
        yield* round()
        return told.splice(0)
      })
      assert.deepStrictEqual(yield* changes("a@x", "b@x", "c@x"), [])
      assert.deepStrictEqual(yield* changes("a@x", "b@x", "c@x"), [])
      assert.deepStrictEqual(yield* changes("a@x", "d@x"), [{ gone: ["b@x", "c@x"], added: ["d@x"], back: [] }])
      assert.deepStrictEqual(yield* changes("a@x", "d@x"), [])
      assert.deepStrictEqual(yield* changes("a@x", "b@x", "d@x"), [{ gone: [], added: [], back: ["b@x"] }])
      yield* listing("a@x", "d@x", "e@x")
      const reason = new BrokerError.KeyRejected({ code: "401", serviceMessage: "" })
      const refused = Stream.fail(BrokerError.BrokerError.of("subAccountDeposits", reason))
      yield* TestClock.adjust("1 hour")
      yield* Effect.flip(
        Effect.provideService(round(), Broker.Broker, { ...broker, scanSubAccountDeposits: () => refused })
      )
      assert.deepStrictEqual(told, [{ gone: ["b@x"], added: ["e@x"], back: [] }])
    }).pipe(Effect.provide(Layer.fresh(Layer.merge(broker, Archive.Archive.layerMemory())))))

  it.effect("keeps when each account was seen, and reads a new one from the beginning of the archive", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      yield* round()
      const { coverage, stamps } = yield* Archive.Archive
      assert.isNotEmpty(yield* stamps)
      const begun = (yield* coverage()).filter(({ operation }) => operation === "deposits").map(({ from }) => from)
      yield* TestClock.adjust("1 hour")
      const memory = yield* BrokerMemory.BrokerMemory
      yield* memory.update((records) => ({
        ...records,
        subAccounts: named("a@x", "b@x", "d@x"),
        transfers: [...records.transfers, transfer({ tranId: "new", fromAccount: "d@x", timestamp: NOW - 40 * HOUR })]
      }))
      const { added } = yield* round()
      assert.strictEqual(added, 1)
      assert.deepStrictEqual(yield* known, [
        { name: "a@x", firstSeen: NOW, lastSeen: NOW + HOUR },
        { name: "b@x", firstSeen: NOW, lastSeen: NOW + HOUR },
        { name: "c@x", firstSeen: NOW, lastSeen: NOW, missedAt: NOW + HOUR },
        { name: "d@x", firstSeen: NOW + HOUR, lastSeen: NOW + HOUR }
      ])
      const parts = (yield* coverage()).filter(({ query, state }) =>
        query?.fromAccount === "d@x" && state === "complete"
      )
      assert.isAtMost(Math.min(...parts.map(({ from }) => from)), Math.min(...begun))
    }).pipe(Effect.provide(Layer.merge(broker, Archive.Archive.layerMemory()))))

  it.effect("reads an account that is listed no more, and ends no round where the service refuses it", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { completeTo } = yield* round()
      yield* TestClock.adjust("1 hour")
      const memory = yield* BrokerMemory.BrokerMemory
      yield* memory.update((records) => ({
        ...records,
        subAccounts: named("a@x", "b@x"),
        transfers: [...records.transfers, transfer({ tranId: "last", fromAccount: "c@x", timestamp: NOW + HOUR / 2 })]
      }))
      const broker = yield* Broker.Broker
      const refusing = (account: string): Broker.Service => ({
        ...broker,
        scanUniversalTransfers: ((input) =>
          input.fromAccount === account
            ? Stream.fail(
              new BrokerError.BrokerError({
                operation: "universalTransfers",
                reason: new BrokerError.AccountRejected({ code: "730001", serviceMessage: "no such account" })
              })
            )
            : broker.scanUniversalTransfers(input)) satisfies Broker.Service["scanUniversalTransfers"]
      })
      const refused = yield* Effect.provideService(round("c@x"), Broker.Broker, refusing("c@x"))
      assert.deepInclude(refused, { added: 0, completeTo })
      const { gaps } = yield* Effect.provideService(round("c@x"), Broker.Broker, refusing("b@x"))
      assert.deepStrictEqual(new Set(gaps.map(({ query }) => query?.fromAccount)), new Set(["b@x"]))
      const { added, completeTo: end } = yield* round("c@x")
      assert.isAbove(end ?? 0, completeTo ?? 0)
      // Its last transfer came with the round before, in which another was refused.
      assert.strictEqual(added, 0)
      assert.isTrue((yield* Archive.Archive.use(({ transfers }) => transfers.counts)).records > 1)
    }).pipe(Effect.provide(Layer.merge(broker, Archive.Archive.layerMemory()))))
})
