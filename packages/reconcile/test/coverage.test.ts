import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as DepositAddress from "@tallystick/core/DepositAddress"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as AddressBook from "../src/AddressBook.ts"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run
const [depositsRead] = Run.complete

/** The transfers from an account to the master account, completely read within `hours` of T0. */
const read = (
  account: string,
  fields: Partial<Coverage.Coverage> = {},
  types: readonly [string, string] = ["SPOT", "SPOT"]
): Coverage.Coverage => ({
  operation: "transfers",
  query: { fromAccount: account, fromAccountType: types[0], toAccountType: types[1] },
  from: Run.T0 - Run.DAY,
  to: Run.T0 + 2 * Run.DAY,
  readAt: Run.T0 + 2 * Run.DAY,
  state: "complete",
  ...fields
})

const of = (coverage: ReadonlyArray<Coverage.Coverage>, input: Run.Input = {}): Outcome.Outcome => {
  const [outcome] =
    Run.match({ deposits: [deposit("d1", 0, { account: "a" })], coverage: [depositsRead!, ...coverage], ...input })
      .outcomes
  assert.isDefined(outcome)
  return outcome
}

describe("missing means missing among the flows that were read", () => {
  it("a deposit of a known account needs the transfers of that account only", () => {
    assert.strictEqual(of([read("a")]).code, "missing-transfer")
    const other = of([read("b")])
    assert.strictEqual(other.code, "coverage-gap")
    assert.deepStrictEqual(other.missing?.query, { fromAccount: "a", fromAccountType: "SPOT", toAccountType: "SPOT" })
  })

  it("every pair of account types that was asked for is needed, and FUTURE equals FUTURES", () => {
    const futures = ["SPOT", "FUTURES"] as const
    const until = { to: Run.T0 }
    assert.strictEqual(of([read("a"), read("a", {}, futures)]).code, "missing-transfer")
    assert.strictEqual(of([read("a"), read("b", {}, futures)]).code, "coverage-gap")
    const flows = { policy: { flows: [{ from: "*", to: "master", types: [["SPOT", "FUTURE"]] }] } } as const
    assert.strictEqual(of([read("a", until), read("a", {}, futures)], flows).code, "missing-transfer")
  })

  it("flows from a named account do not concern deposits of another", () => {
    const flows: Run.Input = { policy: { flows: [{ from: "*", to: "master" }, { from: "hot", to: "master" }] } }
    assert.strictEqual(of([read("a")], flows).code, "missing-transfer")
  })

  it("what is younger than the reading is in flight, what was lost is a gap that is named", () => {
    const end = Run.T0 + 30 * Run.MINUTE
    assert.strictEqual(of([read("a", { to: end, readAt: end })]).code, "in-flight")
    assert.strictEqual(of([read("a", { to: end }), read("a", { from: end, state: "open" })]).code, "in-flight")
    const gap = { code: "failed-page", detail: "page 3 answered 500" } as const
    const lost = of([read("a", { to: end }), read("a", { from: end, state: "incomplete", gap })])
    assert.strictEqual(lost.code, "coverage-gap")
    assert.include(lost.missing, { from: end, to: Run.T0 + Run.HOUR + 1 })
    assert.deepStrictEqual(lost.missing?.gap, gap)
    assert.include(lost.explanation, "page 3 answered 500")
  })

  it("what a reading left out although it was past is a gap, because waiting does not help", () => {
    const end = Run.T0 + 30 * Run.MINUTE
    const left = of([read("a", { to: end })])
    assert.strictEqual(left.code, "coverage-gap")
    assert.include(left.missing, { from: end, to: Run.T0 + Run.HOUR + 1 })
    // A reading takes a while, and half of the window may still come.
    assert.strictEqual(of([read("a", { to: end, readAt: end + 40 * Run.MINUTE })]).code, "in-flight")
    assert.strictEqual(of([read("a", { to: end, readAt: Run.T0 + 90 * Run.MINUTE })]).code, "in-flight")
    assert.strictEqual(of([read("a", { to: end, readAt: Run.T0 + 121 * Run.MINUTE })]).code, "coverage-gap")
  })

  it("coverage that contradicts itself claims nothing", () => {
    const gap = { code: "failed-page", detail: "page 3 failed" } as const
    const broken = of([read("a", { gap })])
    assert.strictEqual(broken.code, "coverage-gap")
    assert.include(broken.explanation, "malformed")
    const { outcomes } = Run.match({
      transfers: [transfer("t1", 0, { account: "b" })],
      coverage: [{ ...depositsRead!, query: { fromAccountType: "SPOT", toAccountType: "SPOT" } }, read("b")]
    })
    assert.deepStrictEqual(outcomes.map(({ code }) => code), ["coverage-gap"])
  })

  it("what hangs together with an entry of another amount waits for no minute that nobody will read", () => {
    const minutes = (from: number, to: number) => ({ from: Run.T0 + from * Run.MINUTE, to: Run.T0 + to * Run.MINUTE })
    const books: Run.Input = {
      deposits: [
        deposit("d1", -10, { amount: "3" }),
        deposit("d2", -8, { amount: "4" }),
        deposit("d3", -6, { amount: "4.7" })
      ],
      transfers: [transfer("t1", 0, { amount: "7" }), transfer("t2", 85, { amount: "0.5" })],
      policy: { window: { after: "2 hours" }, late: "6 hours" }
    }
    const [deposits, transfers] = Run.complete
    const coverage = [transfers!, { ...deposits!, ...minutes(-9000, 55) }, { ...deposits!, ...minutes(56, 9000) }]
    assert.isEmpty(Run.match({ ...books, coverage }).outcomes.filter(({ outcome }) => outcome === "pending"))
    assert.deepInclude(Run.outcomes(books), "grouped d1 d2 t1")
  })

  it("a hole between two readings is a gap", () => {
    assert.strictEqual(of([read("a", { to: Run.T0 }), read("a", { from: Run.T0 + 1 })]).code, "coverage-gap")
    assert.strictEqual(of([read("a", { to: Run.T0 }), read("a", { from: Run.T0 })]).code, "missing-transfer")
  })

  it("a deposit whose account nobody knows is decided only when the list of accounts is vouched for", () => {
    const unknown = { deposits: [deposit("d1", 0, { address: "x" })] }
    const some = of([read("a"), read("b")], { ...unknown, accounts: { list: ["a", "b"], complete: false } })
    assert.strictEqual(some.code, "coverage-gap")
    assert.include(some.explanation, "address book")
    assert.strictEqual(
      of([read("a"), read("b")], { ...unknown, accounts: { list: ["a", "b"], complete: true } }).code,
      "missing-transfer"
    )
    assert.strictEqual(
      of([read("a")], { ...unknown, accounts: { list: ["a", "b"], complete: true } }).code,
      "coverage-gap"
    )
    const book = [{ address: "x", account: "a" }]
    assert.strictEqual(
      of([read("a")], { ...unknown, accounts: { list: ["a"], complete: false }, addresses: book }).code,
      "missing-transfer"
    )
  })

  it("a transfer needs the deposits over its window", () => {
    const transfers = [transfer("t1", 0)]
    const from = (ms: number) => ({ deposits: [], transfers, coverage: [{ ...depositsRead!, from: ms }] })
    assert.strictEqual(of([], from(Run.T0 - Run.HOUR)).code, "missing-deposit")
    assert.strictEqual(of([], from(Run.T0 - Run.HOUR + 1)).code, "coverage-gap")
  })
})

