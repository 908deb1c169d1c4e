import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as LookAlike from "../src/internal/engine/ledger/LookAlike.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Policies from "../src/Policy.ts"
import * as Report from "../src/Report.ts"
import * as Run from "./support/WordsOnly.ts"

const { deposit, outcomes, transfer } = Run

const find = (input: Run.Input, code: Outcome.Code): Outcome.Outcome => {
  const found = Run.match(input).outcomes.find((outcome) => outcome.code === code)
  assert.isDefined(found)
  return found
}

const until = (minutes: number): ReadonlyArray<Coverage.Coverage> =>
  Run.complete.map((coverage) =>
    Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
  )

const sweep = { from: "a", to: "master" }
const back = { from: "master", to: "a" }

describe("reversed", () => {
  it("a transfer out of master cancels the earlier one of equal amount; both are one outcome, and the deposit is missing", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, sweep), transfer("t2", 9, back)]
    }
    assert.deepStrictEqual(outcomes(input), ["missing-transfer d1", "reversed t1 t2"])
    const reversed = find(input, "reversed")
    assert.include(reversed, { outcome: "discrepancy", final: true, lagMs: null, residual: null })
    assert.strictEqual(
      reversed.explanation,
      "1 BTC was moved from a to master on 15 Jan 2027 08:05 UTC and moved back with transfer t2 4 min later."
    )
    assert.deepStrictEqual(find(input, "missing-transfer").candidates, [
      { side: "transfer", id: "t1", reason: "It is equal, but was moved back." }
    ])
  })

  it("moved again after that, the deposit has its transfer", () => {
    const transfers = [transfer("t1", 5, sweep), transfer("t2", 9, back), transfer("t3", 12, sweep)]
    assert.deepStrictEqual(outcomes({ deposits: [deposit("d1", 0)], transfers }), ["exact d1 t3", "reversed t1 t2"])
  })

  it("several are taken like brackets: each cancels the latest earlier one that is not cancelled yet", () => {
    const transfers = [
      transfer("t1", 1, sweep),
      transfer("t2", 2, sweep),
      transfer("b1", 3, back),
      transfer("t3", 4, sweep),
      transfer("b2", 5, back),
      transfer("b3", 6, back),
      transfer("b4", 7, back)
    ]
    assert.deepStrictEqual(outcomes({ transfers }), [
      "out-of-flow b4",
      "reversed t1 b3",
      "reversed t2 b1",
      "reversed t3 b2"
    ])
  })

  it("is said only of what is earlier, of equal amount, of the same account and types, and within after and late", () => {
    const pair = (first: Parameters<typeof transfer>, second: Parameters<typeof transfer>): ReadonlyArray<string> =>
      outcomes({ transfers: [transfer(...first), transfer(...second)], policy: { late: "1 hour" } })
    const apart = ["missing-deposit t1", "out-of-flow t2"]
    assert.deepStrictEqual(pair(["t1", 0, sweep], ["t2", 120, back]), ["reversed t1 t2"])
    assert.deepStrictEqual(pair(["t1", 0, sweep], ["t2", 121, back]), apart)
    assert.deepStrictEqual(pair(["t1", 0, sweep], ["t2", 0, back]), apart)
    assert.deepStrictEqual(pair(["t1", 0, sweep], ["t2", 1, { ...back, amount: "2" }]), apart)
    assert.deepStrictEqual(pair(["t1", 0, sweep], ["t2", 1, { ...back, to: "b" }]), apart)
    const types = { fromType: "SPOT", toType: "FUTURES" }
    assert.deepStrictEqual(pair(["t1", 0, { ...sweep, ...types }], ["t2", 1, { ...back, ...types }]), apart)
    assert.deepStrictEqual(
      pair(["t1", 0, { ...sweep, ...types }], ["t2", 1, { ...back, fromType: "FUTURE", toType: "SPOT" }]),
      ["reversed t1 t2"]
    )
    assert.deepStrictEqual(pair(["t1", 0, { ...sweep, ...types }], ["t2", 1, back]), ["reversed t1 t2"])
  })

  it("a link has the first say", () => {
    const policy: Policy.Policy = { links: [{ deposits: ["d1"], transfers: ["t1"] }] }
    const transfers = [transfer("t1", 5, sweep), transfer("t2", 9, back)]
    assert.deepStrictEqual(outcomes({ deposits: [deposit("d1", 0)], transfers, policy }), [
      "linked d1 t1",
      "out-of-flow t2"
    ])
  })

  it("is not final when the time between the two was not read completely, and what the first could be for waits", () => {
    const [deposits, transfers] = Run.complete
    const part = (from: number, to: number): Coverage.Coverage => ({
      ...transfers!,
      from: Run.T0 + from * Run.MINUTE,
      to: Run.T0 + to * Run.MINUTE
    })
    const input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, sweep), transfer("t2", 90, back)],
      coverage: [deposits!, part(-2000, 70), part(80, 9000)]
    }
    assert.deepStrictEqual(outcomes(input), ["coverage-gap d1", "reversed t1 t2"])
    assert.isFalse(find(input, "reversed").final)
  })

  it("keeps what went out of master from being final while a transfer that it may cancel was not read", () => {
    const [deposits, transfers] = Run.complete
    const before: Coverage.Coverage = { ...transfers!, to: Run.T0 - 20 * Run.MINUTE }
    const after: Coverage.Coverage = { ...transfers!, from: Run.T0 - 10 * Run.MINUTE }
    const input = { transfers: [transfer("t1", 5, back)] }
    assert.isTrue(find({ ...input, coverage: [deposits!, transfers!] }, "out-of-flow").final)
    assert.isFalse(find({ ...input, coverage: [deposits!, before, after] }, "out-of-flow").final)
  })

  it("keeps a match from being final until it could no longer be moved back, where anybody reads the way back", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, sweep)],
      policy: { late: "1 hour" }
    }
    const final = (coverage: ReadonlyArray<Coverage.Coverage>): boolean => find({ ...input, coverage }, "exact").final
    assert.isFalse(final(until(125)))
    assert.isTrue(final(until(126)))
    const [deposits] = Run.complete
    const forth: Coverage.Coverage = {
      operation: "transfers",
      query: { fromAccount: "a", fromAccountType: "SPOT", toAccountType: "SPOT" },
      from: 0,
      to: Run.T0 + 70 * Run.MINUTE,
      readAt: Run.T0 + 70 * Run.MINUTE,
      state: "complete"
    }
    const accounts = { list: ["a"], complete: true }
    assert.isTrue(find({ ...input, accounts, coverage: [deposits!, forth] }, "exact").final)
  })
})

