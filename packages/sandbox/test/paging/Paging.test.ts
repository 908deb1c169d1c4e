/**
 * Paging against servers that break every promise a list could make. For each, thousands of seeds in the long run: every
 * record exactly once under complete coverage, or the gap named. Never a quiet loss, never an invention; and no server without
 * a habit is ever taken for one that has one.
 *
 * A failing seed is reproduced by `TALLYSTICK_SEED=<seed> npx --yes pnpm@12 test -t "<server>"`.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Conventions from "@tallystick/core/Conventions"
import type * as Slice from "@tallystick/core/Slice"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as InProcess from "../broker.ts"
import * as History from "./history.ts"
import { judge } from "./judge.ts"
import { type Case, servers, SETTLE } from "./servers.ts"

const NOW = 1_700_000_000_000
const only = process.env["TALLYSTICK_SEED"]
/** The long run shares the seeds out among several runs. */
const first = Number(process.env["TALLYSTICK_FIRST_SEED"] ?? 0)
const seeds = only === undefined
  ? Array.from({ length: Number(process.env["TALLYSTICK_SEEDS"] ?? 150) }, (_, index) => first + index)
  : [Number(only)]

/** Pages and slices so short that a few dozen records fill many of them. */
const conventions = (unit: number) =>
  Conventions.make({
    depositPage: { default: 3, maximum: 5 },
    transferPage: { default: 4, maximum: 4 },
    sliceLength: 20 * unit,
    settle: SETTLE * unit
  })

const collect = <Record, E>(slices: Stream.Stream<Slice.Slice<Record>, E>) => Stream.runCollect(slices)

const simulate = Effect.fnUntraced(function*(server: Case, seed: number) {
  yield* TestClock.setTime(NOW)
  const next = History.random(seed)
  const { burst = 0, full = false, twins = 0, unit = 1 } = server
  const usual = conventions(unit)
  const range = { from: NOW - (60 + Math.floor(next() * 60)) * unit, to: NOW + (next() < 0.5 ? 0 : 3) }
  const shape = (page: number): History.Shape => ({
    from: range.from - 10 * unit,
    to: NOW + 1,
    count: full ? page * Math.floor(next() * 8) : Math.floor(next() ** 2 * 60),
    twins,
    burst
  })
  const rules = {
    ...usual,
    depositHistory: server.history ?? usual.depositHistory,
    sliceLength: full ? 1000 : usual.sliceLength
  }
  const deposits = History.deposits(next, shape(rules.depositPage.maximum))
  const transfers = History.transfers(next, shape(rules.transferPage.maximum))
  const exchange = yield* Exchange.Exchange.make({
    credentials: InProcess.credentials,
    conventions: rules,
    deposits,
    transfers,
    faults: { seed, ...server.faults(next) },
    rules: { rate: null, remembered: 1 }
  })
  return yield* Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const depositSlices = yield* collect(broker.scanSubAccountDeposits(range))
    const transferSlices = yield* collect(
      broker.scanUniversalTransfers({
        ...range,
        fromAccount: "sub00001",
        fromAccountType: "SPOT",
        toAccountType: "SPOT"
      })
    )
    const { deposits: depositLists, transfers: transferLists } = yield* broker.learnt
    if (server.isHonest === true) {
      assert.isTrue(depositLists?.believed ?? true, "its lists of deposits are not believed")
      assert.isTrue(transferLists?.believed ?? true, "its lists of transfers are not believed")
    }
    return [
      judge(depositSlices, deposits, range, ({ insertTime }) => insertTime, SubAccountDeposit.identity),
      judge(transferSlices, transfers, range, ({ timestamp }) => timestamp, ({ tranId }) => tranId)
    ]
  }).pipe(Effect.provide(InProcess.unhurt(exchange, rules)))
})

describe("a scan delivers every record exactly once, or names the gap", () => {
  for (const [name, server] of Object.entries(servers)) {
    it.effect(
      name,
      Effect.fnUntraced(function*() {
        let proven = 0
        let settled = 0
        for (const seed of seeds) {
          const judged = yield* simulate(server, seed).pipe(
            Effect.catchDefect((defect) =>
              Effect.die(new Error(`TALLYSTICK_SEED=${seed} npx --yes pnpm@12 test -t "${name}"`, { cause: defect }))
            )
          )
          for (const one of judged) {
            proven += one.proven
            settled += one.settled
          }
        }
        const share = settled === 0 ? 1 : proven / settled
        if (process.env["TALLYSTICK_SEEDS"] !== undefined) {
          process.stdout.write(`${name}: ${(100 * share).toFixed(1)} % proven over ${seeds.length} seeds\n`)
        }
        if (only === undefined) assert.isAtLeast(share, server.proven)
      }),
      600_000
    )
  }
})