describe("final", () => {
  it("is a match once nothing unread could join it", () => {
    const transfers = [transfer("t1", 5, { from: "a", to: "master" })]
    assert.isTrue(of([read("a")], { transfers }).final)
    const young = of([read("a", { to: Run.T0 + 10 * Run.MINUTE, readAt: Run.T0 + 10 * Run.MINUTE })], { transfers })
    assert.include(young, { code: "exact", final: false })
  })

  it("a missing transfer is, once it can no longer turn up late", () => {
    const until = (hours: number): boolean =>
      of([read("a", { to: Run.T0 + hours * Run.HOUR + 1 })], {
        coverage: [depositsRead!, read("a", { from: Run.T0 - 2 * Run.DAY, to: Run.T0 + hours * Run.HOUR + 1 })]
      }).final
    assert.isTrue(until(24))
    assert.isFalse(until(23))
  })

  it("nothing is named missing while an entry it competes with may still find another counterpart", () => {
    const open = Run.complete.map((coverage) =>
      Object.assign({}, coverage, { to: Run.T0 + 70 * Run.MINUTE, readAt: Run.T0 + 70 * Run.MINUTE })
    )
    const found = Run.match({
      deposits: [deposit("d1", 0), deposit("d2", 40)],
      transfers: [transfer("t1", 41)],
      coverage: open
    }).outcomes
    assert.deepStrictEqual(Run.summary(found), ["exact d2 t1", "in-flight d1"])
  })

  it("a class is short only by more than its open windows could bring", () => {
    const until = (minutes: number) => ({
      deposits: [deposit("d1", 0), deposit("d2", 1)],
      transfers: [transfer("t1", 10)],
      coverage: Run.complete.map((coverage) =>
        Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
      )
    })
    assert.deepStrictEqual(Run.outcomes(until(20)), ["in-flight d1 d2 t1"])
    assert.deepStrictEqual(Run.outcomes(until(120)), ["class-short d1 d2 t1"])
  })

  it("a class is not short while a pair beside it may find another counterpart and release its own", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d2", -30), deposit("d3", -29)],
      transfers: [transfer("t1", 0.1), transfer("t2", -28)]
    }
    const until = (minutes: number) =>
      Run.complete.map((coverage) =>
        Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
      )
    assert.deepStrictEqual(Run.outcomes({ ...input, coverage: until(40) }), ["exact d1 t1", "in-flight d2 d3 t2"])
    assert.deepStrictEqual(Run.outcomes({ ...input, coverage: until(61) }), ["class-short d2 d3 t2", "exact d1 t1"])
    const mixed = {
      ...input,
      deposits: [
        deposit("d0", -900, { account: "b" }),
        deposit("d1", 0, { account: "a" }),
        deposit("d2", -30, { account: "a" }),
        deposit("d3", -29, { account: "a" })
      ]
    }
    assert.include(Run.outcomes({ ...mixed, coverage: until(40) }), "in-flight d2 d3 t2")
    assert.deepStrictEqual(
      Run.outcomes({ ...input, transfers: [...input.transfers!, transfer("t3", 50)] }),
      ["class-balanced d2 d3 t2 t1", "exact d1 t3"]
    )
  })
})

