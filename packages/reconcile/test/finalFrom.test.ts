/** The moment before which nothing about an entry can be final. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

interface Books {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly policy: Policy.Policy
}

const coverageUntil = (to: number): ReadonlyArray<Coverage.Coverage> =>
  Run.complete.map((coverage) => ({ ...coverage, to, readAt: to }))

/** Reads everything before a moment, whichever entries come until then. */
const until = (to: number, { deposits, policy, transfers }: Books): ReadonlyArray<Outcome.Outcome> =>
  Run.match({
    deposits: deposits.filter(({ at }) => at < to),
    transfers: transfers.filter(({ at }) => at < to),
    coverage: coverageUntil(to),
    policy
  }).outcomes

const idsOf = ({ deposits, transfers }: Outcome.Outcome): ReadonlyArray<string> =>
  [...deposits, ...transfers].map(({ id }) => id)

const members = (outcome: Outcome.Outcome): string => idsOf(outcome).join(" ")

const outcomesOf = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyMap<string, Outcome.Outcome> =>
  new Map(outcomes.flatMap((outcome) => idsOf(outcome).map((id) => [id, outcome])))

const policyOf = (random: Generator.Generator): Policy.Policy => ({
  window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
  late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
  tolerance: { absolute: random.pick(["0", "0", "1"]) },
  fees: random.pick([[], [], [{ flat: "1" }]]),
  reference: random.pick(["prefer", "prefer", "require", "ignore"])
})

const booksOf = (random: Generator.Generator): Books => {
  const kind = Crowd.kindOf(random)
  return {
    deposits: Crowd.entries(random, "deposit", kind),
    transfers: Crowd.entries(random, "transfer", kind),
    policy: policyOf(random)
  }
}

const steps = Array.from({ length: 40 }, (_, step) => Run.T0 + (step + 1) * 10 * Run.MINUTE)

