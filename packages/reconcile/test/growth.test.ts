import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

/** Entries over a few hours, crowded enough to compete. */
const entries = (random: Generator.Generator, side: Entry.Side): ReadonlyArray<Entry.Entry> => {
  const accounts = random.pick([[undefined], ["a", "b"], [undefined, "a"]])
  return Array.from({ length: random.int(1, 14) }, (_, index) => {
    const account = random.pick(accounts)
    return {
      side,
      id: `${side[0]}${index}`,
      asset: "BTC",
      amount: String(random.int(10, 12)),
      at: Run.T0 + random.int(0, 200) * Run.MINUTE,
      status: random.chance(0.9) ? "settled" : random.pick(["failed", "pending"] as const),
      ...(account === undefined ? {} : { account })
    }
  })
}

const names = (outcome: Outcome.Outcome): string => Run.summary([outcome]).join()

/** Seeds that were wrong once. */
const once = [7884, 13_130]

describe("growth of the range", () => {
  it("never changes an outcome that is final, nor states a match that is undone once its component is closed", () => {
    let finals = 0
    for (const seed of [...once, ...Array.from({ length: Generator.cases(2000) }, (_, index) => index + 1)]) {
      const random = Generator.make(seed)
      const [deposits, transfers] = [entries(random, "deposit"), entries(random, "transfer")]
      const policy: Policy.Policy = {
        window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
        late: random.pick(["0 minutes", "30 minutes"]),
        tolerance: { absolute: random.pick(["0", "0", "1"]) }
      }
      const upTo = (end: number): ReadonlyArray<Outcome.Outcome> =>
        Run.match({
          deposits: deposits.filter(({ at }) => at < end),
          transfers: transfers.filter(({ at }) => at < end),
          coverage: Run.complete.map((coverage) => Object.assign({}, coverage, { to: end })),
          policy
        }).outcomes
      let known: ReadonlySet<string> = new Set()
      for (let minutes = 20; minutes <= 300; minutes += 20) {
        const found = upTo(Run.T0 + minutes * Run.MINUTE)
        const now = new Set(found.map(names))
        for (const name of known) {
          assert.isTrue(
            now.has(name),
            `seed ${seed}: at ${minutes} minutes "${name}" is gone; now ${[...now].join("; ")}`
          )
        }
        known = new Set(found.filter(({ final }) => final).map(names))
        finals += known.size
      }
    }
    assert.isAbove(finals, Generator.cases(2000))
  })
})
