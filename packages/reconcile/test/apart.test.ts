import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Pasts from "./support/Pasts.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

interface Entries {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
}

/** As many deposits as transfers of 1 USDT, all within half an hour; their references differ. */
const throng = (size: number): Entries => {
  const entries = (make: typeof deposit, prefix: string, from: number): ReadonlyArray<Entry.Entry> =>
    Array.from(
      { length: size },
      (_, index) =>
        make(`${prefix}${index}`, from + Math.floor(30 * index / size), {
          asset: "USDT",
          reference: `${prefix}${index}`
        })
    )
  return { deposits: entries(deposit, "d", 0), transfers: entries(transfer, "t", 5) }
}

const isOf = (asset: string) => ({ deposits, transfers }: Outcome.Outcome): boolean =>
  [...deposits, ...transfers].some((entry) => entry.asset === asset)

/** The codes of the outcomes of one asset. */
const codesOf = (asset: string, input: Run.Input): ReadonlyArray<string> =>
  Run.match(input).outcomes.filter(isOf(asset)).map(({ code }) => code)

/** What an archive may tell of a crowd: entries that have a past, and some that come twice, with another amount or without. */
const told = (random: Generator.Generator, side: Entry.Side, kind: Crowd.Kind): ReadonlyArray<Entry.Entry> => {
  const entries = Pasts.some(random, Crowd.entries(random, side, kind))
  const again = entries.filter(() => random.chance(0.1))
  return [...entries, ...again.map((entry) => Object.assign({}, entry, random.chance(0.5) ? { amount: "11" } : {}))]
}

const crowd = (random: Generator.Generator, kind: Crowd.Kind): Entries => (
  { deposits: told(random, "deposit", kind), transfers: told(random, "transfer", kind) }
)

/** Gives entries other ids. All else they may share with those that have these. */
const renamed = ({ deposits, transfers }: Entries): Entries => {
  const rename = (entry: Entry.Entry): Entry.Entry => ({ ...entry, id: `other ${entry.id}` })
  return { deposits: deposits.map(rename), transfers: transfers.map(rename) }
}

/** A policy that names entries of both, and pairs of one with the other. */
const policyFor = (random: Generator.Generator): Policy.Policy => {
  const some = <A>(one: A): ReadonlyArray<A> => random.chance(0.3) ? [one] : []
  return {
    window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
    late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
    lagFrom: random.pick(["seen", "settled"]),
    tolerance: { absolute: random.pick(["0", "0", "1"]) },
    fees: random.pick([[], [], [{ flat: "1" }]]),
    reference: random.pick(["prefer", "require", "ignore", "only"]),
    ambiguity: { mode: random.pick(["report", "report", "assign"]) },
    grouping: { manyToOne: random.chance(0.3), oneToMany: random.chance(0.3) },
    forbid: [
      ...some({ deposit: "d0", transfer: "t0" }),
      ...some({ deposit: "d1", transfer: "other t1" }),
      ...some({ deposit: "other d2", transfer: "t2" }),
      ...some({ deposit: "other d0", transfer: "other t0" }),
      ...some({ deposit: "other d1", transfer: "other t0" })
    ],
    exclude: [...some({ id: "d3" }), ...some({ id: "other d3" }), ...some({ id: "other t3" })],
    links: [
      ...some({ deposits: ["d4"], transfers: ["t4"] } as const),
      ...some({ deposits: ["other d4"], transfers: ["other t4"] } as const)
    ]
  }
}

const readUntil = (minutes: number): NonNullable<Run.Input["coverage"]> =>
  Run.complete.map((coverage) =>
    Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
  )

/** Says of entries what is said of them beside others, in whatever order both come. */
const areAlone = (random: Generator.Generator, own: Entries, others: Entries, rest: Run.Input) => {
  const alone = Run.match({ ...own, ...rest }).outcomes
  const beside = Run.match({
    deposits: random.shuffle([...own.deposits, ...others.deposits]),
    transfers: random.shuffle([...own.transfers, ...others.transfers]),
    ...rest
  }).outcomes
  assert.deepStrictEqual(beside.filter((outcome) => !isOf("DOGE")(outcome)), alone)
  return alone
}

