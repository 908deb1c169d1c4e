import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"
import * as Accounts from "../src/Accounts.ts"
import * as Backtest from "../src/Backtest.ts"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Report from "../src/Report.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

interface Books {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
}

const side = (books: Books, written: Policy.Policy, range?: Run.Input["range"]): Backtest.Side => ({
  policy: Run.policy(written),
  outcomes: Run.match({ ...books, policy: written, ...(range === undefined ? {} : { range }) }).outcomes
})

const compare = (books: Books, before: Policy.Policy, after: Policy.Policy): Backtest.Backtest =>
  Backtest.compare(side(books, before), side(books, after))

const groups = ({ groups }: Backtest.Backtest): ReadonlyArray<string> =>
  groups.map(({ after, before, count, kind }) => `${kind}: ${count} ${before} to ${after}`)

const changes = ({ changes }: Backtest.Backtest) =>
  changes.map(({ after, before, kind }) => [kind, Run.summary(before), Run.summary(after)])

const reportOf = ({ outcomes, policy }: Backtest.Side): Report.Report =>
  Report.make({ outcomes, policy, accounts: Accounts.none, coverage: Run.complete, warnings: [] })

const dozens: Books = {
  deposits: [Run.deposit("d1", 0), Run.deposit("d2", 600)],
  transfers: [Run.transfer("t1", 5), Run.transfer("t2", 690)]
}

describe("a comparison of two policies", () => {
  it("finds nothing to change where both say the same", () => {
    const { changes, entries, groups } = compare(dozens, {}, {})
    assert.deepStrictEqual({ changes, entries, groups }, { changes: [], entries: { changed: 0, same: 4 }, groups: [] })
  })

  it("counts the entries that go from one code to another, with their sums", () => {
    const backtest = compare(dozens, {}, { window: { after: "2 hours" } })
    assert.deepStrictEqual(backtest.entries, { changed: 2, same: 2 })
    assert.deepStrictEqual(backtest.groups, [{
      kind: "code",
      before: "late",
      after: "exact",
      count: 2,
      sums: [{ asset: "BTC", deposits: { count: 1, sum: "1" }, transfers: { count: 1, sum: "1" } }]
    }])
    assert.deepStrictEqual(changes(backtest), [["code", ["late d2 t2"], ["exact d2 t2"]]])
    const [total] = backtest.totals
    assert.deepStrictEqual(
      [total?.before.deposits.matched, total?.before.deposits.open, total?.after.deposits.matched],
      [{ count: 1, sum: "1" }, { count: 1, sum: "1" }, { count: 2, sum: "2" }]
    )
  })

  it("puts entries first that keep their code and change their partner", () => {
    const books = {
      deposits: [Run.deposit("d1", 0), Run.deposit("d2", -600, { asset: "ETH" })],
      transfers: [
        Run.transfer("t1", -30, { account: "one" }),
        Run.transfer("t2", 30, { account: "other" }),
        Run.transfer("t3", -510, { asset: "ETH" })
      ]
    }
    const backtest = compare(books, { late: 0 }, {
      window: { before: "1 hour", after: "2 hours" },
      late: 0,
      forbid: [{ deposit: "d1", transfer: "t2" }]
    })
    assert.deepStrictEqual(groups(backtest), [
      "partners: 1 exact to exact",
      "code: 2 missing-deposit to exact",
      "code: 1 exact to missing-deposit",
      "code: 1 missing-transfer to exact"
    ])
    assert.deepStrictEqual(changes(backtest), [
      ["partners", ["exact d1 t2", "missing-deposit t1"], ["exact d1 t1", "missing-deposit t2"]],
      ["code", ["missing-deposit t3", "missing-transfer d2"], ["exact d2 t3"]]
    ])
  })

  it("sees where only the figures differ", () => {
    const books = { deposits: [Run.deposit("d1", 0)], transfers: [Run.transfer("t1", 5, { amount: "0.9" })] }
    const backtest = compare(books, { fees: [{ flat: "0.1" }], tolerance: { absolute: "0.1" } }, {
      fees: [{ flat: "0.05" }],
      tolerance: { absolute: "0.1" }
    })
    assert.deepStrictEqual(groups(backtest), ["figures: 2 fee to fee"])
  })

  it("keeps an entry that has an outcome under one policy only, at the edge of a range", () => {
    const range = { from: Run.T0 - Run.HOUR, to: Run.T0 + 10 * Run.MINUTE }
    const books = { deposits: [Run.deposit("d1", 0)], transfers: [Run.transfer("t1", 90)] }
    const backtest = Backtest.compare(
      side(books, { late: 0 }, range),
      side(books, { window: { after: "2 hours" } }, range)
    )
    assert.deepStrictEqual(groups(backtest), ["code: 1 missing-transfer to exact", "code: 1 null to exact"])
    assert.deepStrictEqual(backtest.totals[0]?.before.transfers.in, { count: 0, sum: "0" })
  })

  it("counts assets as one that either policy calls equal", () => {
    const books = {
      deposits: [Run.deposit("d1", 0, { asset: "USDT" })],
      transfers: [Run.transfer("t1", 5, { asset: "USDT-TRX" })]
    }
    const backtest = compare(books, {}, { assets: { aliases: [["USDT", "USDT-TRX"]] } })
    assert.deepStrictEqual(backtest.totals.map(({ asset, assets }) => [asset, assets]), [["USDT", [
      "USDT",
      "USDT-TRX"
    ]]])
    assert.deepStrictEqual(backtest.totals[0]?.after.deposits.matched, { count: 1, sum: "1" })
    assert.deepStrictEqual(backtest.totals[0]?.before.deposits.matched, { count: 0, sum: "0" })
  })

  it("finds both versions of a conflict, and records that could not be read", () => {
    const conflict = [Run.deposit("d1", 0), Run.deposit("d1", 1, { amount: "2" })]
    const bad = [1, 1, 2].map((line) => ({
      side: "deposit" as const,
      source: `line ${line}`,
      path: "",
      reason: "x",
      raw: ""
    }))
    const outcomes = Run.match({ deposits: conflict, bad }).outcomes
    const same = { policy: Run.policy(), outcomes }
    assert.deepStrictEqual(Backtest.compare(same, same).entries, { changed: 0, same: 5 })
    assert.deepStrictEqual(Backtest.compare(same, { ...same, outcomes: [] }).entries, { changed: 5, same: 0 })
  })

  it("can be written as JSON and read again", () => {
    const backtest = compare(dozens, {}, { window: { after: "2 hours" } })
    const Text = Schema.fromJsonString(Backtest.Backtest)
    assert.deepStrictEqual(Schema.decodeSync(Text)(Schema.encodeSync(Text)(backtest)), backtest)
  })
})

