import { assert, describe, it } from "@effect/vitest"
import * as Coverage from "@tallystick/core/Coverage"
import * as Struct from "effect/Struct"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import * as Unusable from "../src/internal/engine/outcomes/Unusable.ts"
import * as Driver from "../src/internal/engine/stream/Driver.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Generator from "./support/Generator.ts"
import * as OneQuery from "./support/OneQuery.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

const { deposit, transfer } = Run
const [depositsRead] = Run.complete

const hours = (from: number, to: number): Coverage.Interval => ({
  from: Run.T0 + from * Run.HOUR,
  to: Run.T0 + to * Run.HOUR
})

/** The transfers of an account to the master account. */
const read = (account: string, interval = hours(-100, 100)): Coverage.Coverage => ({
  operation: "transfers",
  query: { fromAccount: account, fromAccountType: "SPOT", toAccountType: "SPOT" },
  ...interval,
  readAt: interval.to,
  state: "complete"
})

const lost = (account: string, interval = hours(-100, 100)): Coverage.Coverage => ({
  ...read(account, interval),
  state: "incomplete",
  gap: { code: "failed-page", detail: "HTTP 503" }
})

const a = { account: "a" }
const b = { account: "b" }
const accounts = { list: ["a", "b"], complete: true }

/** What the books say when everything was read, and when that of one account was not. */
const outcomes = (input: Run.Input, ...coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<Outcome.Outcome> =>
  Run.match({ accounts, coverage: [depositsRead!, ...coverage], ...input }).outcomes

const says = (input: Run.Input, ...coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<string> =>
  Run.summary(outcomes(input, ...coverage))

const find = (found: ReadonlyArray<Outcome.Outcome>, id: string): Outcome.Outcome => {
  const outcome = found.find(({ deposits, transfers }) => [...deposits, ...transfers].some((entry) => entry.id === id))
  assert.isDefined(outcome)
  return outcome
}

describe("while the transfers of one account were not read", () => {
  it("no deposit in the window is missing its transfer, for that may be of the wrong account", () => {
    const input = { deposits: [deposit("d1", 0, a)] }
    assert.deepStrictEqual(says(input, read("a"), read("b")), ["missing-transfer d1"])
    const found = find(outcomes(input, read("a"), lost("b")), "d1")
    assert.strictEqual(found.code, "coverage-gap")
    assert.strictEqual(found.missing?.query?.fromAccount, "b")
    assert.include(found.explanation, "is not decidable: transfers from b to master")
    assert.include(found.explanation, "HTTP 503")
    assert.deepStrictEqual(says(input, read("a"), lost("b", hours(2, 50)), read("b", hours(-50, 2))), [
      "missing-transfer d1"
    ])
  })

  it("that holds for an account of the list that nobody asked for", () => {
    const found = find(outcomes({ deposits: [deposit("d1", 0, a)] }, read("a")), "d1")
    assert.strictEqual(found.code, "coverage-gap")
    assert.strictEqual(found.missing?.query?.fromAccount, "b")
  })

  it("a transfer of another account is not missing its deposit either, and the two name each other", () => {
    const input = { deposits: [deposit("d1", 0, a)], transfers: [transfer("t1", 5, b)] }
    assert.deepStrictEqual(says(input, read("a"), read("b")), ["account-mismatch d1 t1"])
    const found = outcomes(input, lost("a"), read("b"))
    assert.deepStrictEqual(Run.summary(found), ["coverage-gap d1", "coverage-gap t1"])
    assert.strictEqual(find(found, "t1").missing?.query?.fromAccount, "a")
    assert.strictEqual(
      find(found, "t1").explanation,
      "1 BTC was moved for b on 15 Jan 2027 08:05 UTC. Whether one of the candidates belongs to it is not decidable: transfers from a to master (SPOT to SPOT) between 15 Jan 2027 07:59 UTC and 09:00 were not all read: HTTP 503."
    )
    assert.deepStrictEqual(find(found, "t1").candidates.map(({ id }) => id), ["d1"])
  })

  it("nor is one that came early, late, or in an asset that looks alike", () => {
    const others = [["early", -10, "BTC"], ["late", 200, "BTC"], ["asset-mismatch", 5, "btc"]] as const
    for (const [code, minutes, asset] of others) {
      const input: Run.Input = {
        deposits: [deposit("d1", 0, a)],
        transfers: [transfer("t1", minutes, { ...a, asset })],
        policy: { window: { before: 0 } }
      }
      assert.deepStrictEqual(says(input, read("a"), read("b")), [`${code} d1 t1`])
      const found = outcomes(input, lost("a"), read("b"))
      assert.deepStrictEqual(Run.summary(found), ["coverage-gap d1", "coverage-gap t1"], code)
      assert.strictEqual(find(found, "t1").missing?.query?.fromAccount, "a")
    }
  })

  it("of several that one may be late for, those whose windows were read are ambiguous, and the others a gap", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, a), deposit("d2", 120, a)],
      transfers: [transfer("t1", 300, a)]
    }
    assert.deepStrictEqual(says(input, read("a"), read("b")), ["ambiguous d1 d2 t1"])
    const coverage = [read("a", hours(-50, 0.2)), lost("a", hours(0.2, 0.5)), read("a", hours(0.5, 50)), read("b")]
    assert.deepStrictEqual(says(input, ...coverage), ["ambiguous d2 t1", "coverage-gap d1"])
  })

  it("nor are the parts of a deposit of that account, or what differs from one", () => {
    const parts = [transfer("t1", 5, { ...a, amount: "0.5" }), transfer("t2", 6, { ...a, amount: "0.3" })]
    const split: Run.Input = { deposits: [deposit("d1", 0, a)], transfers: parts }
    assert.deepStrictEqual(says(split, read("a"), read("b")), ["split-incomplete d1 t1 t2"])
    assert.deepStrictEqual(says(split, lost("a"), read("b")), ["coverage-gap d1", "coverage-gap t1", "coverage-gap t2"])
    const differs: Run.Input = { ...split, transfers: [transfer("t1", 5, { ...a, amount: "1.05" })] }
    assert.deepStrictEqual(says(differs, read("a"), read("b")), ["amount-mismatch d1 t1"])
    const found = outcomes(differs, lost("a"), read("b"))
    assert.deepStrictEqual(Run.summary(found), ["coverage-gap d1", "coverage-gap t1"])
    assert.deepInclude(find(found, "t1").candidates[0], { side: "deposit", id: "d1" })
    assert.strictEqual(find(found, "t1").missing?.query?.fromAccount, "a")
  })

  it("a transfer of another amount is missing its deposit while that of the account only waits", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, a)],
      transfers: [transfer("t1", 5, { ...a, amount: "0.95" })],
      policy: { grouping: { manyToOne: false, oneToMany: false } }
    }
    const found = outcomes(input, read("a", hours(-50, 0.5)), read("b"))
    assert.deepStrictEqual(Run.summary(found), ["in-flight d1", "missing-deposit t1"])
    assert.include(
      find(found, "t1").explanation,
      "may still explain it: the time around it was not read to its end yet."
    )
  })

  it("a transfer of another amount is not missing its deposit where that of the account waits for what was left out", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, a)],
      transfers: [transfer("t1", 5, { ...a, amount: "0.95" })],
      policy: { grouping: { manyToOne: false, oneToMany: false } }
    }
    const left = { ...read("a", hours(-50, 0.5)), readAt: Run.T0 + 100 * Run.HOUR }
    assert.deepStrictEqual(Run.summary(outcomes(input, left, read("b"))), ["coverage-gap d1", "coverage-gap t1"])
  })

  it("what goes no way of the flows is not waited for", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, a)],
      policy: { flows: [{ from: "*", to: "master", types: [["SPOT", "SPOT"]] }] }
    }
    const other = { ...lost("a"), query: { fromAccount: "a", fromAccountType: "SPOT", toAccountType: "FUTURES" } }
    const found = find(outcomes(input, read("a"), read("b"), other), "d1")
    assert.strictEqual(found.code, "missing-transfer")
    assert.match(found.explanation, /, but no transfer to master that fits it was made by [^.]*\.$/)
  })

  it("a transfer of another amount whose account is not known is missing its deposit, but not everything is said to be read", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, a)],
      transfers: [transfer("t1", 5, { amount: "5" })],
      accounts: { list: ["a"], complete: true }
    }
    assert.match(
      find(outcomes(input, read("a")), "t1").explanation,
      /, but no deposit that fits it arrived between [^.]*\. A deposit of another amount [^.]*\.$/
    )
    const found = find(outcomes(input, lost("a")), "t1")
    assert.include(found, { code: "missing-deposit", final: false })
    assert.include(
      found.explanation,
      "Something else, such as a late or early deposit, may explain it: transfers from a to master (SPOT to SPOT) "
    )
  })
})

