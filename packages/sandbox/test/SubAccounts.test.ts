/** The list of sub-accounts and the list of keys: what the exchange answers, and what the client makes of it under faults. */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Conventions from "@tallystick/core/Conventions"
import type { SubAccount } from "@tallystick/core/SubAccount"
import * as Exchange from "@tallystick/sandbox/Exchange"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as InProcess from "./broker.ts"
import * as Client from "./client.ts"
import * as History from "./paging/history.ts"
import { servers, SETTLE } from "./paging/servers.ts"

const { KEYS, LIST, NOW, refusal } = Client

const account = (index: number): SubAccount => ({
  subAccount: `sub${String(index).padStart(5, "0")}`,
  note: `desk ${index}`,
  timestamp: NOW - (index % 9)
})

const accounts = (count: number) => Array.from({ length: count }, (_, index) => account(index))

const oldestFirst = accounts(205).toSorted((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0))

describe("the list of sub-accounts", () => {
  it.effect("comes by pages of 10 unless asked, at most of 200, with a code that is none of an error", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ subAccounts: accounts(205) })
      const page = (query: Client.Query) =>
        Effect.map(Client.send(exchange, "GET", LIST, query), ({ body }): unknown => JSON.parse(body))
      assert.deepStrictEqual(yield* page({}), { code: 0, message: "", data: oldestFirst.slice(0, 10) })
      assert.deepInclude(yield* page({ page: 2, limit: 200 }), { data: oldestFirst.slice(200) })
      assert.deepInclude(yield* page({ page: 3, limit: 200 }), { data: [] })
      assert.deepInclude(yield* page({ subAccount: "sub00007" }), { data: [account(7)] })
      assert.deepInclude(yield* page({ subAccount: "stranger" }), { data: [] })
    }))

  it.effect("is refused beyond its limits, and to a key without the permission", () =>
    Effect.gen(function*() {
      const options = { subAccounts: ["sub00001"] }
      assert.strictEqual(yield* refusal(options, "GET", LIST, { limit: 200 }), 200)
      assert.strictEqual(yield* refusal(options, "GET", LIST, { limit: 201 }), 730002)
      assert.strictEqual(yield* refusal(options, "GET", LIST, { page: 0 }), 730002)
      const credentials = [Client.credential(["SPOT_TRANSFER_READ"])]
      assert.strictEqual(yield* refusal({ ...options, credentials }, "GET", LIST, {}), 700007)
    }))

  it.effect("names an account from its own time on", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Exchange.Exchange.make({
        credentials: InProcess.credentials,
        subAccounts: ["sub00001", { ...account(2), timestamp: NOW + 1000 }],
        rules: { rate: null }
      })
      const names = Effect.gen(function*() {
        const { subAccounts } = yield* Broker.Broker
        return (yield* Stream.runCollect(subAccounts)).map(({ subAccount }) => subAccount)
      }).pipe(Effect.provide(InProcess.unhurt(exchange, Conventions.mexc)))
      assert.deepStrictEqual(yield* names, ["sub00001"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* names, ["sub00001", "sub00002"])
    }))
})