describe("wrong-direction", () => {
  it("a transfer against the flow with a lone equal deposit is one outcome with it", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0, { account: "a" })], transfers: [transfer("t1", 5, back)] }
    assert.deepStrictEqual(outcomes(input), ["wrong-direction d1 t1"])
    const found = find(input, "wrong-direction")
    assert.include(found, { outcome: "discrepancy", final: true, lagMs: 300_000, residual: "0" })
    assert.strictEqual(
      found.explanation,
      "1 BTC arrived in a on 15 Jan 2027 08:00 UTC, but the same amount was moved in the wrong direction from master to a 5 min later. Nothing else in the window fits."
    )
  })

  it("is named by the late transfer that it leaves without its deposit", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, back), transfer("t2", 90)] }
    assert.deepStrictEqual(outcomes(input), ["missing-deposit t2", "wrong-direction d1 t1"])
    assert.deepStrictEqual(find(input, "missing-deposit").candidates, [{
      side: "deposit",
      id: "d1",
      reason: "It is equal and near enough to be late or early, but belongs to another break."
    }])
  })

  it("is not said when either has another candidate, nor outside the window, nor of another account", () => {
    const of = (deposits: Run.Input["deposits"], transfers: Run.Input["transfers"]): ReadonlyArray<string> =>
      outcomes({ deposits: deposits ?? [], transfers: transfers ?? [] })
    assert.deepStrictEqual(of([deposit("d1", 0)], [transfer("t1", 5, back), transfer("t2", 6, back)]), [
      "missing-transfer d1",
      "out-of-flow t1",
      "out-of-flow t2"
    ])
    assert.deepStrictEqual(of([deposit("d1", 0), deposit("d2", 1)], [transfer("t1", 5, back)]), [
      "missing-transfer d1",
      "missing-transfer d2",
      "out-of-flow t1"
    ])
    assert.deepStrictEqual(of([deposit("d1", 0)], [transfer("t1", 61, back)]), [
      "missing-transfer d1",
      "out-of-flow t1"
    ])
    assert.deepStrictEqual(of([deposit("d1", 0, { account: "b" })], [transfer("t1", 5, back)]), [
      "missing-transfer d1",
      "out-of-flow t1"
    ])
  })

  it("is not said while a window is open, and out-of-flow is not final before", () => {
    const input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, back)], coverage: until(30) }
    assert.deepStrictEqual(outcomes(input), ["in-flight d1", "out-of-flow t1"])
    assert.isFalse(find(input, "out-of-flow").final)
  })
})

