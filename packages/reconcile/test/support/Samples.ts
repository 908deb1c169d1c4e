/** Input for every code. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../../src/Outcome.ts"
import * as Run from "./Run.ts"

const { deposit, transfer } = Run

/** Everything read up to `minutes` after T0, and nothing known beyond. */
export const readUntil = (minutes: number): ReadonlyArray<Coverage.Coverage> =>
  Run.complete.map((coverage) =>
    Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
  )

/** For every code an input that ends in it. */
export const samples: Readonly<Record<Outcome.Code, Run.Input>> = {
  linked: {
    deposits: [deposit("d1", 0)],
    transfers: [transfer("t1", 900)],
    policy: { links: [{ deposits: ["d1"], transfers: ["t1"] }] }
  },
  reference: {
    deposits: [deposit("d1", 0, { reference: "x" })],
    transfers: [transfer("t1", 5, { reference: "x" })]
  },
  exact: { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5)] },
  tolerant: {
    deposits: [deposit("d1", 0)],
    transfers: [transfer("t1", 5, { amount: "1.01" })],
    policy: { tolerance: { absolute: "0.01" } }
  },
  fee: {
    deposits: [deposit("d1", 0)],
    transfers: [transfer("t1", 5, { amount: "0.9" })],
    policy: { fees: [{ flat: "0.1" }] }
  },
  grouped: {
    deposits: [deposit("d1", 0), deposit("d2", 1, { amount: "2" })],
    transfers: [transfer("t1", 10, { amount: "3" })]
  },
  "class-balanced": {
    deposits: [deposit("d1", 0), deposit("d2", 1)],
    transfers: [transfer("t1", 10), transfer("t2", 11)]
  },
  "missing-transfer": { deposits: [deposit("d1", 0)] },
  "missing-deposit": { transfers: [transfer("t1", 0)] },
  "amount-mismatch": {
    deposits: [deposit("d1", 0, { account: "a" })],
    transfers: [transfer("t1", 5, { account: "a", amount: "1.01" })]
  },
  late: { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 61)] },
  early: { deposits: [deposit("d1", 0)], transfers: [transfer("t1", -2)] },
  "class-short": {
    deposits: [deposit("d1", 0), deposit("d2", 1), deposit("d3", 2)],
    transfers: [transfer("t1", 10), transfer("t2", 11)]
  },
  ambiguous: { deposits: [deposit("d1", 0), deposit("d2", 3)], transfers: [transfer("t1", 100)] },
  "split-incomplete": {
    deposits: [deposit("d1", 0, { amount: "5" })],
    transfers: [transfer("t1", 5, { amount: "1" }), transfer("t2", 6, { amount: "2" })],
    policy: { grouping: { manyToOne: true, oneToMany: true } }
  },
  "split-ambiguous": {
    deposits: ["1", "2", "3", "4"].map((amount, index) => deposit(`d${index}`, index, { amount })),
    transfers: [transfer("t1", 10, { amount: "5" })],
    policy: { grouping: { manyToOne: true, oneToMany: true } }
  },
  "search-exhausted": {
    deposits: Array.from({ length: 800 }, (_, index) => deposit(`d${index}`, 0, { amount: `10.${1000 + index}` })),
    transfers: Array.from({ length: 800 }, (_, index) => transfer(`t${index}`, 1, { amount: `10.${2000 + index}` })),
    policy: { tolerance: { absolute: "1" } }
  },
  "failed-attempt": { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { status: "failed" })] },
  "wrong-direction": { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { from: "master", to: "a" })] },
  "account-mismatch": {
    deposits: [deposit("d1", 0, { account: "a" })],
    transfers: [transfer("t1", 5, { account: "b" })]
  },
  reversed: {
    transfers: [transfer("t1", 0, { from: "a", to: "master" }), transfer("t2", 5, { from: "master", to: "a" })]
  },
  "duplicate-suspect": { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 1), transfer("t2", 30)] },
  "source-conflict": { deposits: [deposit("d1", 0), deposit("d1", 0, { amount: "2" })] },
  vanished: { deposits: [deposit("d1", 0, { past: { statuses: [], vanishedAt: Run.T0 + Run.DAY } })] },
  "status-regressed": {
    deposits: [deposit("d1", 0, { status: "pending", past: { statuses: [{ status: "settled", seenAt: Run.T0 }] } })]
  },
  "asset-mismatch": {
    deposits: [deposit("d1", 0, { asset: "USDT" })],
    transfers: [transfer("t1", 5, { asset: "USDT-TRX" })]
  },
  "in-flight": { deposits: [deposit("d1", 0)], coverage: readUntil(60) },
  unconfirmed: { deposits: [deposit("d1", 0, { status: "pending" })] },
  "unknown-status": { deposits: [deposit("d1", 0, { status: "unknown" })] },
  "coverage-gap": { deposits: [deposit("d1", 0)], coverage: [] },
  excluded: { deposits: [deposit("d1", 0)], policy: { exclude: [{ id: "d1" }] } },
  "bad-record": { deposits: [deposit("d1", 0, { amount: "0" })] },
  "not-settled": { transfers: [transfer("t1", 0, { status: "failed" })] },
  "out-of-flow": { transfers: [transfer("t1", 0, { from: "master", to: "a" })] }
}
