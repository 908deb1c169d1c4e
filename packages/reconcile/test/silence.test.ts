import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Pasts from "./support/Pasts.ts"
import * as Run from "./support/Run.ts"

const DAY = 24 * Run.HOUR

interface Entries {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
}

const changed = (entry: Entry.Entry, fields: Partial<Entry.Entry>): Entry.Entry => Object.assign({}, entry, fields)

/** Amounts with as many digits as some coins have, so that their sums are no safe integers of the finest unit. */
const fine = ["10.000000000000000001", "11.5", "12"]

const crowd = (random: Generator.Generator, kind: Crowd.Kind): Entries => ({
  deposits: Pasts.some(random, Crowd.entries(random, "deposit", kind)),
  transfers: Pasts.some(random, Crowd.entries(random, "transfer", kind))
})

/** Moves entries in time, and gives them other ids. */
const moved = ({ deposits, transfers }: Entries, by: number): Entries => {
  const move = (entry: Entry.Entry): Entry.Entry => {
    const { at, id, past } = entry
    return changed(entry, {
      id: `other ${id}`,
      at: at + by,
      ...(past?.settledAt === undefined ? {} : { past: { ...past, settledAt: past.settledAt + by } })
    })
  }
  return { deposits: deposits.map(move), transfers: transfers.map(move) }
}

const policyOf = (random: Generator.Generator): Policy.Policy => ({
  window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
  late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
  tolerance: { absolute: random.pick(["0", "0", "1"]) },
  fees: random.pick([[], [], [{ flat: "1" }], [{ rate: "0.1" }]]),
  reference: random.pick(["prefer", "require", "ignore", "only"]),
  lagFrom: random.pick(["seen", "settled"]),
  ambiguity: { mode: random.pick(["report", "report", "assign"]) },
  grouping: { manyToOne: random.chance(0.5), oneToMany: random.chance(0.5) }
})

const isOwn = ({ deposits, transfers }: Outcome.Outcome): boolean =>
  [...deposits, ...transfers].every(({ id }) => !id.startsWith("other"))

describe("entries that lie far from all others of their asset", () => {
  it("are told alike, whatever those are", () => {
    const codes = new Set<Outcome.Code>()
    for (let seed = 1; seed <= Generator.cases(300); seed++) {
      const random = Generator.make(seed)
      const kind = { ...Crowd.kindOf(random), amounts: random.pick([["10", "11", "12"], ["3", "4", "7", "11"]]) }
      const own = crowd(random, kind)
      const others = moved(
        crowd(random, { ...kind, amounts: random.pick([random.shuffle(kind.amounts), fine]) }),
        random.pick([-30, 30]) * DAY
      )
      const rest = { policy: policyOf(random) }
      const alone = Run.match({ ...own, ...rest }).outcomes
      const beside = Run.match({
        deposits: [...own.deposits, ...others.deposits],
        transfers: [...own.transfers, ...others.transfers],
        ...rest
      }).outcomes
      assert.deepStrictEqual(beside.filter(isOwn), alone, `seed ${seed}`)
      for (const { code } of alone) codes.add(code)
    }
    assert.isAbove(codes.size, 15)
  })

  it("are named in an order of their own where one outcome could have several of them", () => {
    const ofAccount = (account: string, amount: string) => ({ account, amount })
    const input = {
      deposits: [
        Run.deposit("short", 0, ofAccount("a", "10")),
        ...["p", "q"].map((id) => Run.deposit(`3${id}`, 0, ofAccount("b", "3"))),
        ...["p", "q"].map((id) => Run.deposit(`4${id}`, 0, ofAccount("b", "4")))
      ],
      transfers: [
        Run.transfer("part", 10, ofAccount("a", "3")),
        Run.transfer("another part", 10, ofAccount("a", "4")),
        ...["p", "q"].map((id) => Run.transfer(`10${id}`, 10, ofAccount("b", "10")))
      ],
      policy: { grouping: { manyToOne: false, oneToMany: true } }
    }
    const named = (others: ReadonlyArray<Entry.Entry>) => {
      const { outcomes } = Run.match({ ...input, deposits: [...input.deposits, ...others] })
      const short = outcomes.find(({ code }) => code === "split-incomplete")
      return short?.candidates.map(({ id }) => id)
    }
    assert.deepStrictEqual(named([]), ["3p", "3q", "4p"])
    assert.deepStrictEqual(named([Run.deposit("other", -99_999, { account: "a", amount: "4" })]), ["3p", "3q", "4p"])
  })

  it("may be parts of a sum or not, in whatever units others are counted", () => {
    // The transfer could take 127 of about 1016.9, which is less than one in eight.
    const deposits = Array.from({ length: 1001 }, (_, index) =>
      Run.deposit(`d${index}`, index / 100, { amount: index === 0 ? "2" : "1" }))
    const codesOf = (others: ReadonlyArray<Entry.Entry>) =>
      new Set(
        Run.match({
          deposits: [...deposits, ...others],
          transfers: [Run.transfer("t", 20, { amount: "127" })],
          policy: { grouping: { manyToOne: true, oneToMany: false } }
        }).outcomes.filter((outcome) => isOwn(outcome) && outcome.deposits.length > 0).map(({ code }) => code)
      )
    assert.deepStrictEqual(codesOf([]), codesOf([Run.deposit("other", 99_999, { amount: "0.1" })]))
  })
})
