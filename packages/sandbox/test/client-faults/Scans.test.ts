/**
 * Both histories through the real client, its rate limit, retries and clock, under thousands of seeded fault schedules.
 * Every record exactly once under complete coverage, or the gap named; no request too many, and an end in bounded time.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Conventions from "@tallystick/core/Conventions"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as InProcess from "../broker.ts"
import * as History from "../paging/history.ts"
import { judge } from "../paging/judge.ts"
import * as Schedule from "./schedule.ts"
import { NOW, passing, reproducible, seeds } from "./support.ts"

const TICK = 1000

/** As in the paging simulation, in seconds: a clock may be off by less than one without anybody noticing. */
const usual = Conventions.make({
  depositPage: { default: 3, maximum: 5 },
  transferPage: { default: 4, maximum: 4 },
  sliceLength: 20 * TICK,
  settle: 5 * TICK
})

/** What no spelling changes. */
const depositIdentity = ({ address, amount, coin, insertTime, network, txId }: SubAccountDeposit): string =>
  JSON.stringify([coin, network, txId, address, Amount.canonical(amount), insertTime])

/** The most requests that the server saw within a second. */
const densest = (times: ReadonlyArray<number>): number =>
  times.reduce((most, at, index) => {
    const before = times.slice(0, index).filter((earlier) => earlier > at - 1000).length
    return Math.max(most, before + 1)
  }, 0)

const simulate = Effect.fnUntraced(function*(seed: number) {
  yield* TestClock.setTime(NOW)
  const next = History.random(seed)
  const faults = Schedule.make(next, seed)
  const serverNow = NOW + (faults.clock?.offset ?? 0)
  const ticks = 60 + Math.floor(next() * 60)
  const forgets = next() < 0.15
  const conventions = {
    ...usual,
    depositHistory: forgets ? (40 + Math.floor(next() * 60)) * TICK : usual.depositHistory
  }
  const range = { from: serverNow - ticks * TICK, to: serverNow + (next() < 0.5 ? 0 : 30 * TICK) }
  const shape = () => ({
    from: -ticks - 10,
    to: 30,
    count: Math.floor(next() ** 2 * 50),
    twins: next() < 0.3 ? 0.2 : 0,
    burst: 0
  })
  const deposits = History.deposits(next, shape()).map((deposit) =>
    Object.assign(deposit, { insertTime: serverNow + deposit.insertTime * TICK })
  )
  const transfers = History.transfers(next, shape()).map((transfer) =>
    Object.assign(transfer, { timestamp: serverNow + transfer.timestamp * TICK })
  )
  const exchange = yield* Exchange.Exchange.make({
    credentials: InProcess.credentials,
    conventions,
    deposits,
    transfers,
    faults,
    rules: { rate: { limit: InProcess.RATE, window: 1000, patience: 0, ban: 3600 }, remembered: 10_000 }
  })
  const scans = Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const query = { fromAccount: "sub00001", fromAccountType: "SPOT", toAccountType: "SPOT" }
    return yield* Effect.all({
      deposits: Effect.result(Stream.runCollect(broker.scanSubAccountDeposits(range))),
      transfers: Effect.result(Stream.runCollect(broker.scanUniversalTransfers({ ...range, ...query })))
    }, { concurrency: 2 })
  })
  const scanned = yield* passing(
    scans.pipe(Effect.provide(InProcess.patient(exchange, { conventions })))
  )
  const requests = yield* exchange.requests
  assert.isAtMost(densest(requests.map(({ at }) => at)), InProcess.RATE, "too many requests in a second")
  return {
    judged: [
      ...Result.isSuccess(scanned.deposits)
        ? [judge(scanned.deposits.success, deposits, range, ({ insertTime }) => insertTime, depositIdentity)]
        : [],
      ...Result.isSuccess(scanned.transfers)
        ? [judge(scanned.transfers.success, transfers, range, ({ timestamp }) => timestamp, ({ tranId }) => tranId)]
        : []
    ],
    failures: [
      ...Result.isFailure(scanned.deposits) ? [scanned.deposits.failure] : [],
      ...Result.isFailure(scanned.transfers) ? [scanned.transfers.failure] : []
    ],
    requests: requests.length
  }
})

/** Ends of a whole scan that a fault may force. */
const mayEndAScan: ReadonlyArray<BrokerError.Reason["_tag"]> = ["ClockSkew"]

describe("under every fault", () => {
  const name = "a scan delivers every record exactly once, or names the gap"
  it.effect(
    name,
    Effect.fnUntraced(function*() {
      const all = seeds(150)
      const total = { proven: 0, settled: 0, scans: 0, failed: 0, requests: 0 }
      for (const seed of all) {
        const { failures, judged, requests } = yield* simulate(seed).pipe(reproducible(name, seed))
        for (const { reason } of failures) assert.include(mayEndAScan, reason._tag, `seed ${seed}: ${reason.message}`)
        for (const { proven, settled } of judged) {
          total.proven += proven
          total.settled += settled
        }
        total.scans += judged.length + failures.length
        total.failed += failures.length
        total.requests += requests
      }
      const share = total.proven / total.settled
      if (process.env["TALLYSTICK_SEEDS"] !== undefined) {
        process.stdout.write(
          `${all.length} fault schedules: ${(100 * share).toFixed(1)} % of settled time proven, ${total.failed} of ` +
            `${total.scans} scans ended by a typed error, ${total.requests} requests\n`
        )
      }
      if (all.length > 1) {
        assert.isAtLeast(share, 0.5)
        assert.isAtMost(total.failed / total.scans, 0.05)
      }
    }),
    3_600_000
  )
})
