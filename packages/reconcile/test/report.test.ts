import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Sample from "./reportSample.ts"

const SCALE = 64
const units = (text: string): bigint =>
  text.startsWith("-") ? -Amount.units(text.slice(1), SCALE) : Amount.units(text, SCALE)

const made = Sample.report()
const total = (asset: string) => {
  const found = made.totals.find((total) => total.asset === asset)
  assert.isDefined(found)
  return found
}
const of = (code: Outcome.Code) => made.outcomes.filter((outcome) => outcome.code === code)

describe("Report", () => {
  it("survives being written as JSON and read again", () => {
    const codec = Schema.fromJsonString(Report.Report)
    const text = Schema.encodeSync(codec)(made)
    assert.deepStrictEqual(Schema.decodeSync(codec)(text), made)
  })

  it("writes what the service's record says once, in the record, and reads it back", () => {
    const deposit: SubAccountDeposit.SubAccountDeposit = {
      amount: "1.50",
      coin: "XRP",
      network: "XRP",
      status: 5,
      address: "rAddress:77",
      txId: "tx:0",
      unlockConfirm: "3",
      confirmTimes: "3",
      insertTime: Sample.START,
      memo: ""
    }
    const { address, memo } = SubAccountDeposit.arrivedAt(deposit)
    const entry = Sample.entry("deposit", "tx:0~0123456789", "1.50", 0, {
      asset: "XRP",
      network: "XRP",
      address,
      memo,
      record: deposit
    })
    const [first, ...rest] = made.outcomes
    assert.isDefined(first)
    const report = { ...made, outcomes: [{ ...first, deposits: [entry] }, ...rest] }
    const written = Schema.encodeSync(Report.Report)(report)
    const [shown] = written.outcomes[0]?.deposits ?? []
    assert.deepStrictEqual(Object.keys(shown ?? {}), ["id", "asset", "amount", "at", "status", "account", "record"])
    assert.deepStrictEqual(Schema.decodeSync(Report.Report)(written), report)
  })

  it("refuses a report of another version", () => {
    const read = Schema.decodeUnknownResult(Report.Report)({ ...made, version: 3 })
    assert.isTrue(Result.isFailure(read))
  })

  it("counts every entry once: in is matched, open, pending, undetermined and set aside", () => {
    for (const { deposits, transfers } of made.totals) {
      for (const { in: all, ...rest } of [deposits, transfers]) {
        const parts = Object.values(rest)
        assert.strictEqual(parts.reduce((sum, { count }) => sum + count, 0), all.count)
        assert.strictEqual(parts.reduce((sum, line) => sum + units(line.sum), 0n), units(all.sum))
      }
    }
  })

  it("sums what came in exactly as the outcomes hold it", () => {
    const group = (asset: string) => (asset === "USDT-TRX" ? "USDT" : asset)
    for (const { asset, deposits, transfers } of made.totals) {
      for (const [side, line] of [["deposits", deposits.in], ["transfers", transfers.in]] as const) {
        const held = made.outcomes.flatMap((outcome) => outcome[side]).filter((entry) => group(entry.asset) === asset)
        assert.strictEqual(line.count, held.length)
        assert.strictEqual(units(line.sum), held.reduce((sum, { amount }) => sum + units(amount), 0n))
      }
    }
  })

  it("lets deposits minus transfers be what is open and what pairs leave as a residual", () => {
    for (const { deposits, net, transfers } of made.totals) {
      const { total, ...parts } = net
      assert.strictEqual(units(total), units(deposits.in.sum) - units(transfers.in.sum))
      assert.strictEqual(units(total), Object.values(parts).reduce((sum, part) => sum + units(part), 0n))
    }
  })

  it("shows a fee as a residual of the match and not as an open amount", () => {
    assert.strictEqual(total("BTC").net.residual, "0.001")
    assert.strictEqual(total("BTC").net.open, "0")
  })

  it("takes the pairs of a class as matched although nobody can say which they are", () => {
    const [short] = of("class-short")
    assert.strictEqual(short?.matchedCount, 2)
    assert.strictEqual(short?.openCount, 1)
    const matched = of("exact").length + 2
    assert.strictEqual(total("USDT").deposits.matched.count, matched)
    assert.strictEqual(total("USDT").transfers.matched.count, matched)
  })

  it("keeps aliased assets on one line and names both", () => {
    assert.deepStrictEqual(total("USDT").assets, ["USDT", "USDT-TRX"])
    assert.deepStrictEqual(made.totals.map(({ asset }) => asset), ["BTC", "USDT"])
  })

  it("leaves what was set aside out of the match rate", () => {
    const { deposits, transfers } = made.matchRate
    const count = (side: "deposits" | "transfers", pick: (line: Report.Total["deposits"]) => number) =>
      made.totals.reduce((sum, total) => sum + pick(total[side]), 0)
    assert.deepStrictEqual(deposits, {
      matched: count("deposits", (side) => side.matched.count),
      of: count("deposits", (side) => side.in.count - side.setAside.count)
    })
    assert.strictEqual(transfers.of, count("transfers", (side) => side.in.count) - 1)
  })

  it("counts each code as often as it occurs", () => {
    for (const { code, deposits, outcome, outcomes } of made.counts) {
      const same = of(code)
      assert.strictEqual(outcomes, same.length)
      assert.strictEqual(deposits, same.flatMap((one) => one.deposits).length)
      assert.isTrue(same.every((one) => one.outcome === outcome))
    }
    assert.strictEqual(made.counts.reduce((sum, { outcomes }) => sum + outcomes, 0), made.outcomes.length)
  })

  it("gives lags that occurred, of stated pairs only", () => {
    const lags = made.outcomes.flatMap(({ lagMs, outcome }) => outcome === "matched" && lagMs !== null ? [lagMs] : [])
    assert.strictEqual(made.lags?.count, lags.length)
    assert.include(lags, made.lags?.p50)
    assert.strictEqual(made.lags?.max, Math.max(...lags))
  })

  it("has the age of every discrepancy at the last reading", () => {
    const open = made.outcomes.filter(({ outcome }) => outcome === "discrepancy")
    assert.strictEqual(made.ageing.reduce((sum, { outcomes }) => sum + outcomes, 0), open.length)
    assert.strictEqual(made.asOf, Sample.START + 24 * Sample.HOUR)
    const [missing] = of("missing-transfer")
    const age = made.ageing.find(({ from, to }) => from === 6 * Sample.HOUR && to === 24 * Sample.HOUR)
    assert.isDefined(missing)
    assert.isAtLeast(age?.outcomes ?? 0, 1)
  })

  it("is not clean with a discrepancy, with something undetermined, or with a bad record alone", () => {
    const only = (keep: (outcome: Outcome.Outcome) => boolean) =>
      Report.make({
        ...made,
        accounts: Sample.accounts,
        addresses: [],
        range: undefined,
        outcomes: made.outcomes.filter(keep)
      }).clean
    assert.isFalse(only(({ outcome }) => outcome === "discrepancy"))
    assert.isFalse(only(({ code }) => code === "bad-record"))
    assert.isTrue(only(({ outcome }) => outcome === "matched" || outcome === "pending"))
    assert.isTrue(only(({ code }) => code === "not-settled"))
    const { deposits: [deposit] } = of("missing-transfer")[0] ?? { deposits: [] }
    assert.isDefined(deposit)
    const { outcomes: unknown } = Matching.match({
      deposits: deposit === undefined ? [] : [{ ...deposit, status: "unknown" }],
      transfers: [],
      bad: [],
      coverage: made.coverage,
      policy: made.policy,
      accounts: Sample.accounts
    })
    assert.deepStrictEqual(unknown.map(({ code, outcome }) => [code, outcome]), [["unknown-status", "undetermined"]])
    assert.isFalse(
      Report.make({ ...made, accounts: Sample.accounts, addresses: [], range: undefined, outcomes: unknown }).clean
    )
  })

  it("says what is in scope, and from when a lag counts", () => {
    assert.match(made.meaning, /^Transfers from 2 sub-accounts to master\. /)
    assert.include(made.meaning, "The list of sub-accounts was confirmed complete.")
    assert.include(made.meaning, "or from when it was first seen settled, where an archive knows that.")
  })

  it("tells two lists of accounts apart by their digest, whatever their order", () => {
    const digest = (list: ReadonlyArray<string>) =>
      Report.make({ ...made, addresses: [], range: undefined, accounts: { list, complete: false } }).accounts.digest
    assert.strictEqual(digest(["a", "b"]), digest(["b", "a"]))
    assert.notStrictEqual(digest(["a", "b"]), digest(["ab"]))
  })

  it.prop("writes any outcome as its schema does, its fields and those of its entries in the same order", [
    Outcome.Outcome
  ], ([outcome]) => {
    const written = JSON.parse(JSON.stringify(Report.written(outcome)))
    const encoded = JSON.parse(JSON.stringify(Schema.encodeSync(Report.ReportOutcome)(outcome)))
    const fields = ({ deposits, transfers, ...rest }: typeof Report.ReportOutcome.Encoded) =>
      [rest, ...deposits, ...transfers].map((one) => Object.keys(one))
    assert.deepStrictEqual(written, encoded)
    assert.deepStrictEqual(fields(written), fields(encoded))
  })
})
