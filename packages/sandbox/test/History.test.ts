import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as ClientTranId from "@tallystick/core/ClientTranId"
import * as DepositAddress from "@tallystick/core/DepositAddress"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as History from "@tallystick/sandbox/History"
import * as HistoryOptions from "@tallystick/sandbox/HistoryOptions"
import type * as Truth from "@tallystick/sandbox/Truth"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"

const TO = 1_700_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ends = { to: TO }
const usual = History.generate(ends)

const index = (history: History.History) => {
  const deposits = new Map(history.deposits.map((deposit) => [deposit.txId, deposit]))
  const transfers = new Map(history.transfers.map((transfer) => [transfer.tranId, transfer]))
  return {
    deposits,
    transfers,
    both: (pair: Truth.Pair) => {
      const deposit = deposits.get(pair.deposit)
      const transfer = transfers.get(pair.transfer)
      assert.isDefined(deposit)
      assert.isDefined(transfer)
      return { deposit, transfer, lag: transfer.timestamp - deposit.insertTime }
    }
  }
}

const ascending = (times: ReadonlyArray<number>) => times.every((time, i) => i === 0 || (times[i - 1] ?? 0) <= time)

const ofKind = (history: History.History, kind: Truth.Kind) =>
  history.truth.breaks.filter((found) => found.kind === kind)

describe("a generated history", () => {
  it("has about the size that was asked for and all kinds of breaks", () => {
    assert.approximately(usual.deposits.length, 10_000, 500)
    assert.strictEqual(usual.subAccounts.length, 40)
    assert.strictEqual(usual.truth.breaks.length, 400)
    for (const kind of [...HistoryOptions.kinds, "in-flight"] as const) {
      assert.isAtLeast(ofKind(usual, kind).length, 10, kind)
    }
  })

  it("is the same for the same seed and another for another", () => {
    const small = { ...ends, deposits: 200 }
    assert.deepStrictEqual(History.generate({ ...small, seed: 5 }), History.generate({ ...small, seed: 5 }))
    assert.notDeepEqual(
      History.generate({ ...small, seed: 5 }).deposits,
      History.generate({ ...small, seed: 6 }).deposits
    )
  })

  it("is the same on every machine", () => {
    const { deposits, transfers, truth } = History.generate({ ...ends, deposits: 2000 })
    const digest = createHash("sha256").update(JSON.stringify({ deposits, transfers, truth })).digest("hex")
    assert.strictEqual(
      digest,
      "2dacd2a29c98b6f9032a5dbb7ce2e2bcfe54b6cd2d0b4895883f570884181328",
      "a deliberate change of the generator may change this"
    )
  })

  it.effect("holds records as the service tells them", () =>
    Effect.gen(function*() {
      yield* Schema.decodeEffect(Schema.Array(SubAccountDeposit.SubAccountDeposit))(usual.deposits)
      yield* Schema.decodeEffect(Schema.Array(UniversalTransfer.UniversalTransfer))(usual.transfers)
      assert.isFalse(usual.deposits.some((deposit) => Amount.isZero(deposit.amount)))
    }))

  it("stands in time order between its two ends", () => {
    const times = [usual.deposits.map((d) => d.insertTime), usual.transfers.map((t) => t.timestamp)]
    for (const side of times) {
      assert.isTrue(ascending(side))
      assert.isAtLeast(side.at(0) ?? 0, TO - 70 * HOUR)
      assert.isAtMost(side.at(-1) ?? 0, TO - 3 * MINUTE)
    }
  })

  it("names every record exactly once in its truth", () => {
    const { breaks, pairs } = usual.truth
    const deposits = [...pairs.map((pair) => pair.deposit), ...breaks.flatMap((found) => found.deposits)]
    const transfers = [...pairs.map((pair) => pair.transfer), ...breaks.flatMap((found) => found.transfers)]
    const sides = [[deposits, usual.deposits.map((d) => d.txId)], [transfers, usual.transfers.map((t) => t.tranId)]]
    for (const [named = [], there = []] of sides) {
      assert.strictEqual(new Set(named).size, named.length)
      assert.deepStrictEqual(new Set(named), new Set(there))
    }
  })

  it("pairs equal amounts of one asset within fifty minutes", () => {
    const { both } = index(usual)
    for (const pair of usual.truth.pairs) {
      const { deposit, lag, transfer } = both(pair)
      assert.strictEqual(transfer.asset, deposit.coin)
      assert.strictEqual(transfer.amount, deposit.amount)
      assert.strictEqual(transfer.status, "SUCCESS")
      assert.strictEqual(deposit.status, 5)
      assert.isAtLeast(lag, 0)
      assert.isAtMost(lag, 50 * MINUTE)
    }
  })

  it.effect("stamps a share of the sweeps with the id of their deposit, and no other", () =>
    Effect.gen(function*() {
      const { both } = index(usual)
      const stamped = usual.truth.pairs.filter((pair) => pair.stamped)
      assert.approximately(stamped.length / usual.truth.pairs.length, 0.2, 0.03)
      for (const pair of stamped.slice(0, 50)) {
        const { deposit, transfer } = both(pair)
        assert.strictEqual(transfer.clientTranId, yield* ClientTranId.clientTranIdFor(deposit))
      }
      const ids = usual.transfers.map((transfer) => transfer.clientTranId)
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.isTrue(ids.every((id) => /^[a-z0-9]{32}$/.test(id)))
    }))

  it("tells the account of every deposit in its address book, memo joined or not", () => {
    const owners = new Map(usual.addressBook.map((e) => [`${e.network} ${e.address} ${e.memo}`, e.account]))
    assert.strictEqual(owners.size, usual.addressBook.length)
    const { both } = index(usual)
    for (const pair of usual.truth.pairs) {
      const { deposit, transfer } = both(pair)
      const { address, memo } = DepositAddress.make(deposit.address, deposit.memo)
      assert.strictEqual(owners.get(`${deposit.network} ${address} ${memo}`), transfer.fromAccount)
      assert.strictEqual(transfer.toAccount, "master")
    }
  })
})

