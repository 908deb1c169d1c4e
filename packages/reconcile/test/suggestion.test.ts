/** What a policy would have to say so that links would not have been needed. */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Result from "effect/Result"
import type * as Entry from "../src/Entry.ts"
import * as Policy from "../src/Policy.ts"
import * as Suggestion from "../src/Suggestion.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

const { MINUTE } = Run

const decoded = (written: Policy.Policy = {}): Policy.Decoded => Result.getOrThrow(Policy.decode(written))

type Side = Partial<Pick<Entry.Entry, "amount" | "asset" | "network">>

const link = (decision: number, deposit: Side, transfer: Side, lagMinutes = 10): Suggestion.Link => {
  const day = decision * 24 * 60 * 40
  return {
    decision,
    deposit: Run.deposit(`d${decision}`, day, deposit),
    transfer: Run.transfer(`t${decision}`, day + lagMinutes, transfer)
  }
}

const found = (links: ReadonlyArray<Suggestion.Link>, policy: Policy.Policy = {}) =>
  Suggestion.find(decoded(policy), links).map(({ line, links }) => [line, links.map(({ decision }) => decision)])

const amounts = (pairs: ReadonlyArray<readonly [string, string]>, fields: Side = {}) =>
  pairs.map(([deposit, transfer], index) =>
    link(index + 1, { ...fields, amount: deposit }, { ...fields, amount: transfer })
  )

const later = (assets: ReadonlyArray<string>, lags: ReadonlyArray<number>) =>
  assets.map((asset, index) => link(index + 1, { asset }, { asset }, lags[index]))

