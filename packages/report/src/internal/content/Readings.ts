/** Sums up coverage: parts that say the same about several queries of one run become one line. */
import type * as Coverage from "@tallystick/core/Coverage"
import { scopeOf } from "../../text/Scope.ts"
import * as Text from "../../text/Text.ts"
import type { Times } from "../../text/Times.ts"

/** Coverages that say the same of nearly the same interval, for one query or for many. */
export interface Reading {
  readonly coverage: Coverage.Coverage
  count: number
  from: number
  to: number
}

/** Queries of one run are read one after the other, so their intervals end at slightly different moments. */
const NEARLY = 60_000

const near = (a: number, b: number): boolean => Math.abs(a - b) <= NEARLY

/** Joins intervals: complete ones to what they have in common, others to all that any of them touches. */
const join = (reading: Reading, { from, state, to }: Coverage.Coverage): void => {
  const common = state === "complete"
  reading.count++
  reading.from = common ? Math.max(reading.from, from) : Math.min(reading.from, from)
  reading.to = common ? Math.min(reading.to, to) : Math.max(reading.to, to)
}

/** Returns the readings by operation and time. */
export const of = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<Reading> => {
  const known = new Map<string, Array<Reading>>()
  for (const one of coverage) {
    const key = JSON.stringify([one.operation, one.state, one.gap])
    const alike = known.get(key) ?? []
    known.set(key, alike)
    const reading = alike.find(({ coverage }) => near(coverage.from, one.from) && near(coverage.to, one.to))
    if (reading === undefined) alike.push({ coverage: one, count: 1, from: one.from, to: one.to })
    else join(reading, one)
  }
  return Array.from(known.values()).flat().toSorted((a, b) =>
    (a.coverage.operation < b.coverage.operation ? -1 : a.coverage.operation > b.coverage.operation ? 1 : 0) ||
    a.from - b.from || a.to - b.to
  )
}

const states = {
  complete: "complete",
  open: "too young to be settled",
  incomplete: "not proven complete"
} as const

/** Writes a reading: `transfers of 3 queries: complete from … to …` */
export const sentence = ({ count, coverage, from, to }: Reading, times: Times): string => {
  const { gap, operation, state } = coverage
  const what = count === 1 ? scopeOf(coverage) : `${operation} of ${Text.count(count)} queries`
  const text = `${what}: ${states[state]} from ${times.bound(from)} to ${times.bound(to)}`
  return gap === undefined ? text : `${text}: ${gap.detail}`
}
