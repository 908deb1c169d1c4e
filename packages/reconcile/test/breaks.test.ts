import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/WordsOnly.ts"

vi.setConfig({ testTimeout: 3_600_000 })

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

describe("late by reference", () => {
  const x = { reference: "x" }

  it("goes before equal amounts: an unstamped transfer does not take a deposit from its own late one", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, x)],
      transfers: [transfer("t1", 100, x), transfer("t2", 5)]
    }
    assert.deepStrictEqual(outcomes(input), ["late d1 t1", "missing-deposit t2"])
    assert.include(find(input, "late").explanation, "Both carry the same reference.")
    assert.deepStrictEqual(outcomes({ ...input, policy: { reference: "ignore" } }), [
      "exact d1 t2",
      "missing-deposit t1"
    ])
  })

  it("is not said before both windows are read; until then nobody else takes them either", () => {
    const input = {
      deposits: [deposit("d1", 0, x)],
      transfers: [transfer("t1", -10, x), transfer("t2", 5)],
      coverage: until(30)
    }
    assert.deepStrictEqual(outcomes(input), ["in-flight d1 t1", "in-flight t2"])
    assert.deepStrictEqual(outcomes({ ...input, coverage: Run.complete }), ["early d1 t1", "missing-deposit t2"])
  })

  it("several late bearers of one reference are suspect together, and none is matched", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, x)],
      transfers: [transfer("t1", 100, x), transfer("t2", 200, x), transfer("t3", 5)]
    }
    assert.deepStrictEqual(outcomes(input), ["duplicate-suspect d1 t1 t2", "missing-deposit t3"])
    assert.deepStrictEqual(find(input, "duplicate-suspect").candidates, [], "its own members are no candidates")
  })

  it("a late bearer of equal amount and one in the window of another cannot be told apart, on either side", () => {
    const [late, unlike] = [{ ...x, amount: "10" }, { ...x, amount: "7" }]
    const transfers: Run.Input = {
      deposits: [deposit("d1", 0, late)],
      transfers: [transfer("t1", 5, unlike), transfer("t2", 90, late)]
    }
    assert.deepStrictEqual(outcomes(transfers), ["duplicate-suspect d1 t1 t2"])
    const deposits: Run.Input = {
      deposits: [deposit("d1", 0, late), deposit("d2", 80, unlike)],
      transfers: [transfer("t1", 90, late)]
    }
    assert.deepStrictEqual(outcomes(deposits), ["duplicate-suspect d1 d2 t1"])
  })

  it("an amount that does not fit is no mismatch before both windows are read", () => {
    const input = {
      deposits: [deposit("d1", 0, x)],
      transfers: [transfer("t1", 5, { ...x, amount: "2" })],
      coverage: until(30)
    }
    assert.deepStrictEqual(outcomes(input), ["in-flight d1 t1"])
    assert.deepStrictEqual(outcomes({ ...input, coverage: until(100) }), ["amount-mismatch d1 t1"])
    assert.isFalse(find({ ...input, coverage: until(100) }, "amount-mismatch").final)
  })

  it("keeps a match of an entry with a reference from being final until its horizon is read", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, x)],
      transfers: [transfer("t2", 5)],
      policy: { late: "1 hour" }
    }
    assert.isFalse(find({ ...input, coverage: until(120) }, "exact").final)
    assert.isTrue(find({ ...input, coverage: until(121) }, "exact").final)
  })
})

describe("what a missing entry is told", () => {
  it("is not final beside a conflict that would be its counterpart, and names it", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5), transfer("t1", 5, { amount: "2" })]
    }
    assert.deepStrictEqual(outcomes(input), ["missing-transfer d1", "source-conflict t1 t1"])
    const found = find(input, "missing-transfer")
    assert.isFalse(found.final)
    assert.deepStrictEqual(found.candidates, [
      { side: "transfer", id: "t1", reason: "The source gave 2 versions of it, one of them of that amount." }
    ])
    const elsewhere = { ...input, deposits: [deposit("d1", -10_000)] }
    assert.isTrue(find(elsewhere, "missing-transfer").final)
  })

  it("names what is in the window and just beyond the tolerance, the nearest first, and by how much", () => {
    const found = find({
      deposits: [deposit("d1", 0, { amount: "10" })],
      transfers: ["10.3", "10.2", "9.5", "12"].map((amount, index) => transfer(`t${index}`, index, { amount })),
      policy: { tolerance: { absolute: "0.1" } }
    }, "missing-transfer")
    assert.deepStrictEqual(found.candidates.map(({ id, reason }) => `${id}: ${reason}`), [
      "t1: It is in the window, but the amounts differ by 0.2, more than the 0.1 that is accepted.",
      "t0: It is in the window, but the amounts differ by 0.3, more than the 0.1 that is accepted.",
      "t2: It is in the window, but the amounts differ by 0.5, more than the 0.1 that is accepted."
    ])
  })

  it("names what was equal but taken, and by whom", () => {
    const found = find({
      deposits: [deposit("d1", 0, { address: "x" }), deposit("d2", 1, { reference: "r" })],
      transfers: [transfer("t1", 5, { reference: "r" })]
    }, "missing-transfer")
    assert.deepStrictEqual(found.candidates, [{
      side: "transfer",
      id: "t1",
      reason: "It is equal, but belongs to deposit d2."
    }])
  })
})

