import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const until = (minutes: number): ReadonlyArray<Coverage.Coverage> =>
  Run.complete.map((coverage) =>
    Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
  )

const of = (id: string, input: Run.Input): Outcome.Outcome => {
  const found = Run.match(input).outcomes.find(({ deposits }) => deposits.some((entry) => entry.id === id))
  assert.isDefined(found)
  return found
}

/** Nothing but equal amounts belongs together, and nothing is late. */
const equalOnly: Policy.Policy = { grouping: { manyToOne: false, oneToMany: false }, late: 0 }

type Fields = Partial<Omit<Entry.Entry, "side" | "id" | "at">>

/** The first deposit has nothing; the other two belong together, but the window of theirs may bring another transfer. */
const input = (own: Fields, others: Fields, policy: Policy.Policy, shift = 0): Run.Input => ({
  deposits: [deposit("d1", 0, own), deposit("d2", 50 + shift, others)],
  transfers: [transfer("t1", 55 + shift, others)],
  policy
})

describe("a missing transfer is not final while a pair in its window may still be released", () => {
  const check = (given: Run.Input, meanwhile: Outcome.Code = "missing-transfer") => {
    const states = [70, 120].map((minutes) => of("d1", { ...given, coverage: until(minutes) }))
    assert.deepStrictEqual(states.map(({ code, final }) => [code, final]), [
      [meanwhile, false],
      ["missing-transfer", true]
    ])
  }
  const apart = { ...equalOnly, tolerance: { absolute: "0.2" } }

  /** A reference holds them, so that they are no candidates yet. */
  const held = { amount: "10.1", reference: "r" }

  it("where a tolerance could join the two", () => {
    check(input({ amount: "10" }, held, apart), "in-flight")
  })

  it("up to the last ms of the window", () => {
    check(input({ amount: "10" }, held, apart, 5), "in-flight")
  })

  it("where a group could join the two", () => {
    check(input({ amount: "10" }, { amount: "10.1" }, { late: 0 }))
  })

  it("where its account is not known", () => {
    check(input({ amount: "10", account: "a" }, held, apart), "in-flight")
  })

  it("where a difference in one account would be a mismatch", () => {
    check({
      deposits: [
        deposit("d1", 0, { amount: "10", account: "a" }),
        deposit("d2", 50, { amount: "10.1", account: "a" })
      ],
      transfers: [transfer("t1", 55, { amount: "10.1", account: "a" })],
      policy: equalOnly
    })
  })

  it("where a bearer of its reference, late or early, could release an entry of its account", () => {
    const pair: Fields = { account: "a", amount: "10.1", reference: "r" }
    const missing = (after: number, account: string) =>
      of("d1", {
        deposits: [deposit("d1", 0, { amount: "10", account }), deposit("d2", 50, pair)],
        transfers: [transfer("t1", 55, pair)],
        policy: { window: { after: "1 hour" }, late: "1 hour" },
        coverage: until(after)
      })
    // Its own horizon ends after 120 minutes, and that of the pair after 170 minutes.
    assert.deepStrictEqual([missing(150, "a").code, missing(150, "a").final], ["missing-transfer", false])
    assert.isTrue(missing(150, "b").final)
    assert.isTrue(missing(200, "a").final)
  })

  it("where a bearer of its reference could release an equal entry of another account, or of an asset that looks alike", () => {
    const states = (own: Fields) =>
      [150, 200].map((minutes) =>
        of("d1", {
          deposits: [deposit("d1", 0, own), deposit("d2", 50, { account: "a", reference: "r" })],
          transfers: [transfer("t1", 55, { account: "a", reference: "r" })],
          policy: { window: { after: "1 hour" }, late: "1 hour" },
          coverage: until(minutes)
        }).final
      )
    assert.deepStrictEqual(states({ account: "b" }), [false, true])
    assert.deepStrictEqual(states({ account: "b", amount: "2" }), [true, true])
    assert.deepStrictEqual(states({ account: "a", asset: "BTC-ERC20" }), [false, true])
    assert.deepStrictEqual(states({ account: "a", asset: "ETH" }), [true, true])
  })

  it("where a bearer of its reference could release a deposit that settled late, and looks farther ahead than it looks back", () => {
    const settledAt = Run.T0 + 1800 * Run.MINUTE
    const past = {
      statuses: [{ status: "pending", seenAt: Run.T0 }, { status: "settled", seenAt: settledAt }],
      settledAt
    } as const
    const read = (...times: ReadonlyArray<readonly [from: number, to: number]>): ReadonlyArray<Coverage.Coverage> => [
      ...Run.complete.filter(({ operation }) => operation === "transfers"),
      ...times.map(([from, to]): Coverage.Coverage => ({
        operation: "deposits",
        from: Run.T0 + from * Run.MINUTE,
        to: Run.T0 + to * Run.MINUTE,
        readAt: Run.T0 + to * Run.MINUTE,
        state: "complete"
      }))
    ]
    const missing = (coverage: ReadonlyArray<Coverage.Coverage>) =>
      Run.match({
        deposits: [deposit("d1", 0, { reference: "r", past })],
        transfers: [transfer("t1", 5, { reference: "r" }), transfer("t2", 1865)],
        policy: { lagFrom: "settled", window: { before: 0, after: "20 minutes" }, late: "1 hour" },
        coverage
      }).outcomes.map(({ code, final, transfers }) => [code, transfers.map(({ id }) => id).join(), final])
    assert.deepStrictEqual(missing(read([-9000, 30], [50, 9000])), [
      ["reference", "t1", false],
      ["missing-deposit", "t2", false]
    ])
    assert.deepStrictEqual(missing(read([-9000, 9000])), [["reference", "t1", true], ["missing-deposit", "t2", true]])
  })

  it("where it is equal, but of another account", () => {
    check(input({ account: "a" }, { account: "b" }, equalOnly))
  })

  it("where it is equal, but of an asset that looks alike", () => {
    check(input({ asset: "USDT" }, { asset: "usdt" }, equalOnly))
  })
})

