/** Histories whose truth is known, and how much of what is said of them is wrong. */
import type * as Entry from "../../src/Entry.ts"
import * as Generator from "./Generator.ts"
import * as Run from "./Run.ts"

/** Equal deposits of some days, each swept within minutes but for some that never are; `truth` is who moved whom. */
export interface History {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly truth: ReadonlyMap<string, string>
}

const DAYS = 3

/** Enough to see a share of one in a hundred; the histories of a fee cost a second each. */
export const MOST_SEEDS = 40

export const history = (
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

export type Delay = (random: Generator.Generator) => number

export const tally = () => {
  let [all, wrong] = [0, 0]
  return {
    add: (isWrong: boolean): void => {
      all++
      if (isWrong) wrong++
    },
    join: (other: { readonly all: () => number; readonly wrong: () => number }): void => {
      all += other.all()
      wrong += other.wrong()
    },
    all: (): number => all,
    wrong: (): number => wrong,
    share: (): number => (all === 0 ? 0 : wrong / all),
    text: (): string => `${wrong} of ${all}`
  }
}

/** Says what was measured, where it is asked for. */
export const print = (line: string): void => {
  if (process.env["TALLYSTICK_PRINT"] !== undefined) process.stdout.write(`${line}\n`)
}

export const minutes = (low: number, high: number): Delay => (random) => random.int(low * Run.MINUTE, high * Run.MINUTE)