describe("what is named of a lone other amount", () => {
  it("is how much it differs, which is the same from both sides", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, { amount: "10" })],
      transfers: [transfer("t1", 5, { amount: "9" })]
    })
    const reason = "It is the only open one in the window, but the amounts differ by 1."
    assert.deepStrictEqual(outcomes.map(({ candidates }) => candidates.map((one) => one.reason)), [[reason], [reason]])
  })
})

describe("several of other amounts", () => {
  const of = (id: string, minutes: number, amount: string) => deposit(id, minutes, { amount, account: "a" })
  const input = {
    deposits: [of("d1", 0, "10"), of("d2", 1, "20")],
    transfers: [transfer("t1", 5, { amount: "11", account: "a" }), transfer("t2", 6, { amount: "22", account: "a" })]
  }

  it("are no mismatch, unless the policy leaves one counterpart to each", () => {
    assert.notInclude(outcomes(input).join(), "amount-mismatch")
    const forbid = [{ deposit: "d1", transfer: "t2" }, { deposit: "d2", transfer: "t1" }]
    assert.deepStrictEqual(outcomes({ ...input, policy: { forbid } }), [
      "amount-mismatch d1 t1",
      "amount-mismatch d2 t2"
    ])
  })
})

describe("a transfer that came late", () => {
  const of = (other: Entry.Entry) =>
    outcomes({
      deposits: [deposit("d1", 0, { account: "a" })],
      transfers: [other, transfer("t1", 70, { account: "a" })]
    })

  it("keeps a failed attempt from being one that should be repeated", () => {
    assert.deepStrictEqual(of(transfer("t0", 5, { account: "a", status: "failed" })), ["late d1 t1", "not-settled t0"])
  })
})