describe("suggestions", () => {
  it("see a fee where transfers are less than their deposits by one amount", () => {
    const links = amounts([["100", "99"], ["20.50", "19.5"], ["7", "6"], ["50", "48"]])
    assert.deepStrictEqual(found(links), [[{ fees: [{ asset: "BTC", flat: "1" }] }, [1, 2, 3]]])
  })

  it("see a share where transfers are less by one share, and allow what was rounded", () => {
    assert.deepStrictEqual(found(amounts([["100", "99.9"], ["20", "19.98"], ["7", "6.993"]])), [
      [{ fees: [{ asset: "BTC", rate: "0.001" }] }, [1, 2, 3]]
    ])
    const rounded = amounts([["100.03", "99.03"], ["33.33", "33"], ["77.77", "76.99"], ["61", "60.39"]])
    assert.deepStrictEqual(found(rounded), [
      [
        { fees: [{ asset: "BTC", rate: "0.01" }], per: [{ asset: "BTC", tolerance: { absolute: "0.0033" } }] },
        [1, 2, 3, 4]
      ]
    ])
  })

  it("see a tolerance where amounts differ by a hundredth at most, and nothing where they differ by more", () => {
    assert.deepStrictEqual(found(amounts([["100", "100.3"], ["100", "99.99"], ["50", "50.02"]])), [
      [{ per: [{ asset: "BTC", tolerance: { absolute: "0.3" } }] }, [1, 2, 3]]
    ])
    assert.deepStrictEqual(found(amounts([["100", "103"], ["100", "90"], ["50", "20"]])), [])
  })

  it("see a window where transfers come later or earlier, of one asset in `per`, of several for all", () => {
    assert.deepStrictEqual(found(later(["BTC", "BTC", "BTC"], [90, 120, 61])), [
      [{ per: [{ asset: "BTC", window: { after: "2 hours" } }] }, [1, 2, 3]]
    ])
    assert.deepStrictEqual(found(later(["BTC", "ETH", "XRP"], [-90, -5, -61]), { window: { after: "1 day" } }), [
      [{ window: { before: "90 minutes", after: "1 day" } }, [1, 2, 3]]
    ])
  })

  it("see one asset where two names are linked again and again", () => {
    const links = [1, 2, 3].map((decision) => link(decision, { asset: "USDT-TRX" }, { asset: "USDT" }))
    assert.deepStrictEqual(found(links, { assets: { aliases: [["BTC", "XBT"], ["USDT", "TETHER"]] } }), [
      [{ assets: { aliases: [["BTC", "XBT"], ["USDT", "TETHER", "USDT-TRX"]] } }, [1, 2, 3]]
    ])
  })

  it("say nothing of fewer than three, nor of links that the policy allows or that get around it twice", () => {
    assert.deepStrictEqual(found(amounts([["100", "99"], ["20", "19"]])), [])
    assert.deepStrictEqual(found(amounts([["1", "1"], ["2", "2"], ["3", "3"]])), [])
    const twice = [1, 2, 3].map((decision) => link(decision, { amount: "10" }, { amount: "9" }, 90))
    assert.deepStrictEqual(found(twice), [])
  })

  it("leave the fees of a policy as they are, also those that name no asset", () => {
    const policy: Policy.Policy = { fees: [{ flat: "0.5" }, { asset: "ETH", flat: "2" }] }
    assert.deepStrictEqual(found(amounts([["100", "99"], ["20", "19"], ["7", "6"]]), policy), [
      [{
        fees: [{ flat: "0.5" }, { asset: "ETH", flat: "2" }, { flat: "0.5", asset: "BTC" }, { asset: "BTC", flat: "1" }]
      }, [1, 2, 3]]
    ])
  })

  it("change the rule under which the deposits fall, and add one where there is none", () => {
    const policy: Policy.Policy = {
      per: [{ asset: "BTC", network: "LN", window: { before: 0, after: "2 minutes" } }]
    }
    const links = [1, 2, 3].map((decision) => link(decision, { network: "LN" }, {}, 3 * decision))
    assert.deepStrictEqual(found(links, policy), [
      [{ per: [{ asset: "BTC", network: "LN", window: { before: 0, after: "9 minutes" } }] }, [1, 2, 3]]
    ])
    const others = [4, 5, 6].map((decision) => link(decision, { network: "BTC" }, {}, 61))
    assert.deepStrictEqual(found(others, policy), [
      [{ per: [...policy.per ?? [], { asset: "BTC", window: { after: "61 minutes" } }] }, [4, 5, 6]]
    ])
  })

  /** Links of one shape, of pairs that lie weeks apart: nothing else can be the counterpart of one. */
  const shaped = (seed: number) => {
    const { int, pick } = Generator.make(seed)
    const shape = pick(["fee", "share", "difference", "late", "early", "alias"] as const)
    const policy = pick<Policy.Policy>([
      {},
      { fees: [{ flat: "0.000003" }], tolerance: { absolute: "0.000001" } },
      { per: [{ asset: "A", network: "N", late: 0 }, { asset: "A", window: { after: "2 hours" } }] },
      { window: { before: -MINUTE, after: "1 day" }, assets: { aliases: [["A", "A2"], ["B", "B2"]] } }
    ])
    const digits = 6
    const [flat, share] = [int(10_000, 90_000), int(1, 40)]
    const links = Array.from({ length: int(3, 7) }, (_, index): Suggestion.Link => {
      const amount = int(2_000_000, 900_000_000)
      const moved = new Map<string, number>([
        ["fee", amount - flat],
        ["share", amount - Math.floor(amount * share / 1000)],
        ["difference", amount + int(10, 20_000) * pick([-1, 1])]
      ])
      const lag = { late: 86_400_000 + int(1, 1_000_000_000), early: -MINUTE - int(1, 1_000_000_000) }
      const text = (units: number): string => Amount.format(BigInt(units), digits)
      const network = pick(["N", "M"])
      const one = link(
        index + 1,
        { asset: "A", network, amount: text(amount) },
        { asset: shape === "alias" ? "B" : "A", amount: text(moved.get(shape) ?? amount) }
      )
      return shape === "late" || shape === "early"
        ? { ...one, transfer: { ...one.transfer, at: one.deposit.at + lag[shape] } }
        : one
    })
    return { shape, policy, links }
  }

  const matched = (policy: Policy.Policy, links: ReadonlyArray<Suggestion.Link>) =>
    Run.match({
      deposits: links.map(({ deposit }) => deposit),
      transfers: links.map(({ transfer }) => transfer),
      policy
    }).outcomes
      .flatMap(({ deposits, outcome, transfers }) =>
        outcome === "matched" ? [[...deposits, ...transfers].map(({ id }) => id).join(" ")] : []
      )
      .toSorted()

  const pairs = (links: ReadonlyArray<Suggestion.Link>) =>
    links.map(({ deposit, transfer }) => `${deposit.id} ${transfer.id}`).toSorted()

  it("make the engine match every link that they cover, where it matched none of them before", () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= Generator.cases(100); seed++) {
      const { links, policy, shape } = shaped(seed)
      for (const suggestion of Suggestion.find(decoded(policy), links)) {
        const covered = suggestion.links
        assert.deepStrictEqual(matched(policy, covered), [], `seed ${seed}`)
        assert.deepStrictEqual(matched(suggestion.policy, covered), pairs(covered), `seed ${seed}`)
        assert.isAtLeast(covered.length, Suggestion.FEWEST)
        assert.deepStrictEqual<Policy.Policy>(suggestion.policy, { ...policy, ...suggestion.line })
        seen.add(`${shape} ${suggestion.shape.code}`)
      }
    }
    for (const shape of ["fee", "share", "difference", "late", "early", "alias"]) {
      assert.isTrue(seen.has(`${shape} ${shape}`), shape)
    }
  })

  it("stand in one policy together, of whatever shapes they are: it allows each of their links", () => {
    const [seen, joined] = [new Set<string>(), new Set<string>()]
    for (let seed = 1; seed <= Generator.cases(50); seed++) {
      const { links, policy } = shaped(seed)
      const { int } = Generator.make(seed)
      const second = shaped(1000 + seed + int(0, 3))
      const others = second.links.map((one) => Object.assign({}, one, { decision: one.decision + links.length }))
      const suggestions = Suggestion.find(decoded(policy), [...links, ...others])
      const together = Result.getOrThrow(Suggestion.together(decoded(policy), suggestions))
      assert.deepStrictEqual<Policy.Policy>(together.policy, { ...policy, ...together.line })
      assert.deepStrictEqual(together.links, suggestions.flatMap(({ links }) => links))
      for (const some of [links, others]) {
        const covered = some.filter((link) => together.links.includes(link))
        assert.deepStrictEqual(matched(together.policy, covered), pairs(covered), `seed ${seed}`)
      }
      for (const { shape } of suggestions) {
        if (suggestions.length > 1) seen.add(shape.code)
      }
      const keys = suggestions.flatMap(({ line }) => Object.keys(line))
      for (const key of keys) if (keys.indexOf(key) !== keys.lastIndexOf(key)) joined.add(key)
    }
    assert.deepStrictEqual(Array.from(seen).toSorted(), ["alias", "difference", "early", "fee", "late", "share"])
    assert.includeMembers(Array.from(joined), ["fees", "per"])
  })

  it("are several for one key where links have several shapes of it, and one line then has them all", () => {
    const policy: Policy.Policy = { window: { before: 0 }, per: [{ asset: "XRP", late: 0 }] }
    const times = [
      ["BTC", 90],
      ["BTC", 61],
      ["BTC", 70],
      ["ETH", 100],
      ["ETH", 80],
      ["ETH", 70],
      ["XRP", 120],
      ["LTC", 61],
      ["ADA", 62]
    ] as const
    const windows = later(times.map(([asset]) => asset), times.map(([, lag]) => lag))
    const names = ["USDC", "USDC.e", "USDC-SOL"].flatMap((name, place) =>
      [0, 1, 2].map((index) => link(10 + 3 * place + index, { asset: "USDC" }, { asset: name }))
    )
    const suggestions = Suggestion.find(decoded(policy), [...windows, ...names])
    assert.deepStrictEqual(suggestions.map(({ shape }) => shape.code), ["late", "late", "late", "alias", "alias"])
    const { line } = Result.getOrThrow(Suggestion.together(decoded(policy), suggestions))
    assert.deepStrictEqual(line, {
      window: { before: 0, after: "2 hours" },
      per: [
        { asset: "XRP", late: 0 },
        { asset: "BTC", window: { after: "90 minutes" } },
        { asset: "ETH", window: { after: "100 minutes" } }
      ],
      assets: { aliases: [["USDC", "USDC.e", "USDC-SOL"]] }
    })
  })

  it("allow together the most that one of them allows", () => {
    const rounded = amounts([["100.03", "99.03"], ["33.33", "33"], ["77.77", "76.99"], ["61", "60.39"]])
    const little = [5, 6, 7].map((decision) => link(decision, { amount: "50" }, { amount: "50.002" }))
    const suggestions = Suggestion.find(decoded(), [...rounded, ...little])
    const { line } = Result.getOrThrow(Suggestion.together(decoded(), suggestions))
    assert.deepStrictEqual(suggestions.map(({ shape }) => shape.code), ["share", "difference"])
    assert.deepStrictEqual(line.per, [{ asset: "BTC", tolerance: { absolute: "0.0033" } }])
  })

  /** The same line, with a value that is smaller by the smallest step. */
  const smaller = ({ line, shape }: Suggestion.Suggestion): Policy.Policy | undefined => {
    const less = (text: string): string => Amount.format(Amount.units(text, 6) - 1n, 6)
    const per = (change: object) => ({ per: line.per?.map((rule) => Object.assign({}, rule, change)) ?? [] })
    switch (shape.code) {
      case "difference":
        return per({ tolerance: { absolute: less(shape.absolute) } })
      case "late":
        return per({ window: { before: 0, after: shape.after - 1 } })
      case "early":
        return per({ window: { before: shape.before - 1, after: 0 } })
      default:
        return undefined
    }
  }

  it("name the smallest value: with a smaller one, a link would still be needed", () => {
    let tried = 0
    for (let seed = 1; seed <= Generator.cases(100); seed++) {
      const { links, policy } = shaped(seed)
      for (const suggestion of Suggestion.find(decoded(policy), links)) {
        const less = smaller(suggestion)
        if (less === undefined) continue
        tried++
        const { links } = suggestion
        assert.isBelow(matched({ ...policy, ...less }, links).length, links.length, `seed ${seed}`)
      }
    }
    assert.isAbove(tried, 20)
  })
})
