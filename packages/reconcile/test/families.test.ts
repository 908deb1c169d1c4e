import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import * as Families from "../src/internal/engine/ledger/Families.ts"
import { isAlike, stem } from "../src/internal/engine/ledger/LookAlike.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Partition from "../src/Partition.ts"
import type * as Policy from "../src/Policy.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Pasts from "./support/Pasts.ts"
import * as Run from "./support/Run.ts"

/** Names of few coins, as sources write them: with a network, before or behind, with a mark or without, in any case. */
const nameOf = (random: Generator.Generator): string => {
  const [coin, network] = [random.pick(["BTC", "ETH", "USDT", "W"]), random.pick(["ERC20", "TRC20", "TRX", "ETH"])]
  const mark = random.pick(["-", "_", ".", " ", ""])
  const name = random.pick([coin, coin, `${coin}${mark}${network}`, `${network}${mark}${coin}`])
  return random.chance(0.2) ? name.toLowerCase() : name
}

const namesOf = (random: Generator.Generator, most: number): ReadonlyArray<string> =>
  Array.from(new Set(Array.from({ length: random.int(1, most) }, () => nameOf(random))))

/** Lists of names that are equal, each name in one list at most. */
const aliasesOf = (random: Generator.Generator): ReadonlyArray<ReadonlyArray<string>> => {
  const names = random.shuffle(namesOf(random, 8))
  const cut = random.int(0, names.length)
  return [names.slice(0, cut), names.slice(cut)].filter((list) => list.length > 1)
}

interface Case {
  readonly counts: ReadonlyArray<Families.Count>
  readonly policy: Policy.Resolved
  readonly ties: ReadonlyArray<Families.Tie>
}

const caseOf = (random: Generator.Generator): Case => ({
  counts: namesOf(random, 10).map((asset) => ({ asset, entries: random.int(1, 9) })),
  policy: Run.policy({ assets: { aliases: random.chance(0.5) ? aliasesOf(random) : [] } }),
  ties: random.chance(0.3) ? [namesOf(random, 3)] : []
})

const each = (count: number, check: (random: Generator.Generator) => void): void => {
  for (let seed = 1; seed <= Generator.cases(count); seed++) {
    try {
      check(Generator.make(seed))
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
}

/** Spreads a label among all names that a relation joins until nothing changes, and returns the names of each label. */
const closureOf = (
  names: ReadonlyArray<string>,
  areJoined: (one: string, other: string) => boolean
): ReadonlyArray<ReadonlyArray<string>> => {
  const label = new Map(names.map((name) => [name, name]))
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const one of names) {
      for (const other of names) {
        const [left, right] = [label.get(one) ?? one, label.get(other) ?? other]
        if (right <= left || !areJoined(one, other)) continue
        label.set(other, left)
        isChanged = true
      }
    }
  }
  return Array.from(Map.groupBy(names, (name) => label.get(name)).values())
}