describe("account-mismatch", () => {
  const [a, b] = [{ account: "a" }, { account: "b" }]

  it("equal entries in the window whose known accounts differ are one outcome when alone", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0, a)], transfers: [transfer("t1", 5, b)] }
    assert.deepStrictEqual(outcomes(input), ["account-mismatch d1 t1"])
    const found = find(input, "account-mismatch")
    assert.include(found, { outcome: "discrepancy", final: true, lagMs: 300_000, residual: "0" })
    assert.strictEqual(
      found.explanation,
      "1 BTC arrived in a on 15 Jan 2027 08:00 UTC, but the same amount was moved for b 5 min later. The accounts differ. Nothing else in the window fits."
    )
  })

  it("is named by the late transfer that it leaves without its deposit, and by the deposit of its transfer", () => {
    const input: Run.Input = {
      deposits: [deposit("d0", -90, b), deposit("d1", 0, a)],
      transfers: [transfer("t1", 5, b), transfer("t2", 90, a)]
    }
    assert.deepStrictEqual(outcomes(input), ["account-mismatch d1 t1", "missing-deposit t2", "missing-transfer d0"])
    const reason = "It is equal and near enough to be late or early, but belongs to another break."
    assert.deepStrictEqual(find(input, "missing-deposit").candidates, [{ side: "deposit", id: "d1", reason }])
    assert.deepStrictEqual(find(input, "missing-transfer").candidates, [{ side: "transfer", id: "t1", reason }])
  })

  it("goes before late, and is not said when either has another candidate or the pair is forbidden", () => {
    const d1 = deposit("d1", 0, a)
    assert.deepStrictEqual(outcomes({ deposits: [d1], transfers: [transfer("t1", 5, b), transfer("t2", 90, a)] }), [
      "account-mismatch d1 t1",
      "missing-deposit t2"
    ])
    assert.deepStrictEqual(outcomes({ deposits: [d1], transfers: [transfer("t1", 5, b), transfer("t2", 6, b)] }), [
      "missing-deposit t1",
      "missing-deposit t2",
      "missing-transfer d1"
    ])
    const forbid = [{ deposit: "d1", transfer: "t1" }]
    assert.deepStrictEqual(outcomes({ deposits: [d1], transfers: [transfer("t1", 5, b)], policy: { forbid } }), [
      "missing-deposit t1",
      "missing-transfer d1"
    ])
  })

  it("is not said before both windows are read, but each is named to the other", () => {
    const input = { deposits: [deposit("d1", 0, a)], transfers: [transfer("t1", 5, b)], coverage: until(30) }
    assert.deepStrictEqual(outcomes(input), ["in-flight d1", "in-flight t1"])
    assert.deepStrictEqual(find(input, "in-flight").candidates, [
      { side: "transfer", id: "t1", reason: "It is equal and in the window, but of another account." }
    ])
  })
})

