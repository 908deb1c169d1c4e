/** However the service is read, the report is the same: the real client against the sandbox, in process. */
import { assert, it } from "@effect/vitest"
import * as Conventions from "@tallystick/core/Conventions"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as History from "@tallystick/sandbox/History"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const NOW = 1_790_000_000_000
const HOUR = 3_600_000

const history = History.generate({
  to: NOW,
  seed: 11,
  deposits: 150,
  subAccounts: 3,
  breaks: 30,
  sweeps: 3,
  splits: 3
})

interface Reading {
  readonly page: number
  readonly hours: number
  readonly concurrency: number
  readonly order: NonNullable<Faults.Faults["order"]>
}

/** The report of the whole history, read in pages of so many records and slices of so many hours. */
const report = Effect.fnUntraced(function*({ concurrency, hours, order, page }: Reading) {
  yield* TestClock.setTime(NOW)
  const conventions = Conventions.make({
    depositPage: { default: page, maximum: page },
    transferPage: { default: page, maximum: page },
    sliceLength: hours * HOUR
  })
  return yield* BrokerReconciliation.run({
    range: { from: NOW - 71 * HOUR, to: NOW },
    accounts: { list: history.subAccounts, complete: true },
    addresses: history.addressBook
  }).pipe(
    Effect.provide(
      Layer.provide(
        Sandbox.Sandbox.layerBroker({ concurrency, retries: 0 }),
        Sandbox.Sandbox.layerInProcess({ history, conventions, rules: { rate: null }, faults: { order } })
      )
    )
  )
})

it.effect.each<Reading>([
  { page: 7, hours: 24, concurrency: 1, order: "oldest-first" },
  { page: 50, hours: 5, concurrency: 4, order: "newest-first" },
  { page: 3, hours: 72, concurrency: 8, order: "newest-first" },
  { page: 1000, hours: 1, concurrency: 3, order: "oldest-first" }
])("the report is that of one page a slice: $page records, $hours hours, $order", (reading) =>
  Effect.gen(function*() {
    const usual = yield* report({ page: 1000, hours: 24, concurrency: 1, order: "oldest-first" })
    const codes = new Set(usual.outcomes.map(({ code }) => code))
    assert.isAbove(codes.size, 12)
    assert.isFalse(codes.has("coverage-gap"))
    assert.deepStrictEqual(yield* report(reading), usual)
  }))