describe("a missing transfer is not final while a pair in its horizon may still be released", () => {
  it("for an equal one could be late", () => {
    const given: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d2", 100)],
      transfers: [transfer("t1", 105)],
      policy: { ...equalOnly, late: "1 hour" }
    }
    const states = [130, 170].map((minutes) => of("d1", { ...given, coverage: until(minutes) }))
    assert.deepStrictEqual(states.map(({ code, final }) => [code, final]), [
      ["missing-transfer", false],
      ["missing-transfer", true]
    ])
  })
})

describe("what else has to be read", () => {
  it("a duplicate is not final while the match of its twin is not", () => {
    const given: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d2", 59)],
      transfers: [transfer("t1", 118)],
      policy: equalOnly
    }
    const states = [119, 120].map((minutes) => of("d1", { ...given, coverage: until(minutes) }))
    assert.deepStrictEqual(states.map(({ code, final }) => [code, final]), [
      ["duplicate-suspect", false],
      ["duplicate-suspect", true]
    ])
  })

  it("a gap in the window of one is a gap for all that hang together, even if others are only open", () => {
    const coverage = until(70).map((one) =>
      one.operation === "deposits" ? one : Object.assign({}, one, { from: Run.T0 })
    )
    const given: Run.Input = { deposits: [deposit("d1", 0), deposit("d2", 40)], transfers: [transfer("t1", 41)] }
    assert.strictEqual(of("d1", { ...given, coverage }).code, "coverage-gap")
    assert.strictEqual(of("d1", { ...given, coverage: until(70) }).code, "in-flight")
  })

  it("a match of a transfer with a reference waits until no late deposit can carry the same", () => {
    const coverage = Run.complete.map((one) =>
      one.operation === "transfers" ? one : Object.assign({}, one, { from: Run.T0 - 100 * Run.MINUTE })
    )
    const final = (reference: string) =>
      of("d1", { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { reference })], coverage }).final
    assert.isTrue(final(""))
    assert.isFalse(final("r"))
  })

  it("a missing transfer waits for those that go the other way, where somebody asks for them", () => {
    const read = (ends: { readonly fromAccount: string } | { readonly toAccount: string }, minutes: number) => ({
      operation: "transfers" as const,
      query: { ...ends, fromAccountType: "SPOT", toAccountType: "SPOT" },
      from: 0,
      to: Run.T0 + minutes * Run.MINUTE,
      readAt: Run.T0 + minutes * Run.MINUTE,
      state: "complete" as const
    })
    const [deposits] = Run.complete
    const final = (...back: ReadonlyArray<Coverage.Coverage>) =>
      of("d1", {
        deposits: [deposit("d1", 0, { account: "a" })],
        accounts: { list: ["a"], complete: true },
        coverage: [deposits!, read({ fromAccount: "a" }, 100), ...back],
        policy: equalOnly
      }).final
    assert.isTrue(final())
    assert.isFalse(final(read({ toAccount: "a" }, 30)))
    assert.isTrue(final(read({ toAccount: "a" }, 100)))
  })

  it("a missing transfer of an account waits for those of the others, for an account may be wrong", () => {
    const read = (fromAccount: string, minutes: number): Coverage.Coverage => ({
      operation: "transfers",
      query: { fromAccount, fromAccountType: "SPOT", toAccountType: "SPOT" },
      from: 0,
      to: Run.T0 + minutes * Run.MINUTE,
      readAt: Run.T0 + minutes * Run.MINUTE,
      state: "complete"
    })
    const [deposits] = Run.complete
    const final = (minutes: number) =>
      of("d1", {
        deposits: [deposit("d1", 0, { account: "a" })],
        accounts: { list: ["a", "b"], complete: true },
        coverage: [deposits!, read("a", 100), read("b", minutes)],
        policy: equalOnly
      }).final
    assert.isFalse(final(30))
    assert.isTrue(final(100))
  })
})

