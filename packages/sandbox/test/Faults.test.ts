import { assert, describe, it } from "@effect/vitest"
import * as Faults from "@tallystick/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const { DEPOSITS, KEYS, NOW, TRANSFERS } = Client

/** Deposits `d0` to `d9`, three of them within one millisecond. */
const deposits = Array.from({ length: 10 }, (_, i) => Client.deposit(`d${i}`, NOW - 100 + (i >= 4 && i <= 6 ? 4 : i)))
const all = deposits.map((deposit) => deposit.txId)

const withFaults = (faults: Faults.Faults) => Effect.andThen(TestClock.setTime(NOW), Client.make({ deposits, faults }))

const sorted = (ids: ReadonlyArray<string>) => ids.toSorted((a, b) => a.localeCompare(b))

const BigList = Schema.fromJsonString(Schema.Struct({ result: Schema.Array(Schema.Unknown), totalCount: Schema.Int }))

describe("without faults", () => {
  it.effect("pages are stretches of one list, oldest first, and end in an empty page", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({})
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 4 }), all.slice(0, 4))
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 4, page: 2 }), all.slice(4, 8))
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 4, page: 3 }), all.slice(8))
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 4, page: 4 }), [])
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 10, page: 2 }), [])
    }))

  it.effect("a page holds 100 deposits or 500 transfers unless asked otherwise", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({
        deposits: Array.from({ length: 600 }, (_, i) => Client.deposit(`d${i}`, NOW - i)),
        transfers: Array.from({ length: 600 }, (_, i) => Client.transfer(`${i}`, NOW - i))
      })
      assert.strictEqual((yield* Client.depositIds(exchange)).length, 100)
      assert.strictEqual((yield* Client.transferIds(exchange)).length, 500)
    }))
})

describe("the order", () => {
  it.effect("can be newest first, paged from that end", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ order: "newest-first" })
      const newest = all.toReversed()
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 4 }), newest.slice(0, 4))
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 4, page: 3 }), newest.slice(8))
      assert.deepStrictEqual(
        yield* Client.depositIds(exchange, { limit: 4, coin: "USDT", page: 2 }),
        newest.slice(4, 8)
      )
    }))

  it.effect("can be another with every request, the same again with the same seed", () =>
    Effect.gen(function*() {
      const read = Effect.fnUntraced(function*(seed: number) {
        const exchange = yield* withFaults({ order: "shuffled", seed })
        return [yield* Client.depositIds(exchange), yield* Client.depositIds(exchange)] as const
      })
      const [first, second] = yield* read(1)
      assert.notDeepEqual(first, second)
      assert.deepStrictEqual(sorted(first), all)
      assert.deepStrictEqual(sorted(second), all)
      assert.deepStrictEqual(yield* read(1), [first, second])
      assert.notDeepEqual((yield* read(2))[0], first)
    }))

  it.effect("can be loose within a millisecond alone", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ looseTies: true })
      const seen = new Set<string>()
      for (let i = 0; i < 30; i++) {
        const ids = yield* Client.depositIds(exchange)
        assert.deepStrictEqual(ids.slice(0, 4), all.slice(0, 4))
        assert.deepStrictEqual(sorted(ids.slice(4, 7)), all.slice(4, 7))
        assert.deepStrictEqual(ids.slice(7), all.slice(7))
        seen.add(ids.slice(4, 7).join())
      }
      assert.isAbove(seen.size, 3)
    }))
})

describe("pages", () => {
  it.effect("can be capped below the limit, and go on from the cap", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ pageCap: 3 })
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 8 }), all.slice(0, 3))
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 8, page: 2 }), all.slice(3, 6))
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { limit: 2, page: 2 }), all.slice(2, 4))
    }))

  it.effect("can all be the first one, also when capped", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ ignorePage: true, pageCap: 3 })
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { page: 9 }), all.slice(0, 3))
    }))

  it.effect("can fail, by ordinal or by chance, with the status that is wanted", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ wire: [{ kind: "error", requests: [2], status: 502 }] })
      const statuses: Array<number> = []
      for (let i = 0; i < 3; i++) statuses.push((yield* Client.send(exchange, "GET", DEPOSITS)).status)
      assert.deepStrictEqual(statuses, [200, 502, 200])
      const unlucky = yield* withFaults({ wire: [{ kind: "error", share: 0.5 }] })
      let failed = 0
      for (let i = 0; i < 200; i++) {
        if ((yield* Client.send(unlucky, "GET", DEPOSITS)).status === 503) failed += 1
      }
      assert.isAbove(failed, 70)
      assert.isBelow(failed, 130)
    }))
})