describe("planted breaks", () => {
  const { both, deposits, transfers } = index(usual)
  const amountsOf = (found: Truth.Break) => [
    ...found.deposits.map((id) => deposits.get(id)?.amount),
    ...found.transfers.map((id) => transfers.get(id)?.amount)
  ]

  it("have amounts that nothing else has", () => {
    const counts = new Map<string, number>()
    for (const { amount, coin } of usual.deposits) counts.set(`${coin} ${amount}`, 0)
    for (const { amount, asset } of usual.transfers) counts.set(`${asset} ${amount}`, 0)
    const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
    for (const { amount, coin } of usual.deposits) add(`${coin} ${amount}`)
    for (const { amount, asset } of usual.transfers) add(`${asset} ${amount}`)
    for (const found of usual.truth.breaks) {
      const amounts = amountsOf(found)
      for (const amount of amounts) {
        const own = amounts.filter((other) => other === amount).length
        assert.strictEqual(counts.get(`${found.asset} ${amount}`), own, found.kind)
      }
    }
  })

  it("stand at least three hours apart within one account and asset", () => {
    const lanes = Map.groupBy(
      usual.truth.breaks.filter((found) => found.kind !== "in-flight"),
      (found) => `${found.account} ${found.asset}`
    )
    const timeOf = (found: Truth.Break) =>
      deposits.get(found.deposits[0] ?? "")?.insertTime ?? transfers.get(found.transfers[0] ?? "")?.timestamp ?? 0
    for (const lane of lanes.values()) {
      const times = lane.map(timeOf)
      times.forEach((time, i) => assert.isTrue(i === 0 || time - (times[i - 1] ?? 0) >= HistoryOptions.APART))
    }
  })

  it("are missing, late, short, failed or doubled by as much as their kind says", () => {
    for (const found of usual.truth.breaks) {
      const [pair] = found.pairs
      const shape = [found.deposits.length, found.transfers.length]
      switch (found.kind) {
        case "deposit-without-transfer":
        case "pending-deposit":
        case "in-flight":
          assert.deepStrictEqual(shape, [1, 0])
          break
        case "transfer-without-deposit":
          assert.deepStrictEqual(shape, [0, 1])
          break
        case "late": {
          assert.isDefined(pair)
          const { lag } = both(pair)
          assert.isTrue(lag > HOUR && lag <= 6 * HOUR)
          break
        }
        case "amount-off": {
          assert.isDefined(pair)
          const { deposit, transfer } = both(pair)
          const [left, right] = [Number(deposit.amount), Number(transfer.amount)]
          assert.isTrue(right < left && (left - right) / right <= 0.1)
          break
        }
        case "failed-transfer":
          assert.isDefined(pair)
          assert.strictEqual(both(pair).transfer.status, "FAILED")
          break
        case "duplicate-transfer": {
          assert.deepStrictEqual(shape, [1, 2])
          assert.isDefined(pair)
          const second = both({ ...pair, transfer: found.transfers[1] ?? "" }).lag
          assert.isTrue(second > 2 * both(pair).lag && second <= HOUR)
          break
        }
        case "interchangeable-burst":
          assert.isAtLeast(found.deposits.length, 3)
          assert.strictEqual(found.transfers.length, found.deposits.length)
          assert.strictEqual(new Set(amountsOf(found)).size, 1)
          break
        case "burst-short-of-one":
          assert.strictEqual(found.transfers.length, found.deposits.length - 1)
          assert.strictEqual(new Set(amountsOf(found)).size, 1)
          break
      }
    }
  })

  it("have closed windows, but for those in flight, whose windows are open", () => {
    for (const found of usual.truth.breaks) {
      for (const id of found.deposits) {
        const at = deposits.get(id)?.insertTime ?? 0
        if (found.kind === "in-flight") assert.isAbove(at, TO - 30 * MINUTE - 1)
        else assert.isBelow(at + HOUR, TO - 5 * MINUTE)
      }
    }
  })
})

