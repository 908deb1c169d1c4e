import { assert, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
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

const BrokerTest = Broker.Broker.layerMemory({ deposits: [deposit], transfers: [] })

it.effect("tells a deposit that nobody swept", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(noon + 30 * HOUR)
    const report = yield* BrokerReconciliation.run({
      range: { from: noon - HOUR, to: noon + HOUR },
      accounts: { list: ["sub00001"], complete: true }
    })
    assert.deepStrictEqual(report.outcomes.map(({ code }) => code), ["missing-transfer"])
  }).pipe(Effect.provide(BrokerTest)))