describe("the interval", () => {
  const [first, last] = [NOW - 100, NOW - 91]
  const edges = Effect.fnUntraced(function*(ends: Faults.Ends) {
    const ids = yield* Client.depositIds(yield* withFaults({ ends }), { startTime: first, endTime: last })
    return [ids.includes("d0"), ids.includes("d9")]
  })

  it.effect("includes both its ends, or not, as the option says", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* edges("inclusive"), [true, true])
      assert.deepStrictEqual(yield* edges("start-exclusive"), [false, true])
      assert.deepStrictEqual(yield* edges("end-exclusive"), [true, false])
      assert.deepStrictEqual(yield* edges("exclusive"), [false, false])
    }))
})

describe("visibility", () => {
  it.effect("can come late: a record is told only some time after its own", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ lateVisible: { share: 1, delay: 1000 } })
      assert.deepStrictEqual(yield* Client.depositIds(exchange), [])
      yield* TestClock.adjust(905)
      assert.deepStrictEqual(yield* Client.depositIds(exchange), all.slice(0, 7))
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(yield* Client.depositIds(exchange), all)
    }))

  it.effect("can come between two requests, and never goes away again", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ seed: 3, arrivals: { share: 0.7, within: 98, overRequests: 6 } })
      let before: ReadonlyArray<string> = yield* Client.depositIds(exchange)
      assert.isBelow(before.length, all.length)
      assert.includeMembers([...before], ["d0", "d1"])
      for (let i = 0; i < 6; i++) {
        const now = yield* Client.depositIds(exchange)
        assert.includeMembers(now, [...before])
        before = now
      }
      assert.deepStrictEqual(before, all)
    }))
})

describe("transfers", () => {
  const transfers = Array.from({ length: 7 }, (_, i) => Client.transfer(`61000000000000000${i}`, NOW - 10 + i))
  const asked = (faults: Faults.Faults, parameters: Client.Query = {}) =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ transfers, faults })
      return (yield* Client.send(exchange, "GET", TRANSFERS, { ...Client.ROUTE, ...parameters })).body
    })

  it.effect("can come with a count of all, right or wrong", () =>
    Effect.gen(function*() {
      const read = Effect.fnUntraced(function*(totalCount: "right" | "too-small" | "too-large") {
        const body = yield* Schema.decodeEffect(BigList)(yield* asked({ totalCount }, { limit: 3 }))
        assert.strictEqual(body.result.length, 3)
        return body.totalCount
      })
      assert.strictEqual(yield* read("right"), 7)
      assert.isBelow(yield* read("too-small"), 7)
      assert.isAbove(yield* read("too-large"), 7)
    }))

  it.effect("can have ids as numbers with every digit, FUTURE for FUTURES and amounts of 30 decimals", () =>
    Effect.gen(function*() {
      const body = yield* asked({ spellings: ["numeric-tranId", "long-amounts"] }, { limit: 1 })
      assert.include(body, "\"tranId\":610000000000000000,")
      assert.include(body, `"amount":"1.5${"0".repeat(29)}"`)
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({
        transfers: [Client.transfer("1", NOW, { toAccountType: "FUTURES" })],
        faults: { spellings: ["FUTURE"] }
      })
      const answer = yield* Client.send(exchange, "GET", TRANSFERS, { ...Client.ROUTE, toAccountType: "FUTURES" })
      assert.include(answer.body, "\"toAccountType\":\"FUTURE\"")
    }))

  it.effect("can have a status that nobody documented", () =>
    Effect.gen(function*() {
      assert.notInclude(yield* asked({ newStatus: 1 }), "SUCCESS")
      assert.notInclude(yield* asked({}), "PROCESSING")
    }))
})