describe("asset-mismatch", () => {
  const with_ = (left: string, right: string, minutes = 5): Run.Input => ({
    deposits: [deposit("d1", 0, { asset: left })],
    transfers: [transfer("t1", minutes, { asset: right })]
  })

  it("equal entries of assets that look alike are one outcome, and the alias to add is told", () => {
    assert.deepStrictEqual(outcomes(with_("USDT", "USDT-TRX")), ["asset-mismatch d1 t1"])
    const found = find(with_("USDT", "USDT-TRX"), "asset-mismatch")
    assert.include(found, { outcome: "discrepancy", final: true, lagMs: 300_000, residual: null })
    assert.include(found.explanation, "add [\"USDT\", \"USDT-TRX\"] to the policy's assets.aliases")
    const policy: Policy.Policy = { assets: { aliases: [["USDT", "USDT-TRX"]] } }
    assert.deepStrictEqual(outcomes({ ...with_("USDT", "USDT-TRX"), policy }), ["exact d1 t1"])
  })

  it("is not said outside the window, of other amounts or accounts, nor when either has another candidate", () => {
    const apart = ["missing-deposit t1", "missing-transfer d1"]
    assert.deepStrictEqual(outcomes(with_("USDT", "USDT-TRX", 61)), apart)
    assert.deepStrictEqual(outcomes(with_("USDT", "USDC")), apart)
    const other = (fields: object): Run.Input => ({
      deposits: [deposit("d1", 0, { asset: "USDT", account: "a" })],
      transfers: [transfer("t1", 5, { asset: "usdt", ...fields })]
    })
    assert.deepStrictEqual(outcomes(other({})), ["asset-mismatch d1 t1"])
    assert.deepStrictEqual(outcomes(other({ amount: "1.1" })), apart)
    assert.deepStrictEqual(outcomes(other({ account: "b" })), apart)
    const two = {
      ...with_("USDT", "USDT-TRX"),
      transfers: ["t1", "t2"].map((id) => transfer(id, 5, { asset: "usdt" }))
    }
    assert.deepStrictEqual(outcomes(two), ["missing-deposit t1", "missing-deposit t2", "missing-transfer d1"])
  })

  it("each entry counts in the totals of its own asset", () => {
    const { outcomes } = Run.match(with_("USDT", "USDT-TRX"))
    const { totals } = Report.make({
      policy: Policies.defaults,
      accounts: { list: [], complete: false },
      coverage: Run.complete,
      outcomes,
      warnings: []
    })
    assert.deepStrictEqual(
      totals.map(({ asset, deposits, transfers }) => [asset, deposits.open.sum, transfers.open.sum]),
      [["USDT", "1", "0"], ["USDT-TRX", "0", "1"]]
    )
  })

  it("assets look alike by case or by a network behind or before the name, and by nothing else", () => {
    for (
      const [one, other] of [
        ["USDT", "usdt"],
        ["USDT", "USDT-TRX"],
        ["USDT", "USDT_ERC20"],
        ["USDT.e20", "USDT.E20"],
        ["USDT", "TRX-USDT"],
        ["USDT", "USDTTRC20"],
        ["ETH", "ETH-ARB"]
      ] as const
    ) {
      assert.isTrue(LookAlike.isAlike(one, other), `${one} ${other}`)
      assert.isTrue(LookAlike.isAlike(other, one), `${other} ${one}`)
    }
    for (
      const [one, other] of [
        ["USDT", "USDT"],
        ["USDT", "USDC"],
        ["USDT-TRX", "USDT-ERC20"],
        ["ST", "STETH"],
        ["ETH", "STETH"],
        ["BTC", "BTC-USDT"],
        ["BTC", "BTCB"],
        ["USD", "USDT"]
      ] as const
    ) assert.isFalse(LookAlike.isAlike(one, other), `${one} ${other}`)
  })
})

describe("duplicate-suspect", () => {
  it("what is left over beside a matched twin is suspected to be told twice, on either side", () => {
    const twice: Run.Input = {
      deposits: [deposit("d1", 0, { reference: "x" }), deposit("d2", 3, { reference: "y" })],
      transfers: [transfer("t1", 5, { reference: "x" })]
    }
    assert.deepStrictEqual(outcomes(twice), ["duplicate-suspect d2", "reference d1 t1"])
    const found = find(twice, "duplicate-suspect")
    assert.include(found, { outcome: "discrepancy", final: true })
    assert.deepInclude(found.candidates, {
      side: "deposit",
      id: "d1",
      reason: "It equals this one in amount, account, address and memo, came 3 min earlier, and is matched."
    })
    assert.include(found.explanation, "It may be the same one told twice.")
    const swept: Run.Input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 1), transfer("t2", 30)] }
    assert.deepStrictEqual(outcomes(swept), ["duplicate-suspect t2", "exact d1 t1"])
    assert.include(find(swept, "duplicate-suspect").explanation, "It may be the other way round.")
  })

  it("is not said where address, memo, account, ends or the window tell the two apart, nor of an unmatched twin", () => {
    const of = (fields: object, minutes = 30): ReadonlyArray<string> =>
      outcomes({
        deposits: [
          deposit("d1", 0, { address: "x", memo: "1", reference: "r" }),
          deposit("d2", minutes, { address: "x", memo: "1", ...fields })
        ],
        transfers: [transfer("t1", 1, { reference: "r" })]
      })
    assert.deepStrictEqual(of({}), ["duplicate-suspect d2", "reference d1 t1"])
    for (const fields of [{ address: "y" }, { memo: "2" }, { account: "a" }, { amount: "2" }]) {
      assert.deepStrictEqual(of(fields), ["missing-transfer d2", "reference d1 t1"])
    }
    assert.deepStrictEqual(of({}, 61), ["missing-transfer d2", "reference d1 t1"])
    assert.deepStrictEqual(outcomes({ deposits: [deposit("d1", 0), deposit("d2", 1)] }), [
      "missing-transfer d1",
      "missing-transfer d2"
    ])
  })

  it("is not said while its own window is open", () => {
    const found = outcomes({
      deposits: [deposit("d1", 0, { reference: "x" }), deposit("d2", 3)],
      transfers: [transfer("t1", 5, { reference: "x" })],
      coverage: until(62)
    })
    assert.deepStrictEqual(found, ["in-flight d2", "reference d1 t1"])
  })
})
