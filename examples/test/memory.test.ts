import { assert, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerMemory from "@tallystick/core/BrokerMemory"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

const HOUR = 3_600_000
const noon = 1_790_000_000_000

const deposit = {
  amount: "10.5",
  coin: "USDT",
  network: "TRX",
  status: 5,
  address: "TXYZ",
  txId: "e3b0c442",
  unlockConfirm: "5",
  confirmTimes: "20",
  insertTime: noon,
  memo: ""
}

const sweep = {
  tranId: "7",
  fromAccount: "sub00001",
  toAccount: "master",
  clientTranId: "",
  asset: "USDT",
  amount: "10.5",
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  fromSymbol: "SPOT",
  toSymbol: "SPOT",
  status: "WAIT",
  timestamp: noon + 40 * 60_000
}

/** What a report says at this moment. */
const codes = Effect.map(
  BrokerReconciliation.run({
    range: { from: noon - HOUR, to: noon + HOUR },
    accounts: { list: ["sub00001"], complete: true }
  }),
  ({ outcomes }) => outcomes.map(({ code }) => code)
)

it.effect("follows a deposit that arrives late, and its sweep", () =>
  Effect.gen(function*() {
    const memory = yield* BrokerMemory.BrokerMemory
    yield* TestClock.setTime(noon + HOUR / 2)
    assert.deepStrictEqual(yield* codes, [])

    // The exchange shows the deposit half an hour after its time. The sweep is shown at its own time by itself.
    yield* memory.update((records) => ({ ...records, deposits: [deposit] }))
    assert.deepStrictEqual(yield* codes, ["in-flight"])

    yield* TestClock.adjust("30 minutes")
    assert.deepStrictEqual(yield* codes, ["unconfirmed"])

    // In two hours the sweep succeeds.
    yield* memory.update(({ transfers, ...records }) => ({
      ...records,
      transfers: transfers.map((transfer) => ({ ...transfer, status: "SUCCESS" }))
    })).pipe(Effect.delay("2 hours"), Effect.forkChild)
    yield* TestClock.adjust("2 hours")
    assert.deepStrictEqual(yield* codes, ["exact"])
  }).pipe(Effect.provide(Broker.Broker.layerMemory({ transfers: [sweep] }))))

it.effect("tells a deposit that nobody swept", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(noon + 30 * HOUR)
    assert.deepStrictEqual(yield* codes, ["missing-transfer"])
  }).pipe(Effect.provide(Broker.Broker.layerMemory({ deposits: [deposit] }))))