describe("families of assets", () => {
  it("hold all that share a name without case and network, are equal by the policy, or are joined by an id", () => {
    let several = 0
    each(500, (random) => {
      const { counts, policy, ties } = caseOf(random)
      const here = counts.map(({ asset }) => asset)
      const isMet = (list: ReadonlyArray<string>): boolean => [here, ...ties].flat().some((name) => list.includes(name))
      const lists = [...policy.assets.aliases.filter(isMet), ...ties]
      const areJoined = (one: string, other: string): boolean =>
        stem(one) === stem(other) || lists.some((list) => list.includes(one) && list.includes(other))
      const expected = closureOf(Array.from(new Set([...here, ...lists.flat()])), areJoined)
        .map((members) => members.filter((name) => here.includes(name)).toSorted())
        .filter((members) => members.length > 0)
      const found = Families.families(counts, policy, ties)
      const lines = (families: ReadonlyArray<ReadonlyArray<string>>) => families.map((names) => names.join()).toSorted()
      assert.deepStrictEqual(lines(found.map(({ assets }) => assets)), lines(expected))
      const familyOf = (name: string) => found.findIndex(({ assets }) => assets.includes(name))
      for (const one of here) {
        for (const other of here) if (isAlike(one, other)) assert.strictEqual(familyOf(one), familyOf(other))
      }
      several += found.length > 1 ? 1 : 0
    })
    assert.isAbove(several, Generator.cases(500) / 4)
  })

  it("are the same in any order of their assets and ties, and count each entry once", () => {
    each(200, (random) => {
      const { counts, policy, ties } = caseOf(random)
      const found = Families.families(counts, policy, ties)
      const parts = counts.flatMap(({ asset, entries }) => [{ asset, entries: 1 }, { asset, entries: entries - 1 }])
      const shuffled = random.shuffle(ties.map((tie) => random.shuffle(tie)))
      assert.deepStrictEqual(Families.families(random.shuffle(parts), policy, shuffled), found)
      const sum = (of: ReadonlyArray<{ readonly entries: number }>) =>
        of.reduce((total, { entries }) => total + entries, 0)
      assert.strictEqual(sum(found), sum(counts))
    })
  })

  it("are named by the first name of a list of equal assets, and join lists by a name that nothing bears", () => {
    const policy = Run.policy({ assets: { aliases: [["TETHER", "USDT"], ["DOLLAR", "usdt"]] } })
    const count = (asset: string): Families.Count => ({ asset, entries: 1 })
    assert.deepStrictEqual(Families.families(["TETHER", "BTC", "DOLLAR"].map(count), policy), [
      { name: "BTC", assets: ["BTC"], entries: 1 },
      { name: "DOLLAR", assets: ["DOLLAR", "TETHER"], entries: 2 }
    ])
    // A tie joins also what only a name that it is called by looks like.
    assert.deepStrictEqual(Families.families(["USDTTRC20", "BTC"].map(count), policy, [["BTC", "DOLLAR"]]), [
      { name: "BTC", assets: ["BTC", "USDTTRC20"], entries: 2 }
    ])
  })

  it("are spread over parts, each once, so that no two parts differ by more than one family", () => {
    each(300, (random) => {
      const { counts, policy, ties } = caseOf(random)
      const found = Families.families(counts, policy, ties)
      const parts = random.int(1, 6)
      const spread = Partition.balanced(found, parts)
      assert.lengthOf(spread, Math.max(1, Math.min(parts, found.length)))
      assert.sameMembers(spread.flatMap(({ assets }) => assets), found.flatMap(({ assets }) => assets))
      for (const { assets } of found) assert.lengthOf(spread.filter((part) => part.assets.includes(assets[0] ?? "")), 1)
      for (const { assets, entries } of spread) {
        const own = found.filter((family) => family.assets.every((asset) => assets.includes(asset)))
        assert.strictEqual(entries, own.reduce((sum, family) => sum + family.entries, 0))
      }
      const sizes = spread.map(({ entries }) => entries)
      assert.isAtMost(Math.max(...sizes) - Math.min(...sizes), Math.max(0, ...found.map(({ entries }) => entries)))
    })
    assert.deepStrictEqual(Partition.balanced([], 3), [{ assets: [], entries: 0 }])
  })

  it("are told alone what they are told beside others", () => {
    let several = 0
    const codes = new Set<Outcome.Code>()
    each(80, (random) => {
      const aliases = random.chance(0.5) ? aliasesOf(random) : []
      const kind = { ...Crowd.kindOf(random), assets: namesOf(random, 6), minutes: 60 }
      const entries = (side: Entry.Side) => Pasts.some(random, Crowd.entries(random, side, kind))
      const [deposits, transfers] = [entries("deposit"), entries("transfer")]
      const policy: Policy.Policy = {
        assets: { aliases },
        late: random.pick(["0 minutes", "30 minutes"]),
        reference: random.pick(["prefer", "require", "ignore"])
      }
      const { outcomes } = Run.match({ deposits, transfers, policy })
      const counts = [...deposits, ...transfers].map(({ asset }) => ({ asset, entries: 1 }))
      const found = Families.families(counts, Run.policy(policy))
      for (const { assets } of found) {
        const isOf = ({ asset }: Entry.Entry): boolean => assets.includes(asset)
        const alone = Run.match({ deposits: deposits.filter(isOf), transfers: transfers.filter(isOf), policy }).outcomes
        const beside = outcomes.filter(({ deposits, transfers }) => [...deposits, ...transfers].some(isOf))
        assert.deepStrictEqual(beside, alone)
        for (const { code } of alone) codes.add(code)
      }
      several += found.length > 1 ? 1 : 0
    })
    assert.isTrue(codes.has("asset-mismatch"))
    assert.isAbove(several, Generator.cases(80) / 4)
  })
})