describe("not final", () => {
  const until = (minutes: number) =>
    Run.complete.map((coverage) =>
      Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
    )
  const finality = (input: Run.Input): ReadonlyArray<string> =>
    Run.match(input).outcomes.map((outcome) => `${Run.summary([outcome]).join()} ${outcome.final}`).toSorted()

  it("is what transfers of another account may still belong to, for an account may be wrong", () => {
    const until = (minutes: number): ReadonlyArray<Coverage.Coverage> => [
      depositsRead!,
      read("a"),
      read("b", { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
    ]
    const input: Run.Input = {
      accounts: { list: ["a", "b"], complete: true },
      deposits: [deposit("d1", 0, { account: "a" }), deposit("d2", 15, { account: "b" })],
      policy: { late: 0 }
    }
    assert.deepStrictEqual(finality({ ...input, coverage: until(10) }), [
      "in-flight d2 false",
      "missing-transfer d1 false"
    ])
    const transfers = [transfer("t1", 20, { from: "b", to: "" })]
    assert.deepStrictEqual(finality({ ...input, transfers, coverage: until(30) }), [
      "exact d2 t1 false",
      "missing-transfer d1 false"
    ])
    assert.deepStrictEqual(finality({ ...input, transfers, coverage: until(90) }), [
      "exact d2 t1 true",
      "missing-transfer d1 true"
    ])
  })

  it("is what may be early while the window of its deposit is open: both are in flight", () => {
    const input = { deposits: [deposit("d1", 15)], transfers: [transfer("t1", 0)], policy: { late: "20 minutes" } }
    assert.deepStrictEqual(finality({ ...input, coverage: until(30) }), [
      "in-flight d1 false",
      "in-flight t1 false"
    ])
    assert.deepStrictEqual(finality({ ...input, coverage: until(200) }), ["early d1 t1 true"])
  })

  it("is a failed transfer while the match of the deposit that it may have been for can change", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, { status: "failed" }), transfer("t2", 6)],
      policy: { late: 0 }
    }
    assert.deepStrictEqual(finality({ ...input, coverage: until(30) }), ["exact d1 t2 false", "not-settled t1 false"])
    assert.deepStrictEqual(finality({ ...input, coverage: until(90) }), ["exact d1 t2 true", "not-settled t1 true"])
  })

  for (const [code, amount] of [["tolerant", "10.5"], ["exact", "10"]] as const) {
    it(`is a match under a tolerance while one that fits may be released from a reference: ${code}`, () => {
      const held = { amount: "10.4", reference: "r" }
      const input: Run.Input = {
        deposits: [deposit("d1", 0, { amount: "10" }), deposit("d2", 4, held)],
        transfers: [transfer("t1", 5, { amount }), transfer("t2", 30, held)],
        policy: { tolerance: { absolute: "0.5" }, late: 0 }
      }
      const of = (minutes: number) => finality({ ...input, coverage: until(minutes) }).toSorted()
      assert.deepStrictEqual(of(62), ["reference d2 t2 false", `${code} d1 t1 false`].toSorted())
      assert.deepStrictEqual(of(99), ["reference d2 t2 true", `${code} d1 t1 true`].toSorted())
    })
  }

  it("a group is not said while a pair in its window may still release one that fits as well", () => {
    const input: Run.Input = {
      deposits: [
        deposit("d1", 0, { amount: "6" }),
        deposit("d2", -30, { amount: "4" }),
        deposit("d3", 20, { amount: "4" })
      ],
      transfers: [transfer("t1", 30, { amount: "10" }), transfer("t3", 40, { amount: "4" })]
    }
    const of = (minutes: number) => finality({ ...input, coverage: until(minutes) }).toSorted()
    assert.deepStrictEqual(of(62), [
      "exact d3 t3 false",
      "in-flight d1 false",
      "in-flight d2 false",
      "in-flight t1 false"
    ])
    assert.deepStrictEqual(of(99), ["exact d3 t3 true", "grouped d2 d1 t1 true"])
  })

  it("a mismatch is not said while a window is open", () => {
    const account = { account: "a" }
    const input = {
      deposits: [deposit("d1", 0, account)],
      transfers: [transfer("t1", 5, { ...account, amount: "1.01" })]
    }
    assert.deepStrictEqual(Run.outcomes({ ...input, coverage: until(30) }), ["in-flight d1", "missing-deposit t1"])
    assert.deepStrictEqual(Run.outcomes({ ...input, coverage: until(90) }), ["amount-mismatch d1 t1"])
  })
})