describe("spellings", () => {
  it.effect("of a deposit: netWork, no memo, memo joined to the address, confirmations as numbers", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const read = Effect.fnUntraced(function*(memo: string, ...spellings: ReadonlyArray<Faults.Spelling>) {
        const exchange = yield* Client.make({
          deposits: [{ ...Client.deposit("d", NOW), memo }],
          faults: { spellings }
        })
        const { body } = yield* Client.send(exchange, "GET", DEPOSITS)
        const [record] = yield* Schema.decodeEffect(
          Schema.fromJsonString(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
        )(body)
        return record ?? {}
      })
      assert.propertyVal(yield* read("", "netWork"), "netWork", "Tron(TRC20)")
      assert.notProperty(yield* read("", "no-memo"), "memo")
      assert.property(yield* read("7", "no-memo"), "memo")
      const joined = yield* read("7", "joined-memo")
      assert.propertyVal(joined, "address", "TTestAddress:7")
      assert.notProperty(joined, "memo")
      assert.propertyVal(yield* read("", "numeric-confirmations"), "confirmTimes", 12)
    }))

  it.effect("of a new key: creatTime, apikey, permissions as a list, no ip", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({
        faults: { spellings: ["creatTime", "apikey", "listed-permissions", "no-ip"] }
      })
      const body = JSON.stringify({
        subAccount: "sub00001",
        permissions: "SPOT_ACCOUNT_READ",
        note: "n",
        ip: "10.0.0.1"
      })
      const answer = yield* Client.send(exchange, "POST", KEYS, {}, { body })
      const key = yield* Schema.decodeEffect(
        Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
      )(answer.body)
      assert.hasAllKeys(key, ["subAccount", "note", "apikey", "secretKey", "permissions", "creatTime"])
      assert.deepStrictEqual(key["permissions"], ["SPOT_ACCOUNT_READ"])
    }))
})

describe("limits by option", () => {
  it.effect("answer 429 by chance, with Retry-After or without", () =>
    Effect.gen(function*() {
      const told = yield* Client.send(
        yield* withFaults({ wire: [{ kind: "throttle", retryAfter: 3 }] }),
        "GET",
        DEPOSITS
      )
      assert.strictEqual(told.status, 429)
      assert.strictEqual(told.headers["retry-after"], "3")
      const mute = yield* Client.send(yield* withFaults({ wire: [{ kind: "throttle" }] }), "GET", DEPOSITS)
      assert.notProperty(mute.headers, "retry-after")
    }))

  it.effect("ban from a request on, for as long as Retry-After says", () =>
    Effect.gen(function*() {
      const exchange = yield* withFaults({ wire: [{ kind: "ban", requests: [2], seconds: 30 }] })
      assert.strictEqual((yield* Client.send(exchange, "GET", DEPOSITS)).status, 200)
      const banned = yield* Client.send(exchange, "GET", DEPOSITS)
      assert.strictEqual(banned.status, 418)
      assert.strictEqual(banned.headers["retry-after"], "30")
      yield* TestClock.adjust(29_999)
      assert.strictEqual((yield* Client.send(exchange, "GET", DEPOSITS)).status, 418)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Client.send(exchange, "GET", DEPOSITS)).status, 200)
    }))
})

describe("faults", () => {
  it.effect("are data: a file can hold them, and none of their names can be misspelt", () =>
    Effect.gen(function*() {
      const decode = Schema.decodeUnknownEffect(Faults.Faults, { onExcessProperty: "error" })
      const faults = { seed: 4, order: "shuffled", pageCap: 7, wire: [{ kind: "error", share: 0.1 }] } as const
      assert.deepStrictEqual(yield* decode(faults), faults)
      assert.strictEqual((yield* Effect.flip(decode({ pagecap: 7 })))._tag, "SchemaError")
      assert.strictEqual((yield* Effect.flip(decode({ wire: [{ kind: "error", share: 2 }] })))._tag, "SchemaError")
    }))
})