describe("options", () => {
  it("that make sense make a consistent history, whatever the seed", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const history = History.generate({ ...ends, deposits: 500, seed, crowd: { share: 0.5, unswept: 0.05 } })
      const { both } = index(history)
      for (const pair of history.truth.pairs) assert.strictEqual(both(pair).transfer.amount, both(pair).deposit.amount)
      assert.isNotEmpty(ofKind(history, "crowd-unswept"))
    }
  })

  it("plant no more breaks than can stand apart, and none where there is no time for them", () => {
    const crammed = { ...ends, subAccounts: 1, deposits: 2000, breaks: 2000 }
    assert.strictEqual(History.generate(crammed).truth.breaks.length, HistoryOptions.room(HistoryOptions.make(crammed)))
    assert.deepStrictEqual(
      new Set(History.generate({ ...ends, span: 2 * HOUR, deposits: 500 }).truth.breaks.map((found) => found.kind)),
      new Set(["in-flight"])
    )
  })

  it("can keep to some kinds of breaks", () => {
    const kinds = ["late"] as const
    const found = History.generate({ ...ends, deposits: 500, kinds }).truth.breaks.map(({ kind }) => kind)
    assert.includeMembers(found, ["late", "in-flight"])
    assert.notInclude(found, "amount-off")
  })
})

describe("the stream of a history", () => {
  it.effect("tells the same records as the whole, and truth before the records it is about", () =>
    Effect.gen(function*() {
      const small = { ...ends, deposits: 300 }
      const whole = History.generate(small)
      const events = yield* Stream.runCollect(History.stream(small))
      assert.deepStrictEqual(events.flatMap((e) => e._tag === "Deposit" ? [e.deposit] : []), [...whole.deposits])
      assert.deepStrictEqual(events.flatMap((e) => e._tag === "Transfer" ? [e.transfer] : []), [...whole.transfers])
      assert.deepStrictEqual(events.flatMap((e) => e._tag === "Pair" ? [e.pair] : []), [...whole.truth.pairs])
      const told = new Set<string>()
      for (const event of events) {
        if (event._tag === "Pair") told.add(event.pair.deposit)
        if (event._tag === "Break") { for (const id of event.break.deposits) told.add(id) }
        if (event._tag === "Deposit") assert.isTrue(told.has(event.deposit.txId))
      }
    }))

  it.effect("is planned while it is read: the start of a huge one is there at once", () =>
    Effect.gen(function*() {
      const huge = History.stream({ ...ends, deposits: 1_000_000_000, subAccounts: 10, breaks: 100 })
      const events = yield* Stream.runCollect(Stream.take(huge, 100))
      assert.strictEqual(events.length, 100)
    }))
})