describe("the address book", () => {
  const lookup = AddressBook.lookup([
    { address: "shared", memo: "1", account: "one" },
    { address: "shared", memo: "2", account: "two" },
    { address: "addr", network: "TRX", account: "tron" },
    { address: "addr", account: "any" },
    { address: "bitcoincash:qq", account: "cash" }
  ])

  it("finds an account by address, memo and network, the most particular entry first", () => {
    assert.strictEqual(lookup("shared", "2"), "two")
    assert.strictEqual(lookup("shared"), undefined)
    assert.strictEqual(lookup("addr", "", "TRX"), "tron")
    assert.strictEqual(lookup("addr", "", "ETH"), "any")
  })

  it("reads the memo behind the address, but never behind a URI prefix", () => {
    assert.strictEqual(lookup("shared:1"), "one")
    assert.strictEqual(lookup("shared:1", "1"), "one")
    assert.strictEqual(lookup("bitcoincash:qq"), "cash")
    assert.deepStrictEqual(DepositAddress.make("kaspa:qz"), { address: "kaspa:qz", memo: "" })
    assert.deepStrictEqual(DepositAddress.make("shared:1", "2"), { address: "shared:1", memo: "2" })
  })
})

describe("another version of an entry may lie at its own moment", () => {
  /** The deposits, but for the moment of a deposit at T0. */
  const around: ReadonlyArray<Coverage.Coverage> = [{ ...depositsRead!, to: Run.T0 }, {
    ...depositsRead!,
    from: Run.T0 + 1
  }]
  const transfersRead = Run.complete.slice(1)
  const finals = (input: Run.Input): ReadonlyArray<string> =>
    Run.match(input).outcomes.map(({ code, final }) => `${code} ${final}`)

  it("so what a person linked or excluded, and what is in no flow, is final once it was read", () => {
    const linked: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5)],
      policy: { links: [{ deposits: ["d1"], transfers: ["t1"] }] }
    }
    const excluded: Run.Input = { deposits: [deposit("d1", 0)], policy: { exclude: [{ id: "d1" }] } }
    for (const input of [linked, excluded]) {
      const [code] = Run.match(input).outcomes.map(({ code }) => code)
      assert.deepStrictEqual(finals(input), [`${code} true`])
      assert.deepStrictEqual(finals({ ...input, coverage: [...around, ...transfersRead] }), [`${code} false`])
    }
    const outOfFlow: Run.Input = { transfers: [transfer("t1", 0, { from: "a", to: "b" })] }
    assert.deepStrictEqual(finals(outOfFlow), ["out-of-flow true"])
    const unread = { ...transfersRead[0]!, to: Run.T0 }
    assert.deepStrictEqual(finals({ ...outOfFlow, coverage: [depositsRead!, unread] }), ["out-of-flow false"])
  })

  it("so a pair is final once the moment of the transfer was read, in all account types that were asked for", () => {
    const pair: Run.Input = {
      deposits: [deposit("d1", 0, { account: "a" })],
      transfers: [transfer("t1", 5, { from: "a", to: "", fromType: "SPOT", toType: "SPOT" })],
      policy: { flows: [{ from: "*", to: "master", types: [["SPOT", "SPOT"]] }] }
    }
    const futures = ["SPOT", "FUTURES"] as const
    const whole = [depositsRead!, read("a")]
    assert.deepStrictEqual(finals({ ...pair, coverage: [...whole, read("a", {}, futures)] }), ["exact true"])
    const unread = read("a", { state: "incomplete" }, futures)
    assert.deepStrictEqual(finals({ ...pair, coverage: [...whole, unread] }), ["exact false"])
  })

  it("also where the transfer names no account: it may be told of any", () => {
    const pair: Run.Input = {
      deposits: [deposit("d1", 0, { account: "a" })],
      transfers: [transfer("t1", 5)],
      accounts: { list: ["a", "b"], complete: true }
    }
    assert.deepStrictEqual(finals({ ...pair, coverage: [depositsRead!, read("a"), read("b")] }), ["exact true"])
    const unread = read("b", { state: "incomplete" })
    assert.deepStrictEqual(finals({ ...pair, coverage: [depositsRead!, read("a"), unread] }), ["exact false"])
  })
})

