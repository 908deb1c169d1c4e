import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import * as Accounts from "../src/Accounts.ts"
import type * as Entry from "../src/Entry.ts"
import * as Incremental from "../src/internal/matching/Incremental.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

const entries = (random: Generator.Generator, side: Entry.Side, hours: number): ReadonlyArray<Entry.Entry> => {
  const accounts = random.pick([[undefined], ["a", "b"], [undefined, "a"]])
  const references = [undefined]
  const [least, most] = random.pick([[10, 12], [10, 30], [1, 6]] as const)
  return Array.from({ length: random.int(1, 40) }, (_, index): Entry.Entry => {
    const account = random.pick(accounts)
    const reference = random.pick(references)
    return {
      side,
      id: `${side[0]}${index}`,
      asset: random.chance(0.9) ? "BTC" : "ETH",
      amount: String(random.int(least, most)),
      at: Run.T0 + random.int(0, hours * 60) * Run.MINUTE,
      status: random.chance(0.9) ? "settled" : random.pick(["failed", "pending"] as const),
      ...(account === undefined ? {} : { account }),
      ...(reference === undefined ? {} : { reference })
    }
  }).toSorted((a, b) => a.at - b.at)
}

const policies = (random: Generator.Generator): Policy.Policy => ({
  window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
  late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
  tolerance: { absolute: random.pick(["0", "0", "1"]) },
  reference: random.pick(["prefer", "require", "ignore"]),
  grouping: { manyToOne: random.chance(0.5), oneToMany: random.chance(0.5) }
})

const covered = (operation: "deposits" | "transfers", from: number, to: number) =>
  ({ operation, from, to, readAt: 0, state: "complete" }) as const

/** Gives the entries in steps of so many minutes, or all at once. */
const inSteps = (
  minutes: number,
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>,
  policy: Policy.Policy,
  hours: number
): { readonly outcomes: ReadonlyArray<Outcome.Outcome>; readonly most: number } => {
  const incremental = Incremental.make({ policy: Run.policy(policy), accounts: Accounts.none })
  const outcomes: Array<Outcome.Outcome> = []
  const end = Run.T0 + (hours + 1) * Run.HOUR
  let most = 0
  const within = (list: ReadonlyArray<Entry.Entry>, from: number, to: number) =>
    list.filter(({ at }) => at >= from && at < to)
  for (let from = Run.T0 - Run.HOUR; from < end; from += minutes * Run.MINUTE) {
    const to = from + minutes * Run.MINUTE
    outcomes.push(...incremental.advance({
      deposits: within(deposits, from, to),
      transfers: within(transfers, from, to),
      bad: [],
      coverage: [covered("deposits", from, to), covered("transfers", from, to)],
      watermarks: { deposit: to, transfer: to }
    }))
    most = Math.max(most, incremental.kept())
  }
  outcomes.push(...incremental.advance({
    deposits: [],
    transfers: [],
    bad: [],
    coverage: [covered("deposits", end, end + Run.DAY), covered("transfers", end, end + Run.DAY)],
    watermarks: { deposit: Number.POSITIVE_INFINITY, transfer: Number.POSITIVE_INFINITY }
  }))
  assert.strictEqual(incremental.kept(), 0)
  return { outcomes, most }
}

const byId = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Outcome.Outcome> =>
  outcomes.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))

describe("matching as entries come", () => {
  it("says in steps of any length what it says of everything at once", () => {
    for (let seed = 1; seed <= Generator.cases(1000); seed++) {
      const random = Generator.make(seed)
      const hours = random.pick([2, 8, 24])
      const [deposits, transfers] = [entries(random, "deposit", hours), entries(random, "transfer", hours)]
      const policy = policies(random)
      const whole = Run.match({
        deposits,
        transfers,
        policy,
        coverage: [
          covered("deposits", Run.T0 - Run.HOUR, Run.T0 + (hours + 25) * Run.HOUR),
          covered("transfers", Run.T0 - Run.HOUR, Run.T0 + (hours + 25) * Run.HOUR)
        ]
      })
      const minutes = random.pick([7, 30, 120])
      const stepwise = inSteps(minutes, deposits, transfers, policy, hours)
      assert.deepStrictEqual(byId(stepwise.outcomes), byId(whole.outcomes), `seed ${seed}, ${minutes} minutes`)
    }
  })
})
