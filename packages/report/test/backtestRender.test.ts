import { assert, describe, it } from "@effect/vitest"
import * as Backtest from "@tallystick/reconcile/Backtest"
import type * as Mirror from "@tallystick/reconcile/Mirror"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Schema from "effect/Schema"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as BacktestJson from "../src/BacktestJson.ts"
import * as BacktestTable from "../src/BacktestTable.ts"

const compare = (input: Run.Input, before: Policy.Policy, after: Policy.Policy): Backtest.Backtest => {
  const side = (written: Policy.Policy): Backtest.Side => ({
    policy: Run.policy(written),
    ...Run.match({ ...input, policy: written })
  })
  return Backtest.compare(side(before), side(after))
}

/** Thirty pairs whose transfers come an hour and a half after their deposits. */
const many: Run.Input = {
  deposits: Array.from({ length: 30 }, (_, index) => Run.deposit(`d${index}`, 3000 * index, { asset: "A\u001b[31mB" })),
  transfers: Array.from(
    { length: 30 },
    (_, index) => Run.transfer(`t${index}`, 3000 * index + 90, { asset: "A\u001b[31mB" })
  )
}

const wide: Policy.Policy = { window: { after: "2 hours" } }

describe("a comparison for a terminal", () => {
  it("says in one sentence how much changes", () => {
    const sentence = (before: Policy.Policy, after: Policy.Policy, input = many) =>
      BacktestTable.sentence(compare(input, before, after))
    assert.strictEqual(sentence({}, {}), "Nothing changes: all 60 entries stay as they are.")
    assert.strictEqual(sentence({}, wide), "60 entries change, 0 stay.")
    const one = { deposits: [Run.deposit("d1", 0)] }
    assert.strictEqual(sentence({}, {}, one), "Nothing changes: the one entry stays as it is.")
    assert.strictEqual(sentence({}, { exclude: [{ id: "d1" }] }, one), "1 entry changes, 0 stay.")
    const bad = [{ side: "deposit" as const, source: "line 1", path: "", reason: "x", raw: "" }]
    assert.strictEqual(
      sentence({}, { exclude: [{ id: "d1" }] }, { ...one, bad }),
      "1 entry changes, 1 stays; 1 record among them could not be read."
    )
  })

  it("shows at most so many changes of a kind, and says how many there are more", () => {
    const text = BacktestTable.render(compare(many, {}, wide), { limit: 10 })
    assert.strictEqual(text.match(/^before: late$/gm)?.length, 5)
    assert.include(text, "… and 25 more changes; --format json has all")
    assert.strictEqual(
      BacktestTable.render(compare(many, {}, wide), { limit: 30 }).match(/^before: late$/gm)?.length,
      30
    )
  })

  it("says what chance makes under each policy, where it was measured", () => {
    const side = (chance: Mirror.Mirror): Backtest.Side => ({ policy: Run.policy(), outcomes: [], chance })
    const shift = 24 * Run.HOUR + 61_001
    const backtest = Backtest.compare(
      side({ shift, deposits: 1200, pairs: 31, groups: 2 }),
      side({ shift, deposits: 0, pairs: 0, groups: 0 })
    )
    const text = BacktestTable.render(backtest, { width: 200 })
    assert.include(
      text,
      "  before  In a window as wide, 1 d 1 min earlier, where no true pair can lie, the policy states 31 pairs and " +
        "2 groups for 1,200 deposits.\n"
    )
    assert.include(text, "  after   Not measured")
    assert.notInclude(BacktestTable.render(compare(many, {}, wide)), "CHANCE")
  })

  it("puts no control character of a record into the terminal, and no colour that was not asked for", () => {
    const backtest = compare(many, {}, wide)
    assert.notInclude(BacktestTable.render(backtest), "\u001b")
    assert.notInclude(BacktestTable.render(backtest, { color: true }), "A\u001b[31mB")
    assert.include(BacktestTable.render(backtest, { color: true }), "\u001b[1m")
  })

  it("leaves out what does not differ", () => {
    const text = BacktestTable.render(compare(many, {}, { late: "22 hours" }))
    assert.notMatch(text, /ENTRIES THAT CHANGE|TOTALS THAT DIFFER|ANOTHER CODE/)
    assert.match(text, /SETTINGS THAT DIFFER\nlate\n {2}before .*23 hours/)
  })

  it("passes on what the runs warned of, and under which policy", () => {
    const text = BacktestTable.render(compare(many, {}, { exclude: [{ id: "nobody" }] }))
    assert.match(text, /\nWarning \(after\) {2}The policy excludes entry "nobody"/)
    assert.notInclude(text, "Warning (before)")
  })
})

describe("a comparison as JSON", () => {
  it("can be read again, and has a change on each line", () => {
    const backtest = compare(many, {}, wide)
    const parts = Array.from(BacktestJson.parts(backtest))
    assert.strictEqual(parts.length, 32)
    assert.isTrue(parts.every((part) => part.indexOf("\n") === part.length - 1))
    assert.deepStrictEqual(Schema.decodeSync(Schema.fromJsonString(Backtest.Backtest))(parts.join("")), backtest)
  })

  it("is whole without a change", () => {
    const backtest = compare(many, {}, {})
    const text = Array.from(BacktestJson.parts(backtest)).join("")
    assert.deepStrictEqual(Schema.decodeSync(Schema.fromJsonString(Backtest.Backtest))(text), backtest)
  })
})