describe("a counterpart beyond window and lateness", () => {
  const a = { account: "a" }
  /** In minutes: 25.5 hours. */
  const far = 25.5 * 60
  const named = (input: Run.Input): ReadonlyArray<string> =>
    Run.match(input).outcomes.flatMap(({ candidates, code, deposits, transfers }) =>
      candidates.map(({ id, reason }) => `${code} ${[...deposits, ...transfers][0]?.id}: ${id} ${reason}`)
    ).toSorted()

  it("is named by both, which stay missing, as whole and final as before", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0, a)], transfers: [transfer("t1", far, a)] }
    assert.deepStrictEqual(named(input), [
      "missing-deposit t1: d1 It is equal, but 1 d 1 h earlier, which is beyond what the policy takes for late or early.",
      "missing-transfer d1: t1 It is equal, but 1 d 1 h later, which is beyond what the policy takes for late or early."
    ])
    assert.deepStrictEqual(outcomes(input), ["missing-deposit t1", "missing-transfer d1"])
    assert.isTrue(Run.match(input).outcomes.every(({ final }) => final))
    const early: Run.Input = { deposits: [deposit("d1", far, a)], transfers: [transfer("t1", 0, a)] }
    assert.include(named(early)[1], "t1 It is equal, but 1 d 1 h earlier")
  })

  it("is named as far as twice the policy looks, by the rule of the deposit", () => {
    const at = (minutes: number, policy: Run.Input["policy"] = {}): number =>
      named({ deposits: [deposit("d1", 0, a)], transfers: [transfer("t1", minutes, a)], policy }).length
    assert.deepStrictEqual([at(48 * 60), at(48 * 60 + 1)], [2, 0])
    const per = [{ asset: "BTC", late: "1 hour" }]
    assert.deepStrictEqual([at(4 * 60, { per }), at(4 * 60 + 1, { per })], [2, 0])
  })

  it("is named only where no other could be meant, of equal account, and in the flows", () => {
    const d1 = deposit("d1", 0, a)
    const none = (rest: Run.Input): void => assert.deepStrictEqual(named({ deposits: [d1], ...rest }), [])
    none({ transfers: [transfer("t1", far, a), transfer("t2", far + 60, a)] })
    none({ deposits: [d1, deposit("d2", -60, a)], transfers: [transfer("t1", far, a)] })
    none({ transfers: [transfer("t1", far, a), transfer("t2", far + 60)] })
    none({ transfers: [transfer("t1", far)] })
    none({ transfers: [transfer("t1", far, { account: "b" })] })
    none({ transfers: [transfer("t1", far, { ...a, amount: "1.1" })] })
    none({ transfers: [transfer("t1", far, { from: "master", to: "a" })] })
    none({ transfers: [transfer("t1", far, a)], policy: { forbid: [{ deposit: "d1", transfer: "t1" }] } })
    none({ transfers: [transfer("t1", far, a)], coverage: until(far + 1) })
    assert.strictEqual(named({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", far)] }).length, 2)
    const matched = {
      deposits: [d1, deposit("d2", far - 300, a)],
      transfers: [transfer("t1", far, a), transfer("t2", far - 300, a)]
    }
    assert.strictEqual(
      named(matched).filter((line) => line.includes("beyond what the policy takes for late or early")).length,
      2
    )
  })
})

describe("waiting counterparts", () => {
  it("keep a failed attempt from being one that should be repeated", () => {
    const of = (...statuses: ReadonlyArray<"failed" | "pending" | "unknown">) =>
      outcomes({
        deposits: [deposit("d1", 0)],
        transfers: statuses.map((status, index) => transfer(`t${index}`, index, { status }))
      })
    assert.deepStrictEqual(of("failed"), ["failed-attempt d1 t0"])
    assert.deepStrictEqual(of("failed", "pending"), ["not-settled t0", "unconfirmed d1 t1"])
    assert.deepStrictEqual(of("failed", "unknown"), ["not-settled t0", "unknown-status d1 t1"])
  })

  it("are of unknown status when the status of any of them is unknown", () => {
    const input = (...statuses: ReadonlyArray<"pending" | "unknown">): Run.Input => ({
      deposits: [deposit("d1", 0)],
      transfers: statuses.map((status, index) => transfer(`t${index}`, index, { status }))
    })
    assert.deepStrictEqual(outcomes(input("pending", "pending")), ["unconfirmed d1 t0 t1"])
    assert.deepStrictEqual(outcomes(input("pending", "unknown")), ["unknown-status d1 t0 t1"])
  })
})

describe("whatever the discrepancies", () => {
  it("every entry has exactly one outcome, and the order of the input does not matter", () => {
    for (let seed = 1; seed <= Generator.cases(300); seed++) {
      const random = Generator.make(seed)
      const kind = Crowd.kindOf(random)
      const [deposits, transfers] = [Crowd.entries(random, "deposit", kind), Crowd.entries(random, "transfer", kind)]
      const input: Run.Input = {
        policy: {
          window: { before: "10 minutes", after: "40 minutes" },
          late: random.pick([0, "1 hour"]),
          tolerance: { absolute: random.pick(["0", "1"]) },
          reference: random.pick(["prefer", "require", "only", "ignore"]),
          ambiguity: random.pick(["report", "assign"])
        },
        coverage: until(random.pick([100, 400]))
      }
      const first = Run.match({ ...input, deposits, transfers })
      for (const side of ["deposits", "transfers"] as const) {
        const ids = first.outcomes.flatMap((outcome) => outcome[side].map(({ id }) => id))
        assert.deepStrictEqual(
          ids.toSorted(),
          (side === "deposits" ? deposits : transfers).map(({ id }) => id).toSorted(),
          `seed ${seed}`
        )
      }
      assert.strictEqual(new Set(first.outcomes.map(({ id }) => id)).size, first.outcomes.length)
      const again = Run.match({ ...input, deposits: random.shuffle(deposits), transfers: random.shuffle(transfers) })
      assert.deepStrictEqual(again, first, `seed ${seed}`)
    }
  })
})
