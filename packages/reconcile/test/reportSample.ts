/** A run in which most things happen, for the tests of the report and its renderers. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"

export const START = Date.UTC(2026, 10, 19)
const MINUTE = 60_000
export const HOUR = 60 * MINUTE
const END = START + 24 * HOUR

export const entry = (
  side: Entry.Side,
  id: string,
  amount: string,
  at: number,
  more: Partial<Entry.Entry> = {}
): Entry.Entry => ({ side, id, asset: "USDT", amount, at: START + at, status: "settled", account: "sub00001", ...more })

const deposits = [
  entry("deposit", "d-exact", "100.10", HOUR),
  entry("deposit", "d-missing", "12.345678901234567890123456789", 2 * HOUR),
  entry("deposit", "d-off", "500", 3 * HOUR),
  entry("deposit", "d-fee", "1", 3 * HOUR, { asset: "BTC" }),
  ...[0, 1, 2].map((n) => entry("deposit", `d-class-${n}`, "7", 5 * HOUR + n * MINUTE)),
  entry("deposit", "d-pending", "3", 6 * HOUR, { status: "pending" }),
  entry("deposit", "d-flight", "4", 24 * HOUR - MINUTE),
  entry("deposit", "d-alias", "9.5", 9 * HOUR, { asset: "USDT-TRX" })
]

const transfers = [
  entry("transfer", "t-exact", "100.1", HOUR + 5 * MINUTE),
  entry("transfer", "t-off", "470", 3 * HOUR + MINUTE),
  entry("transfer", "t-fee", "0.999", 3 * HOUR + MINUTE, { asset: "BTC" }),
  ...[0, 1].map((n) => entry("transfer", `t-class-${n}`, "7.0", 5 * HOUR + (10 + n) * MINUTE)),
  entry("transfer", "t-orphan", "88", 12 * HOUR),
  entry("transfer", "t-failed", "66", 13 * HOUR, { status: "failed" }),
  entry("transfer", "t-alias", "9.5", 9 * HOUR + MINUTE)
]

const covered = (operation: Coverage.Coverage["operation"], from: number, to: number): Coverage.Coverage => ({
  operation,
  from: START + from,
  to: START + to,
  readAt: END,
  state: "complete"
})

const coverage: ReadonlyArray<Coverage.Coverage> = [
  covered("deposits", -2 * HOUR, 24 * HOUR),
  covered("transfers", -2 * HOUR, 24 * HOUR)
]

const policy = Effect.runSync(Policy.make({
  assets: { aliases: [["USDT", "USDT-TRX"]] },
  fees: [{ asset: "BTC", flat: "0.001" }]
}))

export const accounts = { list: ["sub00001", "sub00002"], complete: true }

/** The whole run. */
export const report = (): Report.Report => {
  const bad = [{
    side: "deposit" as const,
    source: "deposits.csv, line 12",
    path: "amount",
    reason: "a plain decimal was wanted",
    raw: "x,USDT,1e3"
  }]
  const input = { deposits, transfers, bad, coverage, policy, accounts }
  return Report.make({ ...input, ...Matching.match(input), range: { from: START, to: END } })
}