describe("a transfer against the flows", () => {
  it("may explain a deposit in flows out of the master account, too", () => {
    const out = (fields: Partial<Coverage.Coverage> = {}): Coverage.Coverage => ({
      ...read("b", fields),
      query: { toAccount: "b", fromAccountType: "SPOT", toAccountType: "SPOT" }
    })
    const book: Run.Input = {
      deposits: [deposit("d1", 0, { account: "b" })],
      policy: { flows: [{ from: "master", to: "*" }] },
      accounts: { list: ["b"], complete: true }
    }
    const told = (coverage: ReadonlyArray<Coverage.Coverage>, transfers: Run.Input["transfers"] = []) =>
      Run.match({ ...book, transfers, coverage: [depositsRead!, ...coverage] }).outcomes
        .map(({ code, final }) => `${code} ${final}`)
    assert.deepStrictEqual(told([out(), read("b")]), ["missing-transfer true"])
    assert.deepStrictEqual(told([out(), read("b", { state: "incomplete" })]), ["coverage-gap false"])
    assert.deepStrictEqual(told([out(), read("b")], [transfer("t1", 5, { from: "b", to: "" })]), [
      "wrong-direction true"
    ])
    // Nobody asked for such transfers, so none is expected.
    assert.deepStrictEqual(told([out()]), ["missing-transfer true"])
  })
})

describe("a side", () => {
  it.effect("vouches for nothing of the other side", () =>
    Effect.gen(function*() {
      const until = { from: Run.T0 - Run.DAY, to: Run.T0 + 3 * Run.DAY, readAt: Run.T0 + 3 * Run.DAY }
      const whole = { ...until, state: "complete" } as const
      const slice = (records: ReadonlyArray<Entry.Entry>, coverage: ReadonlyArray<Coverage.Coverage>) =>
        Stream.succeed({ ...until, records, bad: [], coverage })
      const deposits = [Run.deposit("d", 0)]
      const ofBoth: ReadonlyArray<Coverage.Coverage> = [
        { ...whole, operation: "deposits" },
        { ...whole, operation: "transfers" }
      ]
      const told = yield* Reconciliation.reconcile(slice(deposits, ofBoth), slice([], []))
      assert.isFalse(told.clean)
      assert.deepStrictEqual(told.outcomes.map(({ code, final }) => [code, final]), [["coverage-gap", false]])
      const read = yield* Reconciliation.reconcile(
        slice(deposits, ofBoth),
        slice([], [{ ...whole, operation: "transfers" }])
      )
      assert.deepStrictEqual(read.outcomes.map(({ code, final }) => [code, final]), [["missing-transfer", true]])
    }))
})
