import { assert, describe, it } from "@effect/vitest"
import * as Page from "@tallystick/core/Page"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const { DEPOSITS, KEYS, NOW, ROUTE, TRANSFERS } = Client

const deposits = Array.from({ length: 40 }, (_, i) => ({ ...Client.deposit(`d${i}`, NOW - i), memo: i < 5 ? "7" : "" }))
const transfers = Array.from({ length: 40 }, (_, i) => Client.transfer(`${i}`, NOW - i))

const texts = Effect.fnUntraced(function*(faults: Faults.Faults) {
  yield* TestClock.setTime(NOW)
  const exchange = yield* Client.make({ deposits, transfers, faults })
  return {
    deposits: (yield* Client.send(exchange, "GET", DEPOSITS)).body,
    transfers: (yield* Client.send(exchange, "GET", TRANSFERS, ROUTE)).body
  }
})

/** What the real client reads of both lists. */
const read = Effect.fnUntraced(function*(faults: Faults.Faults) {
  const { deposits, transfers } = yield* texts(faults)
  const page = {
    deposits: Option.getOrThrow(Page.readDeposits(JSON.parse(deposits), deposits, 1)),
    transfers: Option.getOrThrow(Page.readTransfers(JSON.parse(transfers), transfers, 1))
  }
  assert.deepStrictEqual([...page.deposits.bad, ...page.transfers.bad], [])
  return { deposits: page.deposits.records, transfers: page.transfers.records }
})

const identities = (lists: Effect.Success<ReturnType<typeof read>>) => [
  ...lists.deposits.map(SubAccountDeposit.identity).toSorted(),
  ...lists.transfers.map(UniversalTransfer.identity).toSorted()
]

describe("records", () => {
  it.effect.each<Faults.Faults>([
    { newKeys: 1 },
    { missingKeys: 1 },
    { spellings: ["amount-64"] },
    { newKeys: 0.5, missingKeys: 0.5, newStatus: 0.5, spellings: ["amount-64", "numeric-tranId"] }
  ])("with %j are the same records to the client", (faults) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(identities(yield* read(faults)), identities(yield* read({})))
    }))

  it.effect("can have new keys, flat and nested, in a share of them", () =>
    Effect.gen(function*() {
      const count = (text: string) => text.split("\"extra\":{\"chain\":{").length - 1
      assert.strictEqual(count((yield* texts({ newKeys: 1 })).deposits), 40)
      assert.strictEqual(count((yield* texts({ newKeys: 1 })).transfers), 40)
      const some = count((yield* texts({ newKeys: 0.5 })).deposits)
      assert.isAbove(some, 5)
      assert.isBelow(some, 35)
    }))

  it.effect("can lack every key that a client can do without, and never a memo that says something", () =>
    Effect.gen(function*() {
      const { deposits, transfers } = yield* texts({ missingKeys: 1 })
      assert.notMatch(deposits, /"(?:unlockConfirm|confirmTimes|memo":"")/)
      assert.strictEqual(deposits.split("\"memo\":\"7\"").length - 1, 5)
      assert.notMatch(transfers, /"(?:clientTranId|fromSymbol|toSymbol)"/)
    }))

  it.effect("can have amounts of 64 digits on either side of the point", () =>
    Effect.gen(function*() {
      const { deposits, transfers } = yield* texts({ spellings: ["amount-64", "long-amounts"] })
      for (const text of [deposits, transfers]) {
        const amounts = [...text.matchAll(/"amount":"([^"]*)"/g)].map(([, amount]) => amount)
        assert.strictEqual(amounts.length, 40)
        for (const amount of amounts) assert.match(amount ?? "", /^0{63}1\.50{63}$/)
      }
    }))

  it.effect("look the same in every answer", () =>
    Effect.gen(function*() {
      const faults: Faults.Faults = { seed: 3, newKeys: 0.5, missingKeys: 0.5, newStatus: 0.5 }
      assert.deepStrictEqual(yield* texts(faults), yield* texts(faults))
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ deposits, faults })
      const one = yield* Client.send(exchange, "GET", DEPOSITS)
      assert.strictEqual((yield* Client.send(exchange, "GET", DEPOSITS)).body, one.body)
    }))

  it.effect("of a new key have them, too", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ faults: { newKeys: 1, missingKeys: 1 } })
      const body = JSON.stringify({
        subAccount: "sub00001",
        permissions: "SPOT_ACCOUNT_READ",
        note: "n",
        ip: "10.0.0.1"
      })
      const answer = yield* Client.send(exchange, "POST", KEYS, {}, { body })
      assert.notInclude(answer.body, "\"ip\"")
      assert.include(answer.body, "\"extra\"")
      assert.include(answer.body, "\"secretKey\"")
    }))
})