describe("a class that lacks a counterpart", () => {
  const coverage = (minutes: number) => ({ coverage: until(minutes) })

  it("waits for deposits while the windows of its transfers are open", () => {
    const given: Run.Input = { deposits: [deposit("d1", -10)], transfers: [transfer("t1", 0), transfer("t2", 0.5)] }
    assert.strictEqual(of("d1", { ...given, ...coverage(1) }).code, "in-flight")
    assert.strictEqual(of("d1", { ...given, ...coverage(100) }).code, "class-short")
  })

  it("lies beside a gap where a part of its windows was not read", () => {
    const given: Run.Input = { deposits: [deposit("d1", 0), deposit("d2", 1)], transfers: [transfer("t1", 10)] }
    const [deposits] = Run.complete
    const part = (from: number, to: number, state: "complete" | "incomplete"): Coverage.Coverage => ({
      operation: "transfers",
      from: Run.T0 + from * Run.MINUTE,
      to: Run.T0 + to * Run.MINUTE,
      readAt: Run.T0 + to * Run.MINUTE,
      state
    })
    const read = [deposits!, part(-600, 30, "complete"), part(30, 40, "incomplete"), part(40, 600, "complete")]
    assert.strictEqual(of("d1", { ...given, coverage: read }).code, "coverage-gap")
    assert.strictEqual(of("d1", { ...given, ...coverage(30) }).code, "in-flight")
  })
})

describe("a missing transfer is not final while what is near it is not settled", () => {
  it("such as its twins, which have to be read on its own side", () => {
    const readTo = (minutes: number): Run.Input => ({
      deposits: [deposit("d1", 0)],
      policy: equalOnly,
      coverage: Run.complete.map((coverage) =>
        coverage.operation === "transfers"
          ? coverage
          : Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
      )
    })
    assert.deepStrictEqual([30, 120].map((minutes) => of("d1", readTo(minutes)).final), [false, true])
  })

  it("such as an entry beside it that may still turn out late, and leave it alone with a transfer that differs", () => {
    const account = { account: "a" }
    const books: Run.Input = {
      deposits: [deposit("d1", 0, { ...account, amount: "100" }), deposit("d2", 30, { ...account, amount: "50" })],
      transfers: [transfer("t1", 50, { ...account, amount: "95" })],
      policy: { grouping: { manyToOne: false, oneToMany: false } }
    }
    const day = 24 * 60
    const states = [day + 10, day + 120].map((minutes) => of("d1", { ...books, coverage: until(minutes) }))
    assert.deepStrictEqual(states.map(({ code, final }) => [code, final]), [
      ["missing-transfer", false],
      ["missing-transfer", true]
    ])
    const late = transfer("t2", day + 20, { ...account, amount: "50" })
    const grown = { ...books, transfers: [...(books.transfers ?? []), late], coverage: until(3 * day) }
    assert.strictEqual(of("d1", grown).code, "amount-mismatch")
  })

  it("also when that lies in the last millisecond of the window, and not when it lies behind", () => {
    const books = (minutes: number): Run.Input => ({
      deposits: [deposit("d1", 0, { account: "a" }), deposit("d2", 58, { account: "b" })],
      transfers: [transfer("t1", minutes, { account: "b" })],
      policy: { late: 0 },
      coverage: until(61)
    })
    const last = of("d1", books(60))
    assert.deepStrictEqual([last.code, last.final], ["missing-transfer", false])
    assert.isTrue(of("d1", books(60 + 1 / 60_000)).final)
  })

  it("such as a deposit whose account is not known, which may be a twin", () => {
    const books = (account: Pick<Entry.Entry, "account">): Run.Input => ({
      deposits: [deposit("d1", 0, { account: "a" }), deposit("d2", 40, account)],
      transfers: [transfer("t1", 90, account)],
      policy: { late: 0 },
      coverage: until(100)
    })
    assert.deepInclude(of("d1", books({})), { code: "missing-transfer", final: false })
    assert.deepInclude(of("d1", books({ account: "b" })), { code: "missing-transfer", final: true })
  })
})
