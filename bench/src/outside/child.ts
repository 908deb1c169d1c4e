/** One matcher in a process of its own: a plan as the argument, what it took and what it was right about as one line of JSON. */
import { take } from "../Measure.ts"
import * as Bridge from "./Bridge.ts"
import * as Matchers from "./Matchers.ts"

export interface Plan {
  readonly name: Matchers.Name
  readonly warmUp: number
  readonly runs: number
}

export interface Took {
  readonly times: ReadonlyArray<number>
  /** Ms of processor time of the median run. */
  readonly cpu: number
  /** Pairs that really are. */
  readonly truth: number
  readonly pairs: number
  readonly right: number
  readonly classes: number
  /** Pairs that lie in a class, each with both of its entries. */
  readonly within: number
  /** Classes that hold the true counterpart of each of their deposits. */
  readonly closed: number
}

const plan: Plan = JSON.parse(process.argv[2] ?? "{}")
const { deposits, transfers } = Bridge.sides()
let stated: ReadonlyArray<Matchers.Stated> = []
const { cpu, times } = await take(() => {
  stated = Matchers.matchers[plan.name](deposits, transfers)
}, plan)

const truth = Bridge.truth()
const pairs = stated.filter(({ deposits }) => deposits.length === 1)
const classes = stated.filter(({ deposits }) => deposits.length > 1)
/** How many deposits are with their own transfer. */
const together = ({ deposits, transfers }: Matchers.Stated): number => {
  const among = new Set(transfers)
  return deposits.filter((id) => among.has(truth.get(id) ?? "")).length
}
const sum = (all: ReadonlyArray<Matchers.Stated>): number => all.reduce((sum, one) => sum + together(one), 0)
console.log(JSON.stringify(
  {
    times,
    cpu,
    truth: truth.size,
    pairs: pairs.length,
    right: sum(pairs),
    classes: classes.length,
    within: sum(classes),
    closed: classes.filter((one) => together(one) === one.deposits.length).length
  } satisfies Took
))
