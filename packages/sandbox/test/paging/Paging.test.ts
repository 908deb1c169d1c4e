/**
 * Paging against servers that break every promise a list could make. For each, thousands of seeds in the long run: every
 * record exactly once under complete coverage, or the gap named. Never a quiet loss, never an invention.
 *
 * A failing seed is reproduced by `TALLYSTICK_SEED=<seed> npx --yes pnpm@12 test -t "<server>"`.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Conventions from "@tallystick/core/Conventions"
import type * as Slice from "@tallystick/core/Slice"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Exchange from "@tallystick/sandbox/Exchange"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as InProcess from "../broker.ts"
import * as History from "./history.ts"
import { judge } from "./judge.ts"

const NOW = 1_700_000_000_000
const SETTLE = 5
const only = process.env["TALLYSTICK_SEED"]
/** The long run shares the seeds out among several runs. */
const first = Number(process.env["TALLYSTICK_FIRST_SEED"] ?? 0)
const seeds = only === undefined
  ? Array.from({ length: Number(process.env["TALLYSTICK_SEEDS"] ?? 150) }, (_, index) => first + index)
  : [Number(only)]

/** Pages and slices so short that a few dozen records fill many of them. */
const conventions = Conventions.make({
  depositPage: { default: 3, maximum: 5 },
  transferPage: { default: 4, maximum: 4 },
  sliceLength: 20,
  settle: SETTLE
})

interface Case {
  readonly faults: (next: () => number) => Faults.Faults
  readonly twins?: number
  /** Every page is full: the count is a multiple of the page's length. */
  readonly full?: boolean
  /** Deposits older than this are gone, ms. */
  readonly history?: number
  /** The least share of settled time that must be proven complete, so that giving up everywhere is no way to pass. */
  readonly proven: number
}

const cap = (next: () => number) => 2 + Math.floor(next() * 3)

/** A share of the list requests is answered 503. */
const failing = (share: number): NonNullable<Faults.Faults["wire"]> => [
  { kind: "error", operations: ["universalTransfers", "subAccountDeposits"], share }
]

const servers: Readonly<Record<string, Case>> = {
  "an ordinary server": { faults: () => ({}), proven: 0.98 },
  "newest first": { faults: () => ({ order: "newest-first" }), proven: 0.98 },
  "shuffled per request": { faults: () => ({ order: "shuffled" }), proven: 0.8 },
  "ties in any order": { faults: () => ({ looseTies: true }), proven: 0.9 },
  "arrivals while paging": {
    faults: (next) => ({
      order: next() < 0.5 ? "newest-first" : "oldest-first",
      arrivals: { share: 0.5, within: SETTLE, overRequests: 8 }
    }),
    proven: 0.9
  },
  "a capped limit": { faults: (next) => ({ pageCap: cap(next) }), proven: 0.9 },
  "page ignored": { faults: () => ({ ignorePage: true }), proven: 0.8 },
  "a capped limit and page ignored": {
    faults: (next) => ({ pageCap: cap(next), ignorePage: true }),
    proven: 0.5
  },
  "nothing beyond some page": { faults: (next) => ({ lastPage: 1 + Math.floor(next() * 3) }), proven: 0.9 },
  "nothing beyond some page, shuffled": {
    faults: (next) => ({ lastPage: 1 + Math.floor(next() * 3), order: "shuffled" }),
    proven: 0.5
  },
  "capped, ignored and shuffled": {
    faults: (next) => ({ pageCap: cap(next), ignorePage: true, order: "shuffled" }),
    proven: 0.5
  },
  "the last page exactly full": { faults: () => ({}), full: true, proven: 0.98 },
  "totalCount right": { faults: () => ({ totalCount: "right" }), proven: 0.98 },
  "totalCount too small": { faults: () => ({ totalCount: "too-small" }), proven: 0.98 },
  "totalCount too large": { faults: () => ({ totalCount: "too-large" }), proven: 0 },
  "exclusive ends": { faults: () => ({ ends: "exclusive" }), proven: 0.98 },
  "an exclusive start": { faults: () => ({ ends: "start-exclusive" }), proven: 0.98 },
  "twins on a page and across pages": { faults: () => ({ looseTies: true }), twins: 0.5, proven: 0.7 },
  "a record that becomes visible late": {
    faults: (next) => ({
      order: next() < 0.5 ? "newest-first" : "oldest-first",
      lateVisible: { share: 0.3, delay: SETTLE }
    }),
    proven: 0.9
  },
  "a server that forgets": { faults: () => ({}), history: 50, proven: 0.4 },
  "a page that fails": { faults: () => ({ wire: failing(0.05) }), proven: 0.2 },
  "everything at once": {
    faults: (next) => ({
      order: "shuffled",
      looseTies: true,
      pageCap: cap(next),
      ignorePage: next() < 0.5,
      ends: "exclusive",
      wire: failing(0.02),
      arrivals: { share: 0.3, within: SETTLE, overRequests: 8 }
    }),
    twins: 0.2,
    proven: 0
  }
}

const collect = <Record, E>(slices: Stream.Stream<Slice.Slice<Record>, E>) => Stream.runCollect(slices)

const simulate = Effect.fnUntraced(function*(server: Case, seed: number) {
  yield* TestClock.setTime(NOW)
  const next = History.random(seed)
  const range = { from: NOW - 60 - Math.floor(next() * 60), to: NOW + (next() < 0.5 ? 0 : 3) }
  const shape = (page: number): History.Shape => ({
    from: range.from - 10,
    to: NOW + 1,
    count: server.full === true ? page * Math.floor(next() * 8) : Math.floor(next() ** 2 * 60),
    twins: server.twins ?? 0
  })
  const rules = {
    ...conventions,
    depositHistory: server.history ?? conventions.depositHistory,
    sliceLength: server.full === true ? 1000 : conventions.sliceLength
  }
  const deposits = History.deposits(next, shape(conventions.depositPage.maximum))
  const transfers = History.transfers(next, shape(conventions.transferPage.maximum))
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
