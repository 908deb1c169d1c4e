import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as ClientTranId from "@tallystick/core/ClientTranId"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as History from "@tallystick/sandbox/History"
import * as HistoryOptions from "@tallystick/sandbox/HistoryOptions"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import {
  addressOf,
  ascending,
  ends,
  everything,
  full,
  HOUR,
  index,
  MINUTE,
  ofKind,
  owners,
  TO,
  usual
} from "./histories.ts"

describe("a generated history", () => {
  it("has about the size that was asked for and all kinds of breaks", () => {
    assert.approximately(usual.deposits.length, 10_000, 700)
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
    const { deposits, transfers, truth } = History.generate({ ...everything, deposits: 2000 })
    const digest = createHash("sha256").update(JSON.stringify({ deposits, transfers, truth })).digest("hex")
    assert.strictEqual(
      digest,
      "1287d7414ecc0935d97fae2d1c810f258c8be82541c38f4def37e623195f5eef",
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
    const { breaks, groups, pairs } = full.truth
    const several = [...groups, ...breaks]
    const deposits = [...pairs.map((pair) => pair.deposit), ...several.flatMap((found) => found.deposits)]
    const transfers = [...pairs.map((pair) => pair.transfer), ...several.flatMap((found) => found.transfers)]
    const sides = [[deposits, full.deposits.map((d) => d.txId)], [transfers, full.transfers.map((t) => t.tranId)]]
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
    assert.strictEqual(owners.size, usual.addressBook.length)
    const { both } = index(usual)
    for (const pair of usual.truth.pairs) {
      const { deposit, transfer } = both(pair)
      assert.strictEqual(owners.get(addressOf(deposit)), transfer.fromAccount)
      assert.strictEqual(transfer.toAccount, "master")
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
    const { truth } = History.generate({ ...crammed, sweeps: 100, splits: 100 })
    assert.strictEqual(truth.breaks.length, HistoryOptions.room(HistoryOptions.make(crammed)))
    assert.deepStrictEqual(truth.groups, [])
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
      const small = { ...ends, deposits: 300, sweeps: 10, splits: 10 }
      const whole = History.generate(small)
      const events = yield* Stream.runCollect(History.stream(small))
      assert.deepStrictEqual(events.flatMap((e) => e._tag === "Deposit" ? [e.deposit] : []), [...whole.deposits])
      assert.deepStrictEqual(events.flatMap((e) => e._tag === "Transfer" ? [e.transfer] : []), [...whole.transfers])
      assert.deepStrictEqual(events.flatMap((e) => e._tag === "Pair" ? [e.pair] : []), [...whole.truth.pairs])
      const told = new Set<string>()
      for (const event of events) {
        if (event._tag === "Pair") told.add(event.pair.deposit)
        if (event._tag === "Group") { for (const id of event.group.deposits) told.add(id) }
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
