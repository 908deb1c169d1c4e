import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Policy from "../src/Policy.ts"
import * as Generator from "./support/Generator.ts"
import * as Growth from "./support/Growth.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

/** Entries whose amounts add up to each other now and then. */
const entries = (random: Generator.Generator, side: Entry.Side, most: number): ReadonlyArray<Entry.Entry> => {
  const accounts = random.pick([[undefined], ["a", "b"], [undefined, "a"]])
  const amounts = random.pick([[1, 2, 3, 5], [1, 2, 4, 8, 16], [3, 5, 7, 8, 10, 12, 15], [11, 13, 24, 37, 50]])
  return Array.from({ length: random.int(1, most) }, (_, index) => {
    const account = random.pick(accounts)
    return {
      side,
      id: `${side[0]}${index}`,
      asset: "BTC",
      amount: String(random.pick(amounts)),
      at: Run.T0 + random.int(0, 200) * Run.MINUTE,
      status: random.chance(0.95) ? "settled" : random.pick(["failed", "pending"] as const),
      ...(account === undefined ? {} : { account })
    }
  })
}

describe("growth of the range, with groups", () => {
  it("never changes an outcome that is final", () => {
    let groups = 0
    let finals = 0
    for (let seed = 1; seed <= Generator.cases(300); seed++) {
      const random = Generator.make(seed)
      const most = random.pick([4, 8, 14])
      const [deposits, transfers] = [entries(random, "deposit", most), entries(random, "transfer", most)]
      const policy: Policy.Policy = {
        window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
        late: random.pick(["0 minutes", "30 minutes"]),
        tolerance: { absolute: random.pick(["0", "0", "1"]) },
        fees: random.pick([[], [], [{ flat: "1" }]]),
        grouping: {
          manyToOne: random.chance(0.8),
          oneToMany: random.chance(0.8),
          maxSize: random.pick([2, 3, 8]),
          maxRun: random.pick([2, 5, 1000])
        }
      }
      finals += Growth.watch(seed, { deposits, transfers, policy }, (found) => {
        for (const { code, final } of found) {
          if (code !== "grouped") continue
          assert.isTrue(final, `seed ${seed}: a group that is not final`)
          groups++
        }
      })
    }
    assert.isAbove(finals, Generator.cases(300))
    assert.isAbove(groups, Generator.cases(300) / 10)
  })
})