const books = (random: Generator.Generator): Books => {
  const entry = (make: typeof Run.deposit, prefix: string) => (_: unknown, index: number) =>
    make(`${prefix}${index}`, random.int(0, 40), {
      amount: random.pick(["1", "1", "1.01", "2", "0.5"]),
      asset: random.pick(["BTC", "BTC", "XBT"]),
      ...(random.chance(0.1) ? { status: random.pick(["pending", "failed", "unknown"] as const) } : {})
    })
  return {
    deposits: Array.from({ length: random.int(0, 8) }, entry(Run.deposit, "d")),
    transfers: Array.from({ length: random.int(0, 8) }, entry(Run.transfer, "t"))
  }
}

const policy = (random: Generator.Generator): Policy.Policy => ({
  window: { before: `${random.int(0, 5)} minutes`, after: `${random.int(1, 30)} minutes` },
  late: `${random.int(0, 30)} minutes`,
  tolerance: { absolute: random.pick(["0", "0.01", "0.1"]) },
  fees: random.chance(0.3) ? [{ flat: "0.01" }] : [],
  ambiguity: random.pick(["report", "assign"] as const),
  assets: { aliases: random.chance(0.5) ? [random.pick([["BTC", "XBT"], ["XBT", "BTC"]])] : [] },
  exclude: random.chance(0.2) ? [{ id: "d0" }] : []
})

const cases = (count: number, check: (random: Generator.Generator) => void): void => {
  for (let seed = 1; seed <= Generator.cases(count); seed++) check(Generator.make(seed))
}

const size = (outcomes: ReadonlyArray<Outcome.Outcome>): number =>
  outcomes.reduce((sum, { deposits, transfers }) => sum + deposits.length + transfers.length, 0)

/** Differences of two sums, exactly. */
const minus = (a: string, b: string): string => {
  const units = (text: string): bigint => {
    const magnitude = Amount.units(text.replace("-", ""), 10)
    return text.startsWith("-") ? -magnitude : magnitude
  }
  return Amount.format(units(a) - units(b), 10)
}

describe("any two policies", () => {
  it("change nothing when they are the same", () => {
    cases(200, (random) => {
      const one = side(books(random), policy(random))
      const { changes, entries, groups } = Backtest.compare(one, one)
      assert.deepStrictEqual({ changes, groups }, { changes: [], groups: [] })
      assert.deepStrictEqual(entries, { changed: 0, same: size(one.outcomes) })
    })
  })

  it("mirror when they are swapped", () => {
    cases(200, (random) => {
      const both = books(random)
      const [one, other] = [side(both, policy(random)), side(both, policy(random))]
      const [there, back] = [Backtest.compare(one, other), Backtest.compare(other, one)]
      const turned = <A extends { readonly before: unknown; readonly after: unknown }>(value: A) => ({
        ...value,
        before: value.after,
        after: value.before
      })
      assert.deepStrictEqual(back.entries, there.entries)
      assert.deepStrictEqual(back.totals, there.totals.map(turned))
      assert.deepStrictEqual(back.changes, there.changes.map(turned))
      assert.sameDeepMembers([...back.groups], there.groups.map(turned))
    })
  })

  it("lose no entry, and agree with the totals of both reports", () => {
    cases(200, (random) => {
      const both = books(random)
      const [one, other] = [side(both, policy(random)), side(both, policy(random))]
      const backtest = Backtest.compare(one, other)
      const { changed, same } = backtest.entries
      assert.strictEqual(changed + same, both.deposits.length + both.transfers.length)
      assert.strictEqual(backtest.groups.reduce((sum, { count }) => sum + count, 0), changed)
      assert.strictEqual(backtest.changes.reduce((sum, { before }) => sum + size(before), 0), changed)
      assert.strictEqual(backtest.changes.reduce((sum, { after }) => sum + size(after), 0), changed)
      for (const [name, { outcomes, policy }] of [["before", one], ["after", other]] as const) {
        const report = reportOf({ outcomes, policy })
        for (const list of ["deposits", "transfers"] as const) {
          for (const bucket of ["in", "matched", "open", "pending", "undetermined", "setAside"] as const) {
            const count = (totals: ReadonlyArray<Pick<Report.Total, "deposits" | "transfers">>) =>
              totals.map((total) => total[list][bucket]).reduce((sum, line) => ({
                count: sum.count + line.count,
                sum: minus(sum.sum, `-${line.sum}`)
              }), { count: 0, sum: "0" })
            assert.deepStrictEqual(count(backtest.totals.map((total) => total[name])), count(report.totals))
          }
        }
      }
      // What does not change leaves the totals as they are.
      if (changed === 0) { for (const { after, before } of backtest.totals) assert.deepStrictEqual(after, before) }
    })
  })
})