describe("the moment from which an outcome can be final", () => {
  it("is the end of the horizon of an entry that nothing is near, which is final then, and not a millisecond earlier", () => {
    for (const after of ["20 minutes", "1 hour"]) {
      for (const late of ["0 minutes", "1 day"]) {
        for (
          const entry of [
            Run.deposit("d1", 0),
            Run.transfer("t1", 0),
            Run.transfer("t2", 0, { from: "a", to: "" })
          ]
        ) {
          const policy: Policy.Policy = { window: { before: "10 minutes", after }, late }
          const books = {
            deposits: entry.side === "deposit" ? [entry] : [],
            transfers: entry.side === "transfer" ? [entry] : [],
            policy
          }
          const length = after === "1 hour" ? Run.HOUR : 20 * Run.MINUTE
          const wait = late === "1 day" ? Run.DAY : 0
          // A transfer looks for a deposit behind it for ten minutes, for another transfer like it as long as its window is, and
          // one to the master account for its way back.
          const horizon = (entry.side === "deposit" ? length : 10 * Run.MINUTE) + wait
          const last = Run.T0 + (entry.to === undefined ? Math.max(horizon, length) : length + wait)
          for (const to of [Run.T0 + 1, Run.T0 + 5 * Run.MINUTE, last - 1, last]) {
            const [found] = until(to, books)
            assert.deepInclude(found, { final: false, finalFrom: last + 1 })
          }
          const [found] = until(last + 1, books)
          assert.strictEqual(found?.final, true)
          assert.notProperty(found, "finalFrom")
        }
      }
    }
  })

  it("comes before everything final that is said of the same entries, unless they are matched or reversed", () => {
    let [told, waited] = [0, 0]
    for (let seed = 1; seed <= Generator.cases(5); seed++) {
      const books = booksOf(Generator.make(seed))
      const earliest = new Map<string, number>()
      for (const to of steps) {
        for (const outcome of until(to, books)) {
          const from = earliest.get(members(outcome))
          const isFreed = outcome.outcome === "matched" || outcome.code === "reversed"
          if (from !== undefined && to < from && !isFreed) {
            assert.isFalse(outcome.final, `seed ${seed}: ${outcome.code} ${members(outcome)} at ${to - Run.T0}`)
            waited++
          }
          if (outcome.finalFrom === undefined) continue
          assert.isAbove(outcome.finalFrom, to)
          assert.isFalse(outcome.final)
          earliest.set(members(outcome), Math.max(from ?? 0, outcome.finalFrom))
          told++
        }
      }
    }
    assert.isAbove(told, Generator.cases(5))
    assert.isAbove(waited, Generator.cases(5))
  })

  it("is most often the moment itself if nothing else comes, and told of nothing that stays as it is and is never final", () => {
    let [told, exact] = [0, 0]
    for (let seed = 1; seed <= Generator.cases(6); seed++) {
      const books = booksOf(Generator.make(seed))
      for (const to of steps.filter((_, step) => step % 4 === 0)) {
        const isCome = ({ at }: Entry.Entry): boolean => at < to
        const come: Books = {
          ...books,
          deposits: books.deposits.filter(isCome),
          transfers: books.transfers.filter(isCome)
        }
        const found = until(to, come).filter(({ finalFrom }) => finalFrom !== undefined)
        const end = outcomesOf(until(to + Run.DAY, come))
        for (const outcome of found) {
          const [early, late] = [outcomesOf(until(outcome.finalFrom ?? 0, come)), end].map((outcomes) =>
            idsOf(outcome).map((id) => outcomes.get(id))
          )
          const isSame = late?.every((one) => one !== undefined && members(one) === members(outcome)) === true
          assert.isTrue(
            !isSame || late.every((one) => one?.final === true),
            `seed ${seed}: ${outcome.code} ${members(outcome)} at ${to - Run.T0}`
          )
          told++
          if (early?.every((one) => one?.final === true)) exact++
        }
      }
    }
    assert.isAbove(exact, told / 2)
  })

  it("is not told where other things than time decide", () => {
    const day = Run.T0 + Run.DAY
    const policy: Policy.Policy = { window: { before: "10 minutes", after: "1 hour" }, late: "1 day" }
    const input = { deposits: [Run.deposit("d1", 0)], policy, coverage: coverageUntil(day) }
    const told = (given: Run.Input): ReadonlyArray<unknown> =>
      Run.match({ ...input, ...given }).outcomes.map(({ code, final, finalFrom }) => [code, final, finalFrom])
    const horizon = day + Run.HOUR + 1
    assert.deepStrictEqual(told({}), [["missing-transfer", false, horizon]])
    const [deposits, transfers] = coverageUntil(day)
    assert.isDefined(deposits)
    assert.isDefined(transfers)
    const gap = { ...transfers, from: Run.T0 + 2 * Run.HOUR, to: Run.T0 + 3 * Run.HOUR, state: "incomplete" } as const
    const holed = [deposits, { ...transfers, to: gap.from }, gap, { ...transfers, from: gap.to }]
    assert.deepStrictEqual(told({ coverage: holed }), [["missing-transfer", false, undefined]])
    assert.deepStrictEqual(
      told({ transfers: [Run.transfer("t1", 120, { status: "pending", amount: "7" })] }),
      [["missing-transfer", false, undefined], ["unconfirmed", false, undefined]]
    )
    const bad = { side: "transfer", source: "a", path: "$", reason: "none", raw: "{}" } as const
    assert.deepInclude(told({ bad: [bad] }), ["missing-transfer", false, undefined])
    // A bad deposit is no counterpart of a deposit.
    assert.deepInclude(told({ bad: [{ ...bad, side: "deposit" }] }), ["missing-transfer", false, horizon])
    // The same holds while its window is open: it will lack a transfer, and may have it among the bad records.
    const early = coverageUntil(Run.T0 + 30 * Run.MINUTE)
    assert.deepInclude(told({ coverage: early }), ["in-flight", false, horizon])
    assert.deepInclude(told({ bad: [bad], coverage: early }), ["in-flight", false, undefined])
  })

  it("is not told of what is in flight beside an entry of another outcome that may belong to it", () => {
    const books: Books = {
      deposits: [Run.deposit("d0", 0, { account: "b" }), Run.deposit("d1", 13, { account: "b" })],
      transfers: [Run.transfer("t0", 9, { account: "a" })],
      policy: { window: { before: "10 minutes", after: "1 hour" }, late: "1 day" }
    }
    for (const minutes of [20, 53, 10_000]) {
      for (const outcome of until(Run.T0 + minutes * Run.MINUTE, books)) {
        assert.deepInclude(outcome, { final: false }, `${minutes} min: ${outcome.code}`)
        assert.notProperty(outcome, "finalFrom", `${minutes} min: ${outcome.code}`)
      }
    }
  })
})
