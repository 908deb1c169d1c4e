import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Generator from "./support/Generator.ts"
import * as Oracle from "./support/Oracle.ts"
import * as Reason from "./support/oracle/Reason.ts"
import * as Pasts from "./support/Pasts.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

interface Situation {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly rules: Oracle.Rules
}

/** Few entries, close together, with few amounts, so that they compete. */
const situation = (random: Generator.Generator): Situation => {
  const accounts = random.pick([[undefined], ["a"], ["a", "b"], [undefined, "a", "b"], [undefined, "a"]])
  const references = random.pick([[undefined], [undefined], [undefined, "x", "y"]])
  const spread = random.pick([5, 20, 60])
  const scale = random.pick([1, 60_000])
  const base = random.pick([3, 20])
  const entry = (side: Entry.Side) => (_: unknown, index: number): Entry.Entry => {
    const account = random.pick(accounts)
    const reference = random.pick(references)
    return {
      side,
      id: `${side[0]}${index}`,
      asset: random.chance(0.9) ? "BTC" : "ETH",
      amount: String(base + random.int(0, 3)),
      at: Run.T0 + random.int(0, spread) * scale,
      status: "settled",
      ...(account === undefined ? {} : { account }),
      ...(reference === undefined ? {} : { reference: side === "deposit" ? reference : random.pick([reference, "z"]) })
    }
  }
  const deposits = Array.from({ length: random.int(0, 5) }, entry("deposit"))
  const transfers = Array.from({ length: random.int(0, 5) }, entry("transfer"))
  const before = random.int(-3, 10) * scale
  return {
    deposits,
    transfers,
    rules: {
      before,
      after: Math.max(-before, random.int(-2, 30) * scale),
      ratio: random.pick([1, 2, 3]),
      rivals: random.pick([0, 1, 5]),
      absolute: random.pick([0, 0, 1, 2]),
      noise: random.pick([0, 0, 1, 2]),
      fee: random.pick([0, 0, 1, 2]),
      requireReference: random.chance(0.5),
      forbid: random.chance(0.2) ? [{ deposit: "d0", transfer: "t0" }] : []
    }
  }
}

const policyOf = (
  { absolute, after, before, fee, forbid, noise, ratio, requireReference, rivals }: Oracle.Rules
): Policy.Policy => ({
  window: { before, after },
  late: 0,
  tolerance: { absolute: String(absolute) },
  fees: fee === 0 ? [] : [{ flat: String(fee) }],
  ambiguity: { ratio, rivals, residual: String(noise) },
  reference: requireReference ? "require" : "ignore",
  forbid
})

/** References take part in the oracle only by contradicting: equal ones are given no first say. */
const withoutEqual = ({ deposits, transfers, ...rest }: Situation): Situation => {
  const used = new Set(deposits.map(({ reference }) => reference))
  return {
    ...rest,
    deposits,
    transfers: transfers.map((
      transfer
    ) => (used.has(transfer.reference) && transfer.reference !== undefined
      ? { ...transfer, reference: "z" }
      : transfer)
    )
  }
}