describe("while some deposits were not read", () => {
  it("a deposit is not missing its transfer where one that came late may be of one of them", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0, a)], transfers: [transfer("t1", 180, a)] }
    const coverage = [{ ...depositsRead!, to: Run.T0 + Run.HOUR }, { ...depositsRead!, from: Run.T0 + 4 * Run.HOUR }]
    const found = Run.match({ accounts, ...input, coverage: [...coverage, read("a"), read("b")] }).outcomes
    assert.deepStrictEqual(Run.summary(found), ["coverage-gap d1", "coverage-gap t1"])
    assert.include(find(found, "d1").explanation, "is not decidable: deposits between")
    assert.strictEqual(find(found, "d1").missing?.operation, "deposits")
  })
})

describe("what was not read outside of the window", () => {
  const input = { deposits: [deposit("d1", 0, a)] }
  const ofD1 = (...coverage: ReadonlyArray<Coverage.Coverage>) => find(outcomes(input, ...coverage), "d1")

  it("leaves a deposit missing, and the sentence names it", () => {
    assert.match(
      ofD1(read("a"), read("b")).explanation,
      /, but no transfer to master that fits it was made by [^.]*\.$/
    )
    const found = ofD1(lost("a", hours(3, 5)), read("a", hours(-50, 3)), read("a", hours(5, 50)), read("b"))
    assert.include(found, { code: "missing-transfer", final: false })
    assert.include(
      found.explanation,
      "Something else, such as a late or early transfer, may explain it: "
    )
    assert.include(found.explanation, "may explain it: transfers from a to master")
    assert.include(found.explanation, "between 15 Jan 2027 11:00 UTC and 13:00 were not all read: HTTP 503")
  })

  it("is said where it is still to come, too", () => {
    const found = ofD1(read("a", hours(-50, 3)), read("b"))
    assert.include(found, { code: "missing-transfer", final: false })
    assert.include(
      found.explanation,
      "Something else, such as a late transfer, may still explain it: the time around it was not read to its end yet."
    )
    const other = ofD1(read("a"), read("b", hours(-50, 0.5)))
    assert.include(other, { code: "missing-transfer", final: false })
    assert.include(other.explanation, "may still explain it: the time around it was not read to its end yet.")
  })

  it("may be a way back, of the transfer or to the account of the deposit", () => {
    const backTo = (account: string): Coverage.Coverage => ({
      ...lost(account),
      query: { toAccount: account, fromAccountType: "SPOT", toAccountType: "SPOT" }
    })
    const back = ofD1(read("a"), read("b"), backTo("a"))
    assert.strictEqual(back.code, "coverage-gap")
    assert.include(back.explanation, "transfers from master to a")
    assert.strictEqual(ofD1(read("a"), read("b"), backTo("b")).code, "missing-transfer")
    const moved = { transfers: [transfer("t1", 0, { from: "a", to: "" })] }
    const found = find(outcomes(moved, read("a"), read("b"), backTo("a")), "t1")
    assert.include(found, { code: "missing-deposit", final: false })
    assert.include(found.explanation, "transfers from master to a")
  })

  it("may be the deposits of which one came late", () => {
    const input: Run.Input = { transfers: [transfer("t1", 0, a)] }
    const found = (...deposits: ReadonlyArray<Coverage.Coverage>) =>
      find(Run.match({ accounts, coverage: [...deposits, read("a"), read("b")], ...input }).outcomes, "t1")
    assert.match(found(depositsRead!).explanation, /, but no deposit that fits it arrived between [^.]*\.$/)
    const late = found({ ...depositsRead!, from: Run.T0 - 2 * Run.HOUR })
    assert.include(late, { code: "missing-deposit", final: false })
    assert.include(late.explanation, "such as a late or early deposit, may explain it: deposits between")
  })

  it("may be what the open entries beside it depend on", () => {
    const coverage = [lost("a", hours(-1, 1)), read("a", hours(-50, -1)), read("a", hours(1, 50)), read("b")]
    const far = outcomes({ deposits: [deposit("d1", 0, a)], transfers: [transfer("t1", 180, b)] }, ...coverage)
    assert.include(find(far, "t1"), { code: "missing-deposit", final: false })
    assert.include(find(far, "t1").explanation, "Open entries near it are not decidable yet: transfers from a")
    const moved = transfer("t1", 30, { amount: "5", from: "b", to: "" })
    const near = outcomes({ deposits: [deposit("d1", 0)], transfers: [moved] }, ...coverage)
    assert.include(find(near, "t1"), { code: "missing-deposit", final: false })
    assert.include(
      find(near, "t1").explanation,
      "Open entries near it are not decidable yet: transfers from a"
    )
    assert.strictEqual(find(near, "t1").missing?.query?.fromAccount, "a")
  })

  it("may be a twin of a transfer", () => {
    const moved = { transfers: [transfer("t1", 0, { from: "a", to: "" })] }
    const coverage = [read("a", hours(-50, 0.5)), lost("a", hours(0.5, 50)), read("b")]
    assert.include(find(outcomes(moved, ...coverage), "t1").explanation, "may explain it: transfers from a")
    assert.match(
      find(outcomes(moved, read("a"), read("b")), "t1").explanation,
      /, but no deposit that fits it arrived between [^.]*\.$/
    )
  })
})

