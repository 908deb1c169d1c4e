import { assert, describe, it } from "@effect/vitest"
import * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../src/Accounts.ts"
import * as Mirror from "../src/Mirror.ts"
import type * as Policy from "../src/Policy.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

const measure = ({ policy, ...input }: Run.Input): Mirror.Mirror =>
  Mirror.measure({
    deposits: [],
    transfers: [],
    bad: [],
    coverage: Run.complete,
    accounts: Accounts.none,
    ...input,
    policy: Run.policy(policy)
  })

const DAY = 24 * 60

/** Records of ten days, so that something was read wherever a mirrored window of the default policy lies. */
const ends = {
  deposits: [Run.deposit("first", -5 * DAY, { asset: "X" }), Run.deposit("last", 5 * DAY, { asset: "X" })],
  transfers: [Run.transfer("first", -5 * DAY, { asset: "Y" }), Run.transfer("last", 5 * DAY, { asset: "Y" })]
}

const withEnds = (input: Run.Input): Mirror.Mirror =>
  measure({
    ...input,
    deposits: [...ends.deposits, ...input.deposits ?? []],
    transfers: [...ends.transfers, ...input.transfers ?? []]
  })

describe("the measure of chance", () => {
  it("counts the pairs of equal amounts that lie where no true pair can", () => {
    const deposits = [
      Run.deposit("d1", 0),
      Run.deposit("d2", 90, { amount: "2" }),
      Run.deposit("d3", 90, { amount: "3" })
    ]
    const transfers = [Run.transfer("t1", -60), Run.transfer("t2", 90 - DAY + 2, { amount: "2" })]
    const { deposits: measured, groups, pairs } = withEnds({ deposits, transfers })
    // The first and the last deposit: only before the last one enough was read.
    assert.deepStrictEqual({ measured, groups, pairs }, { measured: 4, groups: 0, pairs: 1 })
  })

  it("counts no pair of any lag that the policy would call a match, late or early; and every one in the mirrored window", () => {
    for (let seed = 1; seed <= Generator.cases(200); seed++) {
      const random = Generator.make(seed)
      const [before, width, late] = [random.int(-30, 30), random.int(0, 60), random.int(0, 100)]
      const after = width - before
      const policy: Policy.Policy = {
        window: { before: before * Run.MINUTE, after: after * Run.MINUTE },
        late: late * Run.MINUTE
      }
      const pairs = (lag: number): number =>
        withEnds({ deposits: [Run.deposit("d", 0)], transfers: [Run.transfer("t", lag)], policy }).pairs
      for (const lag of [-before - late, after + late, random.int(-before - late, after + late)]) {
        assert.strictEqual(pairs(lag), 0, `seed ${seed}`)
      }
      const shift = withEnds({ policy }).shift / Run.MINUTE
      for (const lag of [-before - shift, after - shift]) {
        assert.isBelow(lag, 0)
        assert.strictEqual(pairs(lag), 1, `seed ${seed}`)
      }
    }
  })

  it("lies beyond the widest rule of the policy", () => {
    const policy: Policy.Policy = { per: [{ asset: "BTC", window: { after: "2 days" }, late: "1 day" }] }
    const far = { deposits: [Run.deposit("d", 0)], policy }
    assert.strictEqual(withEnds({ ...far, transfers: [Run.transfer("t", -DAY)] }).pairs, 0)
    assert.strictEqual(withEnds({ ...far, transfers: [Run.transfer("t", -2 * DAY)] }).pairs, 1)
  })

  it("leaves equal references and links out, because they are no chance", () => {
    const books = {
      deposits: [Run.deposit("d1", 0, { reference: "r" }), Run.deposit("d2", 500)],
      transfers: [Run.transfer("t1", -DAY + 5, { reference: "r" }), Run.transfer("t2", 505 - DAY)]
    }
    const links: Policy.Policy["links"] = [{ deposits: ["d2"], transfers: ["t2"], reason: "by hand" }]
    assert.strictEqual(withEnds(books).pairs, 1)
    assert.strictEqual(withEnds({ ...books, policy: { links } }).pairs, 0)
    assert.strictEqual(withEnds({ ...books, policy: { reference: "ignore" } }).pairs, 2)
  })

  it("speaks of no deposit whose mirrored window was not read, whoever vouches for all of time", () => {
    const books = { deposits: [Run.deposit("d1", 0), Run.deposit("d2", 60)], transfers: [Run.transfer("t1", 5)] }
    assert.deepStrictEqual(measure(books), {
      shift: 24 * Run.HOUR + Run.MINUTE + 1,
      deposits: 0,
      pairs: 0,
      groups: 0
    })
    const gap = Coverage.clip(Run.complete, { from: Run.T0 - Run.HOUR, to: Run.T0 + 9 * Run.DAY })
    assert.strictEqual(withEnds({ ...books, coverage: gap }).deposits, 1)
    assert.strictEqual(withEnds(books).deposits, 3)
  })

  it("counts the same whether a side is vouched for beyond its own records or not", () => {
    const deposits = [0, 2, 4, 6, 8].map((day) => Run.deposit(`d${day}`, day * DAY))
    const transfers = [Run.transfer("t3", 3 * DAY), Run.transfer("t6", 6 * DAY)]
    const own = (
      operation: Coverage.Coverage["operation"],
      from: number,
      to: number
    ): ReadonlyArray<Coverage.Coverage> =>
      Coverage.clip(
        Run.complete.filter((part) => part.operation === operation),
        { from: Run.T0 + from * Run.DAY, to: Run.T0 + to * Run.DAY + 1 }
      )
    const measured = measure({ deposits, transfers })
    assert.strictEqual(measured.deposits, 2)
    const coverage = [...own("deposits", 0, 8), ...own("transfers", 3, 6)]
    assert.deepStrictEqual(measure({ deposits, transfers, coverage }), measured)
  })

  it("says how many sums and classes of equal amounts come out by chance", () => {
    const books = {
      deposits: [Run.deposit("d1", 0), Run.deposit("d2", 1)],
      transfers: [Run.transfer("t1", 10 - DAY), Run.transfer("t2", 11 - DAY)]
    }
    const { groups, pairs } = withEnds({ ...books })
    assert.deepStrictEqual({ groups, pairs }, { groups: 1, pairs: 0 })
  })
})
