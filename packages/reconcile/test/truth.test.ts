import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Policy from "../src/Policy.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

/** Equal deposits of some days, each swept within minutes but for some that never are; `truth` is who moved whom. */
interface History {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly truth: ReadonlyMap<string, string>
}

const DAYS = 3

/** Enough to see a share of one in a hundred; the histories of a fee cost a second each. */
const MOST_SEEDS = 100

const history = (
  seed: number,
  perDay: number,
  fee: number,
  delay: (random: Generator.Generator) => number
): History => {
  const random = Generator.make(seed)
  const deposits: Array<Entry.Entry> = []
  const transfers: Array<Entry.Entry> = []
  const truth = new Map<string, string>()
  for (let index = 0; index < perDay * DAYS; index++) {
    const at = Run.T0 + random.int(0, DAYS * Run.DAY)
    deposits.push({ ...Run.deposit(`d${index}`, 0), amount: "100", at })
    if (random.chance(0.01)) continue
    transfers.push({ ...Run.transfer(`t${index}`, 0), amount: String(100 - fee), at: at + delay(random) })
    truth.set(`d${index}`, `t${index}`)
  }
  return { deposits, transfers, truth }
}

type Delay = (random: Generator.Generator) => number

/** How much is stated, and how much of it is wrong, over a few seeds. */
const measure = (perDay: number, delay: Delay, fee: number) => {
  const [pairs, forced, missing] = [tally(), tally(), tally()]
  const policy: Policy.Policy = fee === 0 ? {} : { fees: [{ flat: String(fee) }] }
  for (let seed = 1; seed <= Math.min(Generator.cases(6), MOST_SEEDS); seed++) {
    const { deposits, transfers, truth } = history(seed, perDay, fee, delay)
    for (const outcome of Run.match({ deposits, transfers, policy }).outcomes) {
      const [deposit, transfer] = [outcome.deposits[0]?.id ?? "", outcome.transfers[0]?.id]
      if (outcome.outcome === "matched" && outcome.pairs === undefined) {
        const wrong = truth.get(deposit) !== transfer
        pairs.add(wrong)
        if (outcome.decidedBy === "forced") forced.add(wrong)
      } else if (outcome.code === "missing-transfer") {
        missing.add(truth.has(deposit))
      }
    }
  }
  return { pairs, forced, missing }
}

const tally = () => {
  let [all, wrong] = [0, 0]
  return {
    add: (isWrong: boolean): void => {
      all++
      if (isWrong) wrong++
    },
    share: (): number => (all === 0 ? 0 : wrong / all),
    text: (): string => `${wrong} of ${all}`
  }
}

const minutes = (low: number, high: number): Delay => (random) => random.int(low * Run.MINUTE, high * Run.MINUTE)

/** Most within a few minutes, some much later. */
const exponential = (mean: number): Delay => (random) =>
  Math.min(59 * Run.MINUTE, Math.round(-Math.log(1 - random.next()) * mean * Run.MINUTE))

describe("what is stated as a fact", () => {
  for (
    const [name, delay, fee] of [
      ["swept within ten minutes", minutes(0, 10), 0],
      ["swept after five minutes on average", exponential(5), 0],
      ["swept any time within half the window", minutes(0, 30), 0],
      ["swept within ten minutes, less a fee", minutes(0, 10), 1]
    ] as const
  ) {
    it(`is wrong in at most a few percent of equal deposits, from sparse to very dense: ${name}`, () => {
      for (const perDay of [5, 20, 50, 100, 200, 500, 1000, 3000]) {
        const { forced, missing, pairs } = measure(perDay, delay, fee)
        if (process.env["TALLYSTICK_PRINT"] !== undefined) {
          process.stdout.write(
            `${name}, ${perDay} a day: wrong ${pairs.text()} pairs, ${forced.text()} forced, ${missing.text()} missing\n`
          )
        }
        assert.isAtMost(pairs.share(), 0.02, `${pairs.text()} pairs at ${perDay} a day`)
        assert.isAtMost(forced.share(), 0.001, `${forced.text()} forced pairs at ${perDay} a day`)
        assert.isAtMost(missing.share(), 0.01, `${missing.text()} missing at ${perDay} a day`)
      }
    }, 3_600_000)
  }
})