const byEntry = (found: ReadonlyArray<Outcome.Outcome>): ReadonlyMap<string, Outcome.Outcome> =>
  new Map(
    found.flatMap((outcome) => [...outcome.deposits, ...outcome.transfers].map(({ id }) => [id, outcome] as const))
  )

const isMissing = ({ code }: Outcome.Outcome): boolean => code === "missing-transfer" || code === "missing-deposit"

describe("books of which one query was not read", () => {
  it("call nothing missing for certain, nor everything read, but what is missing when all of it is", () => {
    const turned = new Set<string>()
    for (let seed = 1; seed <= Generator.cases(500); seed++) {
      const { complete, cut } = OneQuery.make(Generator.make(seed))
      const known = byEntry(Run.match({ bad: [], ...complete }).outcomes)
      for (const outcome of Run.match({ bad: [], ...cut }).outcomes) {
        const [entry] = [...outcome.deposits, ...outcome.transfers]
        const before = known.get(entry?.id ?? "")
        assert.isDefined(before)
        if (isMissing(before)) continue
        if (outcome.code === "coverage-gap") turned.add(before.code)
        if (!isMissing(outcome)) continue
        assert.isFalse(outcome.final, `seed ${seed}: ${entry?.id} is ${before.code}`)
        const isUnknown = outcome.because?.code !== "no-counterpart" || outcome.because.unknown !== undefined
        assert.isTrue(isUnknown, `seed ${seed}: ${before.code}`)
      }
    }
    assert.includeMembers(Array.from(turned), ["account-mismatch", "late"])
  })

  const UNREAD: Coverage.Gap = { code: "not-read", detail: "nobody asked for these records" }

  /** A stream waits for a source that says nothing of a part; here it says that nobody read it. */
  const spoken = ({ complete, cut }: OneQuery.Pair): ReadonlyArray<Coverage.Coverage> => [
    ...cut.coverage,
    ...complete.coverage.flatMap((whole) =>
      Coverage.uncovered(
        cut.coverage.filter((part) => Coverage.sameScope(whole, part))
          .map((part) => Object.assign({}, part, { state: "complete" })),
        whole
      ).map((hole): Coverage.Coverage => Object.assign({}, whole, hole, { state: "incomplete", gap: UNREAD }))
    )
  ]

  /** Gives the entries in steps of so many minutes. */
  const inSteps = (books: OneQuery.Books, minutes: number): ReadonlyArray<Outcome.Outcome> => {
    const { accounts, coverage, deposits, policy, transfers } = books
    const driver = Driver.make({ policy: Run.policy(policy), accounts, enough: 1 })
    const found: Array<Outcome.Outcome> = []
    for (let begin = -3000; begin < 6000; begin += minutes) {
      const [from, to] = [Run.T0 + begin * Run.MINUTE, Run.T0 + (begin + minutes) * Run.MINUTE]
      const within = (list: ReadonlyArray<Entry.Entry>) => list.filter(({ at }) => at >= from && at < to)
      const ended = begin + minutes >= 6000
      found.push(
        ...Array.from(driver.advance({
          deposits: within(deposits),
          transfers: within(transfers),
          unusable: Unusable.none,
          coverage: ended
            ? coverage
            : coverage.flatMap((one) => one.from < to ? [{ ...one, to: Math.min(one.to, to) }] : []),
          watermark: to,
          ended
        })).flat()
      )
    }
    return found
  }

  it("are told by a stream as by one run", () => {
    const plain = (found: ReadonlyArray<Outcome.Outcome>) =>
      found.map(Struct.omit(["final"])).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    for (let seed = 1; seed <= Generator.cases(80); seed++) {
      const random = Generator.make(seed)
      const pair = OneQuery.make(random)
      const cut = { ...pair.cut, coverage: spoken(pair) }
      const minutes = random.pick([30, 120, 1000])
      const told = inSteps(cut, minutes)
      assert.deepStrictEqual(
        plain(told),
        plain(Run.match({ bad: [], ...cut }).outcomes),
        `seed ${seed}`
      )
    }
  })
})