describe("entries that nothing connects with others", () => {
  it("are a class, however many they are, whatever is forbidden to entries of another", () => {
    const { deposits, transfers } = throng(2100)
    const pair = { deposits: [deposit("other", 0)], transfers: [transfer("another", 5)] }
    const input = { deposits: [...deposits, ...pair.deposits], transfers: [...transfers, ...pair.transfers] }
    const between = (left: string, right: string) =>
      codesOf("USDT", { ...input, policy: { forbid: [{ deposit: left, transfer: right }] } })
    assert.deepStrictEqual(between("other", "another"), ["class-balanced"])
    assert.deepStrictEqual(between("d7", "another"), ["class-balanced"])
    // A pair of their own may keep any of them apart, and there are too many to try.
    assert.deepStrictEqual(between("d7", "t7"), ["search-exhausted"])
  })

  it("are a class, however many they are, whatever becomes of equal ones that are out of their reach", () => {
    const { deposits, transfers } = throng(1000)
    const ofOne = (entry: Entry.Entry): Entry.Entry => ({ ...entry, account: "a" })
    const far = { asset: "USDT", account: "b" }
    assert.deepStrictEqual(
      codesOf("USDT", {
        deposits: [...deposits.map(ofOne), deposit("b1", 9999, far), deposit("b2", 9999, far)],
        transfers: [...transfers.map(ofOne), transfer("u", 9999, { asset: "USDT" })]
      }),
      ["class-balanced", "class-short"]
    )
  })

  it("are called those of another account only where they are, whatever accounts others have", () => {
    const of = (make: typeof deposit, prefix: string, minutes: number): ReadonlyArray<Entry.Entry> =>
      Array.from({ length: 720 }, (_, index) => make(`${prefix}${index}`, minutes, { asset: "USDT", account: "a" }))
    const [unsettledAt, settledAt] = [Run.T0 + 180 * Run.MINUTE, Run.T0 + 184 * Run.MINUTE]
    const delayed = deposit("d", 0, { asset: "USDT", account: "a", past: { statuses: [], unsettledAt, settledAt } })
    const input = {
      deposits: [...of(deposit, "d", 0), delayed],
      transfers: [transfer("first", 5, { asset: "USDT", account: "a" }), ...of(transfer, "t", 185)],
      policy: { lagFrom: "settled" }
    } as const
    const fact = "It fits as well, counted from when the deposit settled, but belongs to another break."
    for (const others of [[], [deposit("other", 0, { account: "b" })]]) {
      const { outcomes } = Run.match({ ...input, deposits: [...input.deposits, ...others] })
      const short = outcomes.find(({ deposits }) => deposits.some(({ id }) => id === "d"))
      assert.deepStrictEqual(short?.candidates.map(({ reason }) => reason), [fact, fact, fact])
    }
  })

  it("are told alike, whatever comes of another asset and whatever the policy says of that", () => {
    const codes = new Set<Outcome.Code>()
    for (let seed = 1; seed <= Generator.cases(80); seed++) {
      const random = Generator.make(seed)
      const kind = Crowd.kindOf(random)
      const others = { ...Crowd.kindOf(random), assets: ["DOGE"], references: kind.references }
      const policy = policyFor(random)
      const coverage = random.chance(0.7) ? Run.complete : readUntil(random.int(50, 250))
      const accounts = { list: ["a", "b"], complete: random.chance(0.5) }
      try {
        const outcomes = areAlone(random, crowd(random, kind), renamed(crowd(random, others)), {
          accounts,
          coverage,
          policy
        })
        for (const { code } of outcomes) codes.add(code)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    assert.isAbove(codes.size, Math.min(20, Generator.cases(80) / 4))
  })

  it("are told alike where they are tried pair by pair, and where they are too many for that", () => {
    const random = Generator.make(1)
    const others = renamed(
      crowd(random, { ...Crowd.kindOf(random), assets: ["DOGE"], references: ["d1", "t1"], most: 99 })
    )
    const told = (size: number, forbidden: NonNullable<Policy.Policy["forbid"]>) => {
      const forbid = [...forbidden, { deposit: "other d1", transfer: "other t1" }, {
        deposit: "d2",
        transfer: "other t2"
      }]
      const policy: Policy.Policy = { window: { before: "1 hour", after: "1 hour" }, forbid }
      return areAlone(random, throng(size), others, { policy }).map(({ code }) => code)
    }
    assert.deepStrictEqual(told(708, []), ["class-balanced"])
    const own = [{ deposit: "d1", transfer: "t1" }]
    assert.deepStrictEqual([told(100, own), told(708, own)], [["class-balanced"], ["search-exhausted"]])
  })
})