describe("the list of keys", () => {
  it.effect("names the keys of one sub-account, and shows no secret again", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ subAccounts: ["sub00001", "sub00002"] })
      const create = (subAccount: string, note: string) =>
        Client.send(exchange, "POST", KEYS, {}, {
          body: JSON.stringify({ subAccount, note, permissions: "SPOT_ACCOUNT_READ,SPOT_DEAL_READ", ip: "192.0.2.1" })
        })
      yield* create("sub00001", "one")
      yield* create("sub00002", "two")
      const { body } = yield* Client.send(exchange, "GET", KEYS, { subAccount: "sub00001" })
      const [made] = yield* exchange.keys
      assert.deepStrictEqual(JSON.parse(body), [{
        note: "one",
        apiKey: made?.apiKey,
        permissions: "SPOT_ACCOUNT_READ,SPOT_DEAL_READ",
        ip: "192.0.2.1",
        creatTime: NOW
      }])
      assert.strictEqual(yield* refusal({}, "GET", KEYS, {}), 730600)
      assert.strictEqual(yield* refusal({ subAccounts: ["sub00001"] }, "GET", KEYS, { subAccount: "sub00009" }), 140001)
      const credentials = [Client.credential(["SPOT_ACCOUNT_WRITE"])]
      assert.strictEqual(yield* refusal({ credentials }, "GET", KEYS, { subAccount: "sub00001" }), 700007)
    }))

  it.effect("is read by the client in every spelling", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Exchange.Exchange.make({
        credentials: InProcess.credentials,
        subAccounts: accounts(3),
        rules: { rate: null },
        faults: { spellings: ["apikey", "listed-permissions", "no-ip", "text-times"], newKeys: 1 }
      })
      yield* Effect.gen(function*() {
        const broker = yield* Broker.Broker
        const made = yield* broker.createApiKey({ subAccount: "sub00001", note: "n", permissions: ["SPOT_DEAL_READ"] })
        const { secretKey: _, ...listed } = made
        assert.deepStrictEqual(yield* broker.apiKeys({ subAccount: "sub00001" }), [listed])
        assert.deepStrictEqual(yield* Stream.runCollect(broker.subAccounts), accounts(3).toReversed())
      }).pipe(Effect.provide(InProcess.unhurt(exchange, Conventions.mexc)))
    }))
})

/** Pages so short that a few accounts fill many of them. */
const conventions = Conventions.make({ subAccountPage: { default: 3, maximum: 5 } })

/** The long run, which sets TALLYSTICK_CASES, plays them all. */
const SEEDS = Array.from({ length: process.env["TALLYSTICK_CASES"] === undefined ? 15 : 40 }, (_, seed) => seed)

/** A list whose end is the same in every reading is found only where its length is a round number. */
const isHidden = ({ listEnd = Number.POSITIVE_INFINITY }: Faults.Faults, count: number): boolean => listEnd < count

const simulate = Effect.fnUntraced(function*(make: (next: () => number) => Faults.Faults, seed: number) {
  yield* TestClock.setTime(NOW)
  const next = History.random(seed)
  const count = Math.floor(next() * 23)
  const truth = accounts(count)
  const settled = truth.filter(({ timestamp = 0 }) => timestamp < NOW - SETTLE)
  const faults = { seed, ...make(next) }
  const exchange = yield* Exchange.Exchange.make({
    credentials: InProcess.credentials,
    conventions,
    subAccounts: truth,
    faults,
    rules: { rate: null, remembered: 1 }
  })
  const seen: Array<SubAccount> = []
  const result = yield* Broker.Broker.use(({ subAccounts }) =>
    Stream.runForEach(subAccounts, (one) => Effect.sync(() => seen.push(one)))
  ).pipe(Effect.result, Effect.provide(InProcess.unhurt(exchange, conventions)))
  assert.strictEqual(new Set(seen.map(({ subAccount }) => subAccount)).size, seen.length, "an account came twice")
  for (const one of seen) {
    assert.deepStrictEqual(one, account(Number(one.subAccount.slice(3))), "an account was invented")
  }
  if (Result.isSuccess(result) && !isHidden(faults, count)) {
    const names = new Set(seen.map(({ subAccount }) => subAccount))
    assert.deepStrictEqual(settled.filter(({ subAccount }) => !names.has(subAccount)), [], "quietly lost")
    if (faults.arrivals === undefined && faults.lateVisible === undefined) assert.strictEqual(names.size, count)
  }
  return { count, result }
})

describe("the client's list of sub-accounts is whole, or it ends in an error", () => {
  it.effect.each(Object.entries(servers))("%s", ([, server]) =>
    Effect.gen(function*() {
      for (const seed of SEEDS) {
        const { result } = yield* simulate(server.faults, seed)
        if (Result.isSuccess(result)) continue
        assert.include(["IncompleteList", "Unavailable"], result.failure.reason._tag)
      }
    }))

  it.effect("with a server that does as it is asked it is proven, but where it is empty or of a page's length", () =>
    Effect.gen(function*() {
      for (const seed of SEEDS) {
        const { count, result } = yield* simulate(() => ({}), seed)
        assert.strictEqual(Result.isSuccess(result), ![0, 3, 5].includes(count), `${count}`)
      }
    }))
})