const each = (count: number, check: (random: Generator.Generator, seed: number) => void): void => {
  for (let seed = 1; seed <= Generator.cases(count); seed++) {
    try {
      check(Generator.make(seed), seed)
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
}

const matchedCodes = new Set<Outcome.Code>(["exact", "tolerant", "fee"])
const classCodes = new Set<Outcome.Code>(["class-balanced", "class-short", "ambiguous"])

const sumOf = (entries: ReadonlyArray<Entry.Entry>): Record<string, bigint> => {
  const sums: Record<string, bigint> = {}
  for (const { amount, asset } of entries) sums[asset] = (sums[asset] ?? 0n) + Amount.units(amount, 64)
  return sums
}

const isOutcome = Schema.is(Outcome.Outcome)

describe("matching", () => {
  it("says what trying every matching says", () => {
    each(600, (random, seed) => {
      const { deposits, rules, transfers } = withoutEqual(situation(random))
      const { outcomes } = Run.match({ deposits, transfers, policy: policyOf(rules) })
      const { classes, stated } = Oracle.answer(deposits, transfers, rules)
      const expected = {
        stated,
        classes: classes.map(({ code, matched, members }) => `${code} ${members.join(" ")}: ${matched}`).toSorted()
      }
      const found = {
        stated: outcomes
          .filter(({ code }) => matchedCodes.has(code))
          .map(({ code, decidedBy, deposits, transfers }) =>
            `${code} ${deposits[0]?.id} ${transfers[0]?.id} ${decidedBy}`
          )
          .toSorted(),
        classes: outcomes
          .filter(({ code, deposits, transfers }) => classCodes.has(code) && deposits.length + transfers.length > 1)
          .map(({ code, deposits, matchedCount, transfers }) =>
            `${code} ${[...deposits, ...transfers].map(({ id }) => id).toSorted().join(" ")}: ${matchedCount}`
          )
          .toSorted()
      }
      assert.deepStrictEqual(found, expected, `seed ${seed}`)
    })
  })

  it("names nothing missing that anything in its window fits, whatever became of that", () => {
    let unlike = 0
    each(300, (random) => {
      const { deposits, rules, transfers } = withoutEqual(situation(random))
      const { outcomes } = Run.match({ deposits, transfers, policy: policyOf(rules) })
      const idsOf = (some: ReadonlyArray<Outcome.Outcome>): ReadonlySet<string> =>
        new Set(some.flatMap(({ deposits, transfers }) => deposits.concat(transfers)).map(({ id }) => id))
      const missing = idsOf(outcomes.filter(({ code }) => code.startsWith("missing")))
      // What a group took is no counterpart of one alone.
      const grouped = idsOf(outcomes.filter(({ code }) => code === "grouped" || code.startsWith("split")))
      for (const deposit of deposits) {
        for (const transfer of transfers) {
          const isFitting = Oracle.allowed(deposit, transfer, rules) &&
            Oracle.fit(Number(deposit.amount), Number(transfer.amount), rules) !== undefined
          if (!isFitting || grouped.has(deposit.id) || grouped.has(transfer.id)) continue
          if (deposit.amount !== transfer.amount) unlike++
          assert.isFalse(missing.has(deposit.id), deposit.id)
          assert.isFalse(missing.has(transfer.id), transfer.id)
        }
      }
    })
    assert.isAbove(unlike, Generator.cases(300) / 4)
  })

  it("names nothing missing whose equal counterpart went elsewhere by time alone", () => {
    each(300, (random) => {
      const { deposits, rules, transfers } = withoutEqual(situation(random))
      const simple: Oracle.Rules = { ...rules, absolute: 0, fee: 0, forbid: [], requireReference: false }
      const { outcomes } = Run.match({ deposits, transfers, policy: policyOf(simple) })
      const byTime = outcomes.filter(({ decidedBy }) => decidedBy === "time")
      const isInWindow = (lag: number): boolean => lag >= -simple.before && lag <= simple.after
      for (const { code, deposits: [deposit], transfers: [transfer] } of outcomes) {
        if (!code.startsWith("missing")) continue
        const taken = byTime.some(({ deposits: [other], transfers: [partner] }) => {
          const [left, right] = [deposit ?? other, transfer ?? partner]
          return left !== undefined && right !== undefined && left.asset === right.asset &&
            Amount.canonical(left.amount) === Amount.canonical(right.amount) && isInWindow(right.at - left.at) &&
            (left.account === undefined || right.account === undefined || left.account === right.account)
        })
        assert.isFalse(taken, `${deposit?.id ?? transfer?.id} is called missing`)
      }
    })
  })

  it("matches nothing that its source disputes, and calls nothing missing beside it without naming it", () => {
    let beside = 0
    each(600, (random) => {
      const { rules, ...entries } = withoutEqual(situation(random))
      const [deposits, transfers] = [
        Pasts.some(random, entries.deposits, 0.5),
        Pasts.some(random, entries.transfers, 0.5)
      ]
      const policy: Policy.Policy = { ...policyOf(rules), late: random.pick([0, 100 * Run.MINUTE]) }
      const { outcomes } = Run.match({ deposits, transfers, policy })
      const isIn = (deposit: Entry.Entry, transfer: Entry.Entry): boolean => {
        const lag = transfer.at - deposit.at
        return deposit.asset === transfer.asset && deposit.amount === transfer.amount && lag >= -rules.before &&
          lag <= rules.after && !rules.forbid.some((pair) =>
            pair.deposit === deposit.id && pair.transfer === transfer.id
          ) &&
          (deposit.account ?? transfer.account) === (transfer.account ?? deposit.account) &&
          !(rules.requireReference &&
            (deposit.reference ?? transfer.reference) !== (transfer.reference ?? deposit.reference))
      }
      for (const { candidates, code, deposits: lefts, outcome, transfers: rights } of outcomes) {
        const members = [...lefts, ...rights]
        const disputed = members.filter((entry) => Reason.reasonOf(entry) !== undefined)
        for (const entry of disputed) assert.strictEqual(code, Reason.reasonOf(entry), `${entry.id} is ${outcome}`)
        if (!["missing-transfer", "missing-deposit", "class-short", "duplicate-suspect"].includes(code)) continue
        const others = [...deposits, ...transfers].filter((entry) =>
          Reason.reasonOf(entry) !== undefined &&
          !(Reason.reasonOf(entry) === "source-conflict" && entry.status === "failed") &&
          (entry.side === "deposit" ? rights.some((one) => isIn(entry, one)) : lefts.some((one) => isIn(one, entry)))
        )
        beside += others.length
        // Of many, three are named.
        if (others.length === 0 || others.length > 3) continue
        for (const { id, side } of others) {
          assert.isTrue(candidates.some((one) => one.id === id && one.side === side), `${code} does not name ${id}`)
        }
      }
    })
    assert.isAbove(beside, Generator.cases(600) / 50)
  })

  it("assigns as many pairs as there can be, with the least total lag, when asked to", () => {
    each(300, (random) => {
      const { deposits, rules, transfers } = withoutEqual(situation(random))
      const assigned: Oracle.Rules = { ...rules, absolute: 0, fee: 0 }
      const policy = { ...policyOf(assigned), ambiguity: { mode: "assign" } } as const
      const { outcomes } = Run.match({ deposits, transfers, policy })
      const pairs = outcomes.filter(({ code }) => code === "exact")
      assert.isFalse(outcomes.some(({ code }) => classCodes.has(code)))
      const lag = pairs.reduce((sum, { lagMs }) => sum + Math.abs(lagMs ?? 0), 0)
      assert.deepStrictEqual({ count: pairs.length, lag }, Oracle.optimum(deposits, transfers, assigned))
    })
  })

  it("gives every entry exactly one outcome, and conserves the sum of every asset", () => {
    each(300, (random) => {
      const { deposits, rules, transfers } = situation(random)
      const status = (entry: Entry.Entry): Entry.Entry => ({
        ...entry,
        status: random.chance(0.7) ? "settled" : random.pick(["pending", "failed", "unknown"] as const)
      })
      const input = {
        deposits: Pasts.some(random, deposits.map(status)),
        transfers: Pasts.some(random, transfers.map(status))
      }
      const policy: Policy.Policy = {
        ...policyOf(rules),
        late: random.pick([0, 100 * Run.MINUTE]),
        reference: random.pick(["prefer", "require", "only", "ignore"])
      }
      const { outcomes } = Run.match({ ...input, policy })
      for (const side of ["deposits", "transfers"] as const) {
        const entries = outcomes.flatMap((outcome) => outcome[side])
        assert.deepStrictEqual(entries.map(({ id }) => id).toSorted(), input[side].map(({ id }) => id).toSorted())
        assert.deepStrictEqual(sumOf(entries), sumOf(input[side]))
      }
      assert.strictEqual(new Set(outcomes.map(({ id }) => id)).size, outcomes.length)
      for (const outcome of outcomes) {
        assert.isTrue(isOutcome(outcome), JSON.stringify(outcome))
        // Of what is told in several ways, the other ways are its candidates; of what is ambiguous, the pairs.
        if (outcome.code === "source-conflict" || outcome.code === "ambiguous") continue
        const members = new Set([...outcome.deposits, ...outcome.transfers].map(({ id }) => id))
        assert.isFalse(outcome.candidates.some(({ id }) => members.has(id)), JSON.stringify(outcome))
      }
    })
  })

  it("does not depend on the order of its input, and says the same when run again", () => {
    each(150, (random) => {
      const { rules, ...entries } = situation(random)
      const [deposits, transfers] = [Pasts.some(random, entries.deposits), Pasts.some(random, entries.transfers)]
      const policy: Policy.Policy = { ...policyOf(rules), late: 50 * Run.MINUTE, reference: "prefer" }
      const first = JSON.stringify(Run.match({ deposits, transfers, policy }))
      const again = Run.match({ deposits: random.shuffle(deposits), transfers: random.shuffle(transfers), policy })
      assert.strictEqual(JSON.stringify(again), first)
    })
  })

  it("never leaves two entries open that a wider window or tolerance would still allow", () => {
    each(150, (random) => {
      const { deposits, rules, transfers } = withoutEqual(situation(random))
      const wider: Oracle.Rules = {
        ...rules,
        before: rules.before + 5,
        after: rules.after + 7,
        absolute: rules.absolute + 1
      }
      const missing = Run.match({ deposits, transfers, policy: policyOf(wider) }).outcomes
        .filter(({ code }) => code.startsWith("missing"))
      const open = new Set(
        missing.flatMap(({ deposits, transfers }) => deposits.concat(transfers)).map(({ id }) => id)
      )
      const left = Oracle.answer(
        deposits.filter(({ id }) => open.has(id)),
        transfers.filter(({ id }) => open.has(id)),
        rules
      )
      assert.deepStrictEqual(left, { stated: [], classes: [] })
    })
  })
})

describe("the policy in force", () => {
  it("is JSON that decodes to itself", () => {
    const resolved = Run.policy({ per: [{ asset: "BTC", window: { after: "3 hours" } }], fees: [{ flat: "1" }] })
    assert.deepStrictEqual(JSON.parse(JSON.stringify(resolved)), resolved)
    assert.isTrue(Result.isResult(Result.succeed(resolved)))
  })
})
