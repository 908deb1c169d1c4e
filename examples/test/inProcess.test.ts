import { assert, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

const HOUR = 3_600_000
const now = 1_790_000_000_000

const ExchangeTest = Sandbox.Sandbox.layerBroker({ retries: 2 }).pipe(
  Layer.provideMerge(Sandbox.Sandbox.layerInProcess({
    history: { seed: 7, deposits: 300, to: now },
    faults: { wire: [{ kind: "error", operations: ["subAccountDeposits"], requests: [2] }] }
  }))
)

/** Lets time pass in steps until the work is done: a step does not wait for work that needs time of the machine. */
const finished = <A, E>(work: Fiber.Fiber<A, E>) =>
  TestClock.adjust("1 second").pipe(
    Effect.repeat({ until: () => work.pollUnsafe() !== undefined }),
    Effect.andThen(Fiber.join(work))
  )

it.effect("reads every deposit although the exchange fails in between", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const broker = yield* Broker.Broker
    const { exchange, history } = yield* Sandbox.Sandbox
    const range = { from: now - 48 * HOUR, to: now - HOUR }
    const reading = yield* Effect.forkChild(Stream.runCollect(broker.streamSubAccountDeposits(range)))
    // The client waits for its next attempt, and the test does not.
    yield* TestClock.adjust("1 minute")
    const read = yield* Fiber.join(reading)
    const made = history.deposits.filter(({ insertTime }) => insertTime >= range.from && insertTime < range.to)
    assert.sameMembers(read.map(({ txId }) => txId), made.map(({ txId }) => txId))
    assert.strictEqual((yield* exchange.requests).filter(({ status }) => status !== 200).length, 1)
  }).pipe(Effect.provide(ExchangeTest)))

it.effect("fails where the exchange stays down, and says how often it asked", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const broker = yield* Broker.Broker
    const { exchange } = yield* Sandbox.Sandbox
    yield* exchange.setFaults({ wire: [{ kind: "error", status: 503 }] })
    const asking = yield* Effect.forkChild(Effect.flip(broker.subAccountDeposits()))
    yield* TestClock.adjust("5 minutes")
    const { category, message } = yield* Fiber.join(asking)
    assert.strictEqual(category, "transient")
    assert.include(message, "3 attempts")
  }).pipe(Effect.provide(ExchangeTest)))

it.effect("tells each deposit of some hours once, however many requests that takes", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const { history } = yield* Sandbox.Sandbox
    const range = { from: now - 40 * HOUR, to: now - 10 * HOUR }
    const isInside = (time: number) => time >= range.from && time < range.to
    const running = yield* Effect.forkChild(BrokerReconciliation.run({
      range,
      accounts: { list: history.subAccounts, complete: true },
      addresses: history.addressBook
    }))
    const { outcomes } = yield* finished(running)
    const told = outcomes.flatMap(({ deposits }) => deposits).filter(({ at }) => isInside(at))
    assert.strictEqual(told.length, history.deposits.filter(({ insertTime }) => isInside(insertTime)).length)
  }).pipe(Effect.provide(ExchangeTest)))
