/** A policy of many rules: looking one up costs the same however many there are, and names are nothing but names. */
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "../src/Accounts.ts"
import * as Matching from "../src/Matching.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

/** The same objects, and how often anything looked into one of them. */
const watched = <A extends object>(items: ReadonlyArray<A>) => {
  const seen = { looks: 0 }
  const handler: ProxyHandler<A> = {
    get: (target, key): unknown => {
      seen.looks++
      return Reflect.get(target, key)
    }
  }
  return { seen, items: items.map((item) => new Proxy(item, handler)) }
}

const MANY = 1000

const numbers = Array.from({ length: MANY }, (_, index) => index)

/** A pair for each number, of an asset and an account of its own, and without a transfer every tenth deposit. */
const books = {
  deposits: numbers.map((n) => deposit(`d${n}`, n, { asset: `A${n}`, account: `s${n}` })),
  transfers: numbers.filter((n) => n % 10 !== 0)
    .map((n) => transfer(`t${n}`, n + 1, { asset: `A${n}`, from: `s${n}`, to: "master" }))
}

const coverage = numbers.flatMap((n) => [
  ...Run.complete.filter(({ operation }) => operation === "deposits").slice(0, n === 0 ? 1 : 0),
  ...Run.complete.filter(({ operation }) => operation === "transfers").map((one) =>
    Object.assign({}, one, { query: { fromAccount: `s${n}`, fromAccountType: "SPOT", toAccountType: "SPOT" } })
  )
])

const match = (policy: Policy.Resolved) =>
  Run.summary(Matching.match({ ...books, policy, bad: [], coverage, accounts: Accounts.none }).outcomes)

const expected = numbers.map((n) => (n % 10 === 0 ? `missing-transfer d${n}` : `exact d${n} t${n}`)).toSorted()

describe("a policy of very many rules", () => {
  it("looks at each flow a few times, however many transfers there are", () => {
    const policy = Run.policy({ flows: [{ from: "nobody", to: "master" }] })
    const { items, seen } = watched(numbers.map((n) => ({ from: `s${n}`, to: "master" })))
    assert.deepStrictEqual(match({ ...policy, flows: items }), expected)
    assert.isBelow(seen.looks, 40 * MANY)
  })

  it("looks at each rule for an asset a few times, however many assets there are", () => {
    const written = Run.policy({ per: numbers.map((n) => ({ asset: `A${n}`, late: 0 })) })
    const { items, seen } = watched(written.per)
    assert.deepStrictEqual(match({ ...written, per: items }), expected)
    // Parts are decided first, then what they left; each time looks at a rule some twenty times.
    assert.isBelow(seen.looks, 60 * MANY)
  })

  it("looks at each fee a few times, however many assets there are", () => {
    const written = Run.policy({ fees: numbers.map((n) => ({ asset: `A${n}`, flat: "0.1" })) })
    const { items, seen } = watched(written.fees)
    assert.deepStrictEqual(match({ ...written, fees: items }), expected)
    assert.isBelow(seen.looks, 40 * MANY)
  })
})

describe("names in a policy", () => {
  it("are taken apart from networks, whatever stands in them", () => {
    const input = {
      deposits: [deposit("d1", 0, { asset: "A " }), deposit("d2", 1, { asset: "A", network: " " })],
      transfers: [transfer("t2", 30, { asset: "A" })],
      policy: { per: [{ asset: "A", network: " ", window: { after: "10 minutes" }, late: 0 }] }
    }
    assert.deepStrictEqual(outcomes(input), ["missing-deposit t2", "missing-transfer d1", "missing-transfer d2"])
  })

  it("are no patterns, and no properties of an object", () => {
    const names = [
      "((a+)+)+$",
      ".*",
      "[",
      "__proto__",
      "constructor",
      "toString",
      "$&",
      "入金🏦",
      "a".repeat(50_000),
      "\n"
    ]
    for (const name of names) {
      const own = { asset: name, account: name }
      const found = outcomes({
        deposits: [
          deposit("d1", 0, own),
          deposit("d2", 0, { ...own, amount: "0.1" }),
          deposit("d3", 0, { asset: "a" })
        ],
        transfers: [
          transfer("t1", 90, { asset: `${name}2`, from: name, to: "master" }),
          transfer("t2", 90, { asset: name, from: `${name}b`, to: "master" }),
          transfer("t3", 1, { asset: "a", from: name, to: "master" })
        ],
        policy: {
          per: [{ asset: name, window: { after: "2 hours" } }],
          assets: { aliases: [[name, `${name}2`]] },
          minAmount: JSON.parse(`{${JSON.stringify(name)}:"0.5"}`),
          flows: [{ from: name, to: "master" }]
        }
      })
      assert.deepStrictEqual(found, ["exact d1 t1", "exact d3 t3", "excluded d2", "out-of-flow t2"], name.slice(0, 20))
    }
  })
})
